// Package report reports a run's events: as lines, as JSON Lines, as a countdown on a terminal, and as a summary for a CI
// system. Each of them is a [runner.Reporter]; a new one is a new file.
//
// Every line is written by a single write, so that lines of several processes don't mix. A report names the command by its
// name only, never by its arguments, because those can hold secrets. Nothing here influences a run.
package report
