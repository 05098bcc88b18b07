package runner

import "golang.org/x/sys/unix"

// hasTable says that processes can be found that have left their group.
const hasTable = true

// adopts says that orphans go to launchd, which is nobody's child: an attempt's processes are known from the time when
// their line of parents still led to the command.
const adopts = false

func bystanders() map[int]struct{} { return nil }

// processTable reads the living processes.
func processTable() map[int]processEntry {
	const zombie = 5 // SZOMB
	table := map[int]processEntry{}
	processes, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	if err != nil {
		return table
	}
	for _, p := range processes {
		if p.Proc.P_stat != zombie {
			table[int(p.Proc.P_pid)] = processEntry{
				int(p.Eproc.Ppid), int(p.Eproc.Pgid), p.Proc.P_starttime.Nano(),
			}
		}
	}
	return table
}

// hasToken can't look into another process's environment.
func hasToken(int, string) bool { return false }
