package runner

import (
	"time"

	"retry/policy"
)

// retry sleeps before a retry, unless something rules the retry out: how long a server asked to wait, the deadline, the
// budget, or --before-retry. If a server has asked another call with the same budget to wait meanwhile, it sleeps again.
func (r *run) retry(v policy.Verdict) (*Result, error) {
	if r.fresh {
		r.startOver()
	}
	wait := r.wait(v)
	sleep := r.next(v, wait)
	for taken := false; ; taken = true {
		planned, result := r.plan(v, sleep, wait)
		if result != nil {
			return result, nil
		}
		if !taken && !r.budget.take() {
			return r.giveUp(v, BudgetUsedUp, "the retry budget "+r.job.BudgetName+" is used up: "), nil
		}
		if result, err := r.sleep(v, planned, wait); result != nil || err != nil {
			return result, err
		}
		if sleep, wait = 0, (Asked{r.budget.held(), true}); wait.Time <= 0 || r.woken {
			return r.beforeRetry(v)
		}
	}
}

// startOver restarts the schedules.
func (r *run) startOver() {
	r.sequence.Reset()
	if r.throttled != nil {
		r.throttled.Reset()
	}
}

// next returns the schedule's next sleep. After throttling it is at least as long as that of the throttling schedule,
// unless the server said how long to wait.
func (r *run) next(v policy.Verdict, wait Asked) time.Duration {
	sleep := r.sequence.Next()
	if r.throttled != nil && v.Throttled() && wait.Time == 0 {
		sleep = max(sleep, r.throttled.Next())
	}
	return sleep
}

// wait returns how long the server asked to wait, or how long it asked another call if that is longer.
func (r *run) wait(v policy.Verdict) Asked {
	r.budget.renew()
	var own time.Duration
	if told := v.Outcome.Diagnosis; told != nil {
		own = told.Hint
		r.budget.hold(min(own, policy.LongestHold))
	}
	if held := r.budget.held(); held > own {
		return Asked{held, true}
	}
	return Asked{own, false}
}

// plan raises a sleep to what a server asked for and fits it to the deadline. If that is impossible, it returns a result.
func (r *run) plan(v policy.Verdict, sleep time.Duration, wait Asked) (planned time.Duration, result *Result) {
	if wait.Time > r.job.HintMost {
		return 0, r.giveUp(v, ServerAskedTooMuch, wait.String()+", which is over --retry-after-max "+policy.FormatDuration(r.job.HintMost)+": ")
	}
	sleep = policy.RaiseToHint(sleep, wait.Time, r.hints)
	if r.job.Deadline == 0 {
		return sleep, nil
	}
	room := r.room(v)
	if wait.Time > 0 && wait.Time > room {
		return 0, r.giveUp(v, ServerAskedTooMuch, wait.String()+", and "+r.deadline()+" leaves no time for that: ")
	}
	fitted, ok := policy.FitDeadline(sleep, room, r.job.Schedule.Jittered() || wait.Time > 0, r.refit)
	if !ok {
		return 0, r.noTime(v)
	}
	return max(fitted, wait.Time), nil
}

// beforeRetry runs --before-retry, and ends the run if the command refuses the retry.
func (r *run) beforeRetry(v policy.Verdict) (*Result, error) {
	if len(r.job.BeforeRetry) == 0 {
		return nil, nil
	}
	answer, err := r.consult("--before-retry", r.question(r.job.BeforeRetry, v.Outcome, v.Reason()))
	if err != nil {
		return nil, err
	}
	if result := r.interrupted(); result != nil {
		return result, nil
	}
	if answer.End == policy.DeadlinePassed || r.remaining() < 0 {
		return r.giveUp(v, DeadlineReached, r.deadline()+" passed: "), nil
	}
	if answer.End != policy.Exited || answer.Status != 0 {
		return failure(v.Outcome, RetryRefused, "not retrying: --before-retry: "+answer.String()+": "+v.Reason()), nil
	}
	return nil, nil
}

func (r *run) question(command []string, o policy.Outcome, reason string) Question {
	return Question{Command: command, Attempt: r.current(), Status: o.Status, Reason: reason}
}
