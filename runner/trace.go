package runner

import (
	"encoding/hex"
	"math/rand/v2"
	"strconv"
	"strings"
)

// A Trace is the position of a call in a distributed trace. The call is a span, and each attempt is a span below it.
// The IDs are lower-case hexadecimal, as in W3C Trace Context.
type Trace struct {
	ID     string // 32 digits
	Parent string // the span around the call, 16 digits; empty if the call begins the trace
	Call   string // the span of the call
	Flags  string // 2 digits
	seed   uint64
}

// NewTrace starts a new trace, which is sampled.
func NewTrace() *Trace {
	return &Trace{ID: digits(rand.Uint64()) + digits(rand.Uint64()), Call: digits(rand.Uint64()), Flags: "01", seed: rand.Uint64()}
}

// ParseTrace continues the trace in the value of TRACEPARENT (W3C Trace Context, section 3.2). It returns nil if the
// value is not valid.
func ParseTrace(traceparent string) *Trace {
	fields := strings.Split(traceparent, "-")
	if len(fields) < 4 || fields[0] == "ff" || fields[0] == "00" && len(fields) > 4 || !isHex(fields[0], 2) ||
		!isHex(fields[1], 32) || !isHex(fields[2], 16) || !isHex(fields[3], 2) ||
		strings.Trim(fields[1], "0") == "" || strings.Trim(fields[2], "0") == "" {
		return nil
	}
	t := NewTrace()
	t.ID, t.Parent, t.Flags = fields[1], fields[2], fields[3]
	return t
}

// Attempt returns the span ID of an attempt. It is always the same for the same number.
func (t *Trace) Attempt(number int) string {
	return digits(rand.NewPCG(t.seed, uint64(number)).Uint64())
}

// Traceparent returns the value of TRACEPARENT for an attempt.
func (t *Trace) Traceparent(number int) string {
	return "00-" + t.ID + "-" + t.Attempt(number) + "-" + t.Flags
}

// digits returns 16 hexadecimal digits that are not all 0.
func digits(n uint64) string {
	n = max(n, 1)
	text := strconv.FormatUint(n, 16)
	return strings.Repeat("0", 16-len(text)) + text
}

func isHex(text string, length int) bool {
	_, err := hex.DecodeString(text)
	return err == nil && len(text) == length && text == strings.ToLower(text)
}
