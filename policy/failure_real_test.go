package policy_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"retry/policy"
)

// These tests run the installed curl, wget and git, to notice when a version changes its messages.
// Each case is a URL and the categories for the output and the exit status; "" for none.
type realCase struct{ name, url, line, status string }

func TestRealCurl(t *testing.T) {
	t.Parallel()
	servers := startServers(t)
	for _, c := range []realCase{
		{"404", servers.http + "/404", "HTTP 404", ""},
		{"401", servers.http + "/401", "HTTP 401", ""},
		{"429", servers.http + "/429", "HTTP 429", ""},
		{"503", servers.http + "/503", "HTTP 503", ""},
		{"cut", servers.http + "/cut", "connection lost", "connection lost"},
		{"nothing", servers.http + "/nothing", "connection lost", "connection lost"},
		{"reset", servers.http + "/reset", "connection lost", "connection lost"},
		{"hangs", servers.http + "/hangs", "time-out", "time-out"},
		{"closed port", "http://" + servers.closed + "/", "no connection", "no connection"},
		{"no name", "http://x.invalid/", "name resolution", "name resolution"},
		{"bad certificate", servers.https, "bad certificate", "bad certificate"},
		{"no TLS", servers.noTLS, "no common TLS", "TLS handshake"},
		{"no such protocol", "foo://x/", "unsupported protocol", "unsupported protocol"},
		{"bad URL", "http://[::1/", "bad URL", "bad URL"},
	} {
		c.run(t, "curl", "-q", "-fsS", "--noproxy", "*", "--max-time", maxTime(c, "1", "60"), "-o", os.DevNull, c.url)
	}
}

func TestRealWget(t *testing.T) {
	t.Parallel()
	if version, err := exec.Command("wget", "--version").Output(); err != nil || !bytes.HasPrefix(version, []byte("GNU Wget 1")) {
		t.Skip("GNU wget is not installed")
	}
	servers := startServers(t)
	for _, c := range []realCase{
		{"404", servers.http + "/404", "HTTP 404", ""},
		{"401", servers.http + "/401", "bad credentials", "bad credentials"},
		{"429", servers.http + "/429", "HTTP 429", ""},
		{"503", servers.http + "/503", "HTTP 503", ""},
		{"cut", servers.http + "/cut", "connection lost", "network trouble"},
		{"nothing", servers.http + "/nothing", "connection lost", "network trouble"},
		{"reset", servers.http + "/reset", "connection lost", "network trouble"},
		{"hangs", servers.http + "/hangs", "time-out", "network trouble"},
		{"closed port", "http://" + servers.closed + "/", "connection refused", "network trouble"},
		{"no name", "http://x.invalid/", "name resolution", "network trouble"},
		{"bad certificate", servers.https, "bad certificate", "bad certificate"},
		{"no TLS", servers.noTLS, "no common TLS", "network trouble"},
		{"no such protocol", "foo://x/", "unsupported protocol", ""},
	} {
		for _, verbosity := range []string{"-v", "-nv"} {
			if c.name == "cut" && verbosity == "-nv" {
				c.line = "" // it says nothing of that
			}
			c.run(t, "wget", "--no-config", "--no-proxy", "--no-hsts", verbosity, "-t1", "-T", maxTime(c, "1", "60"),
				"-O", os.DevNull, c.url)
		}
	}
}

func TestRealGit(t *testing.T) {
	t.Parallel()
	servers := startServers(t)
	for _, c := range []realCase{
		{"404", servers.http + "/404", "not found", ""},
		{"401", servers.http + "/401", "bad credentials", ""},
		{"403", servers.http + "/403", "HTTP 403", ""},
		{"429", servers.http + "/429", "HTTP 429", ""},
		{"503", servers.http + "/503", "HTTP 503", ""},
		{"cut", servers.http + "/cut", "connection lost", ""},
		{"nothing", servers.http + "/nothing", "connection lost", ""},
		{"reset", servers.http + "/reset", "connection lost", ""},
		{"closed port", "http://" + servers.closed + "/", "no connection", ""},
		{"closed port of git", "git://" + servers.closed + "/r", "connection refused", ""},
		{"no name", "http://x.invalid/r", "name resolution", ""},
		{"no name of git", "git://x.invalid/r", "name resolution", ""},
		{"bad certificate", servers.https, "bad certificate", ""},
		{"no TLS", servers.noTLS, "no common TLS", ""},
		{"no repository", t.TempDir() + "/none", "not found", ""},
	} {
		c.run(t, "git", "-c", "credential.helper=", "-c", "http.proxy=", "ls-remote", c.url)
	}
}

func maxTime(c realCase, hanging, otherwise string) string {
	if c.name == "hangs" {
		return hanging
	}
	return otherwise
}

// run runs the tool and checks the categories of its output and its exit status.
func (c realCase) run(t *testing.T, tool string, arguments ...string) {
	t.Run(c.name, func(t *testing.T) {
		t.Parallel()
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(tool + " is not installed")
		}
		if strings.HasPrefix(c.name, "no name") {
			if addresses, err := net.DefaultResolver.LookupHost(t.Context(), "x.invalid"); err == nil {
				t.Skipf("the resolver has made up addresses for a name that can't exist: %v", addresses)
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
		command := exec.CommandContext(ctx, tool, arguments...)
		command.Dir = t.TempDir()
		command.Env = []string{
			"PATH=" + os.Getenv("PATH"), "HOME=" + command.Dir, "LC_ALL=C", "no_proxy=*", "GIT_CONFIG_NOSYSTEM=1",
			"GIT_TERMINAL_PROMPT=0",
		}
		output, err := command.CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			t.Fatalf("%v: %s", err, output)
		}
		d := policy.Diagnoser{Diagnostics: policy.Diagnostics{Failures: true}}
		d.Write(1, output)
		last := d.Diagnosis(time.Now()).Failure
		if last.Category != c.line {
			t.Errorf("%+v, want %q: %s", last, c.line, output)
		}
		if got, _ := policy.StatusFailure(tool, exit.ExitCode()); got.Category != c.status {
			t.Errorf("exit status %d: %+v, want %q", exit.ExitCode(), got, c.status)
		}
	})
}

// servers are URLs of servers that fail in different ways.
type servers struct {
	http, https, noTLS string
	closed             string // an address
}

func startServers(t *testing.T) servers {
	plain := httptest.NewServer(http.HandlerFunc(fail))
	t.Cleanup(plain.Close)
	secure := httptest.NewUnstartedServer(http.HandlerFunc(fail))
	secure.Config.ErrorLog = log.New(io.Discard, "", 0) // it complains of clients that do not trust it
	secure.StartTLS()
	t.Cleanup(secure.Close)
	// The local end of a connection is a port that nobody listens on and that is not reused while it lasts.
	connection, err := net.Dial("tcp", plain.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = connection.Close() })
	return servers{plain.URL, secure.URL + "/", strings.Replace(plain.URL, "http:", "https:", 1) + "/", connection.LocalAddr().String()}
}

// fail responds with the status in the path, or fails in the way that the path names.
func fail(w http.ResponseWriter, r *http.Request) {
	way := strings.Split(r.URL.Path, "/")[1]
	if status, err := strconv.Atoi(way); err == nil {
		if status == http.StatusUnauthorized {
			w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
		}
		w.WriteHeader(status)
		return
	}
	switch way {
	case "hangs":
		<-r.Context().Done()
		return
	case "cut":
		w.Header().Set("Content-Length", "100")
		_, _ = w.Write([]byte("short"))
		return
	}
	connection, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(err)
	}
	if way == "reset" {
		_ = connection.(*net.TCPConn).SetLinger(0)
	}
	_ = connection.Close()
}
