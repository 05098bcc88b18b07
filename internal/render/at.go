package render

import (
	"fmt"
	"math"
	"strings"
	"time"

	"retry/policy"
)

// At describes what a schedule without its jitter does around some time.
type At struct {
	Time     time.Duration
	Retries  float64       // that have started by then; a whole number if they were counted
	Previous time.Duration // the last sleep before that time
	Next     time.Duration // the next sleep after it
	Counted  bool          // retry by retry, because the formulas don't hold
	Holds    time.Duration // how long the formulas hold, 0 if never

	Aim *Aim
}

// Aim describes the schedule that would sleep for about a given time then.
type Aim struct {
	Sleep   time.Duration
	Factor  float64
	Retries float64
	Now     float64 // retries with the present factor
	Thumb   float64 // the ratio of the numbers of retries, by the rule of thumb
}

// NewAt examines a schedule at some time. If aim is above 0, it also finds the factor for sleeps of about that length then.
func NewAt(s policy.Schedule, at, aim time.Duration) *At {
	a := &At{Time: at}
	exponential, ok := s.Backoff.(policy.Exponential)
	geometric := policy.Geometric(exponential)
	if ok {
		a.Holds = untilCap(geometric, s.Cap)
	}
	switch first := unjittered(s).Next(); {
	case at < first: // the formulas would give a fraction of a retry before the first one
		a.Next = first
	case ok && at <= a.Holds:
		a.Retries, a.Previous, a.Next = geometric.Retries(at), geometric.Previous(at), geometric.Next(at)
	default:
		a.count(s)
	}
	if aim > 0 && ok {
		aimed := geometric.Aimed(aim, at)
		a.Aim = &Aim{aim, aimed.Factor, aimed.Retries(at), a.Retries, geometric.RuleOfThumb(aimed)}
	}
	return a
}

// untilCap returns the start of the last retry whose next sleep is not capped. The formulas hold until then.
func untilCap(g policy.Geometric, cap time.Duration) time.Duration {
	const ever = time.Duration(math.MaxInt64)
	switch {
	case g.Base == 0:
		return 0
	case cap == 0 || g.Factor <= 1:
		return ever
	}
	return g.Elapsed(math.Floor(max(0, math.Log(float64(cap)/float64(g.Base))/math.Log(g.Factor))))
}

// unjittered starts the schedule without its jitter.
func unjittered(s policy.Schedule) *policy.Sequence {
	return policy.Schedule{Backoff: s.Backoff, Jitter: policy.None{}, Cap: s.Cap}.Start(nil)
}

// count follows the schedule until the time has passed.
func (a *At) count(s policy.Schedule) {
	const most = 10_000_000
	a.Counted = true
	q := unjittered(s)
	var elapsed time.Duration
	for range most {
		a.Next = q.Next()
		if a.Next > a.Time-elapsed {
			return
		}
		elapsed += a.Next
		a.Previous = a.Next
		a.Retries++
	}
	a.Retries = math.Inf(1)
}

func (a *At) String() string {
	var text strings.Builder
	at := policy.FormatDuration(a.Time)
	if math.IsInf(a.Retries, 1) {
		return at + " in, without jitter: the sleeps have shrunk to nothing, and the retries follow without a pause\n"
	}
	if a.Retries == 0 {
		return fmt.Sprintf("%s in, without jitter: before the first retry, in a sleep of %s\n", at, policy.FormatDuration(a.Next))
	}
	fmt.Fprintf(&text, "%s in, without jitter: about retry %s, after a sleep of %s and before one of %s\n",
		at, count(a.Retries), policy.FormatDuration(a.Previous), policy.FormatDuration(a.Next))
	fmt.Fprintf(&text, "a recovery at that point could take %s to notice\n", policy.FormatDuration(a.Next))
	switch {
	case a.Counted && a.Holds > 0:
		fmt.Fprintf(&text, "counted retry by retry: the formulas hold for the first %s only, until the cap is reached\n", policy.FormatDuration(a.Holds))
	case a.Counted:
		fmt.Fprintf(&text, "counted retry by retry: the formulas are for an exponential schedule below its cap\n")
	}
	if aim := a.Aim; aim != nil {
		fmt.Fprintf(&text, "for sleeps of about %s at that point, use --factor %.4g: it takes %s retries to get there instead of %s\n",
			policy.FormatDuration(aim.Sleep), aim.Factor, count(aim.Retries), count(aim.Now))
		fmt.Fprintf(&text, "that is %.2g times as many; the rule of thumb log r / log r' gives %.2g\n",
			aim.Retries/aim.Now, aim.Thumb)
	}
	return text.String()
}

// count formats a number of retries with one decimal, or none if it is whole.
func count(retries float64) string {
	if whole := math.Round(retries); math.Abs(retries-whole) < 0.005 {
		return fmt.Sprintf("%.0f", whole)
	}
	return fmt.Sprintf("%.1f", retries)
}

// atJSON is an At in JSON. Durations are seconds.
type atJSON struct {
	Time     float64  `json:"time"`
	Retries  float64  `json:"retries"`
	Previous float64  `json:"sleep_before"`
	Next     float64  `json:"sleep_after"`
	Counted  bool     `json:"counted"`
	Aim      *aimJSON `json:"aim,omitempty"`
}

type aimJSON struct {
	Sleep   float64 `json:"sleep"`
	Factor  float64 `json:"factor"`
	Retries float64 `json:"retries"`
	Times   float64 `json:"times_as_many"`
	Thumb   float64 `json:"rule_of_thumb"`
}

func (a *At) json() *atJSON {
	line := &atJSON{a.Time.Seconds(), finite(a.Retries), a.Previous.Seconds(), a.Next.Seconds(), a.Counted, nil}
	if a.Aim != nil {
		line.Aim = &aimJSON{
			a.Aim.Sleep.Seconds(), a.Aim.Factor, finite(a.Aim.Retries), finite(a.Aim.Retries / a.Aim.Now), finite(a.Aim.Thumb),
		}
	}
	return line
}

// finite replaces numbers that JSON can't represent with the greatest float64.
func finite(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return math.MaxFloat64
	}
	return x
}
