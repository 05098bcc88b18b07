package options

import (
	"retry/policy"
)

// exclusive are the options that say the same thing in two ways. Of one from RETRY_OPTS and one from the command line
// the command line's stands; two from one place are bad usage.
var exclusive = [][2]string{
	{"delay", "base"}, {"delay", "factor"}, {"delay", "backoff"}, {"delay", "delays"},
	{"delays", "base"}, {"delays", "factor"}, {"delays", "backoff"},
	{"quiet", "verbose"}, {"o", "stdout"}, {"plan", "simulate"},
}

// overriding are the options of RETRY_OPTS that give way to another one of the command line, though the two go
// together in one place.
var overriding = map[string][]string{
	"delay":   {"jitter", "cap"},
	"delays":  {"jitter", "cap"},
	"backoff": {"factor", "jitter"},
	"jitter":  {"backoff"},

	"judge":         {"transient"},
	"until-failure": {"transient"},
}

// meaningless returns an error where the option was given on the same place as what makes it meaningless. A default
// from RETRY_OPTS without a meaning here does no harm.
func (s *Settings) meaningless(name string, when bool, why string) error {
	if !when || s.given[name] != onCommandLine {
		return nil
	}
	return badUsage("", "%s means nothing here: %s", Dashed(name), why)
}

// check finds the combinations that can't be meant. It also settles what depends on whether another option was given.
func (s *Settings) check() error {
	for _, pair := range exclusive {
		if s.Given(pair[0]) && s.Given(pair[1]) {
			return badUsage("", "%s and %s exclude each other", Dashed(pair[0]), Dashed(pair[1]))
		}
	}
	if s.Deadline > 0 && !s.Given("max-attempts") {
		s.MaxAttempts = 0
	}
	_, decorrelated := s.jitter.(policy.Decorrelated)
	s.Schedule, s.Outage.Budget = s.newSchedule(), s.shared()
	_, constant := s.Schedule.Backoff.(policy.Constant)
	switch {
	case decorrelated && (s.backoff != "exponential" || s.explicit()):
		return badUsage("", "--jitter decorrelated makes its own backoff and goes with --backoff exponential alone")
	case s.MaxAttempts > 0 && s.Consecutive > s.MaxAttempts:
		return badUsage("raise --max-attempts", "--consecutive %d can't be reached in --max-attempts %d", s.Consecutive, s.MaxAttempts)
	case s.Consecutive > 1 && s.Schedule.Cap > 0 && s.Schedule.Backoff.Delay(1) > s.Schedule.Cap:
		return badUsage("", "--consecutive waits the base delay of %s between successes, and --cap %s forbids that",
			policy.FormatDuration(s.Schedule.Backoff.Delay(1)), policy.FormatDuration(s.Schedule.Cap))
	case s.Deadline > 0 && s.Stagger >= s.Deadline:
		return badUsage("", "--stagger %s leaves nothing of --deadline %s",
			policy.FormatDuration(s.Stagger), policy.FormatDuration(s.Deadline))
	case s.Rules.UntilFailure && len(s.Rules.SuccessIf) > patterns(s.Rules.SuccessIf):
		return badUsage("", "--until-failure and --success-if each say what status is a success")
	}
	for _, err := range []error{
		s.meaningless("shell", !s.Given("c") && !s.Given("judge") && !s.Given("before-retry"),
			"only -c, --judge and --before-retry run a shell"),
		s.meaningless("factor", s.backoff != "exponential", "--backoff "+s.backoff+" has no factor"),
		s.meaningless("factor", decorrelated, "--jitter decorrelated has no factor"),
		s.meaningless("seed", !s.Schedule.Jittered() && s.Stagger == 0 && !s.hinted() && s.Simulate == "", "nothing is drawn at random"),
		s.meaningless("reset-after", constant, "the delay is always the same"),
		s.meaningless("signal", s.Timeout == 0 && s.Deadline == 0 && s.IdleTimeout == 0,
			"without --timeout, --idle-timeout or --deadline nothing sends it"),
		s.meaningless("retry-after-max", !s.hinted(), "nothing tells how long a server asks to wait"),
		s.meaningless("transient", s.Rules.UntilFailure, "--until-failure wants a failure of any kind"),
		s.checkJudge(),
		s.checkBudget(),
		s.meaningless("at", !s.Plan, "only --plan looks ahead"),
		s.meaningless("at", s.Format == "csv" || s.Format == "svg", "--format "+s.Format+" has no place for it"),
		s.meaningless("aim", !s.Given("at"), "there is no --at"),
		s.meaningless("aim", s.Given("at") && s.At == 0, "--at 0s leaves no time to get there"),
		s.meaningless("aim", s.backoff != "exponential" || s.explicit() || decorrelated,
			"only an exponential schedule has a factor"),
		s.meaningless("format", !s.Asks(), "only --plan, --simulate and --budget without a command have formats"),
		s.meaningless("scale", !s.Asks(), "only --plan and --simulate draw charts"),
		s.meaningless("scale", s.Format == "csv" || s.Format == "json", "--format "+s.Format+" draws no chart"),
		s.meaningless("report-argv", s.Report == "", "there is no --report"),
		s.checkRules("success-if", s.Rules.SuccessIf),
		s.checkRules("fail-if", s.Rules.FailIf),
		s.checkRules("stop-if", s.Rules.StopIf),
		s.checkRules("retry-if", s.Rules.RetryIf),
	} {
		if err != nil {
			return err
		}
	}
	return nil
}
