package runner

import (
	"fmt"

	"retry/policy"
)

// tempfail gives a run that ended although a later attempt could succeed the status that says so.
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
// success or an interruption. The deadline may have passed and does not limit the command, and how the command ends
// changes nothing. Only a signal that tells retry to end meanwhile changes the result.
func (r *run) onFailure(result *Result, status int) {
	if len(r.job.OnFailure) == 0 || result.Success || result.Cause == RunInterrupted {
		return
	}
	question := Question{Command: r.job.OnFailure, Attempt: r.current(), Status: status, Reason: result.Reason}
	question.Remaining = 0
	answer, err := r.executor.Consult(question)
	if gone := r.interrupted(); gone != nil {
		*result = *gone
		return
	}
	if err == nil && (answer.End != policy.Exited || answer.Status != 0) {
		err = fmt.Errorf("%v", answer)
	}
	if err != nil {
		_ = r.report(Event{Kind: OnFailureFailed, Fault: err})
	}
}
