package simulation

import "time"

// OutageSample is one second of a run.
type OutageSample struct {
	InHand   int64 // pending requests, the mean over the second
	OK       int64 // clients that got an answer
	Timeouts int64 // clients that had no answer in time
	Retries  int64 // requests that followed a failure
	GivenUp  int64 // calls that failed for good, because the budget had no token for a retry
}

// OutageResult is the result of a run, for the clients and the server.
type OutageResult struct {
	Samples  []OutageSample // one per second
	Peak     int64          // the most pending requests
	PeakAt   time.Duration  // when this number was first reached
	Normal   float64        // successes per second from second 1 to the outage
	Resumed  time.Duration  // when the outage ended
	Complete bool           // false if progress said not to go on: the samples end early
}

// Recovered is the start of the first second after the outage from which successes are back to nine tenths of normal, both on
// average over five seconds and on average over the rest of the run, so that neither a burst of answers nor a lucky second
// counts. ok is false if there is none.
func (r OutageResult) Recovered() (at time.Duration, ok bool) {
	enough := 0.9 * r.Normal
	first := int((r.Resumed + time.Second - 1) / time.Second)
	rest := r.successes(first, len(r.Samples))
	for s := first; s+window <= len(r.Samples) && r.Normal > 0; s++ {
		if r.successes(s, s+window) >= enough*window && rest >= enough*float64(len(r.Samples)-s) {
			return time.Duration(s) * time.Second, true
		}
		rest -= float64(r.Samples[s].OK)
	}
	return 0, false
}

// Total adds up the samples, apart from InHand, which is not a count of events.
func (r OutageResult) Total() (sum OutageSample) {
	for _, s := range r.Samples {
		sum.OK += s.OK
		sum.Timeouts += s.Timeouts
		sum.Retries += s.Retries
		sum.GivenUp += s.GivenUp
	}
	return sum
}

// successes adds up the successes in the seconds [from, to), or until the run ended.
func (r OutageResult) successes(from, to int) float64 {
	sum := int64(0)
	for s := from; s < min(to, len(r.Samples)); s++ {
		sum += r.Samples[s].OK
	}
	return float64(sum)
}
