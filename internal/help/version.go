package help

import (
	"fmt"
	"io"
	"runtime/debug"
)

// Version prints the version, the commit and the Go version. A version of "(devel)" is replaced by the version of the module, if
// it has one.
func Version(stdout io.Writer, version string) error {
	commit, toolchain := "unknown", "unknown"
	if info, ok := debug.ReadBuildInfo(); ok {
		toolchain = info.GoVersion
		if version == "(devel)" && info.Main.Version != "" {
			version = info.Main.Version
		}
		for _, setting := range info.Settings {
			if setting.Key == "vcs.revision" {
				commit = setting.Value
			}
		}
	}
	_, err := fmt.Fprintf(stdout, "retry %s, commit %s, %s\n", version, commit, toolchain)
	return err
}
