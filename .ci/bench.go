//go:build ignore

// The minimum cost of running a command from Go: bench COUNT PATH [ARG...] spawns it until it exits with 0, at most COUNT
// times.
package main

import (
	"os"
	"strconv"
	"syscall"
)

func main() {
	count, err := strconv.Atoi(os.Args[1])
	if err != nil {
		os.Exit(125)
	}
	var status syscall.WaitStatus
	for ; count > 0; count-- {
		pid, err := syscall.ForkExec(os.Args[2], os.Args[2:], &syscall.ProcAttr{
			Env: os.Environ(), Files: []uintptr{0, 1, 2},
		})
		if err != nil {
			os.Exit(126)
		}
		if _, err := syscall.Wait4(pid, &status, 0, nil); err != nil {
			os.Exit(125)
		}
		if status.ExitStatus() == 0 {
			return
		}
	}
	os.Exit(status.ExitStatus())
}
