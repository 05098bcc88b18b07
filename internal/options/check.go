package options

import (
	"retry/policy"
	"retry/runner"
)

// exclusive are pairs of options that can't be given together. If one is in RETRY_OPTS and the other on the command line,
// the latter wins; otherwise both are bad usage.
var exclusive = [][2]string{
	{"delay", "base"}, {"delay", "factor"}, {"delay", "backoff"}, {"delay", "delays"},
	{"delays", "base"}, {"delays", "factor"}, {"delays", "backoff"},
	{"quiet", "verbose"}, {"o", "stdout"}, {"plan", "simulate"}, {"plan", "review"}, {"simulate", "review"},
	{"explain", "plan"}, {"explain", "simulate"}, {"explain", "review"},
}

// overriding are, by option of the command line, the options of RETRY_OPTS that it overrides, although the two can be given
// together.
var overriding = map[string][]string{
	"delay":   {"jitter", "cap"},
	"delays":  {"jitter", "cap"},
	"backoff": {"factor", "jitter"},
	"jitter":  {"backoff"},

	"judge":         {"transient"},
	"until-failure": {"transient"},
}

// check sets what depends on several options, and finds combinations of options that make no sense.
func (s *Settings) check() error {
	if s.Deadline > 0 && !s.Given("max-attempts") {
		s.MaxAttempts = 0
	}
	s.Schedule, s.Outage.Budget = s.newSchedule(), s.shared()
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

// checkExclusive finds options that exclude each other.
func (s *Settings) checkExclusive() error {
	for _, pair := range exclusive {
		if s.Given(pair[0]) && s.Given(pair[1]) {
			return usageErrorf("%s and %s exclude each other", Dashed(pair[0]), Dashed(pair[1]))
		}
	}
	return nil
}

// checkContradictions finds values that contradict each other.
func (s *Settings) checkContradictions() error {
	first := s.Schedule.Backoff.Delay(1)
	switch {
	case s.decorrelated() && (s.backoff != "exponential" || s.explicit()):
		return usageErrorf("--jitter decorrelated makes its own backoff and goes with --backoff exponential alone")
	case s.MaxAttempts > 0 && s.Consecutive > s.MaxAttempts:
		return usageErrorf("--consecutive %d can't be reached in --max-attempts %d", s.Consecutive, s.MaxAttempts).
			hinting("raise --max-attempts")
	case s.Consecutive > 1 && s.Schedule.Cap > 0 && first > s.Schedule.Cap:
		return usageErrorf("--consecutive waits the base delay of %s between successes, and --cap %s forbids that",
			policy.FormatDuration(first), policy.FormatDuration(s.Schedule.Cap))
	case s.Deadline > 0 && s.Stagger >= s.Deadline:
		return usageErrorf("--stagger %s leaves nothing of --deadline %s",
			policy.FormatDuration(s.Stagger), policy.FormatDuration(s.Deadline))
	case s.Rules.UntilFailure && len(s.Rules.SuccessIf) > patterns(s.Rules.SuccessIf):
		return usageErrorf("--until-failure and --success-if each say what status is a success")
	}
	return nil
}

// An effect is whether an option has no effect here, and why.
type effect struct {
	option string
	none   bool
	why    string
}

// checkEffects finds the first option on the command line that has no effect. In RETRY_OPTS that is no mistake: it is written
// for many calls.
func (s *Settings) checkEffects(list ...effect) error {
	for _, e := range list {
		if e.none && s.given[e.option] == onCommandLine {
			return usageErrorf("%s means nothing here: %s", Dashed(e.option), e.why)
		}
	}
	return nil
}

// checkRun finds options of a run that have no effect.
func (s *Settings) checkRun() error {
	_, constant := s.Schedule.Backoff.(policy.Constant)
	drawn := s.Schedule.Jittered() || s.Stagger > 0 || s.hinted() || s.Simulate != ""
	return s.checkEffects(
		effect{"shell", !s.Given("c") && !s.Given("judge") && !s.Given("before-retry"),
			"only -c, --judge and --before-retry run a shell"},
		effect{"factor", s.backoff != "exponential", "--backoff " + s.backoff + " has no factor"},
		effect{"factor", s.decorrelated(), "--jitter decorrelated has no factor"},
		effect{"seed", !drawn, "nothing is drawn at random"},
		effect{"reset-after", constant, "the delay is always the same"},
		effect{"signal", s.Timeout == 0 && s.Deadline == 0 && s.IdleTimeout == 0,
			"without --timeout, --idle-timeout or --deadline nothing sends it"},
		effect{"retry-after-max", !s.hinted(), "nothing tells how long a server asks to wait"},
		effect{"throttle-base", s.Rules.Transient == nil && !s.Rules.TellHTTP(), "nothing tells of throttling"},
		effect{"tty", s.TTY == runner.AlwaysTTY && s.Hold[0] != runner.Live && s.Hold[1] != runner.Live,
			"output that is held goes through pipes"},
		effect{"tty", s.TTY == runner.NeverTTY && !s.watches(), "no output is watched"},
		effect{"transient", s.Rules.UntilFailure, "--until-failure wants a failure of any kind"},
	)
}

// checkAnswer finds options of an answer or a report that have no effect.
func (s *Settings) checkAnswer() error {
	graphic, numeric := s.Format == "csv" || s.Format == "svg", s.Format == "csv" || s.Format == "json"
	return s.checkEffects(
		effect{"at", !s.Plan, "only --plan looks ahead"},
		effect{"at", graphic, "--format " + s.Format + " has no place for it"},
		effect{"aim", !s.Given("at"), "there is no --at"},
		effect{"aim", s.At == 0, "--at 0s leaves no time to get there"},
		effect{"aim", s.backoff != "exponential" || s.explicit() || s.decorrelated(), "only an exponential schedule has a factor"},
		effect{"format", !s.Asks() || s.Explain != "", "only --plan, --simulate, --review and --budget without a command have formats"},
		effect{"scale", !s.Asks() || s.Explain != "", "only --plan, --simulate and --review draw charts"},
		effect{"scale", numeric, "--format " + s.Format + " draws no chart"},
		effect{"report-argv", s.Report == "", "there is no --report"},
	)
}
