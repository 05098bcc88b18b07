package process

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"

	"retry/policy"
)

// process is the command of the current attempt.
type process struct {
	tree   tree // the command and everything it starts
	handle windows.Handle
	id     uint32 // of the process, and of its console group
	exited bool
}

// start starts a command. If that fails, or if retry has been told to end, it returns an outcome and no process. It
// holds the mutex, so that a signal either is seen here or finds the process.
func (s *System) start(t task) (*process, policy.Outcome) {
	path, err := findExecutable(t.command[0])
	if err != nil {
		return nil, unstarted(err)
	}
	program, line, err := commandLine(path, t.command)
	if err != nil {
		return nil, unstarted(err)
	}
	environ, err := environmentBlock(append(s.environ[:len(s.environ):len(s.environ)], t.environ...))
	if err != nil {
		return nil, unstarted(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.interrupt.Number != 0 {
		return nil, policy.Outcome{End: policy.Interrupted, Signal: s.interrupt}
	}
	p := &process{}
	if p.tree, err = newTree(); err != nil {
		return nil, unstarted(fmt.Errorf("job object: %w", err))
	}
	if err := p.create(program, line, environ, t.files); err != nil {
		p.tree.close()
		return nil, unstarted(err)
	}
	go func() {
		_, _ = windows.WaitForSingleObject(p.handle, windows.INFINITE)
		select {
		case s.children <- syscall.Signal(0):
		default: // a look at the children is already due
		}
	}()
	s.current = p
	return p, policy.Outcome{}
}

// jobList is Windows' PROC_THREAD_ATTRIBUTE_JOB_LIST: the job objects that a process belongs to from its first
// instruction.
const jobList = 0x0002000D

// create creates the process in its tree and in a console group of its own. The process inherits the given files as its
// standard streams, and no other handle.
func (p *process) create(program, line string, environ []uint16, files [3]*os.File) error {
	var streams, handles []windows.Handle
	defer func() {
		for _, handle := range handles {
			_ = windows.CloseHandle(handle)
		}
	}()
	for _, file := range files {
		handle, err := inheritable(file)
		if err != nil {
			return err
		}
		streams = append(streams, handle)
		if handle != 0 {
			handles = append(handles, handle)
		}
	}
	attributes, err := windows.NewProcThreadAttributeList(2)
	if err != nil {
		return err
	}
	defer attributes.Delete()
	if err := attributes.Update(jobList, unsafe.Pointer(&p.tree), unsafe.Sizeof(p.tree)); err != nil {
		return err
	}
	if len(handles) > 0 {
		size := uintptr(len(handles)) * unsafe.Sizeof(handles[0])
		if err := attributes.Update(windows.PROC_THREAD_ATTRIBUTE_HANDLE_LIST, unsafe.Pointer(&handles[0]), size); err != nil {
			return err
		}
	}
	var info windows.StartupInfoEx
	info.Cb = uint32(unsafe.Sizeof(info))
	info.Flags = windows.STARTF_USESTDHANDLES
	info.StdInput, info.StdOutput, info.StdErr = streams[0], streams[1], streams[2]
	info.ProcThreadAttributeList = attributes.List()
	return p.launch(program, line, environ, &info, len(handles) > 0)
}

// launch calls CreateProcess and keeps the handle and the ID of the process.
func (p *process) launch(program, line string, environ []uint16, info *windows.StartupInfoEx, inherit bool) error {
	programPointer, err := windows.UTF16PtrFromString(program)
	if err != nil {
		return err
	}
	linePointer, err := windows.UTF16PtrFromString(line)
	if err != nil {
		return err
	}
	var created windows.ProcessInformation
	const flags = windows.CREATE_NEW_PROCESS_GROUP | windows.CREATE_UNICODE_ENVIRONMENT | windows.EXTENDED_STARTUPINFO_PRESENT
	err = windows.CreateProcess(programPointer, linePointer, nil, nil, inherit, flags, &environ[0], nil, &info.StartupInfo, &created)
	if err != nil {
		return err
	}
	_ = windows.CloseHandle(created.Thread)
	p.handle, p.id = created.Process, created.ProcessId
	return nil
}

// inheritable returns an inheritable copy of the file's handle, or 0 if retry itself has no such handle.
func inheritable(file *os.File) (copied windows.Handle, err error) {
	handle, self := windows.Handle(file.Fd()), windows.CurrentProcess()
	if handle == 0 || handle == windows.InvalidHandle {
		return 0, nil
	}
	err = windows.DuplicateHandle(self, handle, self, &copied, 0, true, windows.DUPLICATE_SAME_ACCESS)
	return copied, os.NewSyscallError("DuplicateHandle", err)
}

// environmentBlock returns an environment as CreateProcess takes it: every entry ends with a NUL, and so does the block.
func environmentBlock(entries []string) ([]uint16, error) {
	var block []uint16
	for _, entry := range entries {
		text, err := windows.UTF16FromString(entry)
		if err != nil {
			return nil, err
		}
		block = append(block, text...)
	}
	return append(block, 0, 0), nil
}

// ended reports whether the command has exited.
func (p *process) ended() bool {
	event, err := windows.WaitForSingleObject(p.handle, 0)
	return err == nil && event == windows.WAIT_OBJECT_0
}

// breakGroup asks the processes of a console group to end. It fails if there is no console, or if the command doesn't
// use retry's console, or doesn't yet.
func breakGroup(id uint32) error {
	return windows.GenerateConsoleCtrlEvent(windows.CTRL_BREAK_EVENT, id)
}

// unstarted returns the outcome of an attempt whose command could not be started.
func unstarted(err error) policy.Outcome {
	o := policy.Outcome{End: policy.NotStarted, Status: policy.StatusNotExecuted, Fault: "cannot execute: " + err.Error()}
	switch {
	case errors.Is(err, errNotFound), errors.Is(err, errOnlyHere):
		o.Status, o.Fault = policy.StatusNotFound, err.Error()
	case errors.Is(err, fs.ErrNotExist):
		o.Status = policy.StatusNotFound
	case errors.Is(err, windows.ERROR_SHARING_VIOLATION), errors.Is(err, windows.ERROR_NOT_ENOUGH_MEMORY),
		errors.Is(err, windows.ERROR_COMMITMENT_LIMIT), errors.Is(err, windows.ERROR_NO_SYSTEM_RESOURCES):
		o.Passing = true
	}
	return o
}
