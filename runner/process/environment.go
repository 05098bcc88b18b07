package process

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"retry/runner"
)

// ownVariables are the variables that tell commands about their attempt, and the one that marks its processes.
var ownVariables = []string{
	"RETRY_ATTEMPT", "RETRY_ATTEMPT_SINCE_RESET", "RETRY_MAX_ATTEMPTS", "RETRY_PREVIOUS_STATUS", "RETRY_ELAPSED",
	"RETRY_REMAINING", "RETRY_DEADLINE", "RETRY_CALL", "RETRY_TOKEN", "RETRY_DEPTH", "RETRY_LAYERS", "RETRY_STATUS",
	"RETRY_REASON",
}

// inheritedEnvironment returns the environment without what an outer retry said about its own attempt, and without
// TRACEPARENT if attempts are spans of their own.
func inheritedEnvironment(traced bool) []string {
	return slices.DeleteFunc(os.Environ(), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return strings.HasPrefix(name, "RETRY_") && slices.Contains(ownVariables, name) || traced && name == "TRACEPARENT"
	})
}

// inLocale returns the environment with another language of messages. LC_ALL would override that, so its value is given
// to the other categories by LANG instead.
func inLocale(environ []string, messages string) []string {
	if messages == "" {
		return environ
	}
	var all string
	rest := slices.DeleteFunc(environ, func(entry string) bool {
		name, value, _ := strings.Cut(entry, "=")
		if name == "LC_ALL" {
			all = value
		}
		return name == "LC_ALL" || name == "LC_MESSAGES" || name == "LANGUAGE"
	})
	if all != "" {
		rest = slices.DeleteFunc(rest, func(entry string) bool {
			name, _, _ := strings.Cut(entry, "=")
			return name == "LANG" || strings.HasPrefix(name, "LC_")
		})
		rest = append(rest, "LANG="+all)
	}
	return append(rest, "LC_MESSAGES="+messages, "LANGUAGE=")
}

// attemptEnvironment returns the variables that tell a command about its attempt.
func attemptEnvironment(job *runner.Job, a runner.Attempt) []string {
	layers := strconv.Itoa(job.MaxAttempts)
	for _, most := range slices.Backward(job.Outer) {
		layers = strconv.Itoa(most) + "," + layers
	}
	environ := []string{
		"RETRY_CALL=" + job.Call,
		"RETRY_ATTEMPT=" + strconv.Itoa(a.Number),
		"RETRY_ATTEMPT_SINCE_RESET=" + strconv.Itoa(a.SinceReset),
		"RETRY_MAX_ATTEMPTS=" + strconv.Itoa(job.MaxAttempts),
		"RETRY_PREVIOUS_STATUS=" + a.PreviousStatus,
		"RETRY_ELAPSED=" + strconv.FormatInt(int64(a.Elapsed/time.Second), 10),
		"RETRY_DEPTH=" + strconv.Itoa(len(job.Outer)+1),
		"RETRY_LAYERS=" + layers,
	}
	if job.Trace != nil {
		environ = append(environ, "TRACEPARENT="+job.Trace.Traceparent(a.Number))
	}
	left := a.Remaining
	if left != 0 {
		environ = append(environ, "RETRY_DEADLINE="+decimal(time.Duration(time.Now().Add(left).UnixNano())))
	}
	if left == 0 {
		left = job.Timeout
	} else if job.Timeout != 0 {
		left = min(left, job.Timeout)
	}
	if left != 0 {
		environ = append(environ, "RETRY_REMAINING="+decimal(max(time.Millisecond, left)))
	}
	return environ
}

// decimal returns a time in seconds, with three decimals.
func decimal(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', 3, 64) }

// OuterDeadline returns the time until the deadline of the retry around this one, or 0 if there is none. A deadline
// that has passed or can't be parsed is an error, and is ignored: it may belong to a retry that is long gone and has
// left this program running.
func OuterDeadline() (time.Duration, error) {
	text := os.Getenv("RETRY_DEADLINE")
	if text == "" {
		return 0, nil
	}
	seconds, err := strconv.ParseFloat(text, 64)
	if err != nil || !(seconds >= 0 && seconds < math.MaxInt64/1e9) {
		return 0, fmt.Errorf("RETRY_DEADLINE is not a time in seconds since 1970 and is ignored: %q", text)
	}
	left := time.Until(time.Unix(0, int64(seconds*1e9)))
	if left <= 0 {
		return 0, fmt.Errorf("RETRY_DEADLINE has passed and is ignored: %q", text)
	}
	return left, nil
}

// questionEnvironment returns the variables for a command that decides about the last attempt.
func questionEnvironment(job *runner.Job, q runner.Question) []string {
	return append(attemptEnvironment(job, q.Attempt),
		"RETRY_STATUS="+strconv.Itoa(q.Status), "RETRY_REASON="+q.Reason)
}

// OuterLayers returns the attempt limit of each retry around this one, the outermost first; 0 stands for no limit. It
// returns nil if the value in the environment is not valid.
func OuterLayers() []int {
	const deepest = 100
	if strings.Count(os.Getenv("RETRY_LAYERS"), ",") >= deepest {
		return nil
	}
	var layers []int
	for item := range strings.SplitSeq(os.Getenv("RETRY_LAYERS"), ",") {
		most, err := strconv.Atoi(item)
		if err != nil || most < 0 {
			return nil
		}
		layers = append(layers, most)
	}
	return layers
}
