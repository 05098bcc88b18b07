package policy

import (
	"fmt"
	"strconv"
	"strings"
)

// Codes matches an outcome by its exit status, as a shell reports it.
type Codes struct {
	set  [256 / 64]uint64
	text string
}

func (c *Codes) Match(o Outcome) bool {
	return o.Status >= 0 && o.Status < 256 && c.set[o.Status/64]>>(o.Status%64)&1 == 1
}

func (c *Codes) String() string { return "code:" + c.text }

// parseCodes parses a comma-separated list of statuses and ranges, or any: 0,3,10-19.
func parseCodes(list string) (*Codes, error) {
	codes := &Codes{text: list}
	for item := range strings.SplitSeq(list, ",") {
		low, high, err := parseRange(strings.TrimSpace(item))
		if err != nil {
			return nil, err
		}
		for code := low; code <= high; code++ {
			codes.set[code/64] |= 1 << (code % 64)
		}
	}
	return codes, nil
}

func parseRange(item string) (low, high int, err error) {
	if item == "any" {
		return 0, 255, nil
	}
	first, last, isRange := strings.Cut(item, "-")
	low, err = strconv.Atoi(first)
	high = low
	if isRange && err == nil {
		high, err = strconv.Atoi(last)
	}
	switch {
	case err != nil || low < 0 || high > 255:
		return 0, 0, fmt.Errorf("%q is not an exit status; use 0 to 255, a range such as 10-19, or any", item)
	case high < low:
		return 0, 0, fmt.Errorf("the range %q ends before it begins", item)
	}
	return low, high, nil
}
