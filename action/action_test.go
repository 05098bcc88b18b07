//go:build unix

// Package action tests the actions of this repository: it reads their files and runs their steps as a runner does, with a local
// server in place of the forge that has the releases.
package action

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// program is the program in every release, whatever its version: a script that runs the real retry.
var program []byte

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "action")
	if err != nil {
		panic(err)
	}
	file := filepath.Join(dir, "retry")
	if output, err := exec.Command("go", "build", "-o", file, "..").CombinedOutput(); err != nil {
		panic(string(output))
	}
	program = []byte("#!/bin/sh\nexec '" + file + "' \"$@\"\n")
	status := m.Run()
	os.RemoveAll(dir)
	os.Exit(status)
}

// A forge serves the releases of someone/retry.
type forge struct {
	*httptest.Server
	spoiled bool // the archives don't match their checksums

	mu    sync.Mutex
	asked []string
}

func newForge(t *testing.T) *forge {
	for _, tool := range []string{"bash", "curl", "unzip"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed", tool)
		}
	}
	f := &forge{}
	f.Server = httptest.NewServer(f)
	t.Cleanup(f.Close)
	return f
}

func (f *forge) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked = append(f.asked, r.URL.Path)
	if r.URL.Path == "/api/repos/someone/retry/releases" {
		if r.Header.Get("Authorization") != "Bearer token" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		fmt.Fprintln(w, `[{"tag_name":"v3.0.0-rc.1","name":"v9.9.9"},{"tag_name": "v1.2.9"},{"tag_name":"v1.10.0"},
			{"tag_name":"v1.2.10", "draft":false},{"tag_name":"v2.0.0"},{"tag_name":"v1.9.0"}]`)
		return
	}
	version, name, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/someone/retry/releases/download/v"), "/")
	switch {
	case name == "checksums.txt":
		for _, system := range strings.Fields("linux darwin freebsd openbsd netbsd windows") {
			for _, machine := range strings.Fields("amd64 arm64 armv7 386 riscv64 ppc64le s390x loong64") {
				archive := archiveName(version, system, machine)
				fmt.Fprintf(w, "%x  %s\n", sha256.Sum256(makeArchive(archive)), archive)
			}
		}
	case strings.HasPrefix(name, "retry_"+version):
		w.Write(makeArchive(name))
		if f.spoiled {
			w.Write([]byte("more"))
		}
	default:
		http.NotFound(w, r)
	}
}

func archiveName(version, system, machine string) string {
	kind := "tar.gz"
	if system == "windows" {
		kind = "zip"
	}
	return fmt.Sprintf("retry_%s_%s_%s.%s", version, system, machine, kind)
}

// makeArchive makes the archive of a release, which contains a directory of the same name.
func makeArchive(name string) []byte {
	var buffer bytes.Buffer
	if folder, ok := strings.CutSuffix(name, ".zip"); ok {
		archive := zip.NewWriter(&buffer)
		header := &zip.FileHeader{Name: folder + "/retry.exe"}
		header.SetMode(0o755)
		file, _ := archive.CreateHeader(header)
		file.Write(program)
		archive.Close()
		return buffer.Bytes()
	}
	packed, _ := gzip.NewWriterLevel(&buffer, gzip.NoCompression)
	archive := tar.NewWriter(packed)
	archive.WriteHeader(&tar.Header{Name: strings.TrimSuffix(name, ".tar.gz") + "/retry", Mode: 0o755, Size: int64(len(program))})
	archive.Write(program)
	archive.Close()
	packed.Close()
	return buffer.Bytes()
}

// A runner runs actions that it has unpacked, all in one job.
type runner struct {
	t   *testing.T
	dir string
	env map[string]string
	out string // of the last action
}

func newRunner(t *testing.T, f *forge, ref string) *runner {
	r := &runner{t: t, dir: t.TempDir()}
	unpacked := filepath.Join(r.dir, "_actions/someone/retry", ref)
	for _, file := range []string{"action.yml", "nick-fields/action.yml", "action"} {
		to := filepath.Join(unpacked, file)
		os.MkdirAll(filepath.Dir(to), 0o755)
		if output, err := exec.Command("cp", "-R", filepath.Join("..", file), to).CombinedOutput(); err != nil {
			t.Fatal(string(output))
		}
	}
	r.env = map[string]string{
		"HOME": r.dir, "PATH": r.dir + "/bin:" + os.Getenv("PATH"), "RUNNER_TEMP": r.dir, "RUNNER_TOOL_CACHE": r.dir + "/tools",
		"RUNNER_OS": "Linux", "RUNNER_ARCH": "X64", "GITHUB_ACTIONS": "true", "GITHUB_SERVER_URL": f.URL,
		"GITHUB_API_URL": f.URL + "/api", "GITHUB_REPOSITORY": "user/project", "GITHUB_ACTION_PATH": unpacked,
		"GITHUB_PATH": r.dir + "/path", "GITHUB_STEP_SUMMARY": r.dir + "/summary",
	}
	r.write("path", "")
	return r
}

func (r *runner) write(name, text string) {
	file := filepath.Join(r.dir, name)
	os.MkdirAll(filepath.Dir(file), 0o755)
	// No child of another test may inherit the file while it is open, because running it would then fail with ETXTBSY.
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := os.WriteFile(file, []byte(text), 0o755); err != nil {
		r.t.Fatal(err)
	}
}

func (r *runner) read(name string) string {
	text, err := os.ReadFile(filepath.Join(r.dir, name))
	if err != nil {
		return ""
	}
	return string(text)
}

// uses does what a step with "uses: someone/retry" or one of its directories does. It returns the outputs, and whether the step
// succeeded.
func (r *runner) uses(folder string, inputs map[string]string) (map[string]string, bool) {
	r.t.Helper()
	env := maps.Clone(r.env)
	env["GITHUB_ACTION_PATH"] = filepath.Join(env["GITHUB_ACTION_PATH"], folder)
	text, err := os.ReadFile(filepath.Join(env["GITHUB_ACTION_PATH"], "action.yml"))
	if err != nil {
		r.t.Fatal(err)
	}
	head, steps, _ := strings.Cut(string(text), "  steps:\n")
	values := map[string]string{"github.token": "token"}
	names := regexp.MustCompile(`(?m)^  (\w+):\n(?:    (?:.*\n))+`)
	declared, outputs, _ := strings.Cut(head, "\noutputs:\n")
	for _, input := range names.FindAllStringSubmatch(declared, -1) {
		values["inputs."+input[1]] = field(input[0], "    default")
	}
	for name, value := range inputs {
		if _, ok := values["inputs."+name]; !ok {
			r.t.Fatalf("the action has no input %s", name)
		}
		values["inputs."+name] = value
	}
	failed := false
	r.out = ""
	for step := range strings.SplitSeq(steps, "    - ") {
		condition := field(step, "if")
		if step == "" || failed && !strings.Contains(condition, "always()") ||
			strings.Contains(condition, "inputs.run != ''") && values["inputs.run"] == "" {
			continue
		}
		ok := r.step(step, env, values)
		failed = failed || !ok && r.expand(field(step, "continue-on-error"), values) != "true"
	}
	result := map[string]string{}
	for _, output := range regexp.MustCompile(`(?m)^  ([\w-]+):\n.*\n    value: (.*)`).FindAllStringSubmatch(outputs, -1) {
		result[output[1]] = r.expand(output[2], values)
	}
	return result, !failed
}

// step runs one step of a composite action, and keeps its outputs in values.
func (r *runner) step(step string, env, values map[string]string) bool {
	r.t.Helper()
	env = maps.Clone(env)
	for _, line := range regexp.MustCompile(`(?m)^        (\w+): (.*)`).FindAllStringSubmatch(step, -1) {
		env[line[1]] = r.expand(line[2], values)
	}
	for folder := range strings.Lines(r.read("path")) {
		env["PATH"] = strings.TrimSuffix(folder, "\n") + ":" + env["PATH"]
	}
	env["GITHUB_OUTPUT"] = filepath.Join(r.dir, "output")
	r.write("output", "")
	command := exec.CommandContext(r.t.Context(), "bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", field(step, "run"))
	command.Dir = r.dir
	for name, value := range env {
		command.Env = append(command.Env, name+"="+value)
	}
	output, err := command.CombinedOutput()
	r.out += string(output)
	for line := range strings.Lines(r.read("output")) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		values["steps."+field(step, "id")+".outputs."+name] = value
	}
	return err == nil
}

// field returns the value in a line of YAML.
func field(text, name string) string {
	found := regexp.MustCompile(`(?m)^ *` + name + `: (.*)`).FindStringSubmatch(text)
	if found == nil {
		return ""
	}
	if value, ok := strings.CutPrefix(found[1], `"`); ok {
		return strings.TrimSuffix(value, `"`)
	}
	return found[1]
}

// expand replaces expressions with their values, if they are of a kind that the actions use.
func (r *runner) expand(text string, values map[string]string) string {
	r.t.Helper()
	return regexp.MustCompile(`\$\{\{ (.*?) \}\}`).ReplaceAllStringFunc(text, func(expression string) string {
		expression = strings.TrimSuffix(strings.TrimPrefix(expression, "${{ "), " }}")
		if name, ok := strings.CutSuffix(expression, " == 'true'"); ok {
			return fmt.Sprint(values[name] == "true")
		}
		if !regexp.MustCompile(`^(inputs\.\w+|steps\.\w+\.outputs\.[\w-]+|github\.token)$`).MatchString(expression) {
			r.t.Fatalf("unknown expression %q", expression)
		}
		return values[expression]
	})
}

func TestVersion(t *testing.T) {
	t.Parallel()
	f := newForge(t)
	for _, test := range []struct{ ref, version, want string }{
		{"v1", "", "1.10.0"},
		{"v1.2", "", "1.2.10"},
		{"v1.2.3", "", "1.2.3"},
		{"v2.0.0-rc.1", "", "2.0.0-rc.1"},
		{"main", "", "2.0.0"},
		{"0842359a33b729af9b13f0e57bba393bd3f46a38", "", "2.0.0"},
		{"v1", "latest", "2.0.0"},
		{"v1", "2", "2.0.0"},
		{"main", "v1.2", "1.2.10"},
		{"main", "1.2.9", "1.2.9"},
		{"v1", "4", "error: someone/retry has no release '4'"},
		{"v1", "1.x", "error: version must be of the form 1.2.3, 1.2, 1 or latest; it is '1.x'"},
		{"v1", "../../evil/1.2.3", "error: version must be of the form"},
	} {
		t.Run(test.ref+" "+test.version, func(t *testing.T) {
			r := newRunner(t, f, test.ref)
			_, ok := r.uses("", map[string]string{"version": test.version})
			path := r.read("path")
			if text, isError := strings.CutPrefix(test.want, "error: "); isError {
				if ok || !strings.Contains(r.out, "::error title=retry::"+text) || path != "" {
					t.Errorf("said %q, PATH %q", r.out, path)
				}
				return
			}
			if want := r.dir + "/tools/retry/" + test.want + "/linux-amd64\n"; !ok || path != want {
				t.Errorf("said %q, PATH %q, want %q", r.out, path, want)
			}
		})
	}
}

// TestSystems checks that the action asks for archives that .goreleaser.yaml makes.
func TestSystems(t *testing.T) {
	t.Parallel()
	f := newForge(t)
	for _, test := range []struct{ system, machine, want string }{
		{"Linux", "X64", "linux_amd64.tar.gz"},
		{"Linux", "ARM64", "linux_arm64.tar.gz"},
		{"Linux", "ARM", "linux_armv7.tar.gz"},
		{"Linux", "X86", "linux_386.tar.gz"},
		{"macOS", "X64", "darwin_amd64.tar.gz"},
		{"macOS", "ARM64", "darwin_arm64.tar.gz"},
		{"Windows", "X64", "windows_amd64.zip"},
		{"Windows", "ARM64", "windows_arm64.zip"},
	} {
		r := newRunner(t, f, "v1.2.3")
		r.env["RUNNER_OS"], r.env["RUNNER_ARCH"] = test.system, test.machine
		r.write("bin/cygpath", "#!/bin/sh\necho \"C:$2\"\n")
		f.asked = nil
		_, ok := r.uses("", nil)
		want := "/someone/retry/releases/download/v1.2.3/retry_1.2.3_" + test.want
		if !ok || len(f.asked) != 2 || f.asked[1] != want {
			t.Errorf("%s %s asked for %q: %s", test.system, test.machine, f.asked, r.out)
		}
		if test.system == "Windows" && !strings.HasPrefix(r.read("path"), "C:") {
			t.Errorf("PATH has %q on Windows", r.read("path"))
		}
	}
}

func TestUnknownSystem(t *testing.T) {
	t.Parallel()
	r := newRunner(t, newForge(t), "v1.2.3")
	r.env["RUNNER_OS"] = "Plan9"
	if _, ok := r.uses("", nil); ok || !strings.Contains(r.out, "there is no retry for the system Plan9") {
		t.Error(r.out)
	}
}

func TestChecksum(t *testing.T) {
	t.Parallel()
	f := newForge(t)
	f.spoiled = true
	r := newRunner(t, f, "v1.2.3")
	_, ok := r.uses("", map[string]string{"run": "true"})
	if ok || !strings.Contains(r.out, "the checksum of retry_1.2.3_linux_amd64.tar.gz is ") || r.read("path") != "" {
		t.Errorf("said %q, PATH %q", r.out, r.read("path"))
	}
	if files, _ := filepath.Glob(r.dir + "/tools/retry/*/*"); len(files) > 0 {
		t.Errorf("installed %q", files)
	}
}

func TestInstalledOnce(t *testing.T) {
	t.Parallel()
	f := newForge(t)
	r := newRunner(t, f, "v1.2.3")
	r.uses("", nil)
	asked := len(f.asked)
	if _, ok := r.uses("", nil); !ok || len(f.asked) != asked || asked == 0 {
		t.Errorf("asked for %q", f.asked)
	}
	if left, _ := filepath.Glob(r.dir + "/retry.*"); len(left) > 0 {
		t.Errorf("left %q", left)
	}
}

// TestLocal uses the action of the checkout.
func TestLocal(t *testing.T) {
	t.Parallel()
	r := newRunner(t, newForge(t), "v1")
	local := filepath.Join(r.dir, "workspace")
	if err := os.Rename(r.env["GITHUB_ACTION_PATH"], local); err != nil {
		t.Fatal(err)
	}
	r.env["GITHUB_ACTION_PATH"], r.env["GITHUB_REPOSITORY"] = local, "someone/retry"
	if _, ok := r.uses("", nil); !ok || !strings.Contains(r.read("path"), "/retry/2.0.0/") {
		t.Error(r.out)
	}
}

func TestRun(t *testing.T) {
	t.Parallel()
	f := newForge(t)
	for _, test := range []struct {
		name, run, args string
		ok              bool
		outputs         string // attempts, exit code, outcome
		said            string
	}{
		{"success", "echo hello", "", true, "1 0 success", "hello\n"},
		{"second attempt", `test "$RETRY_ATTEMPT" = 2`, "--delay 0", true, "2 0 success", "attempt 1/10 failed"},
		{"failure", "exit 3", "-n 2 --delay 0", false, "2 3 failure", "giving up after 2 attempts"},
		{"each line counts", "false\ntrue", "-n 1", false, "1 1 failure", "giving up"},
		{"pipes count", "false | true", "-n 1", false, "1 1 failure", "giving up"},
		{"bash", `[[ $BASH_VERSION ]] && declare -a list`, "", true, "1 0 success", ""},
		{"another shell", `test -z "$BASH_VERSION"`, "--shell sh -n 1", true, "1 0 success", ""},
		{"quotes", "echo 'not  here'; exit 1", `-n 2 --delay 0 --stop-if 'stdout:not  here' --label "a b"`, false, "1 1 failure", "retry: a b: "},
		{"nothing expanded", "exit 1", `-n 1 --label '$(echo x) $HOME *'`, false, "1 1 failure", "$(echo x) $HOME *: giving up"},
		{"lines", "exit 1", "-n 2\n--delay 0\n", false, "2 1 failure", "giving up"},
		{"timeout", "sleep 60", "-n 1 --timeout 100ms", false, "1 124 failure", "timed out"},
		{"open quote", "true", "--label 'a", false, "0 125 failure", "::error title=retry::args: a quote is not closed"},
		{"bad option", "true", "--no-such-option", false, "0 125 failure", "unknown option --no-such-option"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := newRunner(t, f, "v1.2.3")
			outputs, ok := r.uses("", map[string]string{"run": test.run, "args": test.args})
			got := outputs["attempts"] + " " + outputs["exit-code"] + " " + outputs["outcome"]
			if ok != test.ok || got != test.outputs || !strings.Contains(r.out, test.said) {
				t.Errorf("ok %v, outputs %q: %s", ok, got, r.out)
			}
			if row := strings.Contains(r.read("summary"), "| bash |"); row != (strings.HasPrefix(got, "2") && test.name != "quotes") {
				t.Errorf("summary: %q", r.read("summary"))
			}
		})
	}
}

func TestInstallOnly(t *testing.T) {
	t.Parallel()
	r := newRunner(t, newForge(t), "v1.2.3")
	outputs, ok := r.uses("", nil)
	if !ok || outputs["attempts"] != "" || !regexp.MustCompile(`(?m)^retry \S+, commit `).MatchString(r.out) {
		t.Errorf("outputs %q: %s", outputs, r.out)
	}
}

func TestNickFields(t *testing.T) {
	t.Parallel()
	f := newForge(t)
	for _, test := range []struct {
		name    string
		inputs  string // "name=value" separated by semicolons
		ok      bool
		outputs string // attempts and exit code
		said    string
	}{
		{"success", "command=echo hello;timeout_minutes=1", true, "1 0", "hello"},
		{"three attempts", "command=exit 3;retry_wait_seconds=0", false, "3 3", "giving up after 3 attempts"},
		{"a number of attempts", "command=exit 3;retry_wait_seconds=0;max_attempts=2", false, "2 3", "attempt 1/2 failed"},
		{"wait", "command=exit 3;retry_wait_seconds=0.01;max_attempts=2", false, "2 3", "sleeping 10ms"},
		{"go on", "command=exit 3;retry_wait_seconds=0;continue_on_error=true", true, "3 3", ""},
		{"time", "command=sleep 60;timeout_seconds=0.1;max_attempts=1", false, "1 124", "timed out"},
		{"two times", "command=true;timeout_seconds=1;timeout_minutes=1", false, "0 125", "::error title=retry::timeout_minutes and timeout_seconds"},
		{"on timeout", "command=exit 3;retry_on=timeout;timeout_minutes=1", false, "1 3", "not retrying"},
		{"on a timeout there can't be", "command=exit 3;retry_on=timeout", false, "0 125", "retry_on: timeout needs timeout_minutes"},
		{"on a timeout", "command=sleep 60;retry_on=timeout;retry_wait_seconds=0;timeout_seconds=0.1;max_attempts=2", false, "2 124", "timed out"},
		{"on error", "command=sleep 60;retry_on=error;timeout_seconds=0.1", false, "1 124", "timed out"},
		{"on an error", "command=exit 3;retry_on=error;retry_wait_seconds=0", false, "3 3", "giving up"},
		{"on an error in time", "command=exit 3;retry_on=error;timeout_minutes=1;retry_wait_seconds=0", false, "3 3", "giving up"},
		{"on something", "command=true;retry_on=success", false, "0 125", "retry_on must be any, timeout or error"},
		{"on this code", "command=exit 3;retry_on_exit_code=3;retry_wait_seconds=0", false, "3 3", ""},
		{"on that code", "command=exit 3;retry_on_exit_code=4", false, "1 3", ""},
		{"before a retry", "command=test -e made;on_retry_command=echo now >made;retry_wait_seconds=0", true, "2 0", ""},
		{"in vain", "command=exit 3;on_retry_command=exit 1;retry_wait_seconds=0", false, "3 3", "::warning title=retry::on_retry_command failed"},
		{"another command", "command=echo one && exit 3;new_command_on_retry=echo two;retry_wait_seconds=0", true, "2 0", "two\n"},
		{"sh", `command=test -z "$BASH_VERSION";shell=sh`, true, "1 0", ""},
		{"fish", "command=true;shell=fish", false, "0 125", "shell must be bash, sh, "},
		{"quotes", `command=printf '%s|' "a  b" 'c'`, true, "1 0", "a  b|c|"},
		{"polling", "command=true;polling_interval_seconds=5", true, "1 0", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			inputs := map[string]string{}
			for input := range strings.SplitSeq(test.inputs, ";") {
				name, value, _ := strings.Cut(input, "=")
				inputs[name] = value
			}
			r := newRunner(t, f, "v1.2.3")
			outputs, ok := r.uses("nick-fields", inputs)
			got := outputs["total_attempts"] + " " + outputs["exit_code"]
			if ok != test.ok || got != test.outputs || !strings.Contains(r.out, test.said) {
				t.Errorf("ok %v, outputs %q: %s", ok, got, r.out)
			}
			if (outputs["exit_error"] == "") != strings.HasSuffix(got, " 0") {
				t.Errorf("exit_error is %q", outputs["exit_error"])
			}
		})
	}
}

func TestNickFieldsWarning(t *testing.T) {
	t.Parallel()
	f := newForge(t)
	for _, warning := range []string{"", "true", "false"} {
		inputs := map[string]string{"command": "exit 3", "max_attempts": "2", "retry_wait_seconds": "0"}
		if warning != "" {
			inputs["warning_on_retry"] = warning
		}
		r := newRunner(t, f, "v1.2.3")
		r.uses("nick-fields", inputs)
		if got := strings.Contains(r.out, "::warning"); got != (warning != "false") {
			t.Errorf("warning_on_retry %q: %s", warning, r.out)
		}
	}
}

// TestInputs compares the inputs of both actions with those that their scripts read.
func TestInputs(t *testing.T) {
	t.Parallel()
	for file, scripts := range map[string][]string{
		"../action.yml":             {"install.sh", "run.sh"},
		"../nick-fields/action.yml": {"install.sh", "nick-fields.sh"},
	} {
		var read []string
		for _, script := range scripts {
			read = append(read, matches(t, script, `INPUT_\w+`)...)
		}
		slices.Sort(read)
		if set := matches(t, file, `INPUT_\w+`); !slices.Equal(set, slices.Compact(read)) {
			t.Errorf("%s sets %q, the scripts read %q", file, set, read)
		}
	}
}

// matches returns the matches in a file, sorted and without duplicates.
func matches(t *testing.T, name, pattern string) []string {
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	text, err := io.ReadAll(file)
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(pattern).FindAllString(string(text), -1)
	slices.Sort(found)
	return slices.Compact(found)
}
