package runner

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"

	"retry/policy"
)

// Run makes attempts until one succeeds, or no other is worth it or allowed. An error means that retry itself failed.
func Run(job *Job, executor Executor, reporter Reporter) (Result, error) {
	r := &run{
		job:      job,
		executor: executor,
		reporter: reporter,
		sequence: job.Schedule.Start(policy.NewRand(job.Seed, policy.SleepStream)),
		refit:    policy.NewRand(job.Seed, policy.DeadlineStream),
	}
	result, ended := r.stagger()
	for !ended {
		verdict, err := r.attempt()
		if err != nil {
			return Result{}, err
		}
		if result, ended = r.conclude(verdict); ended {
			break
		}
		sleep, ok := r.nextSleep(verdict)
		if !ok {
			result = r.giveUp(verdict, "the deadline of "+policy.FormatDuration(job.Deadline)+" leaves no time for another: ")
			break
		}
		result, ended = r.sleep(verdict, sleep)
	}
	result.Attempts, result.Elapsed = r.number, executor.Elapsed()
	reporter.Report(Event{Kind: RunEnded, Attempt: r.number, Result: result})
	return result, nil
}

// run is the state of one run between its steps.
type run struct {
	job      *Job
	executor Executor
	reporter Reporter
	sequence *policy.Sequence
	refit    *rand.Rand

	number   int // of the last attempt
	streak   int
	previous string // the last attempt's status
}

func (r *run) stagger() (Result, bool) {
	if r.job.Stagger == 0 {
		return r.interrupted()
	}
	d := policy.Stagger(r.job.Stagger, policy.NewRand(r.job.Seed, policy.StaggerStream))
	return r.sleep(policy.Verdict{}, d)
}

func (r *run) attempt() (policy.Verdict, error) {
	r.number++
	r.reporter.Report(Event{Kind: AttemptStarted, Attempt: r.number})
	outcome, err := r.executor.Execute(Attempt{
		Number:         r.number,
		PreviousStatus: r.previous,
		Elapsed:        r.executor.Elapsed(),
		Remaining:      r.remaining(),
	})
	if err != nil {
		return policy.Verdict{}, err
	}
	r.previous = strconv.Itoa(outcome.Status)
	if outcome.End == policy.Interrupted || outcome.End == policy.DeadlinePassed {
		return policy.Verdict{Decision: policy.Stop, Outcome: outcome}, nil
	}
	verdict := r.job.Rules.Judge(outcome)
	if verdict.Decision == policy.Success {
		r.streak++
	}
	r.reporter.Report(Event{Kind: AttemptJudged, Attempt: r.number, Verdict: verdict, Streak: r.streak})
	return verdict, nil
}

// conclude says whether the run ends with this verdict, sleep or no sleep.
func (r *run) conclude(v policy.Verdict) (Result, bool) {
	if v.Decision == policy.Success && r.streak >= r.job.Consecutive {
		return Result{Success: true}, true
	}
	if v.Outcome.End == policy.DeadlinePassed {
		return r.giveUp(v, "the deadline of "+policy.FormatDuration(r.job.Deadline)+" passed during the attempt"), true
	}
	if result, ended := r.interrupted(); ended {
		return result, true
	}
	switch {
	case v.Decision == policy.Stop:
		return failure(v.Outcome, "not retrying: "+v.Reason()), true
	case r.job.Disabled:
		return failure(v.Outcome, "not retrying: RETRY_DISABLE is set: "+r.reason(v)), true
	case r.job.MaxAttempts > 0 && r.number >= r.job.MaxAttempts:
		return r.giveUp(v, ""), true
	}
	return Result{}, false
}

// nextSleep is the next sleep, fitted to the deadline. ok is false where the deadline leaves no time for an attempt
// after it.
func (r *run) nextSleep(v policy.Verdict) (sleep time.Duration, ok bool) {
	if v.Decision == policy.Success {
		return r.job.Spacing, r.job.Deadline == 0 || r.job.Spacing <= r.room(v)
	}
	if r.streak > 0 || (r.job.ResetAfter > 0 && v.Outcome.Duration >= r.job.ResetAfter) {
		r.sequence.Reset()
	}
	r.streak = 0
	sleep = r.sequence.Next()
	if r.job.Deadline == 0 {
		return sleep, true
	}
	return policy.FitDeadline(sleep, r.room(v), r.job.Schedule.Jittered(), r.refit)
}

// room is the time until the deadline less an attempt as long as the last.
func (r *run) room(v policy.Verdict) time.Duration { return r.remaining() - v.Outcome.Duration }

// remaining is the time until the deadline. It is never 0 under a deadline, because that stands for none.
func (r *run) remaining() time.Duration {
	if r.job.Deadline == 0 {
		return 0
	}
	left := r.job.Deadline - r.executor.Elapsed()
	if left == 0 {
		left = -1
	}
	return left
}

// sleep announces a sleep and takes it. The run ends where retry is interrupted, or where the system was suspended
// past the deadline.
func (r *run) sleep(v policy.Verdict, d time.Duration) (Result, bool) {
	r.reporter.Report(Event{
		Kind: SleepPlanned, Attempt: r.number, Verdict: v, Streak: r.streak, Sleep: d, Left: max(0, r.remaining()),
	})
	r.executor.Sleep(d)
	if result, ended := r.interrupted(); ended {
		return result, true
	}
	if r.remaining() < 0 {
		return r.giveUp(v, "the deadline of "+policy.FormatDuration(r.job.Deadline)+" passed: "), true
	}
	return Result{}, false
}

func (r *run) interrupted() (Result, bool) {
	signal := r.executor.Interrupted()
	if signal == (policy.Signal{}) {
		return Result{}, false
	}
	return Result{
		Status: policy.StatusSignalOffset + signal.Number,
		Signal: signal,
		Reason: "not retrying: " + signal.Name + " received",
	}, true
}

// giveUp is the end of a run that would have gone on but for a limit.
func (r *run) giveUp(v policy.Verdict, limit string) Result {
	attempts := "attempts"
	if r.number == 1 {
		attempts = "attempt"
	}
	reason := fmt.Sprintf("giving up after %d %s in %s: %s",
		r.number, attempts, policy.FormatDuration(r.executor.Elapsed()), limit)
	if v.Outcome.End != policy.DeadlinePassed {
		reason += r.reason(v)
	}
	return failure(v.Outcome, reason)
}

// reason is the verdict's own, or how far a streak came.
func (r *run) reason(v policy.Verdict) string {
	if v.Decision == policy.Success {
		return fmt.Sprintf("%d of %d successes in a row", r.streak, r.job.Consecutive)
	}
	return v.Reason()
}

// failure is the result of a run whose last attempt failed: its own status, or 1 where that was 0. Where the command
// died of a signal that ends programs in the ordinary course of things, retry dies of it too.
func failure(o policy.Outcome, reason string) Result {
	result := Result{Status: max(1, o.Status), Reason: reason}
	if o.End == policy.Killed {
		switch o.Signal.Name {
		case "SIGINT", "SIGQUIT", "SIGPIPE", "SIGTERM", "SIGHUP":
			result.Signal = o.Signal
		}
	}
	return result
}
