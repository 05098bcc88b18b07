package process

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/windows"

	"retry/policy"
)

// signalAll asks the command's console group to end, by CTRL_BREAK, or kills the whole tree. asked reports whether the
// group was asked: SIGKILL doesn't ask, and without a console there is no way to ask.
func (s *System) signalAll(p *process, by policy.Signal) (asked bool) {
	if by == kill {
		p.tree.terminate()
		return false
	}
	return s.ask(p.id) == nil
}

// gone reports whether nothing of the attempt is running.
func (s *System) gone(p *process) bool { return p.tree.empty() }

// survivor says which process could not be killed.
func (s *System) survivor(p *process) string {
	return fmt.Sprintf("something that process %d started survived being terminated for %v", p.id, survival)
}

// refused returns false: retry may terminate every process in the tree.
func (s *System) refused(*process) bool { return false }

// tree is a job object that contains a command and everything that the command starts, directly or not. When its last
// handle is closed, which happens even if retry crashes, Windows kills all processes in it unless letGo was called.
type tree windows.Handle

// newTree creates an empty tree.
func newTree() (tree, error) {
	handle, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, err
	}
	t := tree(handle)
	if err := t.limit(windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE); err != nil {
		t.close()
		return 0, err
	}
	return t, nil
}

func (t tree) limit(flags uint32) error {
	var info windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	info.BasicLimitInformation.LimitFlags = flags
	_, err := windows.SetInformationJobObject(windows.Handle(t), windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	return err
}

// accounting is Windows' JOBOBJECT_BASIC_ACCOUNTING_INFORMATION.
type accounting struct {
	userTime, kernelTime, periodUserTime, periodKernelTime int64
	pageFaults, processes, active, terminated              uint32
}

// empty reports whether no process in the tree is running.
func (t tree) empty() bool {
	var info accounting
	err := windows.QueryInformationJobObject(windows.Handle(t), windows.JobObjectBasicAccountingInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)), nil)
	return err == nil && info.active == 0
}

// terminate kills everything in the tree. A process is in it from its first instruction.
func (t tree) terminate() { _ = windows.TerminateJobObject(windows.Handle(t), 1) }

// letGo lets the processes in the tree go on running after the tree is closed.
func (t tree) letGo() { _ = t.limit(0) }

func (t tree) close() { _ = windows.CloseHandle(windows.Handle(t)) }
