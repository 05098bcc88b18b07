// Package signals does what os/signal can't: preserve the signal dispositions and the mask that retry was started with,
// find out who sent a signal, subscribe without a delay, and end this process by a signal.
//
// All code that depends on the internals of Go's runtime is in this package, which means all go:linkname and all
// assembly. The build tag exactsignals selects it. Without the tag, and on other systems, each function does what is
// possible otherwise, and its comment says what it can't do.
package signals
