package runner

import (
	"fmt"

	"retry/policy"
)

// consult runs the command of an option that decides about the last attempt. It returns an error if the shell, or the
// command in it (exit status 126 or 127), could not be run: it has decided nothing then.
func (r *run) consult(option string, q Question) (policy.Outcome, error) {
	answer, err := r.executor.Consult(q)
	switch {
	case err != nil:
		return answer, err
	case answer.End == policy.NotStarted:
		return answer, fmt.Errorf("%s: the shell can't be run: %v", option, answer)
	case answer.End == policy.Exited && answer.Status == policy.StatusNotExecuted:
		return answer, fmt.Errorf("%s: the command can't be executed (exit status 126)", option)
	case answer.End == policy.Exited && answer.Status == policy.StatusNotFound:
		return answer, fmt.Errorf("%s: the command was not found (exit status 127)", option)
	}
	return answer, nil
}
