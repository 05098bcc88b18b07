// Package process runs commands: it starts attempts, follows them to their end, and ends them. [System] is the
// [runner.Executor] on every operating system. Only this package starts processes, waits for them or kills them, and it
// does so without os/exec.
//
// Once retry has ended an attempt, nothing that the attempt started is still running. Signals to retry reach the
// command as they would without retry. The follower in follow.go is the same on all systems. Each system adds start,
// signalAll, gone and reap in files of its own, which contain nothing that another system could share.
package process
