package policy

import (
	"regexp"
	"strings"
	"testing"
	"time"
)

// everything is what there is to listen for, with a pattern of the user's.
func everything() Listening {
	return Listening{Troubles: true, RetryAfter: true, Hint: regexp.MustCompile(`(?m)^wait (\S+)$`)}
}

// hears makes a Hearing of the lines of one attempt: O is standard output, E standard error, in the order of arrival.
func hears(l Listening, lines ...string) Heard {
	h := &Hearing{Listening: l}
	trigger := regexp.MustCompile(l.Trigger().String())
	for _, line := range lines {
		stream := map[byte]int{'O': 0, 'E': 1}[line[0]]
		text := line[2:]
		if triggered := trigger.MatchString(text); triggered || h.Attentive(stream) {
			h.Line(stream, []byte(text), triggered, hintNow)
		}
	}
	return h.Heard()
}

// response are the lines of a response on one stream, each with something in front and an end.
func response(stream, front, end string, lines ...string) (all []string) {
	for _, line := range lines {
		all = append(all, stream+" "+front+line+end)
	}
	return all
}

func join(parts ...[]string) (all []string) {
	for _, part := range parts {
		all = append(all, part...)
	}
	return all
}

func TestHearing(t *testing.T) {
	const cr = "\r"
	fail := func(status int) Trouble { t, _ := HTTPTrouble(status); return t }
	refusal := meanings[refused]
	tests := []struct {
		name  string
		lines []string
		want  Heard
	}{
		{"nothing", nil, Heard{}},
		{"text", []string{"O hello", "E world", "O ", "O HTTP", "O HTTP/x 503", "O HTTP/1.1", "O HTTP/1.1 5033 x", "O HTTP/1.1 099 x"},
			Heard{}},

		// The forms of the tools.
		{"curl -i", response("O", "", cr, "HTTP/1.1 503 Service Unavailable", "Retry-After: 7", "", "<html>"),
			Heard{HTTP: 503, Shown: true, Asked: true, Hint: 7 * time.Second, Trouble: fail(503)}},
		{"curl -v", join([]string{"E *   Trying 127.0.0.1:80...", "E > GET / HTTP/1.1\r", "E > \r"},
			response("E", "< ", cr, "HTTP/2 429 ", "retry-after: 2", "")),
			Heard{HTTP: 429, Shown: true, Asked: true, Hint: 2 * time.Second, Trouble: fail(429)}},
		{"curl -D /dev/stderr", join([]string{"O body"}, response("E", "", cr, "HTTP/1.1 503 x", "Retry-After: 9", "")),
			Heard{HTTP: 503, Shown: true, Asked: true, Hint: 9 * time.Second, Trouble: fail(503)}},
		{"wget -S", response("E", "  ", "", "HTTP/1.1 429 Too Many Requests", "RETRY-AFTER: 30"),
			Heard{HTTP: 429, Shown: true, Asked: true, Hint: 30 * time.Second, Trouble: fail(429)}},
		{"wget -S 2>&1", join([]string{"O --2026-11-21 10:00:00--  http://x/"}, response("O", "  ", "", "HTTP/1.1 429 x", "Retry-After: 30")),
			Heard{HTTP: 429, Asked: true, Hint: 30 * time.Second, Trouble: fail(429)}},
		{"without a phrase", []string{"O HTTP/3 500"}, Heard{HTTP: 500, Shown: true, Trouble: fail(500)}},
		{"docker", []string{"E toomanyrequests: retry-after: 985.86µs, allowed: 44000/minute"},
			Heard{HTTP: 429, Asked: true, Hint: 985860 * time.Nanosecond, Trouble: fail(429)}},
		{"a command's own line", []string{"O working", "O Retry-After: 3"}, Heard{Asked: true, Hint: 3 * time.Second}},

		// The last response counts.
		{"redirect", join(response("O", "", cr, "HTTP/1.1 301 x", "Retry-After: 3000", ""), response("O", "", cr, "HTTP/1.1 503 x", "")),
			Heard{HTTP: 503, Shown: true, Trouble: fail(503), Processed: true}},
		{"redirect, line feeds alone", join(response("O", "", "", "HTTP/1.1 301 x", ""), response("O", "", "", "HTTP/1.1 503 x", "")),
			Heard{HTTP: 503, Shown: true, Trouble: fail(503), Processed: true}},
		{"a tunnel", join(response("O", "", cr, "HTTP/1.1 200 Connection established", ""), response("O", "", cr, "HTTP/1.1 503 x", "")),
			Heard{HTTP: 503, Shown: true, Trouble: fail(503), Processed: true}},
		{"1xx", join(response("O", "", cr, "HTTP/1.1 100 Continue", ""), response("O", "", cr, "HTTP/1.1 503 x", "Retry-After: 1", "")),
			Heard{HTTP: 503, Shown: true, Asked: true, Hint: time.Second, Trouble: fail(503)}},
		{"credentials", join(response("O", "", cr, "HTTP/1.1 401 x", ""), response("O", "", cr, "HTTP/1.1 200 x", "", "body")),
			Heard{HTTP: 200, Shown: true, Processed: true}},
		{"credentials refused", response("O", "", cr, "HTTP/1.1 401 x", "WWW-Authenticate: Basic", "", "body"),
			Heard{HTTP: 401, Shown: true, Trouble: fail(401)}},
		{"the hint of the response before", join(response("E", "< ", cr, "HTTP/2 503", "retry-after: 3000", ""),
			response("E", "< ", cr, "HTTP/2 503", "")),
			Heard{HTTP: 503, Shown: true, Trouble: fail(503), Processed: false}},
		{"the last word of a response", response("O", "", cr, "HTTP/1.1 503 x", "Retry-After: 50", "Retry-After: 2"),
			Heard{HTTP: 503, Shown: true, Asked: true, Hint: 2 * time.Second, Trouble: fail(503)}},
		{"a hint that is none", response("O", "", cr, "HTTP/1.1 503 x", "Retry-After: 5", "Retry-After: soon", ""),
			Heard{HTTP: 503, Shown: true, Asked: true, Hint: 5 * time.Second, Trouble: fail(503), Ignored: errNoHint}},

		// A body that shows a response is none.
		{"a page that shows one", join(response("O", "", cr, "HTTP/1.1 200 OK", ""), response("O", "", "", "For example:", "HTTP/1.1 404 x", "", "")),
			Heard{HTTP: 200, Shown: true}},
		{"a page that shows one, indented, with carriage returns",
			join(response("O", "", cr, "HTTP/1.1 200 OK", ""), response("O", "  ", cr, "HTTP/1.1 404 x", "")), Heard{HTTP: 200, Shown: true}},
		{"a text that shows one", response("O", "", "", "For example:", "HTTP/1.1 404 x"), Heard{HTTP: 404, Trouble: fail(404)}},
		{"a text that shows one, indented, with carriage returns", response("O", "   ", cr, "For example:", "HTTP/1.1 404 x"),
			Heard{HTTP: 404, Trouble: fail(404)}},
		{"a second response", join(response("O", "", cr, "HTTP/1.1 200 OK", "", "body"), response("O", "", cr, "HTTP/1.1 404 x", "")),
			Heard{HTTP: 404, Shown: true, Trouble: fail(404), Processed: true}},
		{"blank lines first", []string{"O ", "O ", "O HTTP/1.1 404 x"}, Heard{HTTP: 404, Trouble: fail(404)}},
		{"a server's log", []string{`O 10.0.0.1 "GET / HTTP/1.1" 404 7`, `E "GET / HTTP/1.1" 503 7`}, Heard{}},

		{"a page that shows a field", join(response("O", "", cr, "HTTP/1.1 503 x", "Retry-After: 1", ""), []string{"O <p>Send", "O Retry-After: 3600"}),
			Heard{HTTP: 503, Shown: true, Asked: true, Hint: time.Second, Trouble: fail(503)}},
		{"a command's own line after a response", join(response("O", "", cr, "HTTP/1.1 503 x", ""), []string{"O Retry-After: 4"}),
			Heard{HTTP: 503, Shown: true, Asked: true, Hint: 4 * time.Second, Trouble: fail(503)}},

		// A progress bar.
		{"after a progress bar", []string{"E   5%\r 50%\r100%\rcurl: (22) The requested URL returned error: 404"},
			Heard{HTTP: 404, Trouble: fail(404)}},
		{"a response after one", []string{"E  5%\r100%\r  HTTP/1.1 503 x", "E   Retry-After: 4\r"},
			Heard{HTTP: 503, Shown: true, Asked: true, Hint: 4 * time.Second, Trouble: fail(503)}},
		{"overwritten", []string{"E curl: (6) Could not resolve host: x\rcurl: (22) The requested URL returned error: 503\rdone"},
			Heard{HTTP: 503, Trouble: fail(503)}},
		{"carriage returns alone", []string{"O \r\r\r", "O \r"}, Heard{}},

		// What a tool says of a response that was seen is no other.
		{"said of a response", join(response("O", "", cr, "HTTP/1.1 503 x", "Retry-After: 6", ""), []string{"E curl: (22) The requested URL returned error: 503"}),
			Heard{HTTP: 503, Shown: true, Asked: true, Hint: 6 * time.Second, Trouble: fail(503)}},
		{"said on the other stream, and read first", join([]string{"E curl: (22) The requested URL returned error: 503"},
			response("O", "", cr, "HTTP/1.1 503 x", "Retry-After: 6", "")),
			Heard{HTTP: 503, Shown: true, Asked: true, Hint: 6 * time.Second, Trouble: fail(503)}},
		{"the same after 100 Continue", join([]string{"E curl: (22) The requested URL returned error: 503"},
			response("O", "", cr, "HTTP/1.1 100 Continue", ""), response("O", "", cr, "HTTP/1.1 503 x", "Retry-After: 6", "")),
			Heard{HTTP: 503, Shown: true, Asked: true, Hint: 6 * time.Second, Trouble: fail(503)}},
		{"said on the same stream before", join([]string{"E curl: (22) The requested URL returned error: 503"},
			response("E", "", cr, "HTTP/1.1 503 x", "Retry-After: 6", "")),
			Heard{HTTP: 503, Shown: true, Asked: true, Hint: 6 * time.Second, Trouble: fail(503), Processed: true}},
		{"said of another", join([]string{"E curl: (22) The requested URL returned error: 500"},
			response("O", "", cr, "HTTP/1.1 503 x", "Retry-After: 6", "")),
			Heard{HTTP: 503, Shown: true, Asked: true, Hint: 6 * time.Second, Trouble: fail(503), Processed: true}},

		// What may have been processed stays so.
		{"refused", []string{"E ssh: connect to host h port 22: Connection refused"}, Heard{Trouble: refusal}},
		{"lost, then refused", []string{"E curl: (52) Empty reply from server", "E ssh: connect to host h port 22: Connection refused"},
			Heard{Trouble: refusal, Processed: true}},
		{"refused, then lost", []string{"E ssh: connect to host h port 22: Connection refused", "E curl: (52) Empty reply from server"},
			Heard{Trouble: meanings[lost]}},
		{"served, then refused", []string{"O HTTP/1.1 200 OK\r", "O \r", "E ssh: connect to host h port 22: Connection refused"},
			Heard{HTTP: 200, Shown: true, Trouble: refusal, Processed: true}},
		{"429, then refused", []string{"O HTTP/1.1 429 x\r", "O \r", "E ssh: connect to host h port 22: Connection refused"},
			Heard{HTTP: 429, Shown: true, Trouble: refusal}},

		// The user's pattern.
		{"a pattern", []string{"O wait 12"}, Heard{Asked: true, Hint: 12 * time.Second}},
		{"with a carriage return", []string{"O wait 12\r"}, Heard{Asked: true, Hint: 12 * time.Second}},
		{"in a progress bar", []string{"O 50%\rwait 12\rwait 11\r"}, Heard{Asked: true, Hint: 11 * time.Second}},
		{"elsewhere in a line", []string{"O please wait 12", "O wait 12 s"}, Heard{}},
		{"no time", []string{"O wait here"}, Heard{Ignored: errNoHint}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := hears(everything(), test.lines...); got != test.want {
				t.Errorf("heard %+v, want %+v", got, test.want)
			}
		})
	}
}

// What is not listened for is not heard.
func TestListeningForLess(t *testing.T) {
	lines := []string{"O HTTP/1.1 503 x\r", "O Retry-After: 5\r", "O \r", "O wait 7", "E curl: (6) Could not resolve host: x"}
	response := Heard{HTTP: 503, Shown: true, Trouble: Trouble{Category: "HTTP 503", Transient: true, HTTP: 503}}
	asked := response
	asked.Asked, asked.Hint = true, 5*time.Second
	own := response
	own.Asked, own.Hint = true, 7*time.Second
	unresolved := Heard{HTTP: 503, Shown: true, Trouble: meanings[resolution], Processed: true}
	for _, test := range []struct {
		listening Listening
		want      Heard
	}{
		{Listening{RetryAfter: true}, asked},
		{Listening{Hint: everything().Hint}, own},
		{Listening{Troubles: true}, unresolved},
	} {
		if test.listening.Nothing() {
			t.Errorf("%+v is nothing", test.listening)
		}
		if got := hears(test.listening, lines...); got != test.want {
			t.Errorf("%+v: heard %+v, want %+v", test.listening, got, test.want)
		}
	}
	if !(Listening{}).Nothing() {
		t.Error("nothing is something")
	}
}

// A pattern without a match of its first group tells nothing, and one that is anchored to the text sees each line.
func TestOddPatterns(t *testing.T) {
	for _, test := range []struct {
		pattern string
		line    string
		want    Heard
	}{
		{`(?:in (\d+)|later)`, "O try later", Heard{Ignored: errNoHint}},
		{`\Await (\d+)\z`, "O wait 3", Heard{Asked: true, Hint: 3 * time.Second}},
		{`\Await (\d+)\z`, "O 1%\rwait 3\r", Heard{Asked: true, Hint: 3 * time.Second}},
		{`^^wait\b (\d+)\b$$`, "O 1%\rwait 3\r", Heard{Asked: true, Hint: 3 * time.Second}},
		{`()`, "O anything", Heard{Ignored: errNoHint}},
	} {
		l := Listening{Hint: regexp.MustCompile("(?m)" + test.pattern)}
		if got := hears(l, "O first", test.line); got != test.want {
			t.Errorf("%q: heard %+v, want %+v", test.pattern, got, test.want)
		}
	}
}

// Another attempt begins with nothing.
func TestHearingReset(t *testing.T) {
	h := &Hearing{Listening: everything()}
	h.Line(0, []byte("HTTP/1.1 503 x"), true, hintNow)
	h.Line(1, []byte("curl: (22) The requested URL returned error: 404"), true, hintNow)
	h.Reset()
	if h.Heard() != (Heard{}) || !h.Attentive(0) || !h.Attentive(1) || h.Nothing() || h.said != [2]bool{} {
		t.Errorf("after a reset: %+v", h)
	}
}

// A line is heard as far as the limit.
func TestLongLine(t *testing.T) {
	long := strings.Repeat("x", LineLimit)
	if got := hears(everything(), "O "+long+"Retry-After: 3"); got != (Heard{}) {
		t.Errorf("heard %+v beyond the limit", got)
	}
	if got := hears(everything(), "O "+long+"\rRetry-After: 3"); got.Hint != 3*time.Second {
		t.Errorf("heard %+v after a line that is too long", got)
	}
}

// Whatever is printed: nothing panics, no hint is negative, and what the trigger leaves out tells nothing.
func FuzzHearing(f *testing.F) {
	f.Add("HTTP/1.1 503 x\r\nRetry-After: 5\r\n\r\nbody\n", "curl: (22) The requested URL returned error: 503\n", uint8(0x55))
	f.Add("HTTP/1.1 100 x\r\n\r\nHTTP/1.1 301 x\n\nHTTP/2 429\nretry-after: Sat, 21 Nov 2026 10:02:00 GMT\n", "< HTTP/2 401\r\n< \r\n", uint8(3))
	f.Add("10%\r 20%\rwait 3\r\n\r\r\n", "  HTTP/1.1 502 x\n  Retry-After: -3\ntoomanyrequests: retry-after: 985.86µs, x\n", uint8(0xf0))
	l := everything()
	trigger := regexp.MustCompile(l.Trigger().String())
	f.Fuzz(func(t *testing.T, stdout, stderr string, turns uint8) {
		all, few := &Hearing{Listening: l}, &Hearing{Listening: l}
		streams := [2][]string{strings.Split(stdout, "\n"), strings.Split(stderr, "\n")}
		for i := 0; len(streams[0])+len(streams[1]) > 0; i++ {
			stream := int(turns>>(i%8)) & 1
			if len(streams[stream]) == 0 {
				stream = 1 - stream
			}
			line := []byte(streams[stream][0])
			streams[stream] = streams[stream][1:]
			all.Line(stream, line, true, hintNow)
			if triggered := trigger.Match(line); triggered || few.Attentive(stream) {
				few.Line(stream, line, triggered, hintNow)
			}
			if all.Heard() != few.Heard() {
				t.Fatalf("%q: heard %+v of every line and %+v of those that matter", line, all.Heard(), few.Heard())
			}
		}
		heard := all.Heard()
		if heard.Hint < 0 || heard.HTTP < 0 || heard.HTTP > 999 || heard.Hint > 0 && !heard.Asked {
			t.Errorf("heard %+v", heard)
		}
	})
}
