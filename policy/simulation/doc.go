// Package simulation shows what many clients with the same schedule would do to one server.
//
// There are two discrete-event models: [Outage], where a server stops for a while and then has to serve the requests that have
// piled up, and [Contention], where clients compete to update one row. Both take their sleeps from package policy, as a real
// call does.
//
// The package is pure. Time is virtual and an integer number of nanoseconds; every client has its own stream of random
// numbers, so that clients don't disturb each other; there are no goroutines. The same model, schedule and seed give the same
// numbers on the same kind of processor. Another kind may round the last bit of a logarithm differently, and so shift an
// event by a nanosecond; only sleeps that are really slept are promised to be the same everywhere.
package simulation

// Progress is called now and then with the fraction of a run that is done, from 0 to 1. If it returns false, the run stops and
// returns the results so far. Progress may be nil.
type Progress func(done float64) (goOn bool)

// patience is the number of requests or calls between two calls of Progress.
const patience = 1 << 16

func (p Progress) goOn(done float64) bool { return p == nil || p(done) }
