package report

import (
	"fmt"
	"io"
	"sync"
	"time"

	"retry/policy"
	"retry/runner"
)

const (
	// redraw is the time between two updates of a countdown. A sleep that isn't longer has no countdown.
	redraw = 250 * time.Millisecond

	startOfLine = "\r"
	eraseLine   = "\r\x1b[K"
	dim, plain  = "\x1b[2m", "\x1b[m"
)

// A Countdown shows on a terminal how much of a sleep is left, on a line below the one that announced the sleep. It
// erases that line when the sleep ends.
//
//	attempt 3/10 in 12s, 3m20s left
type Countdown struct {
	Writer io.Writer
	Job    *runner.Job
	Color  bool
	Width  func() int // the current width of the terminal, 0 while retry must not write to it

	stop    chan struct{}
	stopped chan struct{}

	mu    sync.Mutex
	drawn bool // the countdown's line is on the terminal
}

// Report starts a countdown when a sleep begins, and stops it when the sleep ends.
func (c *Countdown) Report(e runner.Event) error {
	switch e.Kind {
	case runner.SleepPlanned:
		if e.Sleep > redraw {
			c.stop, c.stopped = make(chan struct{}), make(chan struct{})
			go c.run(e, time.Now())
		}
	case runner.SleepEnded:
		if c.stop != nil {
			close(c.stop)
			<-c.stopped
			c.stop = nil
		}
	}
	return nil
}

func (c *Countdown) run(e runner.Event, began time.Time) {
	defer close(c.stopped)
	tick := time.NewTicker(redraw)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			c.draw(e, time.Since(began))
		case <-c.stop:
			c.Aside(func() {})
			return
		}
	}
}

// Aside calls do while no countdown is on the terminal, for example to stop this process.
func (c *Countdown) Aside(do func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.drawn && c.Width() > 0 {
		io.WriteString(c.Writer, eraseLine)
	}
	c.drawn = false
	do()
}

// draw updates the countdown. It never writes to the last column, because some terminals would then go on to the next line.
func (c *Countdown) draw(e runner.Event, slept time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	width := c.Width()
	if width <= 0 {
		return
	}
	c.drawn = true
	text := c.text(e, slept)
	text = text[:min(len(text), width-1)]
	if c.Color {
		text = dim + text + plain
	}
	io.WriteString(c.Writer, eraseLine+text+startOfLine)
}

func (c *Countdown) text(e runner.Event, slept time.Duration) string {
	resetAt := e.ResetAt
	if e.Fresh {
		resetAt = e.Attempt
	}
	text := attemptName(c.Job, e.Attempt+1, resetAt) + " in " + wholeSeconds(e.Sleep-slept)
	if e.Left > 0 {
		text += fmt.Sprintf(", %s left", wholeSeconds(e.Left-slept))
	}
	return text
}

// wholeSeconds formats the time that is left, rounded up to seconds.
func wholeSeconds(d time.Duration) string {
	return policy.FormatDuration(max(0, d+time.Second-1).Truncate(time.Second))
}
