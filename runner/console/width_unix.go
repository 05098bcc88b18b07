//go:build unix

package console

import "golang.org/x/sys/unix"

// Width is how many columns the terminal on a descriptor has, 0 where it is none.
func Width(descriptor int) int {
	size, err := unix.IoctlGetWinsize(descriptor, unix.TIOCGWINSZ)
	if err != nil {
		return 0
	}
	if size.Col == 0 {
		return 80
	}
	return int(size.Col)
}

// ForegroundWidth is the same, and 0 too while another job has the terminal.
func ForegroundWidth(descriptor int) int {
	foreground, err := unix.IoctlGetInt(descriptor, unix.TIOCGPGRP)
	if err == nil && foreground != unix.Getpgrp() {
		return 0
	}
	return Width(descriptor)
}
