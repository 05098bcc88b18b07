package runner

import "os"

// task is one command to run: an attempt's, or one that decides about it.
type task struct {
	Attempt
	command []string
	environ []string // beside what is inherited
	files   [3]*os.File
	streams *streams // what retry has a hand in; nil for nothing
}
