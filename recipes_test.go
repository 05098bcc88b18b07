//go:build unix

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"golang.org/x/sys/unix"
)

// recipes lists the sections of docs/recipes.md and the function that tests each.
var recipes = map[string]func(k *kitchen, block string){
	"GitHub Actions":            githubActions,
	"GitLab CI":                 gitlab,
	"Jenkins":                   jenkins,
	"cron":                      cron,
	"Dockerfile":                dockerfile,
	"Waiting for a service":     waitFor,
	"systemd":                   systemd,
	"Kubernetes init container": kubernetes,
	"xargs -P":                  parallel,
	"apt-get":                   aptGet,
	"docker pull":               dockerPull,
	"git push":                  gitPush,
	"pg_isready":                pgIsReady,
	"Terraform state lock":      terraform,
	"ssh after a reboot":        sshReboot,
	"pg_dump":                   pgDump,
}

// TestRecipes runs every block of docs/recipes.md. Each must fail first and then succeed. A block without a test is an error.
func TestRecipes(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("docs/recipes.md")
	if err != nil {
		t.Fatal(err)
	}
	database := sync.OnceValue(func() string { return startPostgres(t) })
	sections := strings.Split(string(text), "\n## ")[1:]
	for _, section := range sections {
		title, body, _ := strings.Cut(section, "\n")
		blocks := regexp.MustCompile("(?s)```[A-Za-z]+\n(.*?)```\n").FindAllStringSubmatch(body, -1)
		try := recipes[title]
		if try == nil || len(blocks) != 1 || strings.Count(body, "```") != 2 {
			t.Errorf("%s: no test, or not one block", title)
			continue
		}
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			k := newKitchen(t)
			k.database = database
			try(k, blocks[0][1])
		})
	}
	if len(sections) != len(recipes) {
		t.Errorf("%d sections and %d tests", len(sections), len(recipes))
	}
}

// A kitchen is where a recipe is tried: a directory that is both home and current, programs that come first on PATH, and a
// report of every attempt.
type kitchen struct {
	*testing.T
	dir, report string
	env         []string
	database    func() string // starts the PostgreSQL server once, and returns its port
}

// newKitchen returns a kitchen. Unless a recipe sets the first delay, it is 10ms, so that the tests are fast.
func newKitchen(t *testing.T) *kitchen {
	dir := t.TempDir()
	k := &kitchen{T: t, dir: dir, report: filepath.Join(dir, "report.jsonl")}
	k.env = append(os.Environ(), "PATH="+k.path("bin")+":"+os.Getenv("PATH"), "HOME="+dir, "XDG_STATE_HOME="+k.path("state"),
		"LC_ALL=C", "NO_PROXY=*", "no_proxy=*", "GITHUB_ACTIONS=", "GITLAB_CI=", "RETRY_OPTS="+k.defaults())
	return k
}

func (k *kitchen) defaults() string        { return "--base 10ms --report " + k.report }
func (k *kitchen) path(name string) string { return filepath.Join(k.dir, name) }
func (k *kitchen) write(name, text string) { k.Helper(); write(k.T, k.path(name), text, 0o644) }
func (k *kitchen) tool(name, script string) {
	k.Helper()
	write(k.T, k.path("bin/"+name), script, 0o755)
}

// failing returns a program that fails with the status once for each message, which it prints, and then runs the script.
func failing(status int, script string, messages ...string) string {
	text := "#!/bin/sh\ncase $RETRY_ATTEMPT in\n"
	for i, message := range messages {
		text += fmt.Sprintf("%d) cat >&2 <<'END'\n%s\nEND\nexit %d;;\n", i+1, message, status)
	}
	return text + "esac\n" + script + "\n"
}

// change replaces what a test can't use as it is: pairs of an old text, which must occur, and a new one.
func (k *kitchen) change(block string, pairs ...string) string {
	k.Helper()
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(block, pairs[i]) {
			k.Fatalf("no %q in\n%s", pairs[i], block)
		}
		block = strings.ReplaceAll(block, pairs[i], pairs[i+1])
	}
	return block
}

// run runs a program, which must exit with the status. It returns the output of both streams.
func (k *kitchen) run(status int, words ...string) string {
	k.Helper()
	c := command(k.T)
	path, err := exec.LookPath(words[0])
	if err != nil {
		k.Fatal(err)
	}
	c.Path, c.Args, c.Dir, c.Env = path, words, k.dir, k.env
	out, err := c.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		k.Fatalf("%v\n%s", err, out)
	}
	if got := c.ProcessState.ExitCode(); got != status {
		k.Fatalf("%s: status %d, want %d\n%s", words[0], got, status, out)
	}
	return string(out)
}

func (k *kitchen) shell(status int, script string) string {
	k.Helper()
	return k.run(status, "sh", "-e", "-c", script)
}

// attempts returns the attempts since the last call, as "command: verdict: reason", without repetitions.
func (k *kitchen) attempts() []string {
	k.Helper()
	text, err := os.ReadFile(k.report)
	if err != nil {
		k.Fatal(err)
	}
	if err := os.Remove(k.report); err != nil {
		k.Fatal(err)
	}
	var list []string
	for line := range strings.Lines(string(text)) {
		var event struct{ Event, Label, Verdict, Reason string }
		if err := json.Unmarshal([]byte(line), &event); err != nil {
			k.Fatal(err)
		}
		if event.Event == "attempt" {
			list = append(list, event.Label+": "+event.Verdict+": "+event.Reason)
		}
	}
	return list
}

func (k *kitchen) check(want ...string) {
	k.Helper()
	if got := slices.Compact(k.attempts()); !slices.Equal(got, want) {
		k.Fatalf("the attempts are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// The messages and statuses of tools when another attempt could succeed.
const (
	npmReset      = "npm error code ECONNRESET\nnpm error network aborted"
	dockerTLS     = `Error response from daemon: Get "https://registry-1.docker.io/v2/": net/http: TLS handshake timeout`
	dockerTooMany = "toomanyrequests: retry-after: 162.3µs, allowed: 44000/minute"
	dockerRefused = `Error response from daemon: Get "https://example.com/v2/": dial tcp 192.0.2.1:443: connect: connection refused`
)

// values returns the values of a key in a YAML file, if each is on a single line.
func values(block, key string) []string {
	var list []string
	for _, found := range regexp.MustCompile(`(?m)^[ -]*`+key+`: (.+)$`).FindAllStringSubmatch(block, -1) {
		list = append(list, found[1])
	}
	return list
}

// words reads a list in brackets.
func (k *kitchen) words(list string) []string {
	k.Helper()
	var words []string
	if err := json.Unmarshal([]byte(list), &words); err != nil {
		k.Fatalf("%s: %v", list, err)
	}
	return words
}

func githubActions(k *kitchen, block string) {
	k.tool("npm", failing(1, "exit 0", npmReset))
	k.tool("docker", failing(1, "exit 0", dockerRefused))
	k.write("summary", "")
	k.env = append(k.env, "GITHUB_ACTIONS=true", "GITHUB_STEP_SUMMARY="+k.path("summary"),
		"RETRY_OPTS="+k.defaults()+" "+values(block, "RETRY_OPTS")[0])
	steps := values(block, "run")
	if len(steps) != 3 {
		k.Fatalf("the steps are %q", steps)
	}
	var said string
	for _, step := range steps {
		if step == "npm test" {
			continue // retry has no part in it
		}
		said += k.run(0, "bash", "-e", "-c", step)
	}
	k.check("npm: retry: exit status 1 (connection lost, transient)", "npm: success: exit status 0",
		"docker: retry: exit status 1 (connection refused, transient)", "docker: success: exit status 0")
	summary, err := os.ReadFile(k.path("summary"))
	if err != nil || strings.Count(string(summary), " | succeeded | 2 | ") != 2 || strings.Count(said, "::warning ") != 2 {
		k.Errorf("%v: the summary is\n%s\nsaid\n%s", err, summary, said)
	}
}

func gitlab(k *kitchen, block string) {
	k.tool("npm", failing(1, "exit 0", npmReset))
	k.env = append(k.env, "GITLAB_CI=true", "RETRY_OPTS="+k.defaults()+" "+values(block, "RETRY_OPTS")[0])
	_, script, _ := strings.Cut(block, "  script:\n")
	line, _, _ := strings.Cut(strings.TrimPrefix(script, "    - "), "\n")
	said := k.run(0, "bash", "-eo", "pipefail", "-c", line)
	k.check("npm: retry: exit status 1 (connection lost, transient)", "npm: success: exit status 0")
	if strings.Count(said, "section_start:") != 1 || !strings.Contains(said, "retry: npm succeeded on attempt 2 in ") {
		k.Errorf("said\n%s", said)
	}
}

func jenkins(k *kitchen, block string) {
	k.tool("docker", failing(1, `test "$2" = example.com/app:41`, dockerTLS))
	k.env = append(k.env, "BUILD_NUMBER=41")
	steps := regexp.MustCompile(`\bsh '([^']*)'`).FindAllStringSubmatch(block, -1)
	if len(steps) != 1 {
		k.Fatalf("%d steps", len(steps))
	}
	k.run(0, "sh", "-xec", steps[0][1])
	k.check("docker: retry: exit status 1 (TLS handshake, transient)", "docker: success: exit status 0")
}

// cron has nothing to mail unless the last attempt failed or printed something, and starts no second run.
func cron(k *kitchen, block string) {
	need(k.T, "flock")
	fields := strings.SplitN(strings.Split(strings.TrimSpace(block), "\n")[2], " ", 6)
	line := k.change(fields[5], "/run/lock", k.dir, "--stagger 5m", "--stagger 10ms")
	k.tool("report", failing(1, "exit 0", "the database is away", "the database is away"))
	if mail := k.shell(0, line); mail != "" {
		k.Errorf("mailed %q", mail)
	}
	k.check("report: retry: exit status 1", "report: success: exit status 0")
	k.tool("report", "#!/bin/sh\necho the database is away >&2\nexit 3\n")
	mail := k.shell(3, line)
	last := regexp.MustCompile(`\Athe database is away\nretry: report: giving up after 5 attempts in \S+: exit status 3\n\z`)
	if !last.MatchString(mail) {
		k.Errorf("mailed %q", mail)
	}
	if attempts := k.attempts(); len(attempts) != 5 {
		k.Errorf("the attempts are %q", attempts)
	}
	lock, err := os.Open(k.path("report"))
	if err != nil {
		k.Fatal(err)
	}
	defer lock.Close()
	if err := unix.Flock(int(lock.Fd()), unix.LOCK_EX); err != nil {
		k.Fatal(err)
	}
	k.shell(1, line)
	if _, err := os.Stat(k.report); err == nil {
		k.Errorf("a second run: %q", k.attempts())
	}
}

// dockerfile runs the entry point as process 1 of a namespace, as in a container, and ends it as docker stop does. The image
// builds retry in the way that the README shows, which TestReadme runs.
func dockerfile(k *kitchen, block string) {
	need(k.T, "unshare")
	readme, err := os.ReadFile("README.md")
	build, _, found := strings.Cut(regexp.MustCompile(`(?m)^RUN (.*)$`).FindStringSubmatch(block)[1], " -o ")
	if err != nil || !found || !strings.Contains(string(readme), build+" -o ") {
		k.Errorf("%v: the README doesn't build by %q", err, build)
	}
	k.tool("worker", failing(1, `
		if [ "$1" = --healthy ]; then exit; fi
		(setsid true &)                        # an orphan, which process 1 reaps
		trap 'echo drained; exit 0' TERM
		echo "$PPID is first"
		kill -TERM "$PPID"
		while :; do sleep 0.05; done`, "no queue", "no queue"))
	instruction := func(name string) []string {
		return k.words(regexp.MustCompile(`(?m)^` + name + ` .*?(\[.*\])$`).FindStringSubmatch(block)[1])
	}
	unshare := []string{"unshare", "--pid", "--mount-proc", "--fork", "--kill-child"}
	if os.Getuid() != 0 {
		unshare = append(unshare, "--user", "--map-root-user")
	}
	said := k.run(143, slices.Concat(unshare, instruction("ENTRYPOINT"), instruction("CMD"))...)
	if !strings.Contains(said, "1 is first\ndrained\n") {
		k.Errorf("said\n%s", said)
	}
	if got := k.attempts(); len(got) < 2 || got[0] != "worker: retry: exit status 1" || got[1] != got[0] {
		k.Errorf("the attempts are %q", got)
	}
	k.env = append(k.env, "RETRY_ATTEMPT=3")
	k.run(0, append([]string{"env"}, instruction("HEALTHCHECK")...)...)
}

func waitFor(k *kitchen, block string) {
	port := k.opensLate()
	k.tool("migrate", failing(1, "exit 0", "Temporary failure in name resolution"))
	k.tool("worker", "#!/bin/sh\necho \"working on $*\"\n")
	k.tool("entrypoint", k.change(block, "-h db", "-h 127.0.0.1 -p "+port))
	said := k.run(0, k.path("bin/entrypoint"), "all of it")
	if !strings.HasSuffix(said, "\nworking on all of it\n") {
		k.Errorf("said\n%s", said)
	}
	k.check("pg_isready: retry: exit status 2", "pg_isready: success: exit status 0",
		"migrate: retry: exit status 1 (name resolution, transient)", "migrate: success: exit status 0")
	k.tool("migrate", "#!/bin/sh\nexit 4\n")
	if said := k.run(4, k.path("bin/entrypoint")); strings.Contains(said, "working") {
		k.Errorf("said\n%s", said)
	}
}

// systemd lets systemd itself check the unit, and runs its commands. With KillMode=mixed only retry gets TERM, and it reaches the
// command once.
func systemd(k *kitchen, block string) {
	need(k.T, "systemd-analyze")
	port := k.opensLate()
	isReady, err := exec.LookPath("pg_isready")
	if err != nil {
		k.Fatal(err)
	}
	retry, err := exec.LookPath("retry")
	if err != nil {
		k.Fatal(err)
	}
	k.tool("report", failing(56, "exit 0", "curl: (56) Recv failure: Connection reset by peer"))
	unit := k.change(block, "/usr/local/bin/retry", retry, "/usr/bin/pg_isready", isReady, "/usr/local/bin/report",
		k.path("bin/report"), "-h db", "-h 127.0.0.1 -p "+port)
	k.write("report.service", unit)
	if said := k.run(0, "systemd-analyze", "verify", k.path("report.service")); strings.Contains(said, "report.service") {
		k.Errorf("systemd-analyze said\n%s", said)
	}
	line := func(key string) []string {
		return strings.Fields(regexp.MustCompile(`(?m)^` + key + `=(.*)$`).FindStringSubmatch(unit)[1])
	}
	k.run(0, line("ExecStartPre")...)
	k.check("pg_isready: retry: exit status 2", "pg_isready: success: exit status 0")
	k.run(0, line("ExecStart")...)
	k.check("report: retry: exit status 56 (connection lost, transient)", "report: success: exit status 0")

	k.tool("report", `#!/bin/sh
		trap 'echo ended; ends=1' TERM
		kill -TERM "$PPID"
		until [ "$ends" ]; do sleep 0.05; done
		sleep 0.1
		exit 1`)
	if said := k.run(-1, line("ExecStart")...); strings.Count(said, "ended\n") != 1 {
		k.Errorf("said\n%s", said)
	}
}

func kubernetes(k *kitchen, block string) {
	port := k.opensLate()
	commands := values(block, "command")
	if len(commands) != 2 {
		k.Fatalf("the commands are %q", commands)
	}
	k.run(0, k.words(k.change(commands[0], `"-h", "db"`, `"-h", "127.0.0.1", "-p", "`+port+`"`))...)
	k.check("pg_isready: retry: exit status 2", "pg_isready: success: exit status 0")
}

// parallel downloads from a server that fails now and then, and from one that is down: ten tokens allow ten retries.
func parallel(k *kitchen, block string) {
	need(k.T, "xargs")
	need(k.T, "curl")
	var requests, bad atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if requests.Add(1) <= bad.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, r.URL.Path)
	}))
	defer server.Close()
	fetch := func(status int, budget string) []string {
		urls := ""
		for i := range 20 {
			urls += fmt.Sprintf("%s/file%d\n", server.URL, i)
		}
		k.write("urls.txt", urls)
		k.shell(status, k.change(block, "--budget mirror", "--budget "+budget))
		attempts := k.attempts()
		slices.Sort(attempts)
		return attempts
	}
	const failed, fine = "curl: retry: exit status 22 (HTTP 503, transient)", "curl: success: exit status 0"
	bad.Store(3)
	want := append(slices.Repeat([]string{failed}, 3), slices.Repeat([]string{fine}, 20)...)
	if got := fetch(0, "mirror"); !slices.Equal(got, want) {
		k.Errorf("the attempts are %q", got)
	}
	if text, err := os.ReadFile(k.path("file19")); err != nil || string(text) != "/file19\n" {
		k.Errorf("%v, %q", err, text)
	}
	bad.Store(1 << 30)
	if got := fetch(123, "down:refill=0"); len(got) != 20+10 {
		k.Errorf("%d attempts: %q", len(got), got)
	}
}

func dockerPull(k *kitchen, block string) {
	k.tool("docker", failing(1, "echo example.com/app:1.2", dockerTLS, dockerTooMany))
	k.shell(0, block)
	k.check("docker: retry: exit status 1 (TLS handshake, transient)", "docker: retry: exit status 1 (HTTP 429, transient)",
		"docker: success: exit status 0")
	k.tool("docker", failing(1, "", "Error response from daemon: manifest for example.com/app:1.2 not found: manifest unknown: "+
		"manifest unknown"))
	k.shell(1, block)
	k.check("docker: stop: exit status 1 (not found, permanent)")
}

// gitPush uses two clones of a repository, one of which pushes first.
func gitPush(k *kitchen, block string) {
	need(k.T, "git")
	k.write(".gitconfig", "[user]\nname = A\nemail = a@example.com\n[init]\ndefaultBranch = main\n")
	k.env = append(k.env, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+k.path(".gitconfig"), "GIT_EDITOR=true")
	commit := func(clone, file, text string) string {
		return fmt.Sprintf("(cd %s && echo %s >%s && git add . && git commit -qm '%s by %s')\n", clone, text, file, file, clone)
	}
	k.shell(0, "git init -q --bare origin.git\ngit clone -q origin.git first\n"+commit("first", "readme", "all")+
		"git -C first push -q origin main\ngit clone -q origin.git second\n"+
		commit("first", "one", "1")+"git -C first push -q\n"+commit("second", "two", "2"))
	push := "cd second\n" + block
	k.shell(0, push)
	k.check("git: retry: exit status 1", "git: success: exit status 0")
	if log := k.shell(0, "git -C origin.git log --format=%s main"); log != "two by second\none by first\nreadme by first\n" {
		k.Errorf("the log is\n%s", log)
	}
	k.shell(0, "git -C first pull -q --rebase\n"+commit("first", "three", "3")+"git -C first push -q\n"+
		commit("second", "three", "4"))
	said := k.shell(1, push)
	k.check("git: retry: exit status 1")
	if !strings.Contains(said, "retry: git: not retrying: --before-retry: exit status 1: ") {
		k.Errorf("said\n%s", said)
	}
}

// terraform prints what terraform 1.11 prints with a local state, in colour.
func terraform(k *kitchen, block string) {
	const locked = "\x1b[31m│\x1b[0m \x1b[0m\x1b[1m\x1b[31mError: \x1b[0m\x1b[0m\x1b[1mError acquiring the state lock\x1b[0m\n" +
		"\x1b[31m│\x1b[0m \x1b[0m\n\x1b[31m│\x1b[0m \x1b[0m\x1b[0mError message: resource temporarily unavailable"
	k.tool("terraform", failing(1, `test "$*" = "apply -input=false plan.tfplan"`, locked, locked))
	k.shell(0, block)
	k.check("terraform: retry: exit status 1", "terraform: success: exit status 0")
	k.tool("terraform", failing(1, "", locked, "Error: Saved plan is stale"))
	k.shell(1, block)
	k.check("terraform: retry: exit status 1", "terraform: stop: exit status 1 matches no --retry-if rule")
}
