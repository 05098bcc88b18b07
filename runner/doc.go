// Package runner contains the main loop: it makes an attempt, has it judged, reports it, sleeps, and makes the next
// one. A [Job] says what to do, an [Executor] does it, and a [Reporter] reports it.
//
// The package leaves to package policy all that can be decided there, and doesn't depend on the operating system: it
// uses no files, no processes, and of signals only their names and numbers. Its tests therefore run on a fake clock
// with a fake Executor. The packages in the directories below do the rest.
package runner
