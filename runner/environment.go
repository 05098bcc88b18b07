package runner

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// attemptVariables are what the command is told of its attempt, and the token by which its processes are known.
var attemptVariables = []string{
	"RETRY_ATTEMPT", "RETRY_MAX_ATTEMPTS", "RETRY_PREVIOUS_STATUS", "RETRY_ELAPSED", "RETRY_TOKEN",
}

// inheritedEnvironment is the environment without what an outer retry told of its own attempt.
func inheritedEnvironment() []string {
	return slices.DeleteFunc(os.Environ(), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return strings.HasPrefix(name, "RETRY_") && slices.Contains(attemptVariables, name)
	})
}

// attemptEnvironment is what an attempt is told.
func attemptEnvironment(job *Job, a Attempt) []string {
	return []string{
		"RETRY_ATTEMPT=" + strconv.Itoa(a.Number),
		"RETRY_MAX_ATTEMPTS=" + strconv.Itoa(job.MaxAttempts),
		"RETRY_PREVIOUS_STATUS=" + a.PreviousStatus,
		"RETRY_ELAPSED=" + strconv.FormatInt(int64(a.Elapsed/time.Second), 10),
	}
}
