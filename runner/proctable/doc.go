// Package proctable reads the system's process table: the parent, process group and start time of each process. It
// never changes other processes, only retry itself, which can [Adopt] orphans.
package proctable
