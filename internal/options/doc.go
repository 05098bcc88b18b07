// Package options turns a command line into a job: it holds the table of options, parses RETRY_OPTS and the command line,
// checks that the options make sense together, and completes the settings to a [runner.Job].
//
// It promises that bad usage is found before anything is run, by an error that names the option, and that the table is the
// only place that lists the options: parsing, suggestions, help, completions and the checks of the manual read it. Nothing
// here runs a command, writes output or exits.
//
// To add an option, add a row to [Table], in the group and at the place where the manual is to have it; most values need one
// of the setters that exist and a field, of the job if the runner reads it, else of [Settings]. If other options leave it
// without effect, or contradict it, add that to check.go. Then write its entry in man/retry.1, show it in a script of
// testdata/script, and run
//
//	go test ./completions -run TestGenerated -update
package options
