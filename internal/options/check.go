package options

import (
	"retry/policy"
	"retry/runner"
	"retry/runner/process"
)

// exclusive lists pairs of options that can't be given together. If one is in RETRY_OPTS and the other on the command line,
// the latter wins; otherwise they are bad usage.
var exclusive = [][2]string{
	{"delay", "base"}, {"delay", "factor"}, {"delay", "backoff"}, {"delay", "delays"},
	{"delays", "base"}, {"delays", "factor"}, {"delays", "backoff"},
	{"quiet", "verbose"}, {"o", "stdout"}, {"plan", "simulate"}, {"plan", "review"}, {"simulate", "review"},
	{"explain", "plan"}, {"explain", "simulate"}, {"explain", "review"},
}

// overriding lists, for an option of the command line, the options of RETRY_OPTS that it overrides, although they can be given
// together.
var overriding = map[string][]string{
	"delay":   {"jitter", "cap"},
	"delays":  {"jitter", "cap"},
	"backoff": {"factor", "jitter"},
	"jitter":  {"backoff"},

	"judge":         {"transient"},
	"until-failure": {"transient"},
}

// check sets the values that depend on several options, and rejects combinations of options that make no sense.
func (s *Settings) check() error {
	if s.Deadline > 0 && !s.Given("max-attempts") {
		s.MaxAttempts = 0
	}
	s.Schedule, s.Outage.Budget = s.newSchedule(), s.shared()
	s.inheritDeadline()
	s.Throttle = s.newThrottle()
	for _, find := range [...]func() error{
		s.checkExclusive, s.checkReview, s.checkContradictions, s.checkRun, s.checkJudge, s.checkBudget, s.checkAnswer, s.checkRules,
	} {
		if err := find(); err != nil {
			return err
		}
	}
	return nil
}

// inheritDeadline applies the deadline of an outer retry if it is earlier than this one's own.
func (s *Settings) inheritDeadline() {
	if s.Simulate != "" || len(s.Review) > 0 {
		return
	}
	left, err := process.OuterDeadline()
	if err != nil {
		s.Warnings = append(s.Warnings, err.Error())
	}
	if left > 0 && (s.Deadline == 0 || left < s.Deadline) {
		s.Deadline, s.Inherited = left, true
	}
}

// checkExclusive rejects options that can't be used together.
func (s *Settings) checkExclusive() error {
	for _, pair := range exclusive {
		if s.Given(pair[0]) && s.Given(pair[1]) {
			return usageErrorf("%s and %s can't be used together", Dashed(pair[0]), Dashed(pair[1]))
		}
	}
	return nil
}

// checkContradictions rejects values that contradict each other.
func (s *Settings) checkContradictions() error {
	first := s.Schedule.Backoff.Delay(1)
	switch {
	case s.decorrelated() && (s.backoff != "exponential" || s.explicit()):
		return usageErrorf("--jitter decorrelated computes its own delays; it can't be used with %s", s.shown([]string{"delay", "delays", "backoff"}))
	case s.MaxAttempts > 0 && s.Consecutive > s.MaxAttempts:
		return usageErrorf("--consecutive %d can't be reached within --max-attempts %d", s.Consecutive, s.MaxAttempts).
			hinting("raise --max-attempts")
	case s.Consecutive > 1 && s.Schedule.Cap > 0 && first > s.Schedule.Cap:
		return usageErrorf("--consecutive sleeps the base delay of %s between successes, which is longer than --cap %s",
			policy.FormatDuration(first), policy.FormatDuration(s.Schedule.Cap))
	case s.Deadline > 0 && s.Stagger >= s.Deadline && !s.Inherited:
		return usageErrorf("--stagger %s could use up all of --deadline %s",
			policy.FormatDuration(s.Stagger), policy.FormatDuration(s.Deadline))
	case s.Rules.UntilFailure && len(s.Rules.SuccessIf) > patterns(s.Rules.SuccessIf):
		return usageErrorf("--until-failure and a --success-if rule for the status can't be used together")
	}
	return nil
}

// An effect says whether an option has no effect here, and why.
type effect struct {
	option string
	none   bool
	why    string
}

// checkEffects rejects the first option on the command line that has no effect. In RETRY_OPTS it is not a mistake, because
// these options are meant for many calls.
func (s *Settings) checkEffects(list ...effect) error {
	for _, e := range list {
		if e.none && s.given[e.option] == onCommandLine {
			return usageErrorf("%s has no effect %s", Dashed(e.option), e.why)
		}
	}
	return nil
}

// checkRun rejects options of a run that have no effect.
func (s *Settings) checkRun() error {
	_, constant := s.Schedule.Backoff.(policy.Constant)
	drawn := s.Schedule.Jittered() || s.Stagger > 0 || s.hinted() || s.Simulate != ""
	return s.checkEffects(
		effect{"shell", !s.Given("c") && !s.Given("judge") && !s.Given("before-retry") && !s.Given("on-failure"),
			"without -c, --judge, --before-retry or --on-failure"},
		effect{"factor", s.backoff != "exponential", "with --backoff " + s.backoff},
		effect{"factor", s.decorrelated(), "with --jitter decorrelated"},
		effect{"seed", !drawn, "when nothing is random"},
		effect{"reset-after", constant && s.MaxAttempts == 0, "when all delays are the same and attempts are not limited"},
		effect{"signal", s.Timeout == 0 && s.Deadline == 0 && s.IdleTimeout == 0,
			"without --timeout, --idle-timeout or --deadline"},
		effect{"retry-after-max", !s.hinted(), "without --retry-after, --retry-after-pattern, --transient or --budget"},
		effect{"throttle-base", s.Rules.Transient == nil && !s.Rules.TellHTTP(), "without --transient or an http: rule"},
		effect{"tty", s.TTY == runner.AlwaysTTY && s.Hold[0] != runner.Live && s.Hold[1] != runner.Live,
			"when both outputs are held"},
		effect{"tty", s.TTY == runner.NeverTTY && !s.watches(), "when no output is watched"},
		effect{"transient", s.Rules.UntilFailure, "with --until-failure"},
	)
}

// checkAnswer rejects options of an answer or a report that have no effect.
func (s *Settings) checkAnswer() error {
	graphic, numeric := s.Format == "csv" || s.Format == "svg", s.Format == "csv" || s.Format == "json"
	return s.checkEffects(
		effect{"at", !s.Plan, "without --plan"},
		effect{"at", graphic, "with --format " + s.Format},
		effect{"aim", !s.Given("at"), "without --at"},
		effect{"aim", s.At == 0, "with --at 0s"},
		effect{"aim", s.backoff != "exponential" || s.explicit() || s.decorrelated(), "without exponential backoff"},
		effect{"format", !s.Asks() || s.Explain != "", "without --plan, --simulate, --review, or --budget alone"},
		effect{"scale", !s.Asks() || s.Explain != "", "without --plan, --simulate or --review"},
		effect{"scale", numeric, "with --format " + s.Format},
		effect{"report-argv", s.Report == "", "without --report"},
	)
}
