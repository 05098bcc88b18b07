package runner

import (
	"fmt"

	"retry/policy"
)

// tempfail sets the exit status for a temporary failure, if the job asks for it and a later attempt might have
// succeeded.
func (r *run) tempfail(result *Result) {
	if !r.job.Tempfail {
		return
	}
	switch result.Cause {
	case AttemptsUsedUp, DeadlineReached, BudgetUsedUp, ServerAskedTooMuch:
		result.Status, result.Signal = policy.StatusTempfail, policy.Signal{}
	}
}

// onFailure runs --on-failure and tells it the status that retry would have without --tempfail. It does nothing after a
// success or an interruption. The deadline, which may have passed, doesn't limit the command. How the command ends
// doesn't change the result, but a signal that tells retry to end meanwhile does.
func (r *run) onFailure(result *Result, status int) {
	if len(r.job.OnFailure) == 0 || result.Success || result.Cause == RunInterrupted {
		return
	}
	question := Question{Command: r.job.OnFailure, Attempt: r.current(), Status: status, Reason: result.Reason}
	question.Remaining = 0
	answer, err := r.executor.Consult(question)
	if gone := r.interrupted(); gone != nil {
		*result = *gone
		result.Attempts, result.Elapsed = r.number, r.executor.Elapsed()
		return
	}
	if err == nil && (answer.End != policy.Exited || answer.Status != 0) {
		err = fmt.Errorf("%v", answer)
	}
	if err != nil {
		_ = r.report(Event{Kind: OnFailureFailed, Fault: err})
	}
}
