package budget

import (
	"math"
	"strings"
	"testing"
	"time"

	"retry/policy"
)

const forever = time.Duration(math.MaxInt64)

// bucket has as many digits as a bucket can have.
var bucket = policy.Bucket{Tokens: 1234567.0123456789, At: 1772366400123456789, Held: 1772366500000000000}

func TestSlot(t *testing.T) {
	const want = "retry-budget 1 change 42 tokens 9.5 at 2026-03-01T12:00:00.25Z held 1970-01-01T00:00:00Z sum cd6c60fc6a9d962b"
	text := slot{42, policy.Bucket{Tokens: 9.5, At: 1772366400250000000}}.String()
	if strings.TrimRight(text, " \n") != want {
		t.Errorf("a slot reads\n%s\nwant\n%s", text, want)
	}
	for _, s := range []slot{
		{},
		{1, policy.Bucket{Tokens: math.SmallestNonzeroFloat64}},
		{7, bucket},
		{math.MaxUint64, policy.Bucket{Tokens: 2.2250738585072014e-308, At: forever, Held: forever}},
		{math.MaxUint64, policy.Bucket{Tokens: math.MaxFloat64, At: forever - 1, Held: 1}},
	} {
		text := s.String()
		if len(text) != slotSize || text[slotSize-1] != '\n' || strings.Count(text, "\n") != 1 {
			t.Errorf("%+v is not a line of %d bytes: %q", s, slotSize, text)
		}
		if got, ok := parseSlot(text); !ok || got != s {
			t.Errorf("%+v reads %+v, %v", s, got, ok)
		}
	}
}

// A slot with a correct sum is rejected if no budget can have such a state.
func TestSlotImpossible(t *testing.T) {
	for _, b := range []policy.Bucket{
		{Tokens: -1}, {Tokens: math.NaN()}, {Tokens: math.Inf(1)}, {Tokens: 1, At: -1}, {Tokens: 1, Held: -1},
	} {
		if s, ok := parseSlot(slot{1, b}.String()); ok {
			t.Errorf("%+v was accepted: %+v", b, s)
		}
	}
}

func TestParseFile(t *testing.T) {
	older, newer := slot{8, policy.Bucket{Tokens: 5}}, slot{9, bucket}
	a, b, junk := older.String(), newer.String(), strings.Repeat("x", slotSize)
	tests := []struct {
		name, content string
		newest        slot
		next          int64
		ok            bool
	}{
		{"empty", "", slot{}, 0, false},
		{"one", a, older, slotSize, true},
		{"two", a + b, newer, 0, true},
		{"two, the newer first", b + a, newer, slotSize, true},
		{"the same twice", b + b, newer, slotSize, true},
		{"more than two", a + a + b, older, slotSize, true},
		{"one and a half", b + a[:100], newer, slotSize, true},
		{"one byte more", b + "x", newer, slotSize, true},
		{"the first is damaged", junk + a, older, 0, true},
		{"the second is damaged", a + junk, older, slotSize, true},
		{"both are damaged", junk + junk, slot{}, 0, false},
		{"half of one", b[:100], slot{}, 0, false},
		{"one byte less", b[:slotSize-1], slot{}, 0, false},
		{"displaced", "x" + b, slot{}, 0, false},
	}
	for _, test := range tests {
		newest, next, ok := parseFile(test.content)
		if newest != test.newest || next != test.next || ok != test.ok {
			t.Errorf("%s: %+v, %d, %v, want %+v, %d, %v", test.name, newest, next, ok, test.newest, test.next, test.ok)
		}
	}
}

// A change that is interrupted after any number of bytes leaves either the old state or the new one.
func TestParseFileTorn(t *testing.T) {
	states := []slot{{1, policy.Bucket{Tokens: 10}}, {2, bucket}, {3, policy.Bucket{Tokens: 7, At: 3}}, {4, policy.Bucket{Held: forever}}}
	content := states[0].String()
	for i, after := range states[1:] {
		before := states[i]
		_, next, _ := parseFile(content)
		for n := range slotSize + 1 {
			torn := content[:next] + after.String()[:n]
			torn += content[min(len(content), len(torn)):]
			want := before
			if strings.HasPrefix(torn[next:], after.String()) {
				want = after
			}
			if got, _, ok := parseFile(torn); !ok || got != want {
				t.Fatalf("change %d after %d bytes: %+v, %v, want %+v", after.change, n, got, ok, want)
			}
			if n == slotSize {
				content = torn
			}
		}
	}
}

// A change of any single byte invalidates its slot.
func TestParseFileFlipped(t *testing.T) {
	older, newer := slot{8, policy.Bucket{Tokens: 5}}, slot{9, bucket}
	content := []byte(older.String() + newer.String())
	for i, right := range content {
		want, place := older, i/slotSize*slotSize
		if place == 0 {
			want = newer
		}
		for change := 1; change < 256; change++ {
			content[i] = right ^ byte(change)
			if got, ok := parseSlot(string(content[place:][:slotSize])); ok {
				t.Fatalf("byte %d is %q, not %q: the slot reads %+v", i, content[i], right, got)
			}
		}
		if got, _, ok := parseFile(string(content)); !ok || got != want {
			t.Fatalf("byte %d is %q, not %q: %+v, %v, want %+v", i, content[i], right, got, ok, want)
		}
		content[i] = right
	}
}

// What is read is exactly what String returns, and a state that a budget can have.
func FuzzParseFile(f *testing.F) {
	a, b := slot{8, policy.Bucket{Tokens: 5}}.String(), slot{9, bucket}.String()
	for _, content := range []string{
		"", a, a + b, b + a, a[:100], strings.Repeat("\x00", fileSize), strings.Repeat("\n", fileSize), a + b[:191],
		slot{1, policy.Bucket{Tokens: math.NaN(), At: -1}}.String(), strings.ToUpper(a), strings.ReplaceAll(a, " ", "\t"),
	} {
		f.Add(content)
	}
	f.Fuzz(func(t *testing.T, content string) {
		newest, next, ok := parseFile(content)
		if !ok {
			if newest != (slot{}) || next != 0 {
				t.Errorf("%q is nothing: %+v, %d", content, newest, next)
			}
			return
		}
		k := newest.bucket
		if !(k.Tokens >= 0 && k.Tokens <= math.MaxFloat64) || k.At < 0 || k.Held < 0 {
			t.Errorf("%q reads %+v", content, newest)
		}
		if here := slotSize - next; (here != 0 && here != slotSize) || !strings.HasPrefix(content[here:], newest.String()) {
			t.Errorf("%q reads %+v, the next at %d", content, newest, next)
		}
	})
}
