//go:build unix && !linux

package stream

// waitsSilently is false. With no events requested, poll(2) never returns on macOS and isn't woken on NetBSD. According
// to their sources it works on FreeBSD and OpenBSD, but that is untested.
const waitsSilently = false
