package policy

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// everything selects all diagnostics and a pattern of the user.
func everything() Diagnostics {
	return Diagnostics{Failures: true, RetryAfter: true, Unsent: true, Hints: []*regexp.Regexp{regexp.MustCompile(`(?m)^wait (\S+)$`)}}
}

// diagnose diagnoses the lines of one attempt in the order in which they arrive. O marks standard output and E standard
// error. It leaves out Last and Evidence.
func diagnose(what Diagnostics, lines ...string) Diagnosis {
	d := &Diagnoser{Diagnostics: what}
	for _, line := range lines {
		d.Write(map[byte]int{'O': 0, 'E': 1}[line[0]], []byte(line[2:]+"\n"))
	}
	diagnosis := d.Diagnosis(hintNow)
	diagnosis.Last, diagnosis.Evidence = false, Evidence{}
	return diagnosis
}

// lines returns the lines of a response on one stream, each with a prefix and an end.
func lines(stream, front, end string, lines ...string) (all []string) {
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

func TestDiagnosis(t *testing.T) {
	const cr = "\r"
	fail := func(status int) Failure { f, _ := HTTPFailure(status); return f }
	limited := func(status int) Failure {
		f := fail(status)
		f.Transient, f.Throttled = true, true
		return f
	}
	refusal := failed(refused, "network/refused")
	tests := []struct {
		name  string
		lines []string
		want  Diagnosis
	}{
		{"nothing", nil, Diagnosis{}},
		{"text", []string{"O hello", "E world", "O ", "O HTTP", "O HTTP/x 503", "O HTTP/1.1", "O HTTP/1.1 5033 x", "O HTTP/1.1 099 x", "O 1.1 503 x", "O HTTP/ 503 x"},
			Diagnosis{}},

		// The formats of various tools.
		{"curl -i", lines("O", "", cr, "HTTP/1.1 503 Service Unavailable", "Retry-After: 7", "", "<html>"),
			Diagnosis{HTTP: 503, Shown: true, Asked: true, Hint: 7 * time.Second, Failure: fail(503)}},
		{"curl -v", join([]string{"E *   Trying 127.0.0.1:80...", "E > GET / HTTP/1.1\r", "E > \r"},
			lines("E", "< ", cr, "HTTP/2 429 ", "retry-after: 2", "")),
			Diagnosis{HTTP: 429, Shown: true, Asked: true, Hint: 2 * time.Second, Failure: fail(429)}},
		{"curl -D /dev/stderr", join([]string{"O body"}, lines("E", "", cr, "HTTP/1.1 503 x", "Retry-After: 9", "")),
			Diagnosis{HTTP: 503, Shown: true, Asked: true, Hint: 9 * time.Second, Failure: fail(503)}},
		{"wget -S", lines("E", "  ", "", "HTTP/1.1 429 Too Many Requests", "RETRY-AFTER: 30"),
			Diagnosis{HTTP: 429, Shown: true, Asked: true, Hint: 30 * time.Second, Failure: fail(429)}},
		{"wget -S 2>&1", join([]string{"O --2026-11-21 10:00:00--  http://x/"}, lines("O", "  ", "", "HTTP/1.1 429 x", "Retry-After: 30")),
			Diagnosis{HTTP: 429, Asked: true, Hint: 30 * time.Second, Failure: fail(429)}},
		{"without a phrase", []string{"O HTTP/3 500"}, Diagnosis{HTTP: 500, Shown: true, Failure: fail(500)}},
		{"docker", []string{"E toomanyrequests: retry-after: 985.86µs, allowed: 44000/minute"},
			Diagnosis{HTTP: 429, Asked: true, Hint: 985860 * time.Nanosecond, Failure: fail(429)}},
		{"a command's own line", []string{"O working", "O Retry-After: 3"}, Diagnosis{Asked: true, Hint: 3 * time.Second}},

		// The last response counts.
		{"redirect", join(lines("O", "", cr, "HTTP/1.1 301 x", "Retry-After: 3000", ""), lines("O", "", cr, "HTTP/1.1 503 x", "")),
			Diagnosis{HTTP: 503, Shown: true, Failure: fail(503), Processed: true}},
		{"redirect, line feeds alone", join(lines("O", "", "", "HTTP/1.1 301 x", ""), lines("O", "", "", "HTTP/1.1 503 x", "")),
			Diagnosis{HTTP: 503, Shown: true, Failure: fail(503), Processed: true}},
		{"a tunnel", join(lines("O", "", cr, "HTTP/1.1 200 Connection established", ""), lines("O", "", cr, "HTTP/1.1 503 x", "")),
			Diagnosis{HTTP: 503, Shown: true, Failure: fail(503), Processed: true}},
		{"1xx", join(lines("O", "", cr, "HTTP/1.1 100 Continue", ""), lines("O", "", cr, "HTTP/1.1 503 x", "Retry-After: 1", "")),
			Diagnosis{HTTP: 503, Shown: true, Asked: true, Hint: time.Second, Failure: fail(503)}},
		{"credentials", join(lines("O", "", cr, "HTTP/1.1 401 x", ""), lines("O", "", cr, "HTTP/1.1 200 x", "", "body")),
			Diagnosis{HTTP: 200, Shown: true, Processed: true}},
		{"credentials refused", lines("O", "", cr, "HTTP/1.1 401 x", "WWW-Authenticate: Basic", "", "body"),
			Diagnosis{HTTP: 401, Shown: true, Failure: fail(401)}},
		{"the hint of the response before", join(lines("E", "< ", cr, "HTTP/2 503", "retry-after: 3000", ""),
			lines("E", "< ", cr, "HTTP/2 503", "")),
			Diagnosis{HTTP: 503, Shown: true, Failure: fail(503), Processed: false}},
		{"a 503 that asks for nothing before", join(lines("E", "", "", "HTTP/1.1 503 x", "Content-Type: text/html", "Retry-After:", ""),
			lines("E", "", "", "HTTP/1.1 503 x", "")), Diagnosis{HTTP: 503, Shown: true, Failure: fail(503), Processed: true}},
		{"a choice, line feeds alone", join(lines("O", "", "", "HTTP/1.1 300 x", ""), lines("O", "", "", "HTTP/1.1 503 x", "")),
			Diagnosis{HTTP: 503, Shown: true, Failure: fail(503), Processed: true}},
		{"a bad request whose page shows a response", join(lines("O", "", "", "HTTP/1.1 400 x", ""), lines("O", "", "", "HTTP/1.1 503 x", "")),
			Diagnosis{HTTP: 400, Shown: true, Failure: fail(400)}},
		{"wget -S, then a failure", join(lines("E", "  ", "", "HTTP/1.1 200 OK", "Server: x"), []string{"E connect: Connection refused"}),
			Diagnosis{HTTP: 200, Shown: true, Failure: refusal, Processed: true}},
		{"wget -S, a redirect, then a failure", join(lines("E", "  ", "", "HTTP/1.1 301 x", "Location: /"), []string{"E connect: Connection refused"}),
			Diagnosis{HTTP: 301, Shown: true, Failure: refusal, Processed: true}},
		{"wget -S 2>&1, a redirect", join(lines("O", "  ", "", "HTTP/1.1 301 x", "Location: /"), []string{"O "}, lines("O", "  ", "", "HTTP/1.1 429 x")),
			Diagnosis{HTTP: 429, Shown: true, Failure: fail(429), Processed: true}},
		{"1xx alone", lines("O", "", cr, "HTTP/1.1 100 Continue", ""), Diagnosis{HTTP: 100, Shown: true}},
		{"the last word of a response", lines("O", "", cr, "HTTP/1.1 503 x", "Retry-After: 50", "Retry-After: 2"),
			Diagnosis{HTTP: 503, Shown: true, Asked: true, Hint: 2 * time.Second, Failure: fail(503)}},
		{"a field in the first 8 KiB of a head", lines("O", "", cr, "HTTP/1.1 503 x", "X: "+strings.Repeat("x", 8158), "Retry-After: 5"),
			Diagnosis{HTTP: 503, Shown: true, Asked: true, Hint: 5 * time.Second, Failure: fail(503)}},
		{"a field after that", lines("O", "", cr, "HTTP/1.1 503 x", "X: "+strings.Repeat("x", 8159), "Retry-After: 5"),
			Diagnosis{HTTP: 503, Shown: true, Failure: fail(503)}},
		{"a hint that is none", lines("O", "", cr, "HTTP/1.1 503 x", "Retry-After: 5", "Retry-After: soon", ""),
			Diagnosis{HTTP: 503, Shown: true, Asked: true, Hint: 5 * time.Second, Failure: fail(503), Ignored: errNoHint}},

		// A response quoted in a body doesn't count.
		{"a page that shows one", join(lines("O", "", cr, "HTTP/1.1 200 OK", ""), lines("O", "", "", "For example:", "HTTP/1.1 404 x", "", "")),
			Diagnosis{HTTP: 200, Shown: true}},
		{"a page that shows one, indented, with carriage returns",
			join(lines("O", "", cr, "HTTP/1.1 200 OK", ""), lines("O", "  ", cr, "HTTP/1.1 404 x", "")), Diagnosis{HTTP: 200, Shown: true}},
		{"a text that shows one", lines("O", "", "", "For example:", "HTTP/1.1 404 x"), Diagnosis{HTTP: 404, Failure: fail(404)}},
		{"a text that shows one, indented, with carriage returns", lines("O", "   ", cr, "For example:", "HTTP/1.1 404 x"),
			Diagnosis{HTTP: 404, Failure: fail(404)}},
		{"a second response", join(lines("O", "", cr, "HTTP/1.1 200 OK", "", "body"), lines("O", "", cr, "HTTP/1.1 404 x", "")),
			Diagnosis{HTTP: 404, Shown: true, Failure: fail(404), Processed: true}},
		{"blank lines first", []string{"O ", "O ", "O HTTP/1.1 404 x"}, Diagnosis{HTTP: 404, Shown: true, Failure: fail(404)}},
		{"a server's log", []string{`O 10.0.0.1 "GET / HTTP/1.1" 404 7`, `E "GET / HTTP/1.1" 503 7`}, Diagnosis{}},

		{"a page that shows a field", join(lines("O", "", cr, "HTTP/1.1 503 x", "Retry-After: 1", ""), []string{"O <p>Send", "O Retry-After: 3600"}),
			Diagnosis{HTTP: 503, Shown: true, Asked: true, Hint: time.Second, Failure: fail(503)}},
		{"a command's own line after a response", join(lines("O", "", cr, "HTTP/1.1 503 x", ""), []string{"O Retry-After: 4"}),
			Diagnosis{HTTP: 503, Shown: true, Asked: true, Hint: 4 * time.Second, Failure: fail(503)}},

		// Progress bars.
		{"after a progress bar", []string{"E   5%\r 50%\r100%\rcurl: (22) The requested URL returned error: 404"},
			Diagnosis{HTTP: 404, Failure: fail(404)}},
		{"a response after one", []string{"E  5%\r100%\r  HTTP/1.1 503 x", "E   Retry-After: 4\r"},
			Diagnosis{HTTP: 503, Shown: true, Asked: true, Hint: 4 * time.Second, Failure: fail(503)}},
		{"a response after a carriage return", []string{"O \rHTTP/1.1 404 x"}, Diagnosis{HTTP: 404, Failure: fail(404)}},
		{"overwritten", []string{"E curl: (6) Could not resolve host: x\rcurl: (22) The requested URL returned error: 503\rdone"},
			Diagnosis{HTTP: 503, Failure: fail(503)}},
		{"carriage returns alone", []string{"O \r\r\r", "O \r"}, Diagnosis{}},

		// A tool's message about a response is not another failure.
		{"said of a response", join(lines("O", "", cr, "HTTP/1.1 503 x", "Retry-After: 6", ""), []string{"E curl: (22) The requested URL returned error: 503"}),
			Diagnosis{HTTP: 503, Shown: true, Asked: true, Hint: 6 * time.Second, Failure: fail(503)}},
		{"said on the other stream, and read first", join([]string{"E curl: (22) The requested URL returned error: 503"},
			lines("O", "", cr, "HTTP/1.1 503 x", "Retry-After: 6", "")),
			Diagnosis{HTTP: 503, Shown: true, Asked: true, Hint: 6 * time.Second, Failure: fail(503)}},
		{"the same after 100 Continue", join([]string{"E curl: (22) The requested URL returned error: 503"},
			lines("O", "", cr, "HTTP/1.1 100 Continue", ""), lines("O", "", cr, "HTTP/1.1 503 x", "Retry-After: 6", "")),
			Diagnosis{HTTP: 503, Shown: true, Asked: true, Hint: 6 * time.Second, Failure: fail(503)}},
		{"said on the same stream before", join([]string{"E curl: (22) The requested URL returned error: 503"},
			lines("E", "", cr, "HTTP/1.1 503 x", "Retry-After: 6", "")),
			Diagnosis{HTTP: 503, Shown: true, Asked: true, Hint: 6 * time.Second, Failure: fail(503), Processed: true}},
		{"throttled on standard output, another error on standard error", join([]string{"E curl: (22) The requested URL returned error: 500"},
			lines("O", "", cr, "HTTP/1.1 429 x", "")),
			Diagnosis{HTTP: 500, Failure: fail(500)}},
		{"two responses", join(lines("E", "< ", cr, "HTTP/1.1 200 OK", ""), lines("O", "", cr, "HTTP/1.1 204 No Content", "")),
			Diagnosis{HTTP: 200, Shown: true, Processed: true}},
		{"a failure on standard output beside a response on standard error",
			join(lines("E", "< ", cr, "HTTP/1.1 200 OK", ""), []string{"O ssh: connect to host h port 22: Connection refused"}),
			Diagnosis{HTTP: 200, Shown: true, Failure: refusal, Processed: true}},
		{"a permanent failure on standard error, a consequence on standard output",
			[]string{"E root@h: Permission denied (publickey).", "O Failed downloading http://x/m"},
			Diagnosis{Failure: failed(badCredentials, "vcs/credentials"), Processed: true}},
		{"a permanent failure on standard error, another on standard output",
			[]string{"E root@h: Permission denied (publickey).", "O ssh: connect to host h port 22: Connection refused"},
			Diagnosis{Failure: failed(badCredentials, "vcs/credentials")}},
		{"an error message counts more than a response on standard output", join([]string{"E curl: (22) The requested URL returned error: 500"},
			lines("O", "", cr, "HTTP/1.1 503 x", "Retry-After: 6", "")),
			Diagnosis{HTTP: 500, Failure: fail(500)}},

		// Throttling by any status.
		{"GitHub's", lines("O", "", cr, "HTTP/2.0 403 Forbidden", "X-Ratelimit-Remaining: 0", "X-Ratelimit-Reset: 1795255260", "", `{"message": "x"}`),
			Diagnosis{HTTP: 403, Shown: true, Asked: true, Hint: time.Minute, Failure: limited(403)}},
		{"with something left", lines("O", "", cr, "HTTP/2.0 403 Forbidden", "X-Ratelimit-Remaining: 7", "X-Ratelimit-Reset: 1795255260", ""),
			Diagnosis{HTTP: 403, Shown: true, Failure: fail(403)}},
		{"the IETF's", lines("O", "", cr, "HTTP/2.0 403 Forbidden", `RateLimit: "default";r=0;t=30`, ""),
			Diagnosis{HTTP: 403, Shown: true, Asked: true, Hint: 30 * time.Second, Failure: limited(403)}},
		{"the IETF's before", lines("O", "", cr, "HTTP/2.0 429 x", "RateLimit: limit=100, remaining=0, reset=40", ""),
			Diagnosis{HTTP: 429, Shown: true, Asked: true, Hint: 40 * time.Second, Failure: fail(429)}},
		{"GitHub's, and curl's message", join(lines("O", "", cr, "HTTP/2.0 403 Forbidden", "X-Ratelimit-Remaining: 0", ""),
			[]string{"E curl: (22) The requested URL returned error: 403"}),
			Diagnosis{HTTP: 403, Shown: true, Failure: limited(403), Processed: true}},
		{"GitHub's, then another failure", lines("E", "", "", "HTTP/2.0 403 x", "X-Ratelimit-Remaining: 0", "X-Ratelimit-Reset: 1795255260", "", "connect: Connection refused"),
			Diagnosis{HTTP: 403, Shown: true, Asked: true, Hint: time.Minute, Failure: refusal, Processed: true}},
		{"a limit, then another failure", lines("E", "", "", "HTTP/2.0 429 x", "X-Ratelimit-Remaining: 0", "X-Ratelimit-Reset: 1795255260", "", "connect: Connection refused"),
			Diagnosis{HTTP: 429, Shown: true, Asked: true, Hint: time.Minute, Failure: refusal}},
		{"a page that speaks of throttling", lines("O", "", cr, "HTTP/1.1 403 x", "", "API rate limit exceeded"),
			Diagnosis{HTTP: 403, Shown: true, Failure: limited(403)}},
		{"a page that speaks of another failure", lines("O", "", cr, "HTTP/1.1 404 x", "", "Connection refused"),
			Diagnosis{HTTP: 404, Shown: true, Failure: fail(404)}},
		{"a page about throttling", lines("O", "", cr, "HTTP/1.1 200 x", "", "API rate limit exceeded"),
			Diagnosis{HTTP: 200, Shown: true}},
		{"a server's failure that asks to come back", lines("O", "", cr, "HTTP/1.1 500 x", "Retry-After: 1", ""),
			Diagnosis{HTTP: 500, Shown: true, Asked: true, Hint: time.Second, Failure: fail(500)}},
		{"a lock that asks to come back", lines("O", "", cr, "HTTP/1.1 423 Locked", "Retry-After: 1", ""),
			Diagnosis{HTTP: 423, Shown: true, Asked: true, Hint: time.Second, Failure: limited(423)}},
		{"credentials don't get better", lines("O", "", cr, "HTTP/1.1 401 x", "Retry-After: 1", ""),
			Diagnosis{HTTP: 401, Shown: true, Asked: true, Hint: time.Second, Failure: fail(401)}},
		{"in milliseconds", lines("E", "< ", cr, "HTTP/2 429", "retry-after-ms: 1500", ""),
			Diagnosis{HTTP: 429, Shown: true, Asked: true, Hint: 1500 * time.Millisecond, Failure: fail(429)}},
		{"at once, in milliseconds", lines("E", "< ", cr, "HTTP/2 429", "retry-after-ms: 0", ""),
			Diagnosis{HTTP: 429, Shown: true, Asked: true, Failure: fail(429)}},
		{"too many milliseconds", lines("E", "< ", cr, "HTTP/2 429", "retry-after-ms: 9223372036854.775807", ""),
			Diagnosis{HTTP: 429, Shown: true, Ignored: errHugeHint, Failure: fail(429)}},
		{"no milliseconds", lines("E", "< ", cr, "HTTP/2 429", "retry-after-ms: NaN", ""),
			Diagnosis{HTTP: 429, Shown: true, Ignored: errNoHint, Failure: fail(429)}},
		{"told not to retry", lines("E", "< ", cr, "HTTP/2 503", "grpc-retry-pushback-ms: -1", ""),
			Diagnosis{HTTP: 503, Shown: true, Failure: Failure{Category: "HTTP 503, told not to retry", Rule: "http/response", HTTP: 503}}},

		{"told not to retry, and curl's message", lines("E", "", "", "HTTP/2 503", "grpc-retry-pushback-ms: -1", "", "curl: (22) The requested URL returned error: 503"),
			Diagnosis{HTTP: 503, Shown: true, Failure: Failure{Category: "HTTP 503, told not to retry", Rule: "http/response", HTTP: 503}}},
		{"told not to retry, and curl's message on the other stream", join(lines("O", "", cr, "HTTP/2 503", "grpc-retry-pushback-ms: -1", ""),
			[]string{"E curl: (22) The requested URL returned error: 503"}),
			Diagnosis{HTTP: 503, Shown: true, Failure: Failure{Category: "HTTP 503, told not to retry", Rule: "http/response", HTTP: 503}, Processed: true}},
		{"GitHub's, and curl's message on the same stream", lines("E", "", "", "HTTP/2.0 403 x", "X-Ratelimit-Remaining: 0", "", "curl: (22) The requested URL returned error: 403"),
			Diagnosis{HTTP: 403, Shown: true, Failure: limited(403)}},
		{"a 404, and curl's message on the same stream", lines("E", "", "", "HTTP/1.1 404 x", "", "curl: (22) The requested URL returned error: 404"),
			Diagnosis{HTTP: 404, Shown: true, Failure: fail(404)}},

		// The last failure counts.
		{"what went wrong before does not count", []string{"E Error response from daemon: manifest unknown", "E error Error: read ECONNRESET"},
			Diagnosis{Failure: failed(lost, "network/lost"), Processed: true}},
		{"a consequence does not count", []string{"E root@h: Permission denied (publickey).", "E rsync: connection unexpectedly closed (0 bytes received so far)"},
			Diagnosis{Failure: failed(badCredentials, "vcs/credentials")}},
		{"what could not be fetched is not found", []string{"E Failed downloading http://x/m", "E Error: No results matching query were found"},
			Diagnosis{Failure: failed(networkFailure, "word/network")}},
		{"what is begun after it", []string{"E curl: (22) The requested URL returned error: 404", "E + make", "E something"}, Diagnosis{}},
		{"what is begun after it, and a failure before", []string{"E connect: Connection refused", "E curl: (22) The requested URL returned error: 404", "E + make", "E something"},
			Diagnosis{Failure: refusal}},
		{"a warning", []string{"E npm warn EBADENGINE Unsupported engine", "E one", "E two", "E three"}, Diagnosis{}},
		{"wrapped", []string{"E Could not fetch specs due to underlying error <response 404 Not", "E Found (http://x/specs)>"},
			Diagnosis{HTTP: 404, Failure: fail(404)}},
		{"wrapped in a frame", []string{"E error: could not resolve", "E   │ host: x"}, Diagnosis{Failure: failed(resolution, "network/name-resolution")}},
		{"a login that failed because the network did", []string{"E docker: pull access denied for x: Get http://x/: dial tcp: Connection refused"},
			Diagnosis{Failure: refusal}},
		{"a certificate is bad whatever follows", []string{"E curl: (60) SSL certificate problem: self-signed certificate; connection reset by peer"},
			Diagnosis{Failure: failed(badCertificate, "tls/certificate")}},
		{"coloured", []string{"E \x1b[31mError\x1b[0m: connect ECONN\x1b[1mREFUSED\x1b[0m 127.0.0.1:1"}, Diagnosis{Failure: refusal}},
		{"a URL says nothing", []string{"E cannot open http://x/404-not-found/timed-out"}, Diagnosis{}},

		// Whether a request may have been processed.
		{"refused", []string{"E ssh: connect to host h port 22: Connection refused"}, Diagnosis{Failure: refusal}},
		{"lost, then refused", []string{"E curl: (52) Empty reply from server", "E ssh: connect to host h port 22: Connection refused"},
			Diagnosis{Failure: refusal, Processed: true}},
		{"refused, then lost", []string{"E ssh: connect to host h port 22: Connection refused", "E curl: (52) Empty reply from server"},
			Diagnosis{Failure: failed(lost, "network/curl")}},
		{"served, then refused", []string{"O HTTP/1.1 200 OK\r", "O \r", "E ssh: connect to host h port 22: Connection refused"},
			Diagnosis{HTTP: 200, Shown: true, Failure: refusal, Processed: true}},
		{"429, then refused", []string{"O HTTP/1.1 429 x\r", "O \r", "E ssh: connect to host h port 22: Connection refused"},
			Diagnosis{HTTP: 429, Shown: true, Failure: refusal}},

		// Patterns of the user.
		{"a pattern", []string{"O wait 12"}, Diagnosis{Asked: true, Hint: 12 * time.Second}},
		{"with a carriage return", []string{"O wait 12\r"}, Diagnosis{Asked: true, Hint: 12 * time.Second}},
		{"in a progress bar", []string{"O 50%\rwait 12\rwait 11\r"}, Diagnosis{Asked: true, Hint: 11 * time.Second}},
		{"elsewhere in a line", []string{"O please wait 12", "O wait 12 s"}, Diagnosis{}},
		{"no time", []string{"O wait here"}, Diagnosis{Ignored: errNoHint}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := diagnose(everything(), test.lines...)
			if got.Failure.HTTP != 0 {
				got.Failure.Rule = "http/response"
			}
			if got != test.want {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
			// The result doesn't depend on which stream is read first.
			slices.SortStableFunc(test.lines, func(a, b string) int { return int(b[0]) - int(a[0]) })
			if turned := diagnose(everything(), test.lines...); turned.Failure.Category != got.Failure.Category || turned.Hint != got.Hint || turned.Processed != got.Processed {
				t.Errorf("read in another order, it is %+v, not %+v", turned, got)
			}
		})
	}
}

func failed(m meaning, rule string) Failure {
	f, _ := m.failure(0)
	f.Rule = rule
	return f
}

// Only the selected diagnostics are reported.
func TestDiagnosisOfLess(t *testing.T) {
	lines := []string{"O HTTP/1.1 503 x\r", "O Retry-After: 5\r", "O \r", "O wait 7", "E curl: (6) Could not resolve host: x"}
	failure, _ := HTTPFailure(503)
	response := Diagnosis{HTTP: 503, Shown: true, Failure: failure}
	asked := response
	asked.Asked, asked.Hint = true, 5*time.Second
	own := response
	own.Asked, own.Hint = true, 7*time.Second
	unresolved := Diagnosis{HTTP: 503, Shown: true, Failure: failed(resolution, "network/curl"), Processed: true}
	for _, test := range []struct {
		what Diagnostics
		want Diagnosis
	}{
		{Diagnostics{RetryAfter: true}, asked},
		{Diagnostics{Hints: everything().Hints}, own},
		{Diagnostics{Failures: true, Unsent: true}, unresolved},
	} {
		if test.what.Nothing() {
			t.Errorf("%+v is nothing", test.what)
		}
		if got := diagnose(test.what, lines...); got != test.want {
			t.Errorf("%+v: got %+v, want %+v", test.what, got, test.want)
		}
	}
	if !(Diagnostics{}).Nothing() {
		t.Error("nothing is something")
	}
}

// A pattern whose first group doesn't match gives no hint. \A and \z match at the ends of a line.
func TestOddPatterns(t *testing.T) {
	for _, test := range []struct {
		pattern string
		line    string
		want    Diagnosis
	}{
		{`(?:in (\d+)|later)`, "O try later", Diagnosis{Ignored: errNoHint}},
		{`\Await (\d+)\z`, "O wait 3", Diagnosis{Asked: true, Hint: 3 * time.Second}},
		{`\Await (\d+)\z`, "O 1%\rwait 3\r", Diagnosis{Asked: true, Hint: 3 * time.Second}},
		{`^^wait\b (\d+)\b$$`, "O 1%\rwait 3\r", Diagnosis{Asked: true, Hint: 3 * time.Second}},
		{`()`, "O anything", Diagnosis{Ignored: errNoHint}},
	} {
		d := Diagnostics{Hints: []*regexp.Regexp{regexp.MustCompile(`never (\d)`), regexp.MustCompile("(?m)" + test.pattern)}}
		if got := diagnose(d, "O first", test.line); got != test.want {
			t.Errorf("%q: got %+v, want %+v", test.pattern, got, test.want)
		}
	}
}

// Tools say in many ways how long to wait.
func TestSpokenHints(t *testing.T) {
	for line, want := range map[string]time.Duration{
		"Retry-After: 2 minutes":                                   2 * time.Minute,
		"retry-after: 5 hours":                                     5 * time.Hour,
		"'Retry-After': '1'":                                       time.Second,
		`{"retry-after": "30"}`:                                    30 * time.Second,
		"Got a Retry-After 1s response for attempt 1":              time.Second,
		"\x1b[33mRetry-After\x1b[0m: 9":                            9 * time.Second,
		"You have hit the limit, please try again in 4hr 29min.":   4*time.Hour + 29*time.Minute,
		"Rate limit reached. Please try again in 1m30.5s. Visit x": 90500 * time.Millisecond,
		"limit reached; resets 8pm (America/New_York)":             15 * time.Hour,
		"limit resets at 11:30 UTC":                                90 * time.Minute,
		"please wait 5 minutes before you try":                     5 * time.Minute,
		"Too many logins. Retry after 30 seconds":                  30 * time.Second,
		"limit reached, try again after 8pm (America/New_York)":    15 * time.Hour,
		"The limit resets at 5:30 (Asia/Kolkata)":                  14 * time.Hour,
		"the quota is reset at 11:30:15 (gmt)":                     90*time.Minute + 15*time.Second,
		"resets 10am":                                              24 * time.Hour, // it is 10 now
		"resets 8pm (Nowhere)":                                     0,
		"try again in 10:30":                                       0,
		"will retry in 10 seconds, else please wait 5 minutes":     5 * time.Minute,
		"no X-Retry-After: 5, but Retry-After: 7":                  7 * time.Second,
		"retry-after-ms: 1500 retry-after=2":                       2 * time.Second,
		"NoRetry-After: 5":                                         0,
		"SARetry-After: 5":                                         0,
		"NZRetry-After: 5":                                         0,
		"X-Retry-After: 5":                                         0,
		"Retry-After5":                                             0,
		"there was no Retry-After ":                                0,
		"the Retry-After header was missing, as in 5":              0,
		"will retry in 10 milliseconds":                            0,
		"try again in a while":                                     0,
		"try again in 5":                                           0, // of what?
	} {
		got := diagnose(everything(), "E "+line)
		if got.Hint != want || got.Asked != (want > 0) || got.Ignored != nil {
			t.Errorf("%q: %v, %v, %v, want %v", line, got.Hint, got.Asked, got.Ignored, want)
		}
	}
}

// Reset forgets the previous attempt.
func TestDiagnoserReset(t *testing.T) {
	d := &Diagnoser{Diagnostics: everything()}
	d.Write(0, []byte("HTTP/1.1 503 x\r\nRetry-"))
	d.Write(1, []byte("curl: (22) The requested URL returned error: 404"))
	d.Reset()
	if got := d.Diagnosis(hintNow); got != (Diagnosis{}) {
		t.Errorf("after a reset: %+v", got)
	}
}

// A failure counts within the last 300 lines, and a permanent one within the last 120.
func TestDistance(t *testing.T) {
	for _, test := range []struct {
		line  string
		after int // lines
		want  string
	}{
		{"connect: Connection refused", 299, "connection refused"},
		{"connect: Connection refused", 300, ""},
		{"HTTP error 404", 120, "HTTP 404"},
		{"HTTP error 404", 121, ""},
		{"it does not exist", 12, "not found"}, // may be the consequence of something else
		{"it does not exist", 13, ""},
		{"warning: HTTP error 404", 2, "HTTP 404"},
		{"warning: HTTP error 404", 3, ""},
		{"warning: HTTP error 503", 3, "HTTP 503"},
	} {
		got := diagnose(Diagnostics{Failures: true}, append([]string{"E " + test.line}, slices.Repeat([]string{"E x"}, test.after)...)...)
		if got.Failure.Category != test.want {
			t.Errorf("%q and %d lines after it: %+v, want %q", test.line, test.after, got.Failure, test.want)
		}
	}
}

// A cause takes precedence over a possible consequence, unless that is more than 40 lines further on.
func TestConsequences(t *testing.T) {
	for _, test := range []struct {
		first   string
		between int // lines
		second  string
		after   int // lines
		want    string
	}{
		{"root@h: Permission denied (publickey).", 39, "connection unexpectedly closed", 30, "bad credentials"},
		{"root@h: Permission denied (publickey).", 40, "connection unexpectedly closed", 0, "connection lost"},
		{"Failed downloading http://x/m", 39, "Error: no results matching query were found", 0, "network trouble"},
		{"Failed downloading http://x/m", 30, "Error: no results matching query were found", 10, "network trouble"},
		{"Failed downloading http://x/m", 40, "Error: no results matching query were found", 0, "not found"},
		{"access denied", 0, "it does not exist", 0, "not found"},                              // the last of two that may be consequences
		{"fatal: repository 'x' not found; curl: (3) x", 0, "x", 0, "not found"},               // a cause that is permanent as well changes nothing
		{"connect: Connection refused", 0, "HTTP error 404", 121, "connection refused"},        // the last is too far from the end
		{strings.Repeat("x", 142) + " could not resolve", 0, " host: x", 0, "name resolution"}, // a line of 160 bytes,
		{strings.Repeat("x", 143) + " could not resolve", 0, " host: x", 0, ""},
	} {
		x := []string{"E x"}
		got := diagnose(Diagnostics{Failures: true}, join([]string{"E " + test.first}, slices.Repeat(x, test.between),
			[]string{"E " + test.second}, slices.Repeat(x, test.after))...)
		if got.Failure.Category != test.want {
			t.Errorf("%+v: %+v", test, got.Failure)
		}
	}
}

// A failure that a script tolerates doesn't end retrying: another, unrecognised failure follows that is not its
// consequence.
func TestScript(t *testing.T) {
	for _, test := range []struct {
		after     string // the permanent failure "error: HTTP error 404"
		tolerated bool
	}{
		{"all is well", false},
		{"error: something else", false},
		{"fatal: something else", true},
		{"error: something\nfatal: something else", true},
		{"all is well\nfatal: something else", true},
		{"make: *** [all] Error 1", false},
		{"fatal: the command failed", false},
		{"fatal: HTTP error 403", false},
		{"the 15th byte: error: something", true},
		{"the 16th byte : error: something", false},
	} {
		for _, script := range []bool{false, true} {
			text := "E error: HTTP error 404\n" + test.after
			got := diagnose(Diagnostics{Failures: true, Script: script}, text).Failure
			if (got.Category == "") != (script && test.tolerated) {
				t.Errorf("%q, script %v: %+v", text, script, got)
			}
		}
	}
}

// The diagnosis doesn't depend on the size of the blocks in which output arrives.
func TestBlocks(t *testing.T) {
	line := strings.Repeat("x", 999) + "\n"
	for name, test := range map[string]struct {
		text      string
		category  string
		processed bool
	}{
		"all of it":            {"connect: Connection refused\n" + strings.Repeat(line, 65), "connection refused", false},
		"exactly what is read": {"connect: Connection refused\n" + strings.Repeat("x", tailLength-28), "connection refused", false},
		"more than is read":    {"connect: Connection refused\n" + strings.Repeat(line, 100), "", true},
		"far more":             {strings.Repeat(line, 200) + "connect: Connection refused\n", "connection refused", true},
		"a response alone":     {"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\n\r\n", "HTTP 503", false},
		"a late response":      {strings.Repeat(line, 100) + "HTTP/1.1 503 x\r\n\r\nconnect: Connection refused\n", "connection refused", true},
		"a response":           {strings.Repeat(line, 70) + "HTTP/1.1 503 x\r\n\r\n" + strings.Repeat(line, 70), "HTTP 503", true},
	} {
		for _, size := range []int{1, 1000, 40_000, tailLength, 2 * tailLength, len(test.text)} {
			d := &Diagnoser{Diagnostics: everything()}
			for block := range slices.Chunk([]byte(test.text), size) {
				d.Write(1, block)
			}
			if got := d.Diagnosis(hintNow); got.Failure.Category != test.category || got.Processed != test.processed {
				t.Errorf("%s, in blocks of %d: %+v", name, size, got)
			}
		}
	}
}

// The evidence is the line that reports the failure.
func TestEvidence(t *testing.T) {
	for text, want := range map[string]Evidence{
		"O hello": {},
		"O HTTP/1.1 503 Service Unavailable\r\nServer: x\r\n\r\nbody":  {0, "HTTP/1.1 503 Service Unavailable"},
		"E < HTTP/2 503 \r\n< Server: x\r\n< \r\n":                     {1, "HTTP/2 503"},
		"O HTTP/1.1 403 x\r\n\r\nSorry,\nAPI rate limit exceeded\nBye": {0, "api rate limit exceeded"},
		"E one\nconnect: \x1b[1mConnection refused\x1b[0m\ntwo":        {1, "connect: connection refused"},
	} {
		d := &Diagnoser{Diagnostics: everything()}
		d.Write(strings.IndexByte("OE", text[0]), []byte(text[2:]))
		if got := d.Diagnosis(hintNow).Evidence; got != want {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
	}
}

// A response is the last thing in the output if only its body follows.
func TestLastResponse(t *testing.T) {
	const head, sized = "HTTP/1.1 404 x\r\nServer: y\r\n\r\n", "HTTP/1.1 404 x\r\nContent-Length: 5\r\n\r\n"
	for _, test := range []struct {
		stdout, stderr string
		want           bool
	}{
		{head, "", true},
		{head, "\n \n", true},
		{head, "x\n", false},
		{head + "body", "", false},
		{head[:len(head)-2], "", true}, // no end of the head
		{sized + "hello", "", true},
		{strings.Replace(sized, "5", "0", 1) + "\n", "", true},
		{sized + "hello\n", "", true}, // echoed by a shell
		{sized + "hello\n\n", "", false},
		{sized + "hell", "", true}, // cut short
		{"text\n" + head, "", true},
		{"\n", head, true},
		{"text\n", head, false},
		{"text\n", "", false},
	} {
		for _, size := range []int{1, 1000} {
			d := &Diagnoser{Diagnostics: everything()}
			for i, text := range []string{test.stdout, test.stderr} {
				for block := range slices.Chunk([]byte(text), size) {
					d.Write(i, block)
				}
			}
			if got := d.Diagnosis(hintNow).Last; got != test.want {
				t.Errorf("%q and %q, in blocks of %d: %v", test.stdout, test.stderr, size, got)
			}
		}
	}
}

// Only the end of a long stream and the head of the last response are kept.
func TestLongStream(t *testing.T) {
	d := &Diagnoser{Diagnostics: everything()}
	long := []byte(strings.Repeat(strings.Repeat("x", 200)+"\n", 1000))
	d.Write(0, []byte("HTTP/1.1 429 x\r\nRetry-After: 3\r\n\r\n"))
	d.Write(1, []byte("connect: Connection refused\n"))
	for range 10 {
		d.Write(0, long)
		d.Write(1, long)
	}
	got := d.Diagnosis(hintNow)
	if got.HTTP != 429 || got.Hint != 3*time.Second || got.Failure.HTTP != 429 || !got.Processed {
		t.Errorf("got %+v", got)
	}
	for range 1000 { // a line without end
		d.Write(0, long[:100])
	}
	d.Write(1, append([]byte("HTTP/1.1 503 x\r\n"), bytes.Repeat([]byte("X: y\r\n"), 20_000)...)) // a head without end
	for i := range d.streams {
		if n := cap(d.streams[i].tail) + cap(d.streams[i].line) + cap(d.streams[i].response.head); n > 4*tailLength {
			t.Errorf("stream %d keeps %d bytes", i, n)
		}
	}
}

// Output in any pieces gives the same diagnosis, without a negative hint or a panic.
func FuzzDiagnosis(f *testing.F) {
	f.Add("HTTP/1.1 503 x\r\nRetry-After: 5\r\n\r\nbody\n", "curl: (22) The requested URL returned error: 503\n", uint8(0x55))
	f.Add("HTTP/1.1 100 x\r\n\r\nHTTP/1.1 301 x\n\nHTTP/2 429\nretry-after: Sat, 21 Nov 2026 10:02:00 GMT\n", "< HTTP/2 401\r\n< \r\n", uint8(3))
	f.Add("10%\r 20%\rwait 3\r\n\r\r\n", "  HTTP/1.1 502 x\n  Retry-After: -3\ntoomanyrequests: retry-after: 985.86µs, x\n", uint8(0xf0))
	f.Add("\x1b[", "\x1b]0;x\nx://\nHTTP/", uint8(9))
	f.Fuzz(func(t *testing.T, stdout, stderr string, size uint8) {
		whole, pieces := &Diagnoser{Diagnostics: everything()}, &Diagnoser{Diagnostics: everything()}
		for i, text := range []string{stdout, stderr} {
			whole.Write(i, []byte(text))
			for len(text) > 0 {
				n := min(len(text), int(size)+1)
				pieces.Write(i, []byte(text[:n]))
				text = text[n:]
			}
		}
		one, many := whole.Diagnosis(hintNow), pieces.Diagnosis(hintNow)
		if one != many {
			t.Errorf("%+v of the whole and %+v of pieces of %d", one, many, int(size)+1)
		}
		if one.Hint < 0 || one.HTTP < 0 || one.HTTP > 999 || one.Hint > 0 && !one.Asked {
			t.Errorf("got %+v", one)
		}
	})
}

// The text that --explain prints.
func TestExplanationString(t *testing.T) {
	for log, want := range map[string]string{
		"all is well\n": "verdict: retry, because no failure was recognised\n",
		"HTTP error 404\nHTTP error 404, again\n": "verdict: stop: HTTP 404, by http/status\n" +
			"line 2: HTTP 404, by http/status, which decided\n    HTTP error 404, again\n" +
			"line 1: HTTP 404, by http/status\n    HTTP error 404\n",
		"HTTP error 429\ntry again in 2 minutes\n": "verdict: retry: HTTP 429, by http/status\nthe server asked for 2m\n" +
			"line 1: HTTP 429, by http/status, which decided\n    HTTP error 429\n" +
			"line 2: server trouble, by word/temporary, which counts only if no line reports a cause\n    try again in 2 minutes\n",
		"\t\x1b[1mHTTP error\x7f\a 404 ~\n": "verdict: stop: HTTP 404, by http/status\n" +
			"line 1: HTTP 404, by http/status, which decided\n    HTTP error 404 ~\n",
		"HTTP error 404" + strings.Repeat(".", 186): "verdict: stop: HTTP 404, by http/status\n" +
			"line 1: HTTP 404, by http/status, which decided\n    HTTP error 404" + strings.Repeat(".", 186) + "\n",
		"HTTP error 404" + strings.Repeat(".", 187): "verdict: stop: HTTP 404, by http/status\n" +
			"line 1: HTTP 404, by http/status, which decided\n    HTTP error 404" + strings.Repeat(".", 186) + "...\n",
	} {
		if got := Explain([]byte(log)).String(); got != want {
			t.Errorf("%q is explained by\n%s\nwant\n%s", log, got, want)
		}
	}
}

// An explanation lists the lines that report a failure, causes first.
func TestExplain(t *testing.T) {
	e := Explain([]byte("one\nconnect: Connection refused\ncurl: (22) The requested URL returned error: 404\r\nrsync: connection unexpectedly closed\n"))
	if e.Verdict.Decision != Stop || len(e.Lines) != 3 {
		t.Fatalf("%+v", e)
	}
	for i, want := range []ExplainedLine{
		{Number: 3, Text: "curl: (22) The requested URL returned error: 404", Decided: true},
		{Number: 2, Text: "connect: Connection refused"},
		{Number: 4, Text: "rsync: connection unexpectedly closed", Weak: true},
	} {
		got := e.Lines[i]
		got.Failure = Failure{}
		if got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	long := Explain([]byte(strings.Repeat("x\n", tailLength) + "connect: Connection refused\n"))
	if len(long.Lines) != 1 || long.Lines[0].Number != tailLength+1 {
		t.Errorf("%+v", long.Lines)
	}
}
