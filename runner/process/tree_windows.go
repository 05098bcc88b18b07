package process

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// tree is a job object: a command and everything it starts, however far down. It ends when its handle is closed, also
// because retry has died, unless it was let go.
type tree windows.Handle

// newTree makes an empty one.
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

// accounting is JOBOBJECT_BASIC_ACCOUNTING_INFORMATION.
type accounting struct {
	userTime, kernelTime, periodUserTime, periodKernelTime int64
	pageFaults, processes, active, terminated              uint32
}

// empty reports whether nothing of the tree runs.
func (t tree) empty() bool {
	var info accounting
	err := windows.QueryInformationJobObject(windows.Handle(t), windows.JobObjectBasicAccountingInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)), nil)
	return err == nil && info.active == 0
}

// terminate ends everything in it. What is just being started is in it already.
func (t tree) terminate() { _ = windows.TerminateJobObject(windows.Handle(t), 1) }

// letGo leaves what still runs to itself when the tree is closed.
func (t tree) letGo() { _ = t.limit(0) }

func (t tree) close() { _ = windows.CloseHandle(windows.Handle(t)) }
