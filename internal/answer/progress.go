package answer

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// progress shows on standard error how far a simulation or a review is, once it has taken more than a second: as a bar on a
// terminal, and otherwise as a line now and then.
type progress struct {
	out         io.Writer
	width       int // of the terminal, 0 if there is none
	interrupted func() bool
	began, told time.Time
	runs, of    int // how many runs are done, and how many there are
}

// show records which part of the current run is done, shows it if it is time to, and reports whether to go on.
func (p *progress) show(part float64) bool {
	const bar, line = 250 * time.Millisecond, time.Minute
	now, every := time.Now(), line
	if p.width > 0 {
		every = bar
	}
	if now.Sub(p.began) >= time.Second && (p.told.IsZero() || now.Sub(p.told) >= every) {
		p.tell((float64(p.runs) + part) / float64(p.of))
		p.told = now
	}
	return !p.interrupted()
}

func (p *progress) tell(part float64) {
	const columns = 40
	full := int(part * columns)
	switch {
	case p.width > columns+20:
		fmt.Fprintf(p.out, "\rretry: [%s%s] %3.0f%%", strings.Repeat("=", full), strings.Repeat(" ", columns-full), 100*part)
	case p.width > 0:
		fmt.Fprintf(p.out, "\rretry: %3.0f%%", 100*part)
	case p.told.IsZero():
		fmt.Fprintf(p.out, "retry: simulating, %.0f%% done; an interrupt (INT) ends it with the results so far\n", 100*part)
	default:
		fmt.Fprintf(p.out, "retry: simulating, %.0f%% done\n", 100*part)
	}
}

// clear removes the bar.
func (p *progress) clear() {
	if p.width > 0 && !p.told.IsZero() {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}
