// Package runner carries out what package policy decides. Everything that touches the operating system is here: the
// processes, the signals, the streams, the clock and the lines retry prints.
package runner
