// Package report reports the events of a run: as lines, as JSON Lines, as a countdown on a terminal, as trace spans,
// and as a summary for a CI system. Each kind is a [runner.Reporter] in a file of its own.
//
// Every line is written by a single write, so that lines of several processes don't mix. A report names the command but
// not its arguments, which can contain secrets, unless they were asked for. No report influences a run.
package report
