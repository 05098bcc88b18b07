package scan

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"regexp"
	"regexp/syntax"
	"testing"
)

// compile is New of an expression as the rules read it: Perl's syntax with (?m) on.
func compile(expression string) (*Matcher, error) {
	tree, err := syntax.Parse(expression, syntax.Perl&^syntax.OneLine)
	if err != nil {
		return nil, err
	}
	return New(tree)
}

// reference is what Matcher has to agree with: package regexp on each line, or on the whole.
func reference(t testing.TB, expression string, text []byte) bool {
	re := regexp.MustCompile("(?m)" + expression)
	m, err := compile(expression)
	if err != nil {
		t.Fatal(err)
	}
	if m.whole {
		return re.Match(text)
	}
	lines := bytes.Split(text, []byte("\n"))
	if len(lines[len(lines)-1]) == 0 {
		lines = lines[:len(lines)-1]
	}
	for _, line := range lines {
		if re.Match(line) {
			return true
		}
	}
	return false
}

// scanned feeds text in blocks cut at random.
func scanned(m *Matcher, text []byte, rng *rand.Rand) bool {
	m.Reset()
	for len(text) > 0 {
		n := min(len(text), 1+rng.IntN(1+rng.IntN(len(text))))
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
}

var texts = []string{
	"", "\n", "\n\n", "ready", "ready\n", "not ready\nservice ready\n", "SERVER READY", "status=503\n", "status=5x3\n",
	"took 12s\n", "took 12s.\n", "abc123DE", "the end\n", "and\n", "x", "yx\n", "aaab\nc", "é", "\xc3", "a\xc3\xa9b", "a\xc3b",
	"a\nb", "a\n\nb", "\x00", "abbbc", "abbbbbc", "ijk\n", "\xff\xfe", "a\xe2\x82", "\u212a", "STRASSE straße STRAßE", "aé日𝄞b",
	"a\r\nb\r\n", "b\nc", "\xf0\x9f\x98", "\xed\xa0\x80", "日1", "last line without end", "\nx", "a\ufffdb", ".\xff",
}

func TestAgreesWithRegexp(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, expression := range expressions {
		m, err := compile(expression)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range texts {
			want := reference(t, expression, []byte(text))
			for range 5 {
				if got := scanned(m, []byte(text), rng); got != want {
					t.Errorf("%q in %q: %v, want %v", expression, text, got, want)
				}
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
		if got, want := scanned(m, text, rand.New(rand.NewPCG(cuts, 0))), reference(t, expression, text); got != want {
			t.Errorf("%q in %q: %v, want %v", expression, text, got, want)
		}
	})
}

// regexpFails also refuses what would not be well formed but for the (?m) in front.
func regexpFails(expression string) bool {
	_, err := regexp.Compile("(?m)" + expression)
	_, own := compile(expression)
	return err != nil || own != nil
}

// TestForgets runs an expression whose automaton has more states than are kept.
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
	if len(m.automaton.states) > mostStates || len(m.automaton.next) > (mostStates+2)*m.automaton.row {
		t.Errorf("%d states kept", len(m.automaton.states))
	}
	m.Scan(append(bytes.Repeat([]byte("c"), 20), "a12345678901234b"...))
	if m.End(); !m.Matched() {
		t.Error("missed the match")
	}
}

func TestRequiredLiterals(t *testing.T) {
	for expression, want := range map[string]string{
		"service ready": "service ready", "status=5\\d\\d": "status=5", "took [0-9]+s$": "took ", "^ready$": "ready",
		"(?i)ready": "", "ready|listening": "ready|listening", "ready|.": "", "x+": "", "(abc)+": "abc", "(abc)*d": "",
		"(abc){2,3}": "abc", "a\\x{FFFD}b": "", "ab(cdef|ghij)k": "cdef|ghij",
	} {
		m, err := compile(expression)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(bytes.Join(m.literals, []byte("|"))); got != want {
			t.Errorf("%q requires %q, want %q", expression, got, want)
		}
	}
}

// lines are log lines in which no benchmark's expression matches.
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
