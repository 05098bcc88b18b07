package review

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

var exampleLines = []string{
	`{"v":1,"call":"1c47a2b3d4e5f607","label":"curl","time":"2026-03-01T12:00:00.123456789+02:00","event":"start","max_attempts":10,"argv":["curl","a,]b"]}`,
	`{"v":1,"call":"1c47a2b3d4e5f607","label":"curl","time":"2026-03-01T12:00:00Z","event":"attempt","attempt":1,"start":"2026-03-01T12:00:00Z","duration":0.012345678,"status":7,"end":"exit","verdict":"retry","reason":"exit status 7"}`,
	`{"v":1,"call":"1c47a2b3d4e5f607","label":"curl","time":"2026-03-01T12:00:00Z","event":"sleep","attempt":1,"planned":0.5,"hint":null}`,
	`{"v":1,"call":"1c47a2b3d4e5f607","label":"é \"x\"","time":"2026-03-01T12:00:00Z","event":"result","success":true,"status":0,"attempts":2,"ran":1.5,"slept":0.25,"failed":0.5,"elapsed":2,"down":0,"up":1.25,"failures":{"exit status 7":1,"timed out":2},"schedule":"-n 10"}`,
}

// FuzzScan compares the scanner with encoding/json: both must read the same in every line that the scanner reads.
func FuzzScan(f *testing.F) {
	for _, text := range exampleLines {
		f.Add([]byte(text))
	}
	for _, text := range []string{
		``, `{}`, `{"v":1}`, `{"v":01}`, `{"v":1.}`, `{"v":-0}`, `{"v":1e2}`, `{"v":1,"v":2}`, `{"v":1,}`, `{"v":1}x`, `{"v":true}`,
		`{"v":1,"failures":{"a":1,"a":2}}`, `{"v":1,"failures":{"a":1.5}}`, `{"v":1,"failures":{}}`, `{"v":1,"ran":123456789012345.123456789}`,
		`{"v":1,"label":"\u0041"}`, "{\"v\":1,\"label\":\"\xff\"}", "{\"v\":1,\"label\":\"\x01\"}", `{"v":1,"x":[1]}`, `{"v":1,"x":["a",]}`,
		`{"v":1,"label":null}`, `{"V":1}`, `{"v":1,"attempts":-1}`, `{"v":1,"attempts":99999999999999999999}`, `{"v":1,"ran":-0.5}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var fast, slow line
		fast.clear()
		slow.clear()
		if !fast.scan(text) {
			return
		}
		if !slow.decode(text) {
			t.Fatalf("scan reads %q, which decode does not", text)
		}
		if slow.version > 1 {
			return // only the version of such a line is read
		}
		if a, b := describe(fast), describe(slow); a != b {
			t.Errorf("scan reads %s, decode %s", a, b)
		}
	})
}

// describe formats a line, with its failures sorted.
func describe(l line) string {
	slices.SortFunc(l.failures, func(a, b failure) int { return bytes.Compare(a.reason, b.reason) })
	return fmt.Sprintf("%q %q", fmt.Sprint(l.version, l.call, l.event, l.attempts, l.success, l.whole, l.duration, l.ran, l.slept, l.failed, l.elapsed,
		l.down, l.up, l.failures), [][]byte{l.label, l.time, l.start, l.end, l.verdict, l.reason, l.cause, l.schedule})
}

// The scanner reads what retry writes, except for the line with an escape.
func TestScanReadsReportLines(t *testing.T) {
	for i, text := range exampleLines {
		var l line
		l.clear()
		if got, want := l.scan([]byte(text)), !strings.Contains(text, `\`); got != want {
			t.Errorf("line %d is scanned: %v, want %v", i, got, want)
		}
		if !l.read([]byte(text)) || l.version != 1 {
			t.Errorf("line %d can't be read", i)
		}
	}
	var l line
	l.read([]byte(exampleLines[3]))
	if string(l.label) != `é "x"` || l.up != 1.25 || l.down != 0 || !l.whole || len(l.failures) != 2 || !l.success {
		t.Errorf("%+v", l)
	}
}

// FuzzMoment compares the reader of times with package time.
func FuzzMoment(f *testing.F) {
	for _, text := range []string{
		"2026-03-01T12:00:00.123456789+02:00", "2026-02-28T23:59:59Z", "2024-02-29T00:00:00.5-09:30", "2026-02-29T00:00:00Z",
		"1971-01-01T00:00:00Z", "2261-12-28T00:00:00Z", "2026-03-01T12:00:00", "2026-03-01T12:00:00.Z", "2026-03-01T24:00:00Z", "2026-12-31T00:00:00+24:00",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, ok := usualMoment([]byte(text))
		if !ok {
			return
		}
		want, err := time.Parse(time.RFC3339, text)
		if err != nil || got != want.UnixNano() {
			t.Errorf("%q is %d, want %d: %v", text, got, want.UnixNano(), err)
		}
	})
}

func TestMomentOfEveryDay(t *testing.T) {
	for day := time.Date(1972, 1, 1, 1, 2, 3, 0, time.UTC); day.Year() < 2110; day = day.AddDate(0, 0, 1) {
		text := day.Format(time.RFC3339Nano)
		if got, ok := moment([]byte(text)); !ok || got != day.UnixNano() {
			t.Fatalf("%s is %d, want %d", text, got, day.UnixNano())
		}
	}
}
