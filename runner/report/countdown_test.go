package report

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"retry/runner"
)

// countdown returns what a countdown writes in a sleep of duration d, one element for each write.
func countdown(t *testing.T, width int, job *runner.Job, e runner.Event, d time.Duration) []string {
	t.Helper()
	var screen pictures
	synctest.Test(t, func(t *testing.T) {
		c := &Countdown{Writer: &screen, Job: job, Width: func() int { return width }}
		_ = c.Report(e)
		time.Sleep(d)
		_ = c.Report(runner.Event{Kind: runner.SleepEnded})
	})
	return screen
}

type pictures []string

func (p *pictures) Write(text []byte) (int, error) {
	*p = append(*p, string(text))
	return len(text), nil
}

func TestCountdown(t *testing.T) {
	e := runner.Event{Kind: runner.SleepPlanned, Attempt: 2, Sleep: 3 * time.Second, Left: time.Minute}
	screen := countdown(t, 80, testJob(nil), e, 3*time.Second+time.Millisecond)
	want := []string{
		"\r\x1b[Kattempt 3/10 in 3s, 1m left\r", "\r\x1b[Kattempt 3/10 in 3s, 1m left\r", "\r\x1b[Kattempt 3/10 in 3s, 1m left\r",
		"\r\x1b[Kattempt 3/10 in 2s, 59s left\r",
	}
	if len(screen) != 13 || strings.Join(screen[:4], "|") != strings.Join(want, "|") || screen[12] != "\r\x1b[K" {
		t.Errorf("3 s with four updates a second gave %q", screen)
	}
}

// Without a deadline, the countdown shows no time left.
func TestCountdownWithoutDeadline(t *testing.T) {
	e := runner.Event{Kind: runner.SleepPlanned, Attempt: 2, Sleep: 3 * time.Second}
	if screen := countdown(t, 80, testJob(nil), e, redraw+time.Millisecond); screen[0] != "\r\x1b[Kattempt 3/10 in 3s\r" {
		t.Errorf("got %q", screen)
	}
}

// If another job takes the terminal during a countdown, nothing is erased.
func TestCountdownLeavesAnothersTerminal(t *testing.T) {
	var screen pictures
	synctest.Test(t, func(t *testing.T) {
		width := 80
		c := &Countdown{Writer: &screen, Job: testJob(nil), Width: func() int { return width }}
		_ = c.Report(runner.Event{Kind: runner.SleepPlanned, Sleep: time.Hour})
		time.Sleep(redraw + time.Millisecond)
		synctest.Wait()
		width = 0
		_ = c.Report(runner.Event{Kind: runner.SleepEnded})
	})
	if len(screen) != 1 {
		t.Errorf("drawn and erased: %q", screen)
	}
}

func TestCountdownIsNotDrawn(t *testing.T) {
	long := runner.Event{Kind: runner.SleepPlanned, Sleep: time.Hour}
	for name, screen := range map[string][]string{
		"a short sleep":            countdown(t, 80, testJob(nil), runner.Event{Kind: runner.SleepPlanned, Sleep: redraw}, time.Second),
		"one that was interrupted": countdown(t, 80, testJob(nil), long, redraw/2),
		"a terminal of another":    countdown(t, 0, testJob(nil), long, time.Minute),
	} {
		if len(screen) != 0 {
			t.Errorf("%s: %q", name, screen)
		}
	}
}

// The countdown fits on a line of any width.
func TestCountdownFits(t *testing.T) {
	e := runner.Event{Kind: runner.SleepPlanned, Attempt: 99, Sleep: 10 * time.Hour, Left: 20 * time.Hour}
	for width := 1; width < 60; width++ {
		screen := countdown(t, width, testJob(func(job *runner.Job) { job.MaxAttempts = 0 }), e, redraw+time.Millisecond)
		text := strings.Trim(screen[0], "\r\x1b[K")
		if len(text) > width-1 || !strings.HasPrefix("attempt 100 in 10h, 20h left", text) {
			t.Errorf("width %d: %q", width, text)
		}
	}
}
