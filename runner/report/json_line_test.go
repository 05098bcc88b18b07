package report

import (
	"encoding/json"
	"testing"
	"time"
)

// FuzzLine compares lines with what encoding/json reads from them.
func FuzzLine(f *testing.F) {
	for _, text := range []string{"", "plain ~", `a "b" \`, "é", "\x00\x1f\x7f", "\xff", "<&>\u2028"} {
		f.Add(text, int64(len(text))*1e9/7)
	}
	f.Fuzz(func(t *testing.T, text string, nanoseconds int64) {
		l := &line{}
		l.count("count", int(nanoseconds))
		l.flag("flag", nanoseconds > 0)
		l.seconds("seconds", time.Duration(nanoseconds))
		l.word("word", text)
		l.optional("optional", text)
		l.words("words", []string{text, "", text})
		l.words("none", nil)
		l.null("null")
		l.failures("failures", []failure{{text, 2}, {"", 1}})
		var got, want struct {
			Count          int
			Flag           bool
			Seconds        float64
			Word, Optional string
			Words, None    []string
			Null           *int
			Failures       map[string]int
		}
		if err := json.Unmarshal(append(l.text, '}'), &got); err != nil {
			t.Fatalf("%v: %s", err, l.text)
		}
		want.Count, want.Flag, want.Seconds = int(nanoseconds), nanoseconds > 0, time.Duration(nanoseconds).Seconds()
		quoted, _ := json.Marshal(text) // which replaces invalid UTF-8
		_ = json.Unmarshal(quoted, &want.Word)
		want.Optional, want.Words = want.Word, []string{want.Word, "", want.Word}
		want.None, want.Failures = []string{}, map[string]int{want.Word: 2}
		want.Failures[""] = 1
		a, _ := json.Marshal(got)
		if b, _ := json.Marshal(want); string(a) != string(b) {
			t.Errorf("%s reads as %s, want %s", l.text, a, b)
		}
	})
}
