// Package options turns a command line into a job: it holds the table of options, parses RETRY_OPTS and the command line,
// checks that the options make sense together, and completes the settings to a [runner.Job].
//
// Bad usage is found before anything is run, and its error names the option. The table is the only list of the options:
// parsing, suggestions, help, completions and the checks of the manual read it. This package never runs a command, writes
// output or exits.
//
// To add an option, add a row to [Table], in its group and in the order of the manual. Most options can use an existing setter.
// The value goes to a field of the job if the runner reads it, or else of [Settings]. If other options make the new one
// ineffective, or contradict it, add that to check.go. Then document it in man/retry.1, test it in a script of
// testdata/script, and run
//
//	go test ./completions -run TestGenerated -update
package options
