// Command retry runs a command until it succeeds, with exponential backoff and jitter.
package main

import (
	"errors"
	"io"
	"os"

	"retry/internal/answer"
	"retry/internal/help"
	"retry/internal/options"
	"retry/policy"
	"retry/runner"
	"retry/runner/console"
	"retry/runner/process"
	"retry/runner/signals"
)

// version is set by the linker in a release.
var version = "(devel)"

func main() {
	system := process.Listen()
	status, signal := run(system, os.Args[1:], os.Stdout, console.Descriptor(2))
	if signal.Number != 0 {
		signals.Die(signal)
	}
	os.Exit(status)
}

// run does everything except exiting. It returns the exit status and, if retry should kill itself with a signal, that signal.
func run(system *process.System, words []string, stdout, stderr io.Writer) (int, policy.Signal) {
	result, err := dispatch(system, words, stdout)
	if err != nil {
		complain(stderr, err)
		return policy.StatusFault, policy.Signal{}
	}
	return result.Status, result.Signal
}

// dispatch does what the command line asks for: it prints help or an answer, or runs the command. An error means bad usage, or
// that retry itself failed.
func dispatch(system *process.System, words []string, stdout io.Writer) (runner.Result, error) {
	line, err := options.Parse(words)
	if err != nil {
		return runner.Result{}, err
	}
	switch line.Asked {
	case "h", "help":
		return runner.Result{}, help.Print(stdout, line.Asked == "h")
	case "completion":
		return runner.Result{}, help.Completion(stdout, line.Value)
	case "version":
		return runner.Result{}, help.Version(stdout, version)
	}
	if line.Settings.Asks() {
		if line.Settings.Interruptible() {
			system.NoteInterrupts()
		}
		err := answer.Print(stdout, line.Settings, func() bool { return system.Interrupted().Number != 0 })
		return interrupted(system), err
	}
	job, err := line.Job()
	if err != nil {
		return runner.Result{}, err
	}
	return execute(system, job, line)
}

// interrupted returns the result of an answer, which is 0 unless a signal told retry to end. Process 1, which can't be
// killed by its own signal, needs the status.
func interrupted(system *process.System) (result runner.Result) {
	if result.Signal = system.Interrupted(); result.Signal.Number != 0 {
		result.Status = policy.StatusSignalOffset + result.Signal.Number
	}
	return result
}

// execute runs the job. An error means that it could not start.
func execute(system *process.System, job *runner.Job, line *options.Line) (runner.Result, error) {
	s := line.Settings
	reporters, err := newReporters(system, job, s)
	if err != nil {
		return runner.Result{}, err
	}
	if err := system.Prepare(job); err != nil {
		return runner.Result{}, err
	}
	warnOfLimits(job, s)
	result, _ := runner.Run(job, system, reporters) // its error has been reported already, and the result contains it
	if result.Status == policy.StatusNotFound && s.TellsOfFailure() && !process.Executable(job.Command[0]) {
		io.WriteString(console.Descriptor(2), hintLine(line.NotFoundHint(job.Command)))
	}
	return result, nil
}

// complain prints the error and its hint.
func complain(stderr io.Writer, err error) {
	text := "retry: " + err.Error() + "\n"
	var usage *options.UsageError
	if errors.As(err, &usage) {
		text += hintLine(usage.Hint)
	}
	io.WriteString(stderr, text)
}

// hintLine returns the line of a hint, or nothing if there is none.
func hintLine(hint string) string {
	if hint == "" {
		return ""
	}
	return "retry: hint: " + hint + "\n"
}
