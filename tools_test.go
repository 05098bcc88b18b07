//go:build unix

package main

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// reply is the test server's response to one request. Status 0 drops the connection.
type reply struct {
	status  int
	headers []string // name, value, ...
	body    string
}

// serve starts a server that sends the replies in turn, and repeats the last one.
func serve(t *testing.T, replies ...reply) *httptest.Server {
	t.Helper()
	var mu sync.Mutex
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		now := replies[0]
		if len(replies) > 1 {
			replies = replies[1:]
		}
		mu.Unlock()
		if now.status == 0 {
			connection, _, err := w.(http.Hijacker).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			connection.Close()
			return
		}
		for i := 0; i < len(now.headers); i += 2 {
			w.Header().Set(now.headers[i], now.headers[i+1])
		}
		w.WriteHeader(now.status)
		io.WriteString(w, now.body)
	}))
	t.Cleanup(server.Close)
	return server
}

// against runs retry with a tool of the system, without a proxy and the user's settings. It returns the exit status, standard
// output, and retry's own lines.
func against(t *testing.T, words ...string) (status int, stdout string, lines []string) {
	t.Helper()
	var out, all bytes.Buffer
	c := command(t, words...)
	home := t.TempDir()
	write(t, home+"/wgetrc", "", 0o600)
	c.Env = append(os.Environ(), "NO_PROXY=*", "no_proxy=*", "HOME="+home, "CURL_HOME="+home, "LC_ALL=C",
		"WGETRC="+home+"/wgetrc", "GIT_CONFIG_NOSYSTEM=1", "XDG_STATE_HOME="+home)
	c.Stdout, c.Stderr = &out, &all
	var exit *exec.ExitError
	if err := c.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	for line := range strings.Lines(all.String()) {
		if strings.HasPrefix(line, "retry: ") {
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
	}
	if len(lines) == 0 {
		t.Logf("standard error is\n%s", all.String())
	}
	return c.ProcessState.ExitCode(), out.String(), lines
}

// checkLines compares retry's lines; T stands for a duration.
func checkLines(t *testing.T, got []string, want ...string) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("retry's lines are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		return
	}
	for i, line := range got {
		if !lineMatches("retry: "+want[i], line) {
			t.Errorf("got  %s\nwant retry: %s", line, want[i])
		}
	}
}

func need(t *testing.T, tool string) {
	t.Helper()
	if _, err := exec.LookPath(tool); err != nil {
		t.Skip(tool + " is not installed")
	}
}

// slept reads the sleep in a line, which must be within the bounds.
func slept(t *testing.T, line string, least, most time.Duration) {
	t.Helper()
	found := announced.FindStringSubmatch(line)
	if found == nil {
		t.Errorf("no sleep in %q", line)
		return
	}
	d, err := time.ParseDuration(found[1])
	if err != nil || d < least || d > most {
		t.Errorf("slept %v, %v, want %v to %v: %s", d, err, least, most, line)
	}
}

// The most common case: curl and a server that fails in three ways before it answers.
func TestCurl(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("curl is not installed, so the main job is not tested")
	}
	var requests atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		switch requests.Add(1) {
		case 1:
			w.WriteHeader(http.StatusServiceUnavailable)
		case 2:
			connection, _, err := w.(http.Hijacker).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			connection.Close()
		case 3:
			w.WriteHeader(http.StatusTooManyRequests)
		default:
			io.WriteString(w, "the answer\n")
		}
	}))
	defer server.Close()
	var stdout, stderr bytes.Buffer
	c := command(t, "--base", "10ms", "--jitter", "none", "--max-attempts", "8", "--", "curl", "-fsS", server.URL)
	// Neither a proxy nor the user's own curl options must have an effect.
	c.Env = append(os.Environ(), "NO_PROXY=*", "no_proxy=*", "HOME="+t.TempDir(), "CURL_HOME="+t.TempDir())
	c.Stdout, c.Stderr = &stdout, &stderr
	if err := c.Run(); err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	if stdout.String() != "the answer\n" {
		t.Errorf("standard output is %q", stdout.String())
	}
	want := []string{
		"retry: curl: attempt 1/8 failed: exit status 22 after T; sleeping 10ms",
		"retry: curl: attempt 2/8 failed: exit status 52 after T; sleeping 20ms",
		"retry: curl: attempt 3/8 failed: exit status 22 after T; sleeping 40ms",
		"retry: curl: succeeded on attempt 4 after T",
	}
	var got []string
	for line := range strings.Lines(stderr.String()) {
		if strings.HasPrefix(line, "retry: ") {
			// Whether curl calls a dropped connection empty or broken depends on timing.
			got = append(got, strings.Replace(strings.TrimSuffix(line, "\n"), "exit status 56", "exit status 52", 1))
		}
	}
	if !slices.EqualFunc(want, got, lineMatches) {
		t.Errorf("retry's lines are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// Every form in which curl and wget show Retry-After.
func TestRetryAfterOfRealTools(t *testing.T) {
	t.Parallel()
	date := func(d time.Duration) string { return time.Now().Add(d).UTC().Format(http.TimeFormat) }
	for name, words := range map[string][]string{
		"curl -i":    {"curl", "-sSif"},
		"curl -v":    {"curl", "-sfv"},
		"curl -D":    {"curl", "-sSf", "-D", "/dev/stderr"},
		"wget -S":    {"wget", "-S", "-O", "-", "--tries=1"},
		"wget -nv":   {"wget", "-nv", "-S", "-O", "-", "--tries=1"},
		"curl no -f": {"curl", "-si"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			need(t, words[0])
			server := serve(t,
				reply{status: 503, headers: []string{"Retry-After", "1"}},
				reply{status: 429, headers: []string{"retry-after", date(3 * time.Second)}},
				reply{status: 503},
				reply{status: 200, body: "the answer\n"})
			line := append([]string{"--transient", "--delay", "1ms", "--"}, words...)
			status, stdout, lines := against(t, append(line, server.URL)...)
			if status != 0 || !strings.HasSuffix(stdout, "the answer\n") || len(lines) != 4 {
				t.Fatalf("status %d, %q\n%s", status, stdout, strings.Join(lines, "\n"))
			}
			slept(t, lines[0], time.Second, 1100*time.Millisecond)
			slept(t, lines[1], 500*time.Millisecond, 3300*time.Millisecond)
			slept(t, lines[2], time.Millisecond, time.Millisecond)
			for i, want := range []string{" (HTTP 503, transient)", " (HTTP 429, transient)", " (HTTP 503, transient)"} {
				if !strings.Contains(lines[i], want) {
					t.Errorf("%q lacks %q", lines[i], want)
				}
			}
			if !strings.HasSuffix(lines[0], ", the server asked for 1s") {
				t.Errorf("%q does not name the hint", lines[0])
			}
		})
	}
}

// A permanent failure ends retrying at once, however the tool reports it.
func TestPermanentFailuresOfRealTools(t *testing.T) {
	t.Parallel()
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(secure.Close)
	notFound := serve(t, reply{status: 404}).URL
	forbidden := serve(t, reply{status: 403}).URL
	unimplemented := serve(t, reply{status: 501}).URL
	for _, test := range []struct {
		words  []string
		status int
		reason string
	}{
		{[]string{"curl", "-fsS", notFound}, 22, "HTTP 404"},
		{[]string{"curl", "-fsS", unimplemented}, 22, "HTTP 501"},
		{[]string{"curl", "-si", notFound}, 1, "HTTP 404"},
		{[]string{"curl", "-sv", forbidden}, 1, "HTTP 403"},
		{[]string{"wget", "-O", "-", notFound}, 8, "HTTP 404"},
		{[]string{"wget", "-nv", "-O", "-", notFound}, 8, "HTTP 404"},
		{[]string{"curl", "-s", "https://" + secure.Listener.Addr().String()}, 60, "bad certificate"},
		{[]string{"curl", "-sS", "no-such-scheme://x"}, 1, "unsupported protocol"},
		{[]string{"curl", "-sS", "http://x:99999"}, 3, "bad URL"},
		{[]string{"wget", "-O", "-", "https://" + secure.Listener.Addr().String()}, 5, "bad certificate"},
	} {
		t.Run(strings.Join(test.words[:len(test.words)-1], " ")+" "+test.reason, func(t *testing.T) {
			t.Parallel()
			need(t, test.words[0])
			status, _, lines := against(t, append([]string{"--transient", "-n", "2", "--delay", "0", "--"}, test.words...)...)
			if status != test.status || len(lines) != 1 ||
				!strings.HasPrefix(lines[0], "retry: "+test.words[0]+": not retrying: ") ||
				!strings.HasSuffix(lines[0], " ("+test.reason+", permanent)") {
				t.Errorf("status %d, want %d and %s\n%s", status, test.status, test.reason, strings.Join(lines, "\n"))
			}
		})
	}
}

// A failure on the way to the server is worth another attempt.
func TestTransientFailuresOfRealTools(t *testing.T) {
	t.Parallel()
	closed := httptest.NewServer(http.NotFoundHandler())
	refused := closed.URL
	closed.Close()
	dropped := serve(t, reply{status: 0}).URL
	for _, test := range []struct {
		words  []string
		reason string
		unsent bool
	}{
		{[]string{"curl", "-sS", "http://no-such-host.invalid"}, "name resolution", true},
		{[]string{"curl", "-s", "http://no-such-host.invalid"}, "name resolution", true},
		{[]string{"wget", "-O", "-", "--tries=1", "http://no-such-host.invalid"}, "name resolution", true},
		{[]string{"curl", "-sS", refused}, "", true},
		{[]string{"wget", "-O", "-", "--tries=1", refused}, "connection refused", true},
		{[]string{"git", "ls-remote", refused}, "", true},
		{[]string{"curl", "-sS", dropped}, "connection lost", false},
		{[]string{"wget", "-O", "-", "--tries=1", dropped}, "", false},
	} {
		t.Run(strings.Join(test.words[:len(test.words)-1], " ")+" "+test.reason, func(t *testing.T) {
			t.Parallel()
			need(t, test.words[0])
			_, _, lines := against(t, append([]string{"--transient", "-n", "2", "--delay", "0", "--"}, test.words...)...)
			if len(lines) != 2 || !strings.Contains(lines[0], test.reason+", transient)") {
				t.Errorf("retry's lines are\n%s", strings.Join(lines, "\n"))
			}
			_, _, lines = against(t, append([]string{"--transient=unsent", "-n", "2", "--delay", "0", "--"}, test.words...)...)
			if again := len(lines) == 2; again != test.unsent {
				t.Errorf("with --transient=unsent, retry's lines are\n%s", strings.Join(lines, "\n"))
			}
		})
	}
}

// --transient=unsent retries 429 and a 503 with Retry-After, and no other response.
func TestUnsent(t *testing.T) {
	t.Parallel()
	need(t, "curl")
	for _, test := range []struct {
		reply reply
		again bool
	}{
		{reply{status: 503}, false},
		{reply{status: 503, headers: []string{"Retry-After", "0"}}, true},
		{reply{status: 429}, true},
		{reply{status: 500, headers: []string{"Retry-After", "0"}}, false},
	} {
		server := serve(t, test.reply, reply{status: 200})
		status, _, lines := against(t, "--transient=unsent", "--delay", "0", "--", "curl", "-si", server.URL)
		if again := status == 0; again != test.again {
			t.Errorf("%+v: status %d\n%s", test.reply, status, strings.Join(lines, "\n"))
		}
		if !test.again && !strings.HasSuffix(lines[0], ", which may have been processed") {
			t.Errorf("%+v: %s", test.reply, lines[0])
		}
	}
}

// The last response of a chain counts, not the first; a page that shows a response is not a response.
func TestLastResponseCounts(t *testing.T) {
	t.Parallel()
	need(t, "curl")
	page := reply{status: 200, body: "an example:\nHTTP/1.1 404 Not Found\nRetry-After: 7200\n"}
	server := serve(t, reply{status: 301, headers: []string{"Location", "/there", "Retry-After", "7200"}}, page)
	status, _, lines := against(t, "--transient", "--", "curl", "-siL", server.URL)
	if status != 0 || len(lines) != 0 {
		t.Errorf("status %d, %q", status, lines)
	}
	server = serve(t, page)
	if status, _, lines = against(t, "--transient", "--", "curl", "-s", server.URL); status != 0 || len(lines) != 0 {
		t.Errorf("status %d, %q", status, lines)
	}
	server = serve(t, reply{status: 302, headers: []string{"Location", "/there"}}, reply{status: 503}, reply{status: 200})
	status, _, lines = against(t, "--transient", "--delay", "0", "--", "curl", "-siL", server.URL)
	if status != 0 {
		t.Errorf("status %d", status)
	}
	checkLines(t, lines, "curl: attempt 1/10 failed: exit status 0 (HTTP 503, transient) after T; sleeping 0s",
		"curl: succeeded on attempt 2 after T")
}

// The user's own rules take precedence, and http: rules work without --transient.
func TestHTTPRules(t *testing.T) {
	t.Parallel()
	need(t, "curl")
	status, _, lines := against(t, "--transient", "--stop-if", "http:503", "--", "curl", "-fsSi", serve(t, reply{status: 503}).URL)
	checkLines(t, lines, "curl: not retrying: exit status 22 matches --stop-if http:503")
	if status != 22 {
		t.Errorf("status %d", status)
	}
	server := serve(t, reply{status: 404}, reply{status: 500}, reply{status: 200})
	status, _, lines = against(t, "--transient", "--retry-if", "http:404", "--delay", "0", "--", "curl", "-fsSi", server.URL)
	if status != 0 || len(lines) != 3 {
		t.Errorf("status %d\n%s", status, strings.Join(lines, "\n"))
	}
	server = serve(t, reply{status: 429}, reply{status: 404})
	status, _, lines = against(t, "--retry-if", "http:429,5xx", "--delay", "0", "--", "curl", "-fsSi", server.URL)
	checkLines(t, lines, "curl: attempt 1/10 failed: exit status 22 after T; sleeping 0s",
		"curl: not retrying: exit status 22 matches no --retry-if rule")
	if status != 22 {
		t.Errorf("status %d", status)
	}
	server = serve(t, reply{status: 503}, reply{status: 200})
	status, _, lines = against(t, "--fail-if", "http:400-599", "--delay", "0", "--", "curl", "-si", server.URL)
	checkLines(t, lines, "curl: attempt 1/10 failed: exit status 0 matches --fail-if http:400-599 after T; sleeping 0s",
		"curl: succeeded on attempt 2 after T")
	if status != 0 {
		t.Errorf("status %d", status)
	}
}

// Google Cloud: 429 and 5xx, min(2^n + up to 1s at random, 32 or 64s). AWS: the same failures, full jitter.
func TestGuidance(t *testing.T) {
	t.Parallel()
	need(t, "curl")
	failing := func() string {
		return serve(t, reply{status: 429}, reply{status: 500}, reply{status: 503}, reply{status: 200, body: "ok\n"}).URL
	}
	// The base is a hundredth of what the guidance says, and so is the added time.
	google := []string{"--retry-if", "http:429,5xx", "--base", "10ms", "--throttle-base", "10ms", "--cap", "320ms", "--jitter", "additive=10ms"}
	status, _, lines := against(t, append(google, "--", "curl", "-fsSi", failing())...)
	if status != 0 || len(lines) != 4 {
		t.Fatalf("status %d\n%s", status, strings.Join(lines, "\n"))
	}
	for i, nominal := range []time.Duration{10, 20, 40} {
		slept(t, lines[i], nominal*time.Millisecond, (nominal+10)*time.Millisecond)
	}
	aws := []string{"--transient", "--base", "10ms", "--throttle-base", "10ms", "--cap", "200ms", "--jitter", "full"}
	status, _, lines = against(t, append(aws, "--", "curl", "-fsSi", failing())...)
	if status != 0 || len(lines) != 4 {
		t.Fatalf("status %d\n%s", status, strings.Join(lines, "\n"))
	}
	for i, nominal := range []time.Duration{10, 20, 40} {
		slept(t, lines[i], 0, nominal*time.Millisecond)
	}
	status, _, lines = against(t, append(google, "--", "curl", "-fsSi", serve(t, reply{status: 404}).URL)...)
	if status != 22 || len(lines) != 1 {
		t.Errorf("a 404: status %d\n%s", status, strings.Join(lines, "\n"))
	}
}

// A call that is asked to wait holds back the others with the same budget. The budget and the processes are real.
func TestBudgetIsShared(t *testing.T) {
	t.Parallel()
	need(t, "curl")
	state := t.TempDir()
	run := func(words ...string) string {
		c := command(t, words...)
		c.Env = append(os.Environ(), "XDG_STATE_HOME="+state, "NO_PROXY=*")
		out, _ := c.CombinedOutput()
		return string(out)
	}
	server := serve(t, reply{status: 503, headers: []string{"Retry-After", "2"}})
	run("--retry-after", "--budget", "ci", "-n", "1", "--", "curl", "-fsSi", server.URL)
	if out := run("--budget", "ci"); out != "ci: 10.0 of 10 tokens\n" {
		t.Errorf("the last attempt of a call has no retry to hold back: %q", out)
	}
	run("--retry-after", "--retry-after-max", "1s", "--budget", "ci", "--", "curl", "-fsSi", server.URL)
	out := run("-n", "2", "--delay", "0", "--budget", "ci", "--", "false")
	if !strings.Contains(out, ", the server asked another call for ") {
		t.Errorf("not held back: %s", out)
	}
	// Ten parallel calls have nine tokens left, and make exactly nine retries.
	var calls sync.WaitGroup
	retries := make(chan int, 10)
	for range 10 {
		calls.Go(func() {
			retries <- strings.Count(run("-n", "5", "--delay", "0", "--budget", "ci:refill=0", "--", "false"), "; sleeping ")
		})
	}
	calls.Wait()
	sum := 0
	for range 10 {
		sum += <-retries
	}
	if sum != 9 {
		t.Errorf("%d retries of 9 tokens", sum)
	}
	if out := run("-n", "5", "--delay", "0", "--budget", "ci:refill=0", "--", "sh", "-c", "exit 7"); !strings.Contains(out,
		"giving up after 1 attempt in ") || !strings.Contains(out, ": the retry budget ci is used up: exit status 7\n") {
		t.Errorf("said %q", out)
	}
}
