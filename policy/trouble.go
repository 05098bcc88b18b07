package policy

import (
	"cmp"
	"regexp"
	"regexp/syntax"
	"strconv"
	"strings"
	"sync"
)

// Trouble is what went wrong in an attempt, as far as its output or its status tells.
type Trouble struct {
	Category  string // in words: "name resolution", "connection refused", "HTTP 503"; never text of the server's
	Transient bool   // worth another try
	Unsent    bool   // surely nothing was processed: a request that must not run twice may be sent again
	HTTP      int    // the HTTP status it tells of, 0 for none
}

// LineTrouble is what one line of a tool's output tells, without its line end. The first row of the table that matches
// decides; ok is false where none does. Tools are taken to speak English.
func LineTrouble(line []byte) (t Trouble, ok bool) {
	_, t, ok = decide(string(line))
	return t, ok
}

// decide finds the row that decides.
func decide(line string) (row int, t Trouble, ok bool) {
	present, any := rowsIn(line)
	if !any {
		return 0, Trouble{}, false
	}
	for i := range troubles {
		if !present[i] {
			continue
		}
		if t, ok = troubles[i].read(line, &troubleExpressions[i]); ok {
			return i, t, true
		}
	}
	return 0, Trouble{}, false
}

// rowsByByte are the rows by the first byte of their text.
var rowsByByte = sync.OnceValue(func() *[256][]int {
	var rows [256][]int
	for i := range troubles {
		first := troubles[i].text[0]
		rows[first] = append(rows[first], i)
	}
	return &rows
})

// rowsIn are the rows whose text the line has, found in one pass: a log may have millions of lines like those of a tool.
func rowsIn(line string) (present [len(troubles)]bool, any bool) {
	rows := rowsByByte()
	for at := range len(line) {
		for _, i := range rows[line[at]] {
			if !present[i] && strings.HasPrefix(line[at:], troubles[i].text) {
				present[i], any = true, true
			}
		}
	}
	return present, any
}

// TroubleTrigger is an expression that every line matches which [LineTrouble] recognises, and few others. It is an
// alternation of plain literals, for an automaton to look for.
func TroubleTrigger() *syntax.Regexp {
	var literals []string
	for _, row := range troubles {
		text := regexp.QuoteMeta(row.text)
		if strings.Contains(row.pattern, text+`([45]\d\d)`) { // HTTP 200 is in many a log
			literals = append(literals, text+"4", text+"5")
			continue
		}
		literals = append(literals, text)
	}
	expression, err := syntax.Parse(strings.Join(literals, "|"), syntax.Perl&^syntax.OneLine)
	if err != nil {
		panic(err) // quoted literals are always well formed
	}
	return expression
}

// TroubleRow is a row of the table as the manual shows it.
type TroubleRow struct {
	Tool    string // whose message it is
	Text    string // what the line contains
	Pattern string // which it matches, in RE2 syntax
	Meaning string // the category, or which number of the line decides
	Trouble        // zero but for its category where a number decides
	Source  string // where the message is from
}

// TroubleRows is the table behind [LineTrouble], in its order.
func TroubleRows() []TroubleRow {
	rows := make([]TroubleRow, len(troubles))
	for i, r := range troubles {
		rows[i] = TroubleRow{Tool: r.tool, Text: r.text, Pattern: cmp.Or(r.pattern, regexp.QuoteMeta(r.text)), Source: r.source}
		switch r.means {
		case byHTTP:
			rows[i].Meaning = "its HTTP status"
		case byCurl:
			rows[i].Meaning = "curl's exit status"
		default:
			rows[i].Trouble, _ = r.means.trouble()
			rows[i].Meaning = rows[i].Category
		}
	}
	return rows
}

// troubleRow recognises one message of one tool.
type troubleRow struct {
	tool    string
	text    string // is part of every line that the row recognises
	pattern string // which the line must match besides, in RE2 syntax; empty where the text is enough
	means   meaning
	source  string
}

// lazyExpression is a row's pattern, compiled when its text is met for the first time.
type lazyExpression struct {
	sync.Once
	*regexp.Regexp
}

var troubleExpressions [len(troubles)]lazyExpression

// read is what the row makes of a line that has its text.
func (r *troubleRow) read(line string, e *lazyExpression) (Trouble, bool) {
	if r.pattern == "" {
		return r.means.trouble()
	}
	e.Do(func() { e.Regexp = regexp.MustCompile(r.pattern) })
	match := e.FindStringSubmatch(line)
	if match == nil {
		return Trouble{}, false
	}
	means := r.means
	if means == byHTTP || means == byCurl {
		number, err := strconv.Atoi(match[1])
		if err != nil {
			return Trouble{}, false
		}
		if means == byHTTP {
			return HTTPTrouble(number)
		}
		means = curlMeaning(number)
	}
	return means.trouble()
}

// meaning is what a row or a status stands for: one of the constants, or an HTTP status, which is 400 or more.
type meaning uint16

const (
	unknown meaning = iota
	resolution
	refused
	unconnected
	lost
	timeOut
	handshake
	throttled
	serverTrouble
	networkTrouble
	badURL
	unsupported
	badUsage
	badCertificate
	badHostKey
	badChecksum
	badCredentials
	denied
	absent
	byHTTP // the number in the line is an HTTP status
	byCurl // the number in the line is an exit status of curl's
)

var meanings = [byHTTP]Trouble{
	resolution:     {Category: "name resolution", Transient: true, Unsent: true},
	refused:        {Category: "connection refused", Transient: true, Unsent: true},
	unconnected:    {Category: "no connection", Transient: true, Unsent: true},
	lost:           {Category: "connection lost", Transient: true},
	timeOut:        {Category: "time-out", Transient: true},
	handshake:      {Category: "TLS handshake", Transient: true},
	throttled:      {Category: "throttling", Transient: true},
	serverTrouble:  {Category: "server trouble", Transient: true},
	networkTrouble: {Category: "network trouble", Transient: true},
	badURL:         {Category: "bad URL"},
	unsupported:    {Category: "unsupported protocol"},
	badUsage:       {Category: "bad usage"},
	badCertificate: {Category: "bad certificate"},
	badHostKey:     {Category: "bad host key"},
	badChecksum:    {Category: "wrong checksum"},
	badCredentials: {Category: "bad credentials"},
	denied:         {Category: "access denied"},
	absent:         {Category: "not found"},
}

func (m meaning) trouble() (Trouble, bool) {
	switch {
	case m >= 400:
		return HTTPTrouble(int(m))
	case m == unknown:
		return Trouble{}, false
	}
	return meanings[m], true
}
