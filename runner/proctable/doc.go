// Package proctable reads the system's table of processes.
package proctable
