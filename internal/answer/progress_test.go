package answer

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// told returns what is written while a simulation of two runs takes its time, in steps of a tenth of a second.
func told(width int, lasts time.Duration) string {
	var out strings.Builder
	p := &progress{out: &out, width: width, interrupted: func() bool { return false }, began: time.Now(), of: 2}
	for elapsed := time.Duration(0); elapsed < lasts; elapsed += 100 * time.Millisecond {
		p.runs = int(2 * elapsed / lasts)
		p.show(2*elapsed.Seconds()/lasts.Seconds() - float64(p.runs))
		time.Sleep(100 * time.Millisecond)
	}
	p.clear()
	return out.String()
}

func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, width := range []int{0, 80} {
			if got := told(width, time.Second); got != "" {
				t.Errorf("width %d: %q within the first second", width, got)
			}
		}
		want := "retry: simulating, 1% done; an interrupt (INT) ends it with the results so far\n" +
			"retry: simulating, 61% done\n"
		if got := told(0, 100*time.Second); got != want {
			t.Errorf("without a terminal: %q, not %q", got, want)
		}
		bar := told(80, 2*time.Second)
		if !strings.HasPrefix(bar, "\rretry: [====================                    ]  50%\r") {
			t.Errorf("the bar after a second is %q", bar)
		}
		if n := strings.Count(bar, "\rretry: ["); n != 4 {
			t.Errorf("%d bars in a second: %q", n, bar)
		}
		if !strings.HasSuffix(bar, "\r\x1b[K") {
			t.Errorf("the bar is left: %q", bar)
		}
		for line := range strings.SplitSeq(told(30, 2*time.Second), "\r") {
			if len(line) > 30 {
				t.Errorf("%q is too long for a terminal of 30 columns", line)
			}
		}
	})
}

func TestProgressEndsWhenInterrupted(t *testing.T) {
	interrupted := false
	p := &progress{interrupted: func() bool { return interrupted }, began: time.Now(), of: 1}
	if !p.show(0) {
		t.Error("it ends without an interrupt")
	}
	if interrupted = true; p.show(0) {
		t.Error("it goes on after an interrupt")
	}
}
