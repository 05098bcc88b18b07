package process_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/windows"
)

// patience is how long anything may take on a busy machine. Nothing is expected to take long.
const patience = 40 * time.Second

// plays are the roles of the test binary, with their arguments.
var plays = map[string]func(arguments []string){
	"argv": func(a []string) { fmt.Printf("%q\n", a) },
	"exit": func(a []string) { os.Exit(number(a[0])) },
	"cat":  func([]string) { _, _ = io.Copy(os.Stdout, os.Stdin); os.Exit(3) },
	// A lasting process writes its ID to a file.
	"last": func(a []string) { tell(a[0], os.Getpid()); forever() },
	// A parent leaves a lasting process that has its streams, in a console group of its own. It exits, or lasts too.
	"leave": func(a []string) {
		child := exec.Command(os.Args[0], "last", a[0])
		child.Stdout = os.Stdout
		child.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}
		if err := child.Start(); err != nil {
			panic(err)
		}
		await(func() bool { return read(a[0]) != "" })
		fmt.Println("left")
		if a[1] == "last" {
			forever()
		}
		os.Exit(number(a[1]))
	},
	// A judge reads what the command printed.
	"judge": func(a []string) {
		if text, _ := io.ReadAll(os.Stdin); string(text) != a[0]+"\n" {
			os.Exit(9)
		}
	},
	// A command ends when it finds a file, which the tests of follow use instead of a console event.
	"obey": func(a []string) {
		tell(a[0]+".ready", os.Getpid())
		await(func() bool { return read(a[0]) != "" })
	},
}

func init() {
	playRole = func() {
		if play := os.Getenv("RETRY_TEST_ROLE"); play == "" {
			return
		}
		plays[os.Args[1]](os.Args[2:])
		os.Exit(0)
	}
}

func forever() { time.Sleep(time.Hour) }

func number(text string) int { n, _ := strconv.Atoi(text); return n }

// tell writes a file that nobody ever sees half written.
func tell(path string, value int) {
	_ = os.WriteFile(path+".new", []byte(strconv.Itoa(value)), 0o666)
	_ = os.Rename(path+".new", path)
}

func read(path string) string {
	text, _ := os.ReadFile(path)
	return string(text)
}

// await waits for a condition.
func await(so func() bool) bool {
	for end := time.Now().Add(patience); !so(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			return false
		}
	}
	return true
}

// folder returns a new directory. In an emulator, t.TempDir may fail to remove its own.
func folder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "retry-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		var all []string
		_ = filepath.Walk(dir, func(path string, _ os.FileInfo, err error) error { all = append(all, path); return err })
		for _, path := range slices.Backward(all) {
			if err := os.Remove(path); err != nil {
				t.Error(err)
			}
		}
	})
	return dir
}

// emulated reports whether this is Wine, which has another cmd.exe and no CTRL_BREAK.
var emulated = windows.NewLazySystemDLL("ntdll.dll").NewProc("wine_get_version").Find() == nil

// process returns the handle of the process whose ID is in a file.
func process(t *testing.T, file string) windows.Handle {
	t.Helper()
	if !await(func() bool { return read(file) != "" }) {
		t.Fatalf("%s was never written", file)
	}
	handle, err := windows.OpenProcess(windows.SYNCHRONIZE|windows.PROCESS_TERMINATE, false, uint32(number(read(file))))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = windows.TerminateProcess(handle, 1); _ = windows.CloseHandle(handle) })
	return handle
}

// runs reports whether a process is still running after a while.
func runs(handle windows.Handle, while time.Duration) bool {
	event, err := windows.WaitForSingleObject(handle, uint32(while.Milliseconds()))
	return err == nil && event == uint32(windows.WAIT_TIMEOUT)
}

// A trial is a run of the real program.
type trial struct {
	*exec.Cmd
	stdout, stderr bytes.Buffer
}

// trialOf returns a trial whose commands are played by the test binary.
func trialOf(words ...string) *trial {
	r := &trial{Cmd: exec.Command(binary, words...)}
	r.Stdout, r.Stderr = &r.stdout, &r.stderr
	r.Env = append(os.Environ(), "RETRY_TEST_ROLE=1", "RETRY_OPTS=", "SELF="+os.Args[0])
	r.WaitDelay = patience
	return r
}

// ends runs a trial, and checks its status and the end of what it prints.
func (r *trial) ends(t *testing.T, status int, says string) {
	t.Helper()
	_ = r.Run()
	if got := r.ProcessState.ExitCode(); got != status || !strings.Contains(r.stderr.String(), says) {
		t.Errorf("%q: status %d, want %d, and %q:\n%s%s", r.Args[1:], got, status, says, &r.stdout, &r.stderr)
	}
}

var arguments = []string{
	"", "a", "a b", `a\`, `a b\`, `"`, `\"`, `a"b c`, `\\server\share\`, "é€😀", "100%", "%PATH%", "%%PATH%%", "!PATH!", "^", "a^&b", "&calc",
	`" & echo injected & "`, "a|b", "<x>", "(a)", "*", "a=b;c,d", "'a b'", "\t",
}

func TestArguments(t *testing.T) {
	r := trialOf(slices.Concat([]string{"--", os.Args[0], "argv"}, arguments)...)
	r.ends(t, 0, "")
	if want := fmt.Sprintf("%q\n", arguments); r.stdout.String() != want {
		t.Errorf("got  %swant %s", &r.stdout, want)
	}
}

// The arguments of a batch file pass through cmd.exe, to which they must have no special meaning.
func TestBatchArguments(t *testing.T) {
	dir := filepath.Join(folder(t), "a folder, 100% & more")
	script := filepath.Join(dir, "tool.cmd")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(script, []byte("@\"%SELF%\" argv %*\r\n@exit /b 5\r\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, argument := range arguments {
		if strings.Contains(argument, `"`) || emulated && strings.Contains(argument, "%") {
			continue // to Go, a doubled quote also ends a word; TestBatchLine tests these
		}
		r := trialOf("-n1", "--", script, argument, "z")
		r.ends(t, 5, "exit status 5")
		if want := fmt.Sprintf("%q\n", []string{argument, "z"}); r.stdout.String() != want {
			t.Errorf("got  %swant %s", &r.stdout, want)
		}
	}
	r := trialOf("-n1", "--", script, `" & echo injected & "`)
	r.ends(t, 5, "exit status 5")
	if strings.Count(r.stdout.String(), "\n") != 1 {
		t.Errorf("injected: %s", &r.stdout)
	}
	trialOf("-n1", "--", script, "a\nb").ends(t, 126, "can't have a line break")
}

func TestLookup(t *testing.T) {
	here, path := folder(t), folder(t)
	for _, file := range []string{filepath.Join(here, "only.cmd"), filepath.Join(path, "tool.cmd"), filepath.Join(path, "dotted.1.bat")} {
		if err := os.WriteFile(file, []byte("@exit /b 5\r\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(path, "text.exe"), []byte("text"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		command string
		status  int
		says    string
	}{
		{"tool", 5, ""},
		{"TOOL.CMD", 5, ""},
		{"dotted.1", 5, ""},
		{filepath.Join(path, "tool"), 5, ""},
		{`.\only`, 5, ""},
		{"./only.cmd", 5, ""},
		{"only", 127, `it is in the working directory: use .\ before its name to run it`},
		{"none", 127, "command not found"},
		{`.\none`, 127, "command not found"},
		{path, 127, "command not found"},
		{"text", 126, "cannot execute"},
	} {
		r := trialOf("-n1", "--", test.command)
		r.Dir = here
		r.Env = append(r.Env, "PATH="+path+";"+os.Getenv("PATH"))
		r.ends(t, test.status, test.says)
	}
}

func TestShell(t *testing.T) {
	r := trialOf("-n1", "-c", `"%SELF%" argv "a  b" c & echo "d"  e& exit 7`)
	r.ends(t, 7, "exit status 7")
	if want := "[\"a  b\" \"c\"]\n\"d\"  e\r\n"; r.stdout.String() != want {
		t.Errorf("got %q, want %q", &r.stdout, want)
	}
	trialOf("-n1", "--shell", `cmd.exe /v:on /c`, "-c", `set X=6& exit !X!`).ends(t, 6, "exit status 6")
	trialOf("-c", "echo", "a").ends(t, 125, "cmd takes no arguments after -c STRING")
}

func TestStatus(t *testing.T) {
	for command, status := range map[int]int{0: 0, 1: 1, 255: 255, 256: 255, 1618: 255, -1: 255} {
		trialOf("-n1", "--", os.Args[0], "exit", strconv.Itoa(command)).ends(t, status, "")
	}
	trialOf("-n1", "--", os.Args[0], "exit", strconv.Itoa(int(windows.STATUS_CONTROL_C_EXIT))).ends(t, 130, "killed by SIGINT")
}

func TestRefused(t *testing.T) {
	trialOf("--timeout", "1", "--signal", "USR1", "x").ends(t, 125, `write TERM, INT or BREAK, which all send CTRL_BREAK, or KILL`)
	trialOf("--stop-if", "signal:KILL", "x").ends(t, 125, "Windows ends no command by a signal")
}

// After a timeout, nothing that the attempt started is running, whatever its console group.
func TestTimeoutEndsTree(t *testing.T) {
	for _, option := range []string{"--signal=TERM", "--signal=KILL"} {
		file := filepath.Join(folder(t), "pid")
		r := trialOf("-n1", "--timeout", "2s", "--kill-after", "100ms", option, "--", os.Args[0], "leave", file, "last")
		if err := r.Start(); err != nil {
			t.Fatal(err)
		}
		left := process(t, file)
		_ = r.Wait()
		if runs(left, 0) {
			t.Errorf("%s: something still runs", option)
		}
		if status := r.ProcessState.ExitCode(); status != 124 {
			t.Errorf("%s: status %d:\n%s", option, status, &r.stderr)
		}
	}
}

func TestIdleTimeout(t *testing.T) {
	file := filepath.Join(folder(t), "pid")
	r := trialOf("-n1", "--idle-timeout", "200ms", "--kill-after", "100ms", "--", os.Args[0], "last", file)
	r.ends(t, 124, "timed out without output")
}

// What an attempt leaves when it ends by itself goes on, and doesn't keep retry waiting although it has retry's
// streams. With --sweep it is ended.
func TestLeft(t *testing.T) {
	for _, sweep := range []bool{false, true} {
		dir := folder(t)
		file, output := filepath.Join(dir, "pid"), filepath.Join(dir, "output")
		words := []string{"-n1", "--kill-after", "100ms", "--stdout", "success", "--", os.Args[0], "leave", file, "0"}
		if sweep {
			words = append([]string{"--sweep"}, words...)
		}
		r := trialOf(words...)
		out, err := os.Create(output)
		if err != nil {
			t.Fatal(err)
		}
		r.Stdout = out
		if err := r.Start(); err != nil {
			t.Fatal(err)
		}
		left := process(t, file)
		_ = r.Wait()
		out.Close()
		if read(output) != "left\n" || r.ProcessState.ExitCode() != 0 {
			t.Errorf("sweep %v: status %d, output %q:\n%s", sweep, r.ProcessState.ExitCode(), read(output), &r.stderr)
		}
		if got := runs(left, 0); got == sweep {
			t.Errorf("sweep %v: it runs: %v", sweep, got)
		}
	}
}

// When retry is killed, everything that it runs is killed too.
func TestRetryKilled(t *testing.T) {
	file := filepath.Join(folder(t), "pid")
	r := trialOf("--", os.Args[0], "leave", file, "last")
	if err := r.Start(); err != nil {
		t.Fatal(err)
	}
	left := process(t, file)
	_ = r.Process.Kill()
	_ = r.Wait()
	if runs(left, patience) {
		t.Error("the command's child still runs")
	}
}

func TestReplay(t *testing.T) {
	temporary := folder(t)
	for _, size := range []int{0, 10, 1 << 20} {
		text := strings.Repeat("x", size)
		r := trialOf("-n3", "--delay", "0", "--stdin", "replay", "--", os.Args[0], "cat")
		r.Env = append(r.Env, "TMP="+temporary)
		r.Stdin = strings.NewReader(text)
		r.ends(t, 3, "giving up after 3 attempts")
		if got := r.stdout.String(); got != text+text+text {
			t.Errorf("%d bytes came as %d", size, len(got))
		}
	}
	if files, err := os.ReadDir(temporary); len(files) != 0 || err != nil {
		t.Errorf("left %v, %v", files, err)
	}
}

// Retry doesn't retry with an input that has been read to its end. A file is read again from its old offset.
func TestGuardedInput(t *testing.T) {
	r := trialOf("-n3", "--delay", "0", "--", os.Args[0], "cat")
	r.Stdin = strings.NewReader("text")
	r.ends(t, 3, "standard input was consumed")

	name := filepath.Join(folder(t), "input")
	if err := os.WriteFile(name, []byte("headtext"), 0o666); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	_, _ = file.Seek(4, io.SeekStart)
	r = trialOf("-n3", "--delay", "0", "--", os.Args[0], "cat")
	r.Stdin = file
	r.ends(t, 3, "giving up after 3 attempts")
	if got := r.stdout.String(); got != "texttexttext" {
		t.Errorf("got %q", got)
	}

	r = trialOf("-n3", "--delay", "0", "--stdin", "none", "--", os.Args[0], "cat")
	r.Stdin = strings.NewReader("text")
	r.ends(t, 3, "giving up after 3 attempts")
	if r.stdout.Len() != 0 {
		t.Errorf("got %q", &r.stdout)
	}
}

func TestJudge(t *testing.T) {
	r := trialOf("-n2", "--delay", "0", "--judge", `"%SELF%" judge "[\"a b\"]"`, "--", os.Args[0], "argv", "a b")
	r.ends(t, 0, "")
	trialOf("-n2", "--delay", "0", "--before-retry", "exit 1", "--", os.Args[0], "exit", "4").ends(t, 4, "--before-retry: exit status 1")
}

func TestPatterns(t *testing.T) {
	trialOf("-n2", "--delay", "0", "--fail-if", "stdout:a b", "--", os.Args[0], "argv", "a b").ends(t, 1, "exit status 0 matches --fail-if stdout:a b")
}

// Ctrl-C ends retry after the command. A test can send CTRL_BREAK to retry alone. In an emulator, which has none, it
// sends Ctrl-C instead, which the tests receive too and ignore.
func TestInterrupt(t *testing.T) {
	console(t)
	told := make(chan os.Signal, 1)
	signal.Notify(told, os.Interrupt)
	defer signal.Stop(told)
	file := filepath.Join(folder(t), "pid")
	r := trialOf("-n3", "--delay", "0", "--", os.Args[0], "leave", file, "last")
	if !emulated {
		r.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}
	}
	if err := r.Start(); err != nil {
		t.Fatal(err)
	}
	left := process(t, file)
	var err error
	if !emulated {
		err = windows.GenerateConsoleCtrlEvent(windows.CTRL_BREAK_EVENT, uint32(r.Process.Pid))
	} else {
		err = windows.GenerateConsoleCtrlEvent(windows.CTRL_C_EVENT, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	_ = r.Wait()
	if status := r.ProcessState.ExitCode(); status != 130 || runs(left, 0) {
		t.Errorf("status %d, something left: %v:\n%s", status, runs(left, 0), &r.stderr)
	}
	if !strings.Contains(r.stderr.String(), "not retrying: SIGINT received") {
		t.Errorf("%s", &r.stderr)
	}
}

// console makes sure that there is a console.
func console(t *testing.T) {
	t.Helper()
	handle, err := windows.Open(`CONOUT$`, os.O_RDWR, 0)
	if err == nil {
		_ = windows.CloseHandle(handle)
		return
	}
	kernel := windows.NewLazySystemDLL("kernel32.dll")
	_, _, _ = kernel.NewProc("FreeConsole").Call() // one that can't be used
	if ok, _, err := kernel.NewProc("AllocConsole").Call(); ok == 0 {
		t.Fatalf("AllocConsole: %v", err)
	}
}
