package policy

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// Failure is what went wrong in an attempt, according to its output or exit status.
type Failure struct {
	Category  string // "name resolution", "connection refused", "HTTP 503"; never text from the server
	Rule      string // the table row that recognised it, such as network/refused
	Transient bool   // worth retrying
	Unsent    bool   // certainly not processed: even a request that must not run twice can be repeated
	Throttled bool   // the server wants fewer requests
	HTTP      int    // the HTTP status, 0 for none
}

// row is one kind of failure and the messages by which tools report it.
type row struct {
	name    string // family and kind: network/refused
	means   meaning
	weak    bool     // often a consequence of another failure, which takes precedence
	says    []string // substrings of the line, which is in lower case with each URL replaced by the word url
	matches []string // the same as RE2 expressions; a group captures the number that decides
	source  string   // who prints the messages
}

// table holds every row in the order in which they are tried on a line, the most specific first.
var table = [...][]row{
	throttlingRows, proxyRows, httpRows, hostRows, tlsRows, databaseRows, cloudRows, containerRows, vcsRows, packageRows,
	lockRows, networkRows, fileRows, usageRows, wordRows,
}

// matcher is the table, or a part of it, prepared for matching.
type matcher []*rule

// rule is one substring or expression of a row.
type rule struct {
	*row
	needle  string // substring of every matching line
	pattern string // expression that the line must match as well; empty for none
	once    sync.Once
	match   *regexp.Regexp // the pattern, compiled when a line first contains the needle
}

// rules returns the matcher, which is built after the first failed attempt.
var rules = sync.OnceValue(func() matcher {
	var m matcher
	for _, family := range table {
		for i := range family {
			for _, text := range family[i].says {
				m = append(m, &rule{row: &family[i], needle: text})
			}
			for _, expression := range family[i].matches {
				m = append(m, &rule{row: &family[i], needle: needle(expression), pattern: expression})
			}
		}
	}
	return m
})

// needle returns the longest run of literal characters in every match of an expression, outside of groups. The expression
// must have no alternatives outside of groups.
func needle(expression string) (longest string) {
	var run []byte
	depth := 0
	end := func() {
		if len(run) > len(longest) {
			longest = string(run)
		}
		run = run[:0]
	}
	for i := 0; i < len(expression); i++ {
		switch c := expression[i]; {
		case c == '\\' && !isWord(expression[i+1]):
			i++
			if depth == 0 {
				run = append(run, expression[i])
			}
			continue
		case c == '\\':
			i++
		case c == '[':
			for i++; expression[i] != ']'; i++ {
				if expression[i] == '\\' {
					i++
				}
			}
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == '?' || c == '*' || c == '{':
			run = run[:max(0, len(run)-1)]
			if c == '{' {
				i += strings.IndexByte(expression[i:], '}')
			}
		case strings.IndexByte(".+^$|", c) < 0:
			if depth == 0 {
				run = append(run, c)
			}
			continue
		}
		end()
	}
	end()
	return longest
}

func isWord(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// in returns the rules whose needles may occur in a text.
func (m matcher) in(text string) matcher {
	var present matcher
	var trigrams [32][32][32]bool // those of the text, each byte modulo 32: they rule out most needles
	for i := 2; i < len(text); i++ {
		trigrams[text[i-2]%32][text[i-1]%32][text[i]%32] = true
	}
	for _, r := range m {
		may := true
		for i := 2; may && i < len(r.needle); i++ {
			may = trigrams[r.needle[i-2]%32][r.needle[i-1]%32][r.needle[i]%32]
		}
		if may {
			present = append(present, r)
		}
	}
	return present
}

// first returns the failure and the index of the first rule for a cause that matches a line or, if there is none, of the
// first rule that matches. In a chain of causes the last one counts: a login that failed because the network did is a
// network failure.
func (m matcher) first(line string) (f Failure, at int) {
	numbered := hasStatus(line)
	at = len(m)
	for i, r := range m {
		if r.means == byHTTP && !numbered || r.weak && at < len(m) {
			continue
		}
		switch g, ok := r.read(line); {
		case !ok:
		case r.weak:
			f, at = g, i
		case g.Transient || !r.chains():
			return g, i
		default:
			return m.after(line, g, i)
		}
	}
	return f, at
}

// chains reports whether a line may go on to name the cause of the row's failure.
func (r *row) chains() bool {
	family, _, _ := strings.Cut(r.name, "/")
	switch family {
	case "cloud", "container", "vcs", "package", "database":
		return true
	}
	return false
}

// after returns the first network failure that a line names after the permanent failure f, found by rule at, or f itself if
// there is none.
func (m matcher) after(line string, f Failure, at int) (Failure, int) {
	place := strings.Index(line, m[at].needle)
	for i, r := range m {
		if r.weak || !strings.HasPrefix(r.name, "network/") || r.means == unconnected || strings.LastIndex(line, r.needle) <= place {
			continue
		}
		if g, ok := r.read(line); ok && g.Transient {
			return g, i
		}
	}
	return f, at
}

// rank orders rules by precedence: causes in table order, then possible consequences, then no rule at all.
func (m matcher) rank(rule int) int {
	if rule < len(m) && m[rule].weak {
		return rule + len(m)
	}
	if rule == len(m) {
		return 2 * len(m)
	}
	return rule
}

// hasStatus reports whether a line contains a number that could be the HTTP status of a failure. It saves matching most
// lines against the expressions for one.
func hasStatus(line string) bool {
	for i := 0; i+2 < len(line); i++ {
		if (line[i] == '4' || line[i] == '5') && isDigit(line[i+1]) && isDigit(line[i+2]) {
			return true
		}
	}
	return false
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// read matches a line against the rule.
func (r *rule) read(line string) (Failure, bool) {
	if !strings.Contains(line, r.needle) {
		return Failure{}, false
	}
	var number int
	if r.pattern != "" {
		r.once.Do(func() { r.match = regexp.MustCompile(r.pattern) })
		found := r.match.FindStringSubmatch(line)
		if found == nil {
			return Failure{}, false
		}
		for _, group := range found[1:] {
			number, _ = strconv.Atoi(group)
		}
	}
	f, ok := r.means.failure(number)
	if f.Rule = r.name; !ok {
		return Failure{}, false
	}
	return f, true
}

// meaning is what a row or an exit status stands for: one of the constants, or an HTTP status of 400 or more.
type meaning uint16

const (
	unknown meaning = iota
	silent          // a line that looks like a failure but says nothing about its kind
	resolution
	refused
	unconnected
	lost
	timeOut
	handshake
	throttled
	serverFailure
	networkFailure
	damaged
	locked
	conflict
	shortage
	badURL
	unsupported
	badUsage
	badInput
	badCertificate
	badTLS
	badHostKey
	badChecksum
	badCredentials
	denied
	absent
	present
	rejected
	endless
	tooLarge
	noSpace
	unmet
	passing
	byHTTP // the number in the line is an HTTP status
	byCurl // the number in the line is an exit status of curl
)

var meanings = [byHTTP]Failure{
	resolution:     {Category: "name resolution", Transient: true, Unsent: true},
	refused:        {Category: "connection refused", Transient: true, Unsent: true},
	unconnected:    {Category: "no connection", Transient: true, Unsent: true},
	lost:           {Category: "connection lost", Transient: true},
	timeOut:        {Category: "time-out", Transient: true},
	handshake:      {Category: "TLS handshake", Transient: true},
	throttled:      {Category: "throttling", Transient: true, Throttled: true},
	serverFailure:  {Category: "server trouble", Transient: true},
	networkFailure: {Category: "network trouble", Transient: true},
	damaged:        {Category: "damaged transfer", Transient: true},
	locked:         {Category: "locked", Transient: true},
	conflict:       {Category: "conflict", Transient: true},
	shortage:       {Category: "shortage", Transient: true},
	passing:        {Category: "temporary failure", Transient: true},
	badURL:         {Category: "bad URL"},
	unsupported:    {Category: "unsupported protocol"},
	badUsage:       {Category: "bad usage"},
	badInput:       {Category: "bad input"},
	badCertificate: {Category: "bad certificate"},
	badTLS:         {Category: "no common TLS"},
	badHostKey:     {Category: "bad host key"},
	badChecksum:    {Category: "wrong checksum"},
	badCredentials: {Category: "bad credentials"},
	denied:         {Category: "access denied"},
	absent:         {Category: "not found"},
	present:        {Category: "already exists"},
	rejected:       {Category: "rejected"},
	endless:        {Category: "too many redirects"},
	tooLarge:       {Category: "too large"},
	noSpace:        {Category: "no space left"},
	unmet:          {Category: "unmet requirement"},
}

// failure returns the failure that the meaning stands for. number is the number in the line, for byHTTP and byCurl.
func (m meaning) failure(number int) (Failure, bool) {
	switch {
	case m == byHTTP && !isStatus(number):
		return Failure{}, false
	case m == byHTTP:
		return HTTPFailure(number)
	case m == byCurl:
		return curlStatuses.meaning(number).failure(0)
	case m >= 400:
		return HTTPFailure(int(m))
	case m == unknown:
		return Failure{}, false
	case m == silent:
		return Failure{}, true
	}
	return meanings[m], true
}
