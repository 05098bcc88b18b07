package proctable

import "golang.org/x/sys/unix"

// Known reports whether Read finds processes that have left their group.
const Known = true

// KnowsChildren is false: Bystanders and HasChildren know nothing about the children of retry.
const KnowsChildren = false

// Adopts returns false: orphans go to launchd. So the processes of an attempt must be found while they still descend
// from the command.
func Adopts() bool { return false }

// Adopt does nothing.
func Adopt() {}

// Bystanders returns nil.
func Bystanders() map[int]int64 { return nil }

// Usable returns true.
func Usable() bool { return true }

// HasChildren returns false.
func HasChildren() bool { return false }

// Orphans returns nil.
func Orphans() []int { return nil }

// Read returns all processes except zombies.
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
				Parent: int(p.Eproc.Ppid), Group: int(p.Eproc.Pgid), Started: p.Proc.P_starttime.Nano(),
			}
		}
	}
	return table
}

// HasToken returns false: this system doesn't show the environment of another process.
func HasToken(int, string) bool { return false }
