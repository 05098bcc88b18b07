//go:build unix && !linux && !darwin && (!freebsd || 386 || arm)

package runner

// hasTable says that processes can't be found that have left their group.
const hasTable = false

const adopts = false

func bystanders() map[int]struct{} { return nil }

// processTable is empty: the layout of the kernel's table differs from release to release and is only known to the
// system's own library. What a timeout reaches is the group or, on a terminal, where that is retry's too, the command.
func processTable() map[int]processEntry { return nil }

func hasToken(int, string) bool { return false }
