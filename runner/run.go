package runner

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"

	"retry/policy"
)

// Run makes attempts until one succeeds, or until another one is not worthwhile or not allowed. An error means that
// retry itself failed. It has been reported by then, and is the reason of the result.
func Run(job *Job, executor Executor, reporter Reporter) (Result, error) {
	r := &run{
		job:      job,
		executor: executor,
		reporter: reporter,
		sequence: job.Schedule.Start(policy.NewRand(job.Seed, policy.SleepStream)),
		refit:    policy.NewRand(job.Seed, policy.DeadlineStream),
		hints:    policy.NewRand(job.Seed, policy.HintStream),
		budget: allowance{budget: job.Budget, tell: func(err error) {
			_ = reporter.Report(Event{Kind: BudgetFailed, Fault: err})
		}},
	}
	if job.Throttle.Backoff != nil {
		r.throttled = job.Throttle.Start(policy.NewRand(job.Seed, policy.ThrottleStream))
	}
	result, err := r.attempts()
	if err == nil && result.Success {
		r.budget.giveBack()
	}
	if finishing := executor.Finish(err == nil && result.Success); err == nil {
		err = finishing
	}
	if gone := r.interrupted(); err == nil && gone != nil && gone.Signal.Name == "SIGPIPE" {
		result = *gone
	}
	if err == nil {
		status := result.Status
		r.tempfail(&result)
		if err = r.end(&result); err == nil {
			r.onFailure(&result, status)
		}
	}
	if err != nil {
		result = Result{Status: policy.StatusFault, Cause: RunFailed, Reason: err.Error()}
		_ = r.end(&result)
	}
	return result, err
}

// end reports how the run ended.
func (r *run) end(result *Result) error {
	result.Attempts, result.Elapsed = r.number, r.executor.Elapsed()
	return r.report(Event{Kind: RunEnded, Result: *result})
}

// attempts makes attempts until there is a result.
func (r *run) attempts() (Result, error) {
	if err := r.reporter.Report(Event{Kind: RunStarted}); err != nil {
		return Result{}, err
	}
	if err := r.warn(); err != nil {
		return Result{}, err
	}
	result, err := r.stagger()
	for result == nil && err == nil {
		result, err = r.step()
	}
	if err != nil {
		return Result{}, err
	}
	return *result, nil
}

// step makes one attempt and sleeps after it. Here and below, a result that isn't nil ends the run.
func (r *run) step() (*Result, error) {
	verdict, err := r.attempt()
	if err != nil {
		return nil, err
	}
	if result := r.conclude(verdict); result != nil {
		return result, nil
	}
	if verdict.Decision == policy.Success {
		return r.nextOfStreak(verdict)
	}
	return r.retry(verdict)
}

// nextOfStreak sleeps between two successes.
func (r *run) nextOfStreak(v policy.Verdict) (*Result, error) {
	if r.job.Deadline != 0 && r.job.Spacing > r.room(v) {
		return r.noTime(v), nil
	}
	return r.sleep(v, r.job.Spacing, Asked{})
}

// run is the state of one run between its steps.
type run struct {
	job       *Job
	executor  Executor
	reporter  Reporter
	sequence  *policy.Sequence
	throttled *policy.Sequence // of the shortest sleeps after throttling; nil for none
	refit     *rand.Rand
	hints     *rand.Rand
	budget    allowance

	number   int  // of the last attempt
	fresh    bool // the last attempt took at least --reset-after
	resetAt  int  // the number of the last attempt before this one that did; --max-attempts counts from there
	woken    bool // a signal cut the last sleep short to have the next attempt now
	streak   int
	previous string // the last attempt's status
}

// stagger sleeps before the first attempt.
func (r *run) stagger() (*Result, error) {
	if r.job.Stagger == 0 {
		return r.interrupted(), nil
	}
	d := policy.Stagger(r.job.Stagger, policy.NewRand(r.job.Seed, policy.StaggerStream))
	return r.sleep(policy.Verdict{}, d, Asked{})
}

func (r *run) attempt() (policy.Verdict, error) {
	r.number++
	if r.fresh {
		r.resetAt = r.number - 1
	}
	attempt := r.current()
	if err := r.report(Event{Kind: AttemptStarted, Elapsed: attempt.Elapsed}); err != nil {
		return policy.Verdict{}, err
	}
	outcome, err := r.executor.Execute(attempt)
	if err != nil {
		return policy.Verdict{}, err
	}
	verdict, err := r.judge(outcome)
	if err != nil {
		return verdict, err
	}
	r.previous = strconv.Itoa(outcome.Status)
	if verdict.Decision == policy.Success {
		r.streak++
	} else if r.streak > 0 {
		r.streak = 0
		r.startOver()
	}
	if err := r.executor.Settle(verdict.Decision == policy.Success); err != nil {
		return verdict, err
	}
	if err := r.warn(); err != nil {
		return verdict, err
	}
	return verdict, r.report(Event{Kind: AttemptJudged, Verdict: verdict, Streak: r.streak})
}

// report reports an event about the last attempt.
func (r *run) report(e Event) error {
	e.Attempt, e.ResetAt = r.number, r.resetAt
	return r.reporter.Report(e)
}

// warn reports the executor's warnings, and before the first attempt the job's.
func (r *run) warn() error {
	warnings := r.executor.Warnings()
	if r.number == 0 {
		warnings = append(r.job.Warnings, warnings...)
	}
	for _, warning := range warnings {
		if err := r.report(Event{Kind: Warned, Warning: warning}); err != nil {
			return err
		}
	}
	return nil
}

// current returns what a command is told about the current attempt.
func (r *run) current() Attempt {
	return Attempt{
		Number:         r.number,
		SinceReset:     r.number - r.resetAt,
		PreviousStatus: r.previous,
		Elapsed:        r.executor.Elapsed(),
		Remaining:      r.remaining(),
	}
}

// judge returns the verdict of the rules, or of the command that replaces them.
func (r *run) judge(o policy.Outcome) (policy.Verdict, error) {
	if len(r.job.Judge) == 0 {
		return r.job.Rules.Judge(o), nil
	}
	if v, decided := r.job.Rules.Foregone(o); decided {
		return v, nil
	}
	question := r.question(r.job.Judge, o, "")
	question.Output = true
	answer, err := r.consult("--judge", question)
	if answer.End == policy.DeadlinePassed {
		o.End, o.Status = answer.End, answer.Status // judging is part of the attempt
		return r.job.Rules.Judge(o), err
	}
	return policy.JudgedBy(answer, o), err
}

// conclude returns a result if the run ends with this verdict.
func (r *run) conclude(v policy.Verdict) *Result {
	if v.Decision == policy.Success && r.streak >= r.job.Consecutive {
		return &Result{Success: true}
	}
	if v.Outcome.End == policy.DeadlinePassed {
		return r.giveUp(v, DeadlineReached, r.deadline()+" passed during the attempt")
	}
	if result := r.interrupted(); result != nil {
		return result
	}
	r.fresh = r.job.ResetAfter > 0 && v.Decision != policy.Success && v.Outcome.Duration >= r.job.ResetAfter
	switch {
	case v.Decision == policy.Stop:
		return failure(v.Outcome, PermanentFailure, "not retrying: "+v.Reason())
	case r.job.Disabled:
		return failure(v.Outcome, RetryDisabled, "not retrying: RETRY_DISABLE is set: "+r.reason(v))
	case r.job.MaxAttempts > 0 && r.number-r.resetAt >= r.job.MaxAttempts && !r.fresh:
		return r.giveUp(v, AttemptsUsedUp, "")
	case v.Outcome.Spent != policy.Unspent:
		return failure(v.Outcome, InputConsumed, "not retrying: standard input "+fate[v.Outcome.Spent]+
			" (use --stdin replay to give it to every attempt): "+r.reason(v))
	}
	return nil
}

// fate says what has become of standard input.
var fate = [...]string{policy.Consumed: "was consumed", policy.PerhapsConsumed: "may have been consumed"}

// noTime ends a run whose deadline leaves no time for the next sleep and another attempt.
func (r *run) noTime(v policy.Verdict) *Result {
	return r.giveUp(v, DeadlineReached, r.deadline()+" leaves no time for another attempt: ")
}

func (r *run) deadline() string {
	if r.job.Inherited {
		return "the deadline of an outer retry"
	}
	return "the deadline of " + policy.FormatDuration(r.job.Deadline)
}

// room returns how long retry may sleep if another attempt as long as the last is to end before the deadline.
func (r *run) room(v policy.Verdict) time.Duration { return r.remaining() - v.Outcome.Duration }

// remaining returns the time until the deadline. It is 0 if there is no deadline, and only then.
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

// sleep reports a sleep and then sleeps. It ends the run if retry is interrupted, or if the deadline has passed, as it
// may while the system is suspended.
func (r *run) sleep(v policy.Verdict, d time.Duration, wait Asked) (*Result, error) {
	err := r.report(Event{
		Kind: SleepPlanned, Fresh: r.fresh, Verdict: v, Streak: r.streak, Sleep: d, Asked: wait,
		Left: max(0, r.remaining()),
	})
	if err != nil {
		return nil, err
	}
	r.woken = r.executor.Sleep(d)
	if err := r.report(Event{Kind: SleepEnded}); err != nil {
		return nil, err
	}
	if result := r.interrupted(); result != nil {
		return result, nil
	}
	if r.remaining() < 0 && r.number == 0 {
		reason := r.deadline() + " passed before the first attempt"
		return &Result{Status: policy.StatusTimeout, Cause: DeadlineReached, Reason: reason}, nil
	}
	if r.remaining() < 0 {
		return r.giveUp(v, DeadlineReached, r.deadline()+" passed: "), nil
	}
	return nil, nil
}

// interrupted returns a result if retry has been told to end.
func (r *run) interrupted() *Result {
	signal := r.executor.Interrupted()
	if signal == (policy.Signal{}) {
		return nil
	}
	reason := "not retrying: " + signal.Name + " received"
	if signal.Name == "SIGPIPE" {
		reason = "not retrying: nobody reads standard output any more"
	}
	return &Result{Status: policy.StatusSignalOffset + signal.Number, Signal: signal, Cause: RunInterrupted, Reason: reason}
}

// giveUp ends a run because of a limit.
func (r *run) giveUp(v policy.Verdict, cause Cause, limit string) *Result {
	attempts := "attempts"
	if r.number == 1 {
		attempts = "attempt"
	}
	reason := fmt.Sprintf("giving up after %d %s in %s: %s",
		r.number, attempts, policy.FormatDuration(r.executor.Elapsed()), limit)
	if v.Outcome.End != policy.DeadlinePassed {
		reason += r.reason(v)
	}
	return failure(v.Outcome, cause, reason)
}

// reason returns the verdict's reason or, after a success, the length of the streak.
func (r *run) reason(v policy.Verdict) string {
	if v.Decision == policy.Success {
		return fmt.Sprintf("%d of %d successes in a row", r.streak, r.job.Consecutive)
	}
	return v.Reason()
}

// failure ends a run whose last attempt failed. retry exits with the attempt's status, or with 1 if that is 0. If the
// command was killed by a signal that ordinarily ends programs, retry ends itself by that signal too.
func failure(o policy.Outcome, cause Cause, reason string) *Result {
	result := &Result{Status: max(1, o.Status), Cause: cause, Reason: reason}
	if o.End == policy.Killed {
		switch o.Signal.Name {
		case "SIGINT", "SIGQUIT", "SIGPIPE", "SIGTERM", "SIGHUP":
			result.Signal = o.Signal
		}
	}
	return result
}
