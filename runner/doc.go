// Package runner is the loop: make an attempt, have it judged, report, sleep, make the next. A [Job] says what to do, an
// [Executor] does it, a [Reporter] is told.
//
// The package decides nothing that package policy can decide, and knows nothing of an operating system: no files, no
// processes, no signals but their names. So its tests run on a fake clock with a fake Executor. The other packages in
// this folder do the rest.
package runner
