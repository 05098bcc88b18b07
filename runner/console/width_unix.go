//go:build unix

package console

import "golang.org/x/sys/unix"

// Width returns the number of columns of the terminal on a descriptor, or 0 if it isn't a terminal.
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

// ForegroundWidth returns the same, but 0 while another job has the terminal.
func ForegroundWidth(descriptor int) int {
	foreground, err := unix.IoctlGetInt(descriptor, unix.TIOCGPGRP)
	if err == nil && foreground != unix.Getpgrp() {
		return 0
	}
	return Width(descriptor)
}
