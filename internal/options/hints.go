package options

import (
	"strconv"
	"strings"

	"retry/policy"
	"retry/runner/signals"
)

// hint returns what a value that the option doesn't take was probably meant to be. It returns "" if nothing is likely.
func (o *Option) hint(value string) string {
	switch o.Name {
	case "max-attempts":
		return attemptsHint(value)
	case "delay", "base":
		if _, err := parseDelays(value); err == nil {
			return "did you mean --delays " + value + "?"
		}
	case "backoff":
		if _, err := strconv.ParseFloat(value, 64); err == nil {
			return "use --factor " + value + " for the multiplier, or --base for the first delay"
		}
	case "jitter":
		return meant("--jitter", jitterMeant(value))
	case "success-if", "fail-if", "stop-if", "retry-if":
		return meant(Dashed(o.Name), ruleMeant(value))
	}
	return ""
}

func meant(option, value string) string {
	if value == "" {
		return ""
	}
	return "did you mean " + option + " " + value + "?"
}

func attemptsHint(value string) string {
	n, err := strconv.Atoi(value)
	switch {
	case err == nil && n < 0, value == "inf", value == "infinite", value == "infinity", value == "unlimited", value == "forever":
		return "0 means no limit"
	case strings.HasPrefix(value, "="):
		return meant("-n", value[1:])
	}
	return ""
}

// jitterMeant returns the jitter for a value that is a percentage, a fraction or a duration, as other programs take it.
func jitterMeant(value string) string {
	if percent, found := strings.CutSuffix(value, "%"); found {
		if n, err := strconv.ParseFloat(percent, 64); err == nil && n > 0 && n <= 100 {
			return "proportional=" + strconv.FormatFloat(n/100, 'g', -1, 64)
		}
		return ""
	}
	if n, err := strconv.ParseFloat(value, 64); err == nil && n > 0 && n < 1 {
		return "proportional=" + value
	}
	switch d, err := policy.ParseDuration(value); {
	case err == nil && d > 0:
		return "additive=" + value
	case err == nil, value == "no", value == "off", value == "false":
		return "none"
	case value == "yes", value == "on", value == "true", value == "random":
		return "full"
	}
	return ""
}

// ruleMeant returns the rule for a value whose kind is missing, or has a name that other programs use.
func ruleMeant(value string) string {
	kind, rest, found := strings.Cut(value, ":")
	switch {
	case found && (kind == "exit" || kind == "status" || kind == "codes"):
		return "code:" + rest
	case found && (kind == "regex" || kind == "re" || kind == "grep"):
		return "output:" + rest
	case isHTTP(strings.TrimPrefix(value, "code:")):
		return "http:" + strings.TrimPrefix(value, "code:")
	}
	if _, ok := signals.ByName(value); ok && strings.Trim(value, "0123456789") != "" {
		return "signal:" + value
	}
	return ""
}

// isHTTP reports whether a list is one of HTTP statuses.
func isHTTP(list string) bool {
	_, err := policy.ParseRule("http:"+list, nil)
	return err == nil
}
