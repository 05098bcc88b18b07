package stream

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"retry/policy"
	"retry/runner"
	"retry/runner/scan"
)

// attentive is what all streams of these tests are listened to for.
func attentive() *hearing {
	return &hearing{Hearing: policy.Hearing{Listening: policy.Listening{
		Troubles: true, RetryAfter: true, Hint: regexp.MustCompile(`(?m)^wait (\S+)$`),
	}}}
}

func listening(t testing.TB, stream int, to *hearing) *listener {
	t.Helper()
	l := &listener{stream: stream, hearing: to}
	if err := l.compile(scan.Room(1)); err != nil {
		t.Fatal(err)
	}
	return l
}

// heardOf is what is heard of one stream that comes in pieces, whose lengths next gives.
func heardOf(l *listener, text string, next func(left int) int) policy.Heard {
	l.hearing.Reset()
	l.Reset()
	for len(text) > 0 {
		n := next(len(text))
		l.Scan([]byte(text[:n]))
		text = text[n:]
	}
	l.End()
	return l.hearing.Heard()
}

func whole(left int) int { return left }

// long is more than is heard of a line.
var long = strings.Repeat("long ", policy.LineLimit/5+100)

// streamsHeard are streams of which much can be told, and little be cut.
var streamsHeard = map[string]string{
	"a response":              "HTTP/1.1 503 x\r\nDate: x\r\nRetry-After: 7\r\n\r\n<html>\r\nHTTP/1.1 404 x\n",
	"two":                     "HTTP/1.1 301 x\r\nRetry-After: 7\r\n\r\nHTTP/1.1 429 x\r\nretry-after: 2\r\n\r\n",
	"line feeds":              "HTTP/1.1 401 x\n\nHTTP/1.1 500 x\n\nHTTP/1.1 404 x\n",
	"blank lines":             "\n\n\r\nHTTP/1.1 404 x\n\n\n",
	"said":                    "hello\n50%\r60%\rcurl: (22) The requested URL returned error: 404\nbye\n",
	"no newline at the end":   "hello\nRetry-After: 3",
	"a carriage return there": "hello\nHTTP/1.1 503 x\r",
	"a pattern":               "wait\nwait 5\r\nno wait 6\r1%\rwait 4\r\n",
	"a long line":             long + "\nRetry-After: 1\n" + long + "Retry-After: 2\n",
	"a long one at the end":   "Retry-After: 1\n" + long + "Retry-After: 2",
	"a long progress bar":     strings.Repeat("Receiving objects: 7%\r", 8000) + "error: RPC failed; HTTP 503\n",
	"a long part of one":      "1%\r" + long + "\rRetry-After: 4\r\n" + long + "\r\rHTTP/1.1 503 x\r\n\r\n",
	"returns":                 "HTTP/1.1 100 x\r\n" + strings.Repeat("\r", policy.LineLimit+10) + "\nHTTP/1.1 404 x\n",
	"a long field":            "HTTP/1.1 503 x\r\nX: " + long + "\r\nRetry-After: 8\r\n\r\n",
}

// However a stream is cut into blocks, the same is heard.
func TestListenerCuts(t *testing.T) {
	for name, text := range streamsHeard {
		t.Run(name, func(t *testing.T) {
			for stream := range 2 {
				l := listening(t, stream, attentive())
				want := heardOf(l, text, whole)
				if want == (policy.Heard{}) {
					t.Error("nothing is heard")
				}
				rng := rand.New(rand.NewPCG(1, 2))
				for most := 1; most <= relayBlock; most *= 6 {
					if got := heardOf(l, text, func(left int) int { return min(left, 1+rng.IntN(most)) }); got != want {
						t.Errorf("stream %d, in pieces of at most %d bytes: heard %+v, want %+v", stream, most, got, want)
					}
				}
			}
		})
	}
}

func FuzzListenerCuts(f *testing.F) {
	for _, text := range streamsHeard {
		f.Add(text[max(0, len(text)-500):], uint64(7), uint16(5), uint8(0))
	}
	f.Add("long \rHTTP/. 503 \n", uint64(7), uint16(5), uint8(0))
	f.Add("HTTP/1.1 503 x\r\r\rRetry-After: 4\r\r\n\r\r\n", uint64(7), uint16(9), uint8(1))
	l := listening(f, 0, attentive())
	f.Fuzz(func(t *testing.T, text string, seed uint64, most uint16, longer uint8) {
		// Something in it may be longer than what is heard.
		if at := int(longer); at < len(text) {
			text = text[:at] + strings.Repeat(text[at:at+1], policy.LineLimit) + text[at:]
		}
		want := heardOf(l, text, whole)
		rng := rand.New(rand.NewPCG(seed, 0))
		least := 1 + len(text)/500 // for the time it takes
		if got := heardOf(l, text, func(left int) int { return min(left, least+rng.IntN(1+int(most))) }); got != want {
			t.Errorf("in pieces: heard %+v, want %+v", got, want)
		}
	})
}

// What is kept of a line does not grow with it.
func TestListenerMemory(t *testing.T) {
	l := listening(t, 0, attentive())
	for _, block := range []string{strings.Repeat("x", relayBlock), strings.Repeat("50%\r", relayBlock/4), strings.Repeat("\r", relayBlock)} {
		l.Reset()
		l.hearing.Reset()
		for range 100 {
			l.Scan([]byte(block))
		}
		if cap(l.line) > 2*policy.LineLimit {
			t.Errorf("%q…: %d bytes are kept", block[:4], cap(l.line))
		}
		l.Scan([]byte("\nRetry-After: 3\n"))
		if got := l.hearing.Heard().Hint; got != 3*time.Second {
			t.Errorf("%q…: the line after it told of %v", block[:4], got)
		}
	}
}

// A million lines like those of a server's log cost no memory for each.
func TestListenerAllocates(t *testing.T) {
	l := listening(t, 0, attentive())
	block := []byte(strings.Repeat(`10.0.0.1 "GET / HTTP/1.1" 503 7 "-" HTTP 200`+"\n", 1000))
	if n := testing.AllocsPerRun(100, func() { l.Scan(block) }); n > 1 {
		t.Errorf("%v allocations for a block that tells nothing", n)
	}
}

// relaying carries what write writes through a relay that is listened to.
func relaying(t *testing.T, r *relay, write func(io.Writer)) {
	t.Helper()
	command, _, err := r.open()
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		defer command.Close()
		write(command)
	}()
	began := time.Now()
	r.now, r.broken = func() time.Duration { return time.Since(began) }, make(chan error, 1)
	r.run()
	if r.err != nil {
		t.Error(r.err)
	}
}

// What is listened to passes byte for byte, whatever it is and however it comes; both streams tell together.
func TestListenedOutputPasses(t *testing.T) {
	to := attentive()
	rng := rand.New(rand.NewPCG(3, 4))
	random := make([]byte, 300000)
	for i := range random {
		random[i] = "\r\n\x00\xffaH:T/1. 503"[rng.IntN(14)]
	}
	texts := [2]string{
		streamsHeard["a long progress bar"] + string(random) + "\nHTTP/1.1 503 x\r\nRetry-After: 9\r\n\r\n",
		long + string(random) + "\ncurl: (22) The requested URL returned error: 503",
	}
	var sinks [2]bytes.Buffer
	var streams sync.WaitGroup
	for i := range sinks {
		r := &relay{name: "a stream", sink: &sinks[i], listener: listening(t, i, to)}
		streams.Go(func() {
			cuts := rand.New(rand.NewPCG(5, uint64(i)))
			relaying(t, r, func(w io.Writer) {
				for text := texts[i]; len(text) > 0; {
					n := min(len(text), 1+cuts.IntN(5000))
					if _, err := io.WriteString(w, text[:n]); err != nil {
						t.Error(err)
						return
					}
					text = text[n:]
				}
			})
		})
	}
	streams.Wait()
	for i := range sinks {
		if sinks[i].String() != texts[i] {
			t.Errorf("stream %d: %d bytes arrived of %d, or others", i, sinks[i].Len(), len(texts[i]))
		}
	}
	if heard := to.Heard(); heard.HTTP != 503 || heard.Trouble.Category != "HTTP 503" {
		t.Errorf("heard %+v", heard)
	}
}

// A line is passed on before it is complete.
func TestListenedOutputIsLive(t *testing.T) {
	arrived, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer arrived.Close()
	r := &relay{name: "a stream", sink: out, listener: listening(t, 0, attentive())}
	relaying(t, r, func(w io.Writer) {
		for _, part := range []string{"Retry-", "After: ", "3"} {
			if _, err := io.WriteString(w, part); err != nil {
				t.Error(err)
				return
			}
			got := make([]byte, len(part))
			if _, err := io.ReadFull(arrived, got); string(got) != part {
				t.Errorf("%q arrived, %v, want %q", got, err, part)
			}
		}
	})
	if heard := r.listener.hearing.Heard(); heard.Hint != 3*time.Second {
		t.Errorf("heard %+v", heard)
	}
}

// Both streams tell of the same response, whichever is read first; the next attempt begins anew.
func TestStreamsHeard(t *testing.T) {
	job := &runner.Job{Listening: attentive().Listening, Stdin: runner.Inherit}
	s := New(job)
	for _, r := range s.relays() {
		r.sink = io.Discard
	}
	for attempt := range 3 {
		files, closeFiles, err := s.Open()
		if err != nil {
			t.Fatal(err)
		}
		s.Start(func() time.Duration { return 0 })
		want := policy.Heard{}
		if attempt < 2 {
			fmt.Fprint(files[1], "HTTP/1.1 503 x\r\nRetry-After: 5\r\n\r\n")
			fmt.Fprint(files[2], "curl: (22) The requested URL returned error: 503\n")
			want = policy.Heard{HTTP: 503, Shown: true, Asked: true, Hint: 5 * time.Second,
				Trouble: policy.Trouble{Category: "HTTP 503", Transient: true, HTTP: 503}}
		}
		closeFiles()
		var o policy.Outcome
		if err := s.Finish(make(chan struct{}), &o); err != nil {
			t.Fatal(err)
		}
		if *o.Heard != want {
			t.Errorf("attempt %d: heard %+v, want %+v", attempt, *o.Heard, want)
		}
	}
}
