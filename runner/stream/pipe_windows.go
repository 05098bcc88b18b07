package stream

import (
	"crypto/rand"
	"os"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// pipeFrom makes a pipe from the command to retry.
func pipeFrom() (source, command *os.File, err error) {
	return pipe(windows.PIPE_ACCESS_INBOUND, windows.GENERIC_WRITE)
}

// pipeTo makes a pipe from retry to the command.
func pipeTo() (command, feeding *os.File, err error) {
	feeding, command, err = pipe(windows.PIPE_ACCESS_OUTBOUND, windows.GENERIC_READ)
	return command, feeding, err
}

// pipe creates a named pipe, because anonymous pipes don't support overlapped operations, without which a pending read
// can't be cancelled. Its name can't be guessed, and only one client can open it. The command's end is an ordinary handle.
func pipe(direction, access uint32) (own, command *os.File, err error) {
	name := `\\.\pipe\retry-` + rand.Text()
	path, err := windows.UTF16PtrFromString(name)
	if err != nil {
		return nil, nil, err
	}
	handle, err := windows.CreateNamedPipe(path,
		direction|windows.FILE_FLAG_OVERLAPPED|windows.FILE_FLAG_FIRST_PIPE_INSTANCE,
		windows.PIPE_TYPE_BYTE|windows.PIPE_REJECT_REMOTE_CLIENTS, 1, pipeCapacity, pipeCapacity, 0, nil)
	if err != nil {
		return nil, nil, os.NewSyscallError("CreateNamedPipe", err)
	}
	end, err := windows.CreateFile(path, access, 0, nil, windows.OPEN_EXISTING, 0, 0)
	if err != nil {
		_ = windows.CloseHandle(handle)
		return nil, nil, os.NewSyscallError("CreateFile", err)
	}
	return os.NewFile(uintptr(handle), name), os.NewFile(uintptr(end), name), nil
}

var peekNamedPipe = windows.NewLazySystemDLL("kernel32.dll").NewProc("PeekNamedPipe")

// waiting returns how many bytes can be read from a pipe now. The error is windows.ERROR_BROKEN_PIPE if there are none
// and the pipe has no writer.
func waiting(pipe windows.Handle) (n int, err error) {
	var available uint32
	ok, _, err := peekNamedPipe.Call(uintptr(pipe), 0, 0, 0, uintptr(unsafe.Pointer(&available)), 0)
	if ok == 0 {
		return 0, err
	}
	return int(available), nil
}

// readNow reads what is available, without waiting. It returns 0 if there is nothing.
func readNow(file *os.File, block []byte) (n int) {
	raw, err := file.SyscallConn()
	if err != nil {
		return 0
	}
	available := 0
	_ = raw.Control(func(handle uintptr) { available, _ = waiting(windows.Handle(handle)) })
	if available == 0 {
		return 0
	}
	_ = file.SetReadDeadline(time.Time{})
	n, _ = file.Read(block[:min(available, len(block))])
	return n
}

// sameFile reports whether two standard streams refer to the same file.
func sameFile(a, b int) bool {
	of := [3]*os.File{os.Stdin, os.Stdout, os.Stderr}
	one, err := of[a].Stat()
	if err != nil {
		return false
	}
	other, err := of[b].Stat()
	return err == nil && os.SameFile(one, other)
}
