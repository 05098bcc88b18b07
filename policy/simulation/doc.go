// Package simulation shows what many copies of one schedule do to one server, before they do it.
//
// There are two discrete-event models: [Outage], where a server stands still for a while and has to live with the
// requests that piled up, and [Contention], where clients compete to update one row. Both sleep by the very code of
// package policy that sleeps for real.
//
// The package is pure. Time is virtual and an integer number of nanoseconds; every client has its own stream of random
// numbers, so that clients don't disturb each other; there are no goroutines, and no floating-point operation that one
// processor may round otherwise than another. The same model, schedule and seed give the same numbers.
package simulation

// Progress is told, every now and then, which part of a run is done, from 0 to 1. A run that is told not to go on
// returns what it knows so far. Progress may be nil.
type Progress func(done float64) (goOn bool)

func (p Progress) goOn(done float64) bool { return p == nil || p(done) }
