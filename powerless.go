package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"retry/internal/options"
	"retry/runner"
	"retry/runner/console"
	"retry/runner/report"
)

// warnOfLimits says before the first attempt that a time limit may not be kept: an ordinary user can't kill what sudo, doas
// or su runs as another.
func warnOfLimits(job *runner.Job, s *options.Settings) {
	raises := slices.Contains([]string{"sudo", "doas", "su"}, filepath.Base(job.Command[0]))
	if !raises || os.Geteuid() <= 0 || s.Verbosity() == report.Silent { // it is -1 on Windows
		return
	}
	var limit string
	switch {
	case job.Timeout > 0:
		limit = "--timeout"
	case job.IdleTimeout > 0:
		limit = "--idle-timeout"
	case job.Deadline > 0:
		limit = "--deadline"
	default:
		return
	}
	complain(console.Descriptor(2), fmt.Errorf("%s: %s can't kill another user's process; use \"sudo retry ...\"", job.Name, limit))
}
