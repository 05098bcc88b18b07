package main

import (
	"time"

	"retry/policy"
	"retry/runner"
)

// An option is one row of the table from which everything else that knows the options is made or checked.
type option struct {
	name        string // the long form, or the only one
	short       string
	placeholder string // the value's; empty for a switch
	optional    bool   // it may be left out, and follows a = where it is given
	standard    string // the default, as help shows it
	group       string
	help        string
	common      bool // on the one screen of -h
	environment bool // allowed in RETRY_OPTS
	set         func(s *settings, value string) error
}

const (
	groupCommand  = "Command"
	groupSchedule = "Schedule"
	groupVerdict  = "Verdict"
	groupLimits   = "Limits"
	groupListen   = "Listening"
	groupStreams  = "Streams"
	groupPlan     = "Knowing before"
	groupOutput   = "What retry says"
)

// options is the table.
func options() []*option {
	return []*option{
		{name: "c", placeholder: "STRING", group: groupCommand, common: true,
			help: "run STRING by a shell; words after it are $0, $1, ...",
			set:  func(s *settings, v string) error { s.script = v; return nil }},
		{name: "shell", placeholder: "SHELL", standard: defaultShell(), group: groupCommand,
			help: "the shell for -c, with its options",
			set:  (*settings).setShell},

		{name: "base", placeholder: "D", standard: "1s", group: groupSchedule, common: true, environment: true,
			help: "the delay before the first retry",
			set:  duration(func(s *settings) *time.Duration { return &s.base })},
		{name: "factor", placeholder: "F", standard: "2", group: groupSchedule, common: true, environment: true,
			help: "what each further delay is multiplied by",
			set:  (*settings).setFactor},
		{name: "cap", placeholder: "D", standard: "1m, or base", group: groupSchedule, common: true, environment: true,
			help: "no sleep is longer; 0 for no cap",
			set:  duration(func(s *settings) *time.Duration { return &s.cap })},
		{name: "backoff", placeholder: "MODE", standard: "exponential", group: groupSchedule, environment: true,
			help: "exponential, constant, linear or fibonacci",
			set:  (*settings).setBackoff},
		{name: "delay", placeholder: "D", group: groupSchedule, common: true, environment: true,
			help: "constant delay, no jitter, no cap",
			set:  duration(func(s *settings) *time.Duration { return &s.delay })},
		{name: "delays", placeholder: "D,D,...", group: groupSchedule, environment: true,
			help: "these delays, the last repeats; no jitter, no cap",
			set:  (*settings).setDelays},
		{name: "jitter", placeholder: "MODE", standard: "full", group: groupSchedule, common: true, environment: true,
			help: "none, full, equal, decorrelated, additive[=D],\nnormal[=S] or proportional[=R]",
			set:  (*settings).setJitter},
		{name: "seed", placeholder: "N", standard: "random", group: groupSchedule, environment: true,
			help: "draw the same sleeps every time",
			set:  (*settings).setSeed},
		{name: "stagger", placeholder: "D", group: groupSchedule, environment: true,
			help: "wait up to D at random before the first attempt",
			set:  duration(func(s *settings) *time.Duration { return &s.stagger })},
		{name: "reset-after", placeholder: "D", group: groupSchedule, environment: true,
			help: "an attempt that ran so long restarts the schedule",
			set:  duration(func(s *settings) *time.Duration { return &s.resetAfter })},

		{name: "success-if", placeholder: "RULE", standard: "0", group: groupVerdict,
			help: "what makes an attempt a success",
			set:  rule(func(s *settings) *[]policy.Rule { return &s.rules.SuccessIf })},
		{name: "fail-if", placeholder: "RULE", group: groupVerdict,
			help: "what makes it a failure all the same",
			set:  rule(func(s *settings) *[]policy.Rule { return &s.rules.FailIf })},
		{name: "retry-if", placeholder: "RULE", group: groupVerdict, common: true,
			help: "retry only failures like this",
			set:  rule(func(s *settings) *[]policy.Rule { return &s.rules.RetryIf })},
		{name: "stop-if", placeholder: "RULE", group: groupVerdict, common: true,
			help: "never retry a failure like this",
			set:  rule(func(s *settings) *[]policy.Rule { return &s.rules.StopIf })},
		{name: "until-failure", group: groupVerdict,
			help: "run until the command fails",
			set:  func(s *settings, _ string) error { s.rules.UntilFailure = true; return nil }},
		{name: "consecutive", placeholder: "N", standard: "1", group: groupVerdict,
			help: "want N successes in a row, the base delay apart",
			set:  (*settings).setConsecutive},

		{name: "max-attempts", short: "n", placeholder: "N", standard: "10", group: groupLimits, common: true, environment: true,
			help: "attempts in all; 0, or a deadline alone: no limit",
			set:  (*settings).setMaxAttempts},
		{name: "timeout", placeholder: "D", group: groupLimits, common: true, environment: true,
			help: "end an attempt that runs longer, with all it started",
			set:  duration(func(s *settings) *time.Duration { return &s.timeout })},
		{name: "deadline", placeholder: "D", group: groupLimits, common: true, environment: true,
			help: "the time for everything together",
			set:  duration(func(s *settings) *time.Duration { return &s.deadline })},
		{name: "idle-timeout", placeholder: "D", group: groupLimits, environment: true,
			help: "end an attempt that prints nothing for so long",
			set:  duration(func(s *settings) *time.Duration { return &s.idleTimeout })},
		{name: "signal", placeholder: "SIG", standard: "TERM", group: groupLimits, environment: true,
			help: "what a timeout sends first",
			set:  (*settings).setSignal},
		{name: "kill-after", placeholder: "D", standard: "10s", group: groupLimits, environment: true,
			help: "how long after that it sends KILL",
			set:  duration(func(s *settings) *time.Duration { return &s.killAfter })},

		{name: "sweep", group: groupLimits,
			help: "end what an attempt leaves in the background too",
			set:  func(s *settings, _ string) error { s.sweep = true; return nil }},

		{name: "retry-after", group: groupListen, environment: true,
			help: "wait as long as a server asks for by Retry-After",
			set:  func(s *settings, _ string) error { s.listening.RetryAfter = true; return nil }},
		{name: "retry-after-pattern", placeholder: "RE", group: groupListen,
			help: "the first group is how long, or until when",
			set:  (*settings).setHint},
		{name: "retry-after-max", placeholder: "D", standard: "1h", group: groupListen, environment: true,
			help: "end retrying where a server asks for more",
			set:  duration(func(s *settings) *time.Duration { return &s.hintMost })},
		{name: "transient", placeholder: "MODE", optional: true, group: groupListen, common: true, environment: true,
			help: "retry no 404 and such; unsent: nothing processed",
			set:  (*settings).setTransient},
		{name: "judge", placeholder: "CMD", group: groupListen,
			help: "decides: 0 success, 1 or 75 retry, else stop; it\nreads the attempt's standard output",
			set:  script(func(s *settings) *string { return &s.judge })},
		{name: "before-retry", placeholder: "CMD", group: groupListen,
			help: "run before each retry, and none if it fails",
			set:  script(func(s *settings) *string { return &s.beforeRetry })},
		{name: "budget", placeholder: "NAME", group: groupListen, environment: true,
			help: "share retries with all calls of that name:\nNAME:tokens=10,refund=0.1,refill=1/1m",
			set:  (*settings).setBudget},

		{name: "stdin", placeholder: "MODE", standard: "inherit, while it lasts", group: groupStreams,
			help: "inherit, replay or none",
			set:  (*settings).setStdin},
		{name: "stdout", placeholder: "MODE", standard: "live", group: groupStreams,
			help: "live, success or last: whose output is let through",
			set:  holding(0, "live", "success", "last")},
		{name: "o", group: groupStreams, common: true,
			help: "--stdout success: only the successful attempt's",
			set:  func(s *settings, _ string) error { s.hold[0] = runner.Success; return nil }},
		{name: "stderr", placeholder: "MODE", standard: "live", group: groupStreams,
			help: "live or last",
			set:  holding(1, "live", "last")},

		{name: "plan", group: groupPlan, common: true,
			help: "show what the schedule will do; run nothing",
			set:  func(s *settings, _ string) error { s.plan = true; return nil }},
		{name: "simulate", placeholder: "MODEL", group: groupPlan,
			help: "show what many copies of it do to a server: outage\nor contention, with :NAME=VALUE,...; help lists them",
			set:  (*settings).setSimulate},
		{name: "at", placeholder: "D", group: groupPlan,
			help: "with --plan: what it does after D",
			set:  duration(func(s *settings) *time.Duration { return &s.at })},
		{name: "aim", placeholder: "D", group: groupPlan,
			help: "with --at: the factor that sleeps about D then",
			set:  duration(func(s *settings) *time.Duration { return &s.aim })},
		{name: "format", placeholder: "FORM", standard: "text", group: groupPlan,
			help: "text, json, csv or svg",
			set:  (*settings).setFormat},
		{name: "scale", placeholder: "MODE", standard: "linear", group: groupPlan,
			help: "linear or log, of the chart",
			set:  (*settings).setScale},

		{name: "report", placeholder: "FILE", group: groupOutput, environment: true,
			help: "add JSON Lines to FILE; - for standard error",
			set:  (*settings).setReport},
		{name: "report-argv", group: groupOutput, environment: true,
			help: "with the command's arguments in them",
			set:  func(s *settings, _ string) error { s.reportArgv = true; return nil }},
		{name: "label", placeholder: "TEXT", standard: "the command's name", group: groupOutput, environment: true,
			help: "what retry's lines call it",
			set:  (*settings).setLabel},
		{name: "summary", group: groupOutput, environment: true,
			help: "tell GitHub or GitLab of more than one attempt",
			set:  func(s *settings, _ string) error { s.summary = true; return nil }},
		{name: "quiet", short: "q", group: groupOutput, common: true, environment: true,
			help: "tell of the final failure only; twice: of nothing",
			set:  func(s *settings, _ string) error { s.quiet++; return nil }},
		{name: "verbose", short: "v", group: groupOutput, environment: true,
			help: "tell of starts and of the rule that decided too",
			set:  func(s *settings, _ string) error { s.verbose = true; return nil }},
		{name: "help", group: groupOutput,
			help: "show all options; -h shows the common ones",
			set:  answered},
		{name: "h", group: groupOutput, set: answered},
		{name: "completion", placeholder: "SHELL", group: groupOutput,
			help: "show how bash, zsh or fish completes retry's line",
			set:  answered},
		{name: "version", group: groupOutput,
			help: "show version, commit and Go version",
			set:  answered},
	}
}

// answered is the setter of an option that asks for an answer instead of a run; parseLine has taken it by then.
func answered(*settings, string) error { return nil }

// dashed is the option as it is typed.
func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}
