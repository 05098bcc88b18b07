package console

import "golang.org/x/sys/windows"

// Width returns the number of columns of the console on a descriptor, or 0 if it isn't a console.
func Width(descriptor int) int {
	streams := []uint32{windows.STD_INPUT_HANDLE, windows.STD_OUTPUT_HANDLE, windows.STD_ERROR_HANDLE}
	handle, err := windows.GetStdHandle(streams[descriptor])
	if err != nil {
		return 0
	}
	var info windows.ConsoleScreenBufferInfo
	if windows.GetConsoleScreenBufferInfo(handle, &info) != nil {
		return 0
	}
	return int(info.Window.Right-info.Window.Left) + 1
}

// ForegroundWidth returns the same, because a console has no jobs.
func ForegroundWidth(descriptor int) int { return Width(descriptor) }
