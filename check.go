package main

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
func (s *settings) meaningless(name string, when bool, why string) error {
	if !when || s.given[name] != onCommandLine {
		return nil
	}
	return badUsage("", "%s means nothing here: %s", dashed(name), why)
}

// check finds the combinations that can't be meant. It also settles what depends on whether another option was given.
func (s *settings) check() error {
	for _, pair := range exclusive {
		if s.given[pair[0]] != nowhere && s.given[pair[1]] != nowhere {
			return badUsage("", "%s and %s exclude each other", dashed(pair[0]), dashed(pair[1]))
		}
	}
	if s.deadline > 0 && s.given["max-attempts"] == nowhere {
		s.maxAttempts = 0
	}
	_, decorrelated := s.jitter.(policy.Decorrelated)
	schedule := s.schedule()
	_, constant := schedule.Backoff.(policy.Constant)
	switch {
	case decorrelated && (s.backoff != "exponential" || s.explicit()):
		return badUsage("", "--jitter decorrelated makes its own backoff and goes with --backoff exponential alone")
	case s.maxAttempts > 0 && s.consecutive > s.maxAttempts:
		return badUsage("raise --max-attempts", "--consecutive %d can't be reached in --max-attempts %d", s.consecutive, s.maxAttempts)
	case s.consecutive > 1 && schedule.Cap > 0 && schedule.Backoff.Delay(1) > schedule.Cap:
		return badUsage("", "--consecutive waits the base delay of %s between successes, and --cap %s forbids that",
			policy.FormatDuration(schedule.Backoff.Delay(1)), policy.FormatDuration(schedule.Cap))
	case s.deadline > 0 && s.stagger >= s.deadline:
		return badUsage("", "--stagger %s leaves nothing of --deadline %s",
			policy.FormatDuration(s.stagger), policy.FormatDuration(s.deadline))
	case s.rules.UntilFailure && len(s.rules.SuccessIf) > patterns(s.rules.SuccessIf):
		return badUsage("", "--until-failure and --success-if each say what status is a success")
	}
	for _, err := range []error{
		s.meaningless("shell", s.given["c"]+s.given["judge"]+s.given["before-retry"] == nowhere,
			"only -c, --judge and --before-retry run a shell"),
		s.meaningless("factor", s.backoff != "exponential", "--backoff "+s.backoff+" has no factor"),
		s.meaningless("factor", decorrelated, "--jitter decorrelated has no factor"),
		s.meaningless("seed", !schedule.Jittered() && s.stagger == 0 && !s.hinted() && s.simulate == "", "nothing is drawn at random"),
		s.meaningless("reset-after", constant, "the delay is always the same"),
		s.meaningless("signal", s.timeout == 0 && s.deadline == 0 && s.idleTimeout == 0,
			"without --timeout, --idle-timeout or --deadline nothing sends it"),
		s.meaningless("retry-after-max", !s.hinted(), "nothing tells how long a server asks to wait"),
		s.meaningless("transient", s.rules.UntilFailure, "--until-failure wants a failure of any kind"),
		s.checkJudge(),
		s.checkBudget(),
		s.meaningless("at", !s.plan, "only --plan looks ahead"),
		s.meaningless("at", s.format == "csv" || s.format == "svg", "--format "+s.format+" has no place for it"),
		s.meaningless("aim", s.given["at"] == nowhere, "there is no --at"),
		s.meaningless("aim", s.given["at"] != nowhere && s.at == 0, "--at 0s leaves no time to get there"),
		s.meaningless("aim", s.backoff != "exponential" || s.explicit() || decorrelated,
			"only an exponential schedule has a factor"),
		s.meaningless("format", !s.asks(), "only --plan, --simulate and --budget without a command have formats"),
		s.meaningless("scale", !s.asks(), "only --plan and --simulate draw charts"),
		s.meaningless("scale", s.format == "csv" || s.format == "json", "--format "+s.format+" draws no chart"),
		s.meaningless("report-argv", s.report == "", "there is no --report"),
		s.checkRules("success-if", s.rules.SuccessIf),
		s.checkRules("fail-if", s.rules.FailIf),
		s.checkRules("stop-if", s.rules.StopIf),
		s.checkRules("retry-if", s.rules.RetryIf),
	} {
		if err != nil {
			return err
		}
	}
	return nil
}

// patterns counts the rules that look at the output.
func patterns(rules []policy.Rule) (n int) {
	for _, r := range rules {
		if _, ok := r.(*policy.Pattern); ok {
			n++
		}
	}
	return n
}

// checkRules finds rules that can never match, or never matter.
func (s *settings) checkRules(name string, rules []policy.Rule) error {
	for _, r := range rules {
		switch r := r.(type) {
		case policy.Timeout:
			if s.timeout == 0 && s.idleTimeout == 0 {
				return badUsage("", "%s timeout means nothing here: there is no --timeout", dashed(name))
			}
		case *policy.Signals:
			if signal, ends := r.EndsRetrying(); ends && (name == "success-if" || name == "retry-if") {
				return badUsage("", "%s %v can't be: a command killed by %s always ends retrying", dashed(name), r, signal)
			}
		}
	}
	return nil
}
