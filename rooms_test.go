package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// rooms lists, for each package of this module, which other ones it may import. An import in the other direction, for example from
// a decision to a process, must not be added here.
var rooms = map[string][]string{
	".": {
		"internal/answer", "internal/help", "internal/options", "policy",
		"runner", "runner/console", "runner/process", "runner/report", "runner/signals",
	},
	"internal/answer": {
		"internal/options", "internal/render", "internal/review", "policy", "policy/simulation", "runner/budget", "runner/console",
	},
	"internal/help": {"completions", "internal/options"},
	"internal/options": {
		"policy", "policy/simulation", "runner", "runner/budget", "runner/process", "runner/report", "runner/scan",
		"runner/signals",
	},
	"completions":     {},
	"internal/render": {"internal/review", "policy", "policy/simulation", "runner"},
	"internal/review": {"policy", "runner"},

	"runner/process":   {"policy", "runner", "runner/proctable", "runner/signals", "runner/stream"},
	"runner/report":    {"policy", "runner"},
	"runner/stream":    {"policy", "runner", "runner/console", "runner/scan"},
	"runner":           {"policy"},
	"runner/signals":   {"policy"},
	"runner/budget":    {"policy"},
	"runner/proctable": {},
	"runner/console":   {},
	"runner/scan":      {},

	"policy/simulation": {"policy"},
	"policy":            {},
}

// pure lists the packages that are independent of the operating system.
var pure = []string{"policy", "policy/simulation", "runner", "runner/scan", "internal/review"}

// systemPackages lists packages that depend on it. A path includes the packages below it.
var systemPackages = []string{"os", "syscall", "net", "golang.org/x/sys"}

// linker is the package that may access Go's runtime, by go:linkname and by assembly.
const linker = "runner/signals"

// room is what go list reports about a package.
type room struct {
	ImportPath, Dir          string
	Imports, GoFiles, SFiles []string
}

// listed returns the packages of this module as they are compiled for a system, without those that contain only tests.
func listed(t *testing.T, system string) (list []room) {
	t.Helper()
	command := exec.Command("go", "list", "-tags", "exactsignals", "-json=ImportPath,Dir,Imports,GoFiles,SFiles", "./...")
	command.Env = append(os.Environ(), "GOOS="+system, "GOARCH=amd64", "CGO_ENABLED=0", "GOFLAGS=")
	out, err := command.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	for decoder := json.NewDecoder(strings.NewReader(string(out))); decoder.More(); {
		var r room
		if err := decoder.Decode(&r); err != nil {
			t.Fatal(err)
		}
		if len(r.GoFiles) > 0 {
			list = append(list, r)
		}
	}
	return list
}

// Imports go one way on every system, and system-dependent code stays in its packages.
func TestRooms(t *testing.T) {
	seen := map[string]bool{}
	for _, system := range []string{"linux", "darwin", "freebsd", "openbsd", "windows"} {
		for _, r := range listed(t, system) {
			if len(r.GoFiles) == 0 {
				continue // a directory with only tests, or a package that doesn't exist on this system
			}
			name := roomName(r.ImportPath)
			seen[name] = true
			allowed, known := rooms[name]
			if !known {
				t.Errorf("%s: package %s is not in the list of what may import what", system, name)
			}
			for _, path := range r.Imports {
				if inModule(path) && !slices.Contains(allowed, roomName(path)) {
					t.Errorf("%s: package %s imports %s", system, name, path)
				}
				if path == "os/exec" {
					t.Errorf("%s: package %s imports os/exec: runner/process starts every process", system, name)
				}
				if slices.Contains(pure, name) && ofSystem(path) {
					t.Errorf("%s: package %s imports %s", system, name, path)
				}
			}
			if name != linker && (len(r.SFiles) > 0 || links(t, r)) {
				t.Errorf("%s: package %s has assembly or go:linkname, which belong to %s", system, name, linker)
			}
		}
	}
	for name := range rooms {
		if !seen[name] {
			t.Errorf("package %s is in the list of what may import what, and is not there", name)
		}
	}
}

func inModule(path string) bool { return path == "retry" || strings.HasPrefix(path, "retry/") }

func roomName(path string) string {
	if path == "retry" {
		return "."
	}
	return strings.TrimPrefix(path, "retry/")
}

func ofSystem(path string) bool {
	return slices.ContainsFunc(systemPackages, func(p string) bool { return path == p || strings.HasPrefix(path, p+"/") })
}

// links reports whether a file of the package has a go:linkname directive.
func links(t *testing.T, r room) bool {
	t.Helper()
	return slices.ContainsFunc(r.GoFiles, func(file string) bool {
		text, err := os.ReadFile(filepath.Join(r.Dir, file))
		if err != nil {
			t.Fatal(err)
		}
		return strings.Contains("\n"+string(text), "\n//go:linkname ")
	})
}

// The maps in the pages name every package, and no file that doesn't exist.
func TestMaps(t *testing.T) {
	text := map[string]string{}
	for _, name := range []string{"CONTRIBUTING.md", "docs/architecture.md"} {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text[name] = string(content)
	}
	for name := range rooms {
		if name != "." && !strings.Contains(text["CONTRIBUTING.md"], "`"+name+"/`") {
			t.Errorf("CONTRIBUTING.md does not name %s/", name)
		}
		if name != "." && !strings.Contains(text["docs/architecture.md"], name) {
			t.Errorf("docs/architecture.md does not name %s", name)
		}
	}
	path := regexp.MustCompile("`([a-z_.]+/[a-z_./-]+)`")
	for name, content := range text {
		for _, found := range path.FindAllStringSubmatch(content, -1) {
			if _, err := os.Stat(found[1]); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}
