// Package proctable reads the system's table of processes: who is whose child, in which group, started when. It looks,
// and never touches a process. The one change that it makes is to retry itself, which can [Adopt] orphans.
package proctable
