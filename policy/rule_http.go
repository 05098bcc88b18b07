package policy

import (
	"fmt"
	"strconv"
	"strings"
)

// HTTPStatuses matches an outcome by the status of the last HTTP response in its output.
type HTTPStatuses struct {
	ranges [][2]int
	text   string
}

// Match ignores a status that a command only mentioned before it exited with status 0.
func (h *HTTPStatuses) Match(o Outcome) bool {
	if o.Diagnosis == nil || o.Status == 0 && !o.Diagnosis.Shown {
		return false
	}
	for _, r := range h.ranges {
		if r[0] <= o.Diagnosis.HTTP && o.Diagnosis.HTTP <= r[1] {
			return true
		}
	}
	return false
}

func (h *HTTPStatuses) String() string { return "http:" + h.text }

// parseHTTPStatuses parses a comma-separated list of statuses, ranges and classes: 429,500-504,5xx.
func parseHTTPStatuses(list string) (*HTTPStatuses, error) {
	statuses := &HTTPStatuses{text: list}
	for item := range strings.SplitSeq(list, ",") {
		item = strings.TrimSpace(item)
		low, high, isRange := strings.Cut(item, "-")
		if class, ok := strings.CutSuffix(strings.ToLower(item), "xx"); ok && len(class) == 1 {
			low, high, isRange = class+"00", class+"99", true
		}
		first, err := strconv.Atoi(low)
		last := first
		if isRange && err == nil {
			last, err = strconv.Atoi(high)
		}
		switch {
		case err != nil || first < 100 || last > 599:
			return nil, fmt.Errorf("%q is not an HTTP status; use 429, a class such as 5xx or a range such as 500-504", item)
		case last < first:
			return nil, fmt.Errorf("the range %q ends before it begins", item)
		}
		statuses.ranges = append(statuses.ranges, [2]int{first, last})
	}
	return statuses, nil
}

// TellHTTP reports whether any rule depends on HTTP statuses.
func (r *Rules) TellHTTP() bool { return len(ofKind[*HTTPStatuses](r)) > 0 }
