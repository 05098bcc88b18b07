package answer

import (
	"math"
	"os"
	"path"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// availableMemory returns how many bytes this process can still allocate: what the system has left, within the limits of its
// control groups and of its address space. A limit that can't be found out is ignored.
func availableMemory() int64 {
	least := freeMemory()
	least = min(least, groupLimit())
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_AS, &limit); err == nil && limit.Cur < math.MaxInt64 {
		least = min(least, int64(limit.Cur)-addressSpace())
	}
	return least
}

// freeMemory returns the available memory according to /proc/meminfo.
func freeMemory() int64 {
	text, _ := os.ReadFile("/proc/meminfo")
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == "MemAvailable:" {
			return 1024 * number(fields[1])
		}
	}
	return math.MaxInt64
}

// groupLimit returns the lowest limit of the process's control groups, of version 2 and, as containers see it, of version 1.
func groupLimit() int64 {
	const root = "/sys/fs/cgroup"
	least := limitIn(root + "/memory/memory.limit_in_bytes")
	text, _ := os.ReadFile("/proc/self/cgroup")
	for line := range strings.Lines(string(text)) {
		group, ok := strings.CutPrefix(strings.TrimSpace(line), "0::")
		for ; ok; group = path.Dir(group) {
			least = min(least, limitIn(path.Join(root, group, "memory.max")))
			ok = group != "/" && group != "."
		}
	}
	return least
}

func limitIn(file string) int64 {
	text, err := os.ReadFile(file)
	if err != nil {
		return math.MaxInt64
	}
	return number(strings.TrimSpace(string(text)))
}

// addressSpace returns how much of its address space the process has already reserved.
func addressSpace() int64 {
	text, _ := os.ReadFile("/proc/self/statm")
	pages, _, _ := strings.Cut(string(text), " ")
	return number(pages) * int64(os.Getpagesize())
}

// number reads a number of bytes or pages. Anything else, such as "max", means no limit.
func number(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return math.MaxInt64
	}
	return n
}
