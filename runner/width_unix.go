//go:build unix

package runner

import "golang.org/x/sys/unix"

// TerminalWidth is how many columns the terminal on a descriptor has, 0 where it is none.
func TerminalWidth(descriptor int) int {
	size, err := unix.IoctlGetWinsize(descriptor, unix.TIOCGWINSZ)
	if err != nil {
		return 0
	}
	if size.Col == 0 {
		return 80
	}
	return int(size.Col)
}
