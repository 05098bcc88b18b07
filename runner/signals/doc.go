// Package signals does with signals what Go's library can't: it keeps what retry inherited, finds out who sent one, and
// ends retry by one. All that reaches into Go's runtime is here, and all assembly.
package signals
