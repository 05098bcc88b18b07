package scan

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// compile returns a matcher for an expression that is parsed as in rules: in Perl's syntax, with (?m).
func compile(expression string) (*Matcher, error) {
	tree, err := syntax.Parse(expression, syntax.Perl&^syntax.OneLine)
	if err != nil {
		return nil, err
	}
	return New(tree, room)
}

func parse(t testing.TB, expression string) *syntax.Regexp {
	t.Helper()
	tree, err := syntax.Parse(expression, syntax.Perl&^syntax.OneLine)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// room is how many bytes a test's matcher may take.
const room = 1 << 20

// reference returns what m, made from the expression, must agree with: package regexp, applied to each line or to the
// whole text.
func reference(m *Matcher, expression string) func(text []byte) bool {
	re := regexp.MustCompile("(?m)" + expression)
	if m.whole {
		return re.Match
	}
	return func(text []byte) bool {
		lines := lineEnd.Split(string(text), -1)
		if last := len(lines) - 1; lines[last] == "" {
			lines = lines[:last]
		}
		return slices.ContainsFunc(lines, re.MatchString)
	}
}

// lineEnd matches the end of a line.
var lineEnd = regexp.MustCompile("\r\n|\r|\n")

// scanned feeds text in blocks cut at random. That also randomizes what depends on frequencies: which byte of a literal
// is searched for, and whether literals are searched for at all.
func scanned(m *Matcher, text []byte, rng *rand.Rand) bool {
	m.Reset()
	for len(text) > 0 {
		n := min(len(text), 1+rng.IntN(1+rng.IntN(len(text))))
		if rng.IntN(4) > 0 {
			m.dense = 0
		}
		for i := range m.finders {
			f := &m.finders[i]
			f.choose(f.text[:rng.IntN(len(f.text))])
			f.due = rng.IntN(2*n + 1)
		}
		m.Scan(text[:n])
		text = text[n:]
	}
	m.End()
	return m.Matched()
}

var expressions = []string{
	"service ready", "ready|listening|started", "(?i)server ready", `status=5\d\d`, "^ready$", "took [0-9]+s$",
	"[a-z]{3}[0-9]{3}[A-Z]{2}", `\bend\b`, `\Bnd`, `\Ax`, `x\z`, "", "^", "$", "^$", "a*", "(a|b)*c$", `é+`, `[^a]b`,
	`a\nb`, `(?s)a.b`, `\s+x`, `.\x{FFFD}`, "a.c", `\x00`, "ab{2,4}c", "(ab|cd|ef|gh|ij)k", "x|y|", `[\x{80}-\x{10FFFF}]$`,
	"K", "(?i)k", "(?i:straße)", `\pL\d`, "a.{3}b", "(?U)a+b", "a|b\nc",
	"(?i)tok", "(?i)kiss", "(?i)stop", "(?i)^ask$", "(?i)desk top", "(?i)k s", "(?i)ready|stopped|ok then", "(?i)été prêt",
	"(?i)naïve", "(?i)日本 ok", "(?i)σς end", "(?i)ǆx", "[Rr]eady", "[Rr][Ee][Aa]dy", "[Ss]top", "[Kk]ill", "(?i:re)ady",
	"re(?i:ad)y", "(?i:RE)[Aa](?i)dy$", `(?i)\bstop\b`, `(?i)\Bad\B`, `(?i)x*ready`, `(?i)ready\nstop`, `\bready\b`,
	`^re.*y$`, `\Bready`, `(ready|stop)\n`, `\s+ready`, `(?m:^)ad\b|^\Bst`, "aab|aba|bb", "aaaab", `a\x{FFFD}ready`, "(?s)ad.st",
	`ready\r`, `a\rb`, `^stop$`, `y\r?$`, "ready[^x]stop", `y[^a-z]*s`,
	`\bready|^stop`, `^stop|\bready`, `\B`, `[a-\x{80}]b$`, `\x{10FFFF}`, `x..z|(?:(a)|(ab)|b)*c`,
}

var texts = []string{
	"", "\n", "\n\n", "ready", "ready\n", "not ready\nservice ready\n", "SERVER READY", "status=503\n", "status=5x3\n",
	"took 12s\n", "took 12s.\n", "abc123DE", "the end\n", "and\n", "x", "yx\n", "aaab\nc", "é", "\xc3", "a\xc3\xa9b", "a\xc3b",
	"a\nb", "a\n\nb", "\x00", "abbbc", "abbbbbc", "ijk\n", "\xff\xfe", "a\xe2\x82", "\u212a", "STRASSE straße STRAßE", "aé日𝄞b",
	"ask", "aſK", "DES\u212a TOP", "deſk top\n", "ſtop", "KIS\u017f", "to\u212a", "ÉTÉ PRÊT", "e\u0301té", "NAÏVE", "日本 OK",
	"ΣΣ END", "σς end\n", "ǅx", "Ready", "rEAdy", "REAdY\n", "already", "ready_", "_ready", "x ready.\n", "unready\nstop",
	"\xe2\x84ready", "ready\xe2\x84", "\xc5ready\xbf", "aaaaab", "aabab", "ad\nst", "st", "\xffready", "a\xffready",
	"a\r\nb\r\n", "b\nc", "\r", "\r\n", "\r\r\n", "\n\r\n", "10%\rready\r20%", "ready\r", "took 1s\r\n", "a\rb", "ready\rstop\n", "\xf0\x9f\x98", "\xed\xa0\x80", "日1", "last line without end", "\nx", "a\ufffdb", ".\xff",
	"ſtop here, and do no more", "to\u212a here, and do no more", "aſ\u212a here, and do no more", "xready", "aéa", "\u0080b", "\u0081b", "\U0010ffff", "\U0010fffe", "xabz", "xaby", "1ready\nxready\n",
}

func TestAgreesWithRegexp(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, expression := range expressions {
		m, err := compile(expression)
		if err != nil {
			t.Fatal(err)
		}
		matches := reference(m, expression)
		cramped, err := New(parse(t, expression), 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range texts {
			want := matches([]byte(text))
			for range 5 {
				if got := scanned(m, []byte(text), rng); got != want {
					t.Errorf("%q in %q: %v, want %v", expression, text, got, want)
				}
			}
			if got := scanned(cramped, []byte(text), rng); got != want {
				t.Errorf("%q in %q without any room: %v, want %v", expression, text, got, want)
			}
		}
	}
}

func FuzzAgreesWithRegexp(f *testing.F) {
	for i, text := range texts {
		f.Add(expressions[i%len(expressions)], []byte(text), uint64(i))
	}
	f.Fuzz(func(t *testing.T, expression string, text []byte, cuts uint64) {
		if len(expression) > 100 || regexpFails(expression) {
			return
		}
		m, err := compile(expression)
		if err != nil {
			t.Fatalf("%q: %v", expression, err)
		}
		if got, want := scanned(m, text, rand.New(rand.NewPCG(cuts, 0))), reference(m, expression)(text); got != want {
			t.Errorf("%q in %q: %v, want %v", expression, text, got, want)
		}
	})
}

// fragments are pieces of texts that match or almost match.
var fragments = []string{
	"ready", "READY", "rEaDy", "read", "eady", "y", "re", "ad", "stop", "STOP", "\u017ftop", "st", "op", "k", "K", "\u212a",
	"s", "S", "\u017f", "kiss", "kis", "as", "des", " top", " ", "\n", "\r\n", "\r", "_", "1", "12", "took ", "too", "status=", "5",
	"service ", "server ", "SERVER ", "ERVER ", "\xc5", "\xbf", "\xe2", "\xe2\x84", "\xaa", "\xff", "é", "É", "t", "日", "本 ok",
	"a", "b", "aa", "ab", "\x00", "\ufffd", "σ", "ς", "Σ", " end", "x", "ǆ", "ǅ", "ï", "na", "ve", "listening", "started", "\t",
}

// assembled returns the text that choices selects from the fragments.
func assembled(choices []byte) []byte {
	var text []byte
	for _, c := range choices {
		text = append(text, fragments[int(c)%len(fragments)]...)
	}
	return text
}

func FuzzAgreesOnFragments(f *testing.F) {
	rng := rand.New(rand.NewPCG(5, 6))
	for i := range 4 * len(expressions) {
		choices := make([]byte, rng.IntN(40))
		for j := range choices {
			choices[j] = byte(rng.IntN(len(fragments)))
		}
		f.Add(uint(i), choices, rng.Uint64())
	}
	f.Fuzz(func(t *testing.T, which uint, choices []byte, cuts uint64) {
		expression, text := expressions[which%uint(len(expressions))], assembled(choices)
		m, err := compile(expression)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := scanned(m, text, rand.New(rand.NewPCG(cuts, 0))), reference(m, expression)(text); got != want {
			t.Errorf("%q in %q: %v, want %v", expression, text, got, want)
		}
	})
}

// regexpFails also rejects expressions that are well-formed only because of the (?m) in front.
func regexpFails(expression string) bool {
	_, err := regexp.Compile("(?m)" + expression)
	_, own := compile(expression)
	return err != nil || own != nil
}

// TestAgreesOnBytes feeds the bytes of UTF-8 in any order, so that most of them don't form characters.
func TestAgreesOnBytes(t *testing.T) {
	const bytes = "ab \n\r\x80\x84\x8f\x90\x9f\xa0\xa4\xaa\xbf\xc0\xc2\xc3\xc5\xe0\xe1\xe2\xed\xee\xef\xf0\xf1\xf4\xf5\xff"
	rng := rand.New(rand.NewPCG(8, 9))
	for _, expression := range []string{
		`\pL{2}a`, `[à-ÿ日本][^à-ÿ]b`, `\x{FFFD}{3}a`, `[^\x{FFFD}]{3}b`, `[\x{D700}-\x{E000}]`, `[\x{FFFC}-\x{10000}]a`, `.{5}a$`, `(?i)[k-s]`,
		`[\x{800}\x{FFFF}\x{10FFFF}]`, `\b.a\B`, `[\x{10000}-\x{4A000}]`, `(?s)a.{3}\x{FFFD}\n`, `[\x{80}-\x{7FF}]{2} `,
	} {
		m, err := compile(expression)
		if err != nil {
			t.Fatal(err)
		}
		matches, text, matched := reference(m, expression), make([]byte, 12), 0
		for range 3000 {
			for i := range text {
				text[i] = bytes[rng.IntN(len(bytes))]
			}
			want := matches(text)
			if got := scanned(m, text, rng); got != want {
				t.Fatalf("%q in %q: %v, want %v", expression, text, got, want)
			}
			if want {
				matched++
			}
		}
		if matched == 0 || matched == 3000 {
			t.Errorf("%q matched %d of 3000 texts: the test can't tell anything", expression, matched)
		}
	}
}

// TestForgets runs an expression whose automaton needs more states than there is room for.
func TestForgets(t *testing.T) {
	const expression = "a.{14}b"
	rng := rand.New(rand.NewPCG(3, 4))
	m, err := compile(expression)
	if err != nil {
		t.Fatal(err)
	}
	text := make([]byte, 1<<18)
	for i := range text {
		text[i] = "aac"[rng.IntN(3)]
	}
	m.Scan(text)
	if m.Matched() {
		t.Error("matched a text without b")
	}
	a := m.automaton
	if !slices.ContainsFunc(a.begun, func(b threads) bool { return b.known }) {
		t.Error("the matches that begin are computed each time")
	}
	if a.forgotten < 1 {
		t.Error("the table was never forgotten")
	}
	taken := 0
	for _, c := range a.states {
		key := 5 + len(c.pending) + 4*len(c.threads)
		taken += 4*a.row + 2*key + overhead
	}
	if a.taken != taken || taken > room+4*a.row+overhead+200 {
		t.Errorf("%d bytes of %d are taken, and %d are counted", taken, room, a.taken)
	}
	if most := room/overhead + 1; len(a.states) > most || len(a.known) > most || len(a.next) > room/4+2*a.row {
		t.Errorf("%d states kept, and %d transitions", len(a.states), len(a.next))
	}
	m.Scan(append(bytes.Repeat([]byte("c"), 20), "a12345678901234b"...))
	if m.End(); !m.Matched() {
		t.Error("missed the match")
	}
}

// TestAnyBytes counts instead of timing: on bytes that are not text, each of which may begin a character, the table is
// built once and stays small. Its size doesn't depend on the length of the stream.
func TestAnyBytes(t *testing.T) {
	noise := make([]byte, 4<<20)
	for i, rng := 0, rand.NewChaCha8([32]byte{7}); i < len(noise); i += 8 {
		binary.LittleEndian.PutUint64(noise[i:], rng.Uint64())
	}
	for _, test := range []struct {
		expression string
		states     int
	}{
		{"(?i)kiss|tok|stop|ask|desk", 120},
		{"error: [0-9]{2} not ready", 20},
		{"[^a]b{9}", 40},
		{`(?i)error: \d+ .* not ready`, 50},
		{`x\b.{3}yyyyy|\Bzzzzz`, 150},
		{`\pL\d{9}`, 700},
		{"[à-ÿ日本]{8}", 50},
	} {
		m, err := compile(test.expression)
		if err != nil {
			t.Fatal(err)
		}
		m.finders = nil // the automaton alone
		half := len(noise) / 2
		m.Scan(noise[:half])
		early := m.automaton.worked
		m.Scan(noise[half:])
		a := m.automaton
		if late := a.worked - early; early < 1 || late > half/500 {
			t.Errorf("%q: computed %d transitions in the second half, and %d in the first", test.expression, late, early)
		}
		if a.forgotten > 0 || len(a.states) > test.states {
			t.Errorf("%q: %d states (%d), forgotten %d times", test.expression, len(a.states), test.states, a.forgotten)
		}
	}
}

// requires describes the literals that m searches for: with ^ if matches begin with them, and in slashes if case
// doesn't matter.
func requires(m *Matcher) string {
	var literals []string
	for i := range m.finders {
		l := &m.finders[i].literal
		text := string(l.text)
		if bytes.IndexByte(l.fold, otherCase) >= 0 {
			text = "/" + text + "/"
		}
		literals = append(literals, text)
	}
	all := strings.Join(literals, "|")
	if m.leading {
		all = "^" + all
	}
	return all
}

func TestRequiredLiterals(t *testing.T) {
	for expression, want := range map[string]string{
		"service ready": "^service ready", `status=5\d\d`: "^status=5", "took [0-9]+s$": "^took ", "^ready$": "^ready",
		"ready|listening": "^ready|listening", "ready|.": "", "x+": "", "(abc)+": "^abc", "(abc)*d": "", "(abc)*de": "de",
		"(abc){2,3}": "^abc", "ab(cdef|ghij)k": "cdef|ghij", `\b(^ab|$cd)e`: "^ab|cd", "ab|.cd": "ab|cd",
		`a\x{FFFD}b`: "", `ab\x{FFFD}cde`: "cde", "a\nb": "^a\nb", "\n+ab": "",
		"(?i)ready": "^/ready/", "(?i)server ready": "^/server ready/", "(?i)kiss": "^/kiss/", "(?i)été": "", "(?i)naïve": "^/na/",
		"(?i)日本語 x": "^/日本語 x/",
		"[Rr]eady":  "eady", "[Rr][Ee]ady": "ady", "(?i:re)ady": "ady", "(?i:re)a": "^/re/", "[Kk]ill": "ill",
		"(?i)µ meter": "/ meter/", "(abcdef|xy).ghi": "ghi", "ab|cd|ef|gh": "^ab|cd|ef|gh", "ab|cd|ef|gh|ij": "",
	} {
		m, err := compile(expression)
		if err != nil {
			t.Fatal(err)
		}
		if got := requires(m); got != want {
			t.Errorf("%q requires %q, want %q", expression, got, want)
		}
	}
}

// TestSkips counts instead of timing. Without the literal, the automaton reads no more than the ends of each block, and
// with the literal in each line, little more than that. Once the table is built, no transition is computed again, which
// would allocate.
func TestSkips(t *testing.T) {
	const size = 128 << 10
	block := lines(size)
	for _, test := range []struct {
		expression string
		share      int // the automaton may read one byte in this many
		there      bool
	}{
		{"service ready", 1000, false},
		{"ready|listening|started", 1000, false},
		{"(?i)server ready", 1000, false},
		{`(?i)\d+ servers ready`, 400, false}, // the incomplete lines at both ends, because something precedes the literal
		{`status=5\d\d`, 1000, false},
		{"^ready$", 1000, false},
		{"took [0-9]+s$", 8, true},
		{"(?i)took [0-9]+s$", 1, true},         // every line with the literal as a whole
		{"[a-z]{3}[0-9]{3}[A-Z]{2}", 1, false}, // no literal
	} {
		m, err := compile(test.expression)
		if err != nil {
			t.Fatal(err)
		}
		m.Scan(block)
		before, tried := m.stepped, m.tried()
		if m.started > 0 != test.there {
			t.Errorf("%q: started %d times", test.expression, m.started)
		}
		if allocated := testing.AllocsPerRun(9, func() { m.Scan(block) }); allocated != 0 {
			t.Errorf("%q: %v allocations a block", test.expression, allocated)
		}
		const blocks = 10 // AllocsPerRun adds one to warm up
		if stepped := m.stepped - before; stepped > blocks*size/test.share {
			t.Errorf("%q: the automaton read %d of %d bytes", test.expression, stepped, blocks*size)
		}
		if tried := m.tried() - tried; tried > blocks*size/50 {
			t.Errorf("%q: compared %d times in %d bytes", test.expression, tried, blocks*size)
		}
		if m.Matched() {
			t.Errorf("%q matched", test.expression)
		}
	}
}

// tried returns how many times a literal was compared.
func (m *Matcher) tried() (n int) {
	for i := range m.finders {
		n += m.finders[i].tried
	}
	return n
}

// TestLooksForTheRarest scans a stream in which a literal's last byte is rare, and then one in which another byte is.
func TestLooksForTheRarest(t *testing.T) {
	m, err := compile("(?i)status ready")
	if err != nil {
		t.Fatal(err)
	}
	f := &m.finders[0]
	m.Scan([]byte("STATUS READ status read\n"))
	for range sampleEvery - 1 {
		m.Scan([]byte("YY yyy ..... STATUS REA\n"))
	}
	if got := f.text[f.anchor]; got != 'y' {
		t.Errorf("looks for %q, want y", got)
	}
	m.Scan([]byte("YY yyy ..... STATUS REA\n"))
	if got := f.text[f.anchor]; got != 'd' {
		t.Errorf("looks for %q, want d", got)
	}
	f.choose([]byte("s"))
	if got := f.text[f.anchor]; got != 't' {
		t.Errorf("looks for %q, want t, the first of those that don't occur", got)
	}
}

// TestFinds searches for a literal by its first byte, by its last, and by one in between.
func TestFinds(t *testing.T) {
	for _, common := range []string{"eady", "redy", "read"} { // the byte that is left out is the rarest
		m, err := compile("(?i)ready")
		if err != nil {
			t.Fatal(err)
		}
		f := &m.finders[0]
		f.choose([]byte(common))
		block := []byte("r rxady rexdy readx xeady rEady ready")
		for from, want := range map[int]int{0: 26, 26: 26, 27: 32, 33: len(block)} {
			f.found, f.due, f.tried = -1, 1000, 0
			f.begin(block)
			if got := f.next(block, from); got != want {
				t.Errorf("looking for %q from %d: %d, want %d", f.text[f.anchor], from, got, want)
			}
			tried := f.tried
			if got := f.next(block, want); got != want || f.tried != tried {
				t.Errorf("looking again: %d, want %d; compared %d times and then %d", got, want, tried, f.tried)
			}
			if from == 26 && tried != 1 {
				t.Errorf("compared %d times where it was", tried)
			}
		}
	}
}

// TestReads counts the bytes that the automaton reads.
func TestReads(t *testing.T) {
	for _, test := range []struct {
		expression       string
		blocks           []string
		stepped, started int
	}{
		{"[ab]c", []string{"xxx", "xacxx"}, 7, 0},         // up to the byte after the match
		{"ready", []string{"xxxxxxxxxxxx"}, 4, 0},         // the end, where a literal may begin
		{"ready", []string{"xxreadyxx"}, 6, 1},            // from the literal on
		{"ready|ok", []string{"xxxxxxok"}, 4, 0},          // the same
		{`\d+ready`, []string{"abc\nabc\nde"}, 2, 0},      // the incomplete line
		{`\d+ready`, []string{"abc\nready"}, 5, 0},        // the same with the literal
		{`\d+ready`, []string{"1ready\nready\n"}, 7, 1},   // the matching line, and none after it
		{`\d+ready`, []string{"abc\nready\nabc\n"}, 6, 1}, // the line with the literal and its end
		{`\bready`, []string{"xreadyxxxxxxxxxx"}, 5, 1},   // the literal's first byte, where no match begins, and the end
		{`\d+ready`, []string{"ab", "c\n\nready\n"}, 10, 1},
	} {
		m, err := compile(test.expression)
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range test.blocks {
			m.Scan([]byte(block))
		}
		if m.stepped != test.stepped || m.started != test.started {
			t.Errorf("%q in %q: read %d bytes (%d), started %d times (%d)", test.expression, test.blocks, m.stepped, test.stepped,
				m.started, test.started)
		}
	}
}

// TestClasses has bytes that an expression distinguishes, and bytes that it doesn't.
func TestClasses(t *testing.T) {
	for _, test := range []struct{ expression, same, different string }{
		{"[b-d]x", "bd", "ab"}, {"[b-d]x", "0A", "de"}, {"[b-d]x", "\x80\xff", "\x7f\x80"}, {"(?i)b", "cz", "bB"},
		{`b\b`, "09", "/0"}, {`b\b`, "AZ", "Z["}, {`b\B`, "cz", "^_"}, {`b\B`, "cz", "_`"},
		{"é", "\xc4\xdf", "\xc3\xc4"}, {"é", "\x80\x8f", "\x8f\x90"}, {"é", "\xab\xbf", "\xa8\xa9"}, {"é", "\xe1\xec", "\xec\xed"},
		{"é", "\xf1\xf3", "\xf0\xf1"}, {"é", "\xf5\xff", "\xf4\xf5"}, {"é", "\xc0\xc1", "\xc1\xc2"}, {"é", "ab", "\n\r"},
	} {
		m, err := compile(test.expression)
		if err != nil {
			t.Fatal(err)
		}
		class := m.automaton.class
		if s := test.same; class[s[0]] != class[s[1]] {
			t.Errorf("%q distinguishes %q from %q", test.expression, s[0], s[1])
		}
		if d := test.different; class[d[0]] == class[d[1]] {
			t.Errorf("%q doesn't distinguish %q from %q", test.expression, d[0], d[1])
		}
	}
}

// TestAlike has prefixes of characters that an expression can tell apart, and others that it can't.
func TestAlike(t *testing.T) {
	m, err := compile(`[\x{100}-\x{13F}\x{200}-\x{23F}\x{E000}-\x{E03F}]`)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		one, other string
		same       bool
	}{
		{"\xc4", "\xc8", true}, {"\xc4", "\xc5", false}, {"\xc5", "\xc6", true}, {"\xe1", "\xe2", true}, {"\xe0", "\xe1", false},
		{"\xed", "\xec", false}, {"\xee", "\xef", false}, {"\xf1", "\xf2", true}, {"\xf0", "\xf1", false}, {"\xf4", "\xf3", false},
		{"\xe1\x80", "\xe3\xbf", true}, {"\xee\x80", "\xee\x81", false}, {"\xee\x80", "\xc4", false}, {"\xf1\x80", "\xe1\x80", false},
		{"\xf1\x80\x80", "\xf0\x90\x80", true}, {"\xf1\x80", "\xf0\x90", true}, {"\xf1\x80", "\xf1\x80\x80", false},
	} {
		a := m.automaton
		if same := bytes.Equal(a.alike([]byte(test.one)), a.alike([]byte(test.other))); same != test.same {
			t.Errorf("%q and %q alike: %v", test.one, test.other, same)
		}
	}
}

// TestOtherCases compares what a finder knows about case with Unicode's tables.
func TestOtherCases(t *testing.T) {
	for r := 'a'; r <= 'z'; r++ {
		for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
			if other != r-otherCase && string(other) != wide(byte(r), otherCase) {
				t.Errorf("%q may also be %q", r, other)
			}
		}
	}
}

func TestRoom(t *testing.T) {
	for automata, want := range map[int]int{1: 4 << 20, 16: 4 << 20, 64: 1 << 20, 1024: 64 << 10} {
		if got := Room(automata); got != want {
			t.Errorf("each of %d may take %d bytes, want %d", automata, got, want)
		}
	}
}

func TestRepeated(t *testing.T) {
	for expression, want := range map[string]int{
		"": 0, "abc+d*": 0, "[0-9]{4}": 4, "(a|b)*a(a|b){900}c": 900, "[0-9]{4}(-[0-9]{2}){2}": 10, "(?:ready){3}": 3, "x{0,9}": 9,
		"x{7,}": 7, "x{1}y{0,1}": 0, "(ab|.c){5}": 15, "((a.){3}b){4}|(?s:.){2}": 30, "(a{0}|b){2}": 4,
	} {
		if got := Repeated(parse(t, expression)); got != want {
			t.Errorf("%q: %d, want %d", expression, got, want)
		}
	}
}

// TestGivesUpSearching has a literal everywhere for a while, so that searching for it costs more than it saves.
func TestGivesUpSearching(t *testing.T) {
	for _, expression := range []string{"ab[0-9]", `\d+ab c[0-9]`} { // at the beginning of a match, and within it
		m, err := compile(expression)
		if err != nil {
			t.Fatal(err)
		}
		everywhere, nowhere := bytes.Repeat([]byte("ab c\n"), 2000), bytes.Repeat([]byte("else\n"), 2000)
		m.Scan(everywhere)
		before := m.started
		for range retryAfter {
			m.Scan(everywhere)
		}
		if m.started != before {
			t.Errorf("%q: searched %d times", expression, m.started-before)
		}
		stepped := m.stepped
		m.Scan(nowhere)
		if stepped = m.stepped - stepped; stepped > len(nowhere)/10 {
			t.Errorf("%q: the automaton read %d bytes without a literal", expression, stepped)
		}
		if m.Matched() {
			t.Errorf("%q matched", expression)
		}
	}
}

// lines returns log lines that none of the benchmark's expressions match.
func lines(size int) []byte {
	var text []byte
	for i := 0; len(text) < size; i++ {
		text = fmt.Appendf(text, "2026-11-21T10:00:%02dZ INFO request id=%d path=/v1/items/%d status=%d took %dms from 10.0.%d.%d\n",
			i%60, i*7919, i*31, 200+i%4, i%1000, i%250, i*7%250)
	}
	return text[:size]
}

func BenchmarkScan(b *testing.B) {
	block := lines(256 << 10)
	for _, expression := range expressions[:8] {
		b.Run(expression, func(b *testing.B) {
			m, err := compile(expression)
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(block)))
			for b.Loop() {
				m.Scan(block)
			}
			if m.Matched() {
				b.Fatal("matched")
			}
		})
	}
}
