package options

import (
	"slices"
	"strings"
)

// foreign says what to use instead of the options of other programs. docs/migration.md says the same, which a test checks. The
// names are without their hyphens.
var foreign = [...]struct{ names, use string }{
	{"a attempts tries times max-tries count repeat limit", "use -n N for the number of attempts"},
	{"retries max-retries retry", "use -n N for the number of attempts, which is one more than the number of retries"},
	{"t", "use -n N for the number of attempts, or --timeout D for the time limit of each"},
	{"forever Y", "use -n 0 for no limit on attempts, and --fail-if any to go on after a success too"},
	{"infinite unlimited unlimited-attempts U", "use -n 0 for no limit on attempts"},
	{"f", "use -n 0 for no limit on attempts, or --on-failure CMD for a command to run when retry gives up"},
	{"fail", "use --on-failure CMD for a command to run when retry gives up"},

	{"d", "use --delay D for a constant delay, --delays D,D,... for a list of delays, or --deadline D for the time limit of the whole run"},
	{"sleep wait interval pause period retry-delay retry-wait-seconds", "use --delay D for a constant delay, or --base D for the first of increasing ones"},
	{"initial-delay initial-interval initial-wait min min-delay min-wait wait-min", "use --base D, the upper limit of the first delay"},
	{"b", "use --base D for the first delay, and --factor F for the multiplier"},
	{"x", "use --base D for the first delay, or --cap D for the longest"},
	{"multiplier", "use --factor F"},
	{"max max-delay max-interval max-wait max-backoff max-sleep wait-max M", "use --cap D for the longest delay"},
	{"m", "use --cap D for the longest delay, --base D for the first, --timeout D for the time limit of an attempt, or --label TEXT for a name"},
	{"F fib", "use --backoff fibonacci; failures are retried without an option"},
	{"exponential exp", "--backoff exponential is the default; use --base D and --factor F to change it"},
	{"linear fixed constant", "use --backoff linear, or --delay D for a constant delay"},
	{"j", "use --jitter additive=D, or another of the modes"},
	{"no-jitter", "use --jitter none"},
	{"r", "use --reset-after D, or --retry-if output:RE to retry only when the output matches"},
	{"reset", "use --reset-after D"},
	{"s", "use --delay D for a constant delay, --seed N for a random seed, or --retry-if output:RE to retry only when the output matches"},

	{"max-time", "use --deadline D for the time limit of the whole run, or --timeout D for that of each attempt"},
	{"max-duration max-elapsed-time total-timeout retry-max-time", "use --deadline D"},
	{"task-time attempt-timeout timeout-seconds timeout-minutes", "use --timeout D"},

	{"u until", "use --success-if RULE, or --until-failure"},
	{"w while", "use --retry-if RULE"},
	{"S retry-if-status retry-on-exit-code retry-on exit-code exit-codes", "use --retry-if RULE, such as --retry-if 1,75-78"},
	{"retry-if-contains retry-if-matches", "use --retry-if output:RE"},
	{"retry-if-stderr-matches retry-if-stdout-matches", "use --retry-if stderr:RE or --retry-if stdout:RE"},
	{"retry-if-signal", "use --retry-if signal:KILL"},
	{"retry-if-timeout", "use --retry-if timeout"},
	{"stop-if-status stop-if-matches", "use --stop-if RULE"},
	{"retry-failing-status retry-all-errors", "all failures are retried, unless --transient or --retry-if is given"},
	{"retry-connrefused", "use --transient"},
	{"invert", "use --until-failure"},
	{"on-retry on-retry-command", "use --before-retry CMD"},

	{"I replay-stdin", "use --stdin replay"},
	{"O hold-stdout", "use -o"},
	{"E hold-stderr", "use --stderr last"},
	{"R log log-file", "use --report FILE"},
	{"message", "use --label TEXT"},
	{"silent", "use -q"},
	{"debug", "use -v"},
	{"command cmd", "use -c STRING, or the command after the options"},
	{"dry-run", "use --plan to show the schedule without running anything"},
}

// unknown returns the error for an unknown option, with a hint about what to use instead, if that is known. text is the option
// as it was given, and name the same without hyphens and value.
func unknown(table []*Option, text, name string) error {
	return usageErrorf("unknown option %s", text).hinting(instead(table, text, name) + "see retry -h")
}

// instead returns what to use instead of an unknown option, followed by a semicolon or a question mark. It returns "" unless one
// option is likely to be meant.
func instead(table []*Option, text, name string) string {
	if use := abroad(name); use != "" {
		return use + "; "
	}
	if len(name) > 1 {
		if similar := similar(table, strings.ToLower(name)); similar != "" {
			return "did you mean " + Dashed(similar) + "? "
		}
	}
	if use := abroad(strings.TrimLeft(text, "-")); use != "" {
		return use + "; "
	}
	return ""
}

// abroad returns what to use instead of an option of another program, or "".
func abroad(name string) string {
	for _, row := range foreign {
		if slices.Contains(strings.Fields(row.names), name) {
			return row.use
		}
	}
	return ""
}

// similar returns the option that is most similar to a name: at most one character in three differs, and at most two in all.
// If there is none, it returns the only option that begins with the name.
func similar(table []*Option, name string) string {
	best, least := "", min(2, len(name)/3)+1
	var longer []string
	for _, o := range table {
		if len(o.Name) == 1 {
			continue
		}
		if len(name) > 2 && strings.HasPrefix(o.Name, name) {
			longer = append(longer, o.Name)
		}
		if d := distance(name, o.Name); d < least {
			best, least = o.Name, d
		}
	}
	if best == "" && len(longer) == 1 {
		return longer[0]
	}
	return best
}

// distance returns the number of characters to insert, delete or replace in order to turn a into b (Levenshtein distance).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
