//go:build unix && !linux

package stream

// waitsSilently is false. With no events asked for, macOS never returns and NetBSD isn't woken. FreeBSD's and OpenBSD's
// sources say that theirs do return; that was never tried.
const waitsSilently = false
