//go:build unix && !linux && !darwin && (!freebsd || 386 || arm)

package proctable

// Known says that processes can't be found that have left their group.
const Known = false

const Adopts = false

// Adopt does nothing here.
func Adopt() {}

// Bystanders finds none.
func Bystanders() map[int]struct{} { return nil }

// Read is empty: the layout of the kernel's table differs from release to release and is only known to the
// system's own library. What a timeout reaches is the group or, on a terminal, where that is retry's too, the command.
func Read() map[int]Entry { return nil }

func HasToken(int, string) bool { return false }
