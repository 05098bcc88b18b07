package proctable

import "golang.org/x/sys/unix"

// Known says that processes can be found that have left their group.
const Known = true

// Adopts says that orphans go to launchd, which is nobody's child: an attempt's processes are known from the time when
// their line of parents still led to the command.
const Adopts = false

// Adopt does nothing here.
func Adopt() {}

// Bystanders finds none.
func Bystanders() map[int]struct{} { return nil }

// Read reads the living processes.
func Read() map[int]Entry {
	const zombie = 5 // SZOMB
	table := map[int]Entry{}
	processes, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	if err != nil {
		return table
	}
	for _, p := range processes {
		if p.Proc.P_stat != zombie {
			table[int(p.Proc.P_pid)] = Entry{
				int(p.Eproc.Ppid), int(p.Eproc.Pgid), p.Proc.P_starttime.Nano(),
			}
		}
	}
	return table
}

// HasToken can't look into another process's environment.
func HasToken(int, string) bool { return false }
