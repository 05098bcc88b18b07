package report

import (
	"strconv"
	"strings"
	"time"

	"retry/policy"
	"retry/runner"
)

// scheduleOptions returns the options that would set the job's schedule and limits.
func scheduleOptions(job *runner.Job) string {
	text := backoffOptions(job.Schedule)
	explicit := strings.HasPrefix(text, "--delay") // has a cap and jitter only if they are given
	if !explicit || job.Schedule.Cap > 0 {
		text += " --cap " + exactly(job.Schedule.Cap)
	}
	if !explicit || job.Schedule.Jittered() {
		text += " --jitter " + job.Schedule.Jitter.String()
	}
	if job.MaxAttempts > 0 || job.Deadline == 0 {
		text += " -n " + strconv.Itoa(job.MaxAttempts)
	}
	if job.Deadline > 0 {
		text += " --deadline " + exactly(job.Deadline)
	}
	return text
}

func backoffOptions(s policy.Schedule) string {
	switch b := s.Backoff.(type) {
	case policy.Constant:
		return "--delay " + exactly(time.Duration(b))
	case policy.Linear:
		return "--backoff linear --base " + exactly(time.Duration(b))
	case policy.Fibonacci:
		return "--backoff fibonacci --base " + exactly(time.Duration(b))
	case policy.Delays:
		delays := make([]string, len(b))
		for i, d := range b {
			delays[i] = exactly(d)
		}
		return "--delays " + strings.Join(delays, ",")
	case policy.Exponential:
		text := "--base " + exactly(b.Base)
		if s.Jitter != (policy.Decorrelated{}) { // decorrelated jitter has a factor of its own
			text += " --factor " + strconv.FormatFloat(b.Factor, 'g', -1, 64)
		}
		return text
	}
	return ""
}

// exactly formats a duration without rounding, and without the zeros that Duration.String adds to whole minutes and hours.
func exactly(d time.Duration) string {
	text := d.String()
	for _, zero := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(text, zero) {
			text = text[:len(text)-2]
		}
	}
	return text
}
