// Package report tells a person or a program what happens: as lines, as JSON Lines, as a countdown on a terminal, and as a
// summary for a CI system.
package report
