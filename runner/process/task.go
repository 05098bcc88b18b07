package process

import (
	"os"

	"retry/runner"
	"retry/runner/stream"
)

// task is one command to run: an attempt's, or one that decides about it.
type task struct {
	runner.Attempt
	command []string
	environ []string // beside what is inherited
	files   [3]*os.File
	streams *stream.Streams // what retry has a hand in; nil for nothing
}
