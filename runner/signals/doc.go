// Package signals does what Go's os/signal can't: preserve the dispositions and the mask that retry was started with, tell
// who sent a signal, subscribe without a delay, and end this process by a signal.
//
// Everything that depends on the internals of Go's runtime is here, and nothing else: all go:linkname, all assembly. The
// build tag exactsignals selects it. Without the tag, and on other systems, each function does what is possible without
// that, and says what it can't do.
package signals
