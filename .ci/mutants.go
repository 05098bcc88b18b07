//go:build ignore

// This program counts how many small faults the tests notice: .ci/mutants [-v] [-jobs N] [-seed N] [-only FILE,...] [PACKAGE...]
//
// Gremlins (github.com/go-gremlins/gremlins) puts one fault after another into a copy of the code: < becomes <= or >=,
// + becomes -, && becomes ||, break becomes continue. For each fault it runs the tests of the package, and of the other packages
// listed for it. A fault that no test notices survives. The table has a line for each package, and the status is 1 if the share
// of faults that were noticed is lower than what has been reached before. -v prints the survivors.
//
// A fault that makes the tests run for too long counts as noticed, so on a busy machine the numbers can look better than
// they are: watch that column. For packages whose tests are slow only some of the lines are tried, chosen by the seed.
//
// A fault in the code that ends processes can make it kill every process that it may signal. The tests therefore run in a
// PID namespace for each fault, where they see and reach no other processes, and whose processes end with it. A process
// group can span namespaces, so they also get a session and a group of their own.
package main

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// listed is a package to be tested.
type listed struct {
	path    string
	reached float64  // in percent
	sample  int      // the minimum number of faults to try; 0 for all
	tests   []string // other packages whose tests cover it
}

var packages = []listed{
	{path: "policy", reached: 97, sample: 200},
	{path: "policy/simulation", reached: 98},
	{path: "internal/render", reached: 97},
	{path: "runner", reached: 99},
	{path: "runner/budget", reached: 95},
	{path: "runner/console", reached: 100},
	{path: "runner/process", reached: 95, sample: 40},
	{path: "runner/proctable", reached: 100},
	{path: "runner/report", reached: 99},
	{path: "runner/scan", reached: 95},
	{path: "runner/signals", reached: 100},
	{path: "runner/stream", reached: 95, sample: 100, tests: []string{"runner/process"}},
}

var (
	verbose = flag.Bool("v", false, "print the faults that survived")
	jobs    = flag.Int("jobs", runtime.NumCPU(), "how many `tests` run at a time")
	seed    = flag.Int("seed", 1, "chooses the samples")
	only    = flag.String("only", "", "the `files` of the package in which faults are tried; what has been reached says nothing then")
)

// isolation is the command that runs another one in a PID namespace and a session of its own. An ordinary user needs a user
// namespace for that, and keeps his user ID in it, because some tests ask who runs them.
var isolation = func() []string {
	words := strings.Fields("unshare --pid --fork --kill-child --mount-proc")
	if os.Geteuid() != 0 {
		words = append(words, "--map-current-user")
	}
	return append(words, "setsid")
}()

// fault is a fault in Gremlins' report.
type fault struct {
	File         string
	Type, Status string
	Line, Column int
}

func main() {
	flag.Parse()
	for _, path := range flag.Args() {
		if !slices.ContainsFunc(packages, func(p listed) bool { return p.path == path }) {
			fmt.Fprintf(os.Stderr, "%s is not listed in .ci/mutants.go\n", path)
			os.Exit(125)
		}
	}
	if err := run(exec.Command(isolation[0], append(isolation[1:], "true")...)); err != nil {
		fmt.Fprintf(os.Stderr, "the tests need a PID namespace, so that no fault kills other processes: %v\n", err)
		os.Exit(125)
	}
	fmt.Printf("%-20s %7s %8s %9s %9s %8s %8s\n", "package", "faults", "noticed", "too long", "survived", "percent", "reached")
	below := false
	for _, p := range packages {
		if flag.NArg() > 0 && !slices.Contains(flag.Args(), p.path) {
			continue
		}
		faults, err := p.try()
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", p.path, err)
			os.Exit(125)
		}
		below = row(p.path, faults, p.reached) || below
	}
	if below {
		os.Exit(1)
	}
}

// row prints the line of a package. It reports whether the result is below the share reached before.
func row(path string, faults []fault, reached float64) (below bool) {
	var noticed, late int
	var survived []fault
	for _, f := range faults {
		switch f.Status {
		case "KILLED":
			noticed++
		case "TIMED OUT":
			late++
		default:
			survived = append(survived, f)
		}
	}
	percent := 100 * float64(noticed+late) / float64(max(1, len(faults)))
	note := ""
	if below = percent < reached && *only == ""; below {
		note = "  BELOW"
	}
	fmt.Printf("%-20s %7d %8d %9d %9d %8.1f %8.1f%s\n", path, len(faults), noticed, late, len(survived), percent, reached, note)
	if *verbose {
		for _, f := range survived {
			fmt.Printf("    %s/%s:%d:%d %s\n", path, f.File, f.Line, f.Column, strings.ToLower(strings.ReplaceAll(f.Type, "_", " ")))
		}
	}
	return below
}

// try lets Gremlins try the faults of the package, or a sample of them.
func (p listed) try() ([]fault, error) {
	scratch, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(scratch)
	b := bench{listed: p, gremlins: filepath.Join(scratch, "gremlins"), report: filepath.Join(scratch, "report"),
		copied: filepath.Join(scratch, "copy"), git: filepath.Join(scratch, "git"), bin: filepath.Join(scratch, "bin")}
	build := exec.Command("go", "build", "-modfile=.ci/tools/go.mod", "-o", b.gremlins, "github.com/go-gremlins/gremlins/cmd/gremlins")
	if err := run(build); err != nil {
		return nil, err
	}
	if err := b.copy(); err != nil {
		return nil, err
	}
	if err := b.deceive(); err != nil {
		return nil, err
	}
	var options []string
	if p.sample > 0 {
		if err := b.choose(); err != nil {
			return nil, err
		}
		options = []string{"--diff", "HEAD"}
	}
	return b.run(options...)
}

// bench is the place where the faults of a package are tried.
type bench struct {
	listed
	gremlins string // the path of the program
	report   string // the path of its report
	copied   string // the copy of the checkout
	git      string // the repository of a sample
	bin      string // a directory with the program that Gremlins runs as go
}

// run runs Gremlins.
func (b *bench) run(options ...string) ([]fault, error) {
	others, err := b.others()
	if err != nil {
		return nil, err
	}
	call := exec.Command(b.gremlins, append([]string{"unleash", "./" + b.path, "--output", b.report, "--workers", fmt.Sprint(*jobs),
		"--timeout-coefficient", "5", "--exclude-files", "/|^(" + strings.Join(others, "|") + ")$",
		"--invert-logical", "--invert-loopctrl", "--invert-bitwise", "--invert-bwassign", "--invert-assignments",
		"--remove-self-assignments"}, options...)...)
	call.Dir = b.copied
	call.Env = append(b.environment(), "PATH="+b.bin+":"+os.Getenv("PATH"))
	if err := run(call); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(b.report)
	if err != nil {
		return nil, err
	}
	var report struct {
		Files []struct {
			Name      string `json:"file_name"`
			Mutations []fault
		}
	}
	if err := json.Unmarshal(text, &report); err != nil {
		return nil, err
	}
	var faults []fault
	for _, file := range report.Files {
		for _, f := range file.Mutations {
			f.File = file.Name
			if f.Status != "SKIPPED" && f.Status != "NOT VIABLE" {
				faults = append(faults, f)
			}
		}
	}
	slices.SortFunc(faults, func(a, b fault) int {
		return strings.Compare(fmt.Sprintf("%s %5d %3d", a.File, a.Line, a.Column), fmt.Sprintf("%s %5d %3d", b.File, b.Line, b.Column))
	})
	return faults, nil
}

// others returns the files of the package in which no fault is tried: those for other systems, and those not asked for.
func (b *bench) others() ([]string, error) {
	listed, err := exec.Command("go", "list", "-f", `{{join .IgnoredGoFiles "\n"}}`, "./"+b.path).Output()
	if err != nil || *only == "" {
		return strings.Fields(string(listed)), err
	}
	files, err := filepath.Glob(filepath.Join(b.path, "*.go"))
	if err != nil {
		return nil, err
	}
	var others []string
	for _, file := range files {
		if name := filepath.Base(file); !slices.Contains(strings.Split(*only, ","), name) {
			others = append(others, name)
		}
	}
	return others, nil
}

// environment makes git use the repository of the sample.
func (b *bench) environment() []string {
	return append(os.Environ(), "GIT_DIR="+b.git, "GIT_WORK_TREE="+filepath.Join(b.copied, b.path))
}

// substitute is a go command by which Gremlins believes that the tests cover the whole package, so that it tries every fault:
// Go's coverage includes neither the expressions of a case nor what another process runs. It also runs the right tests, those of
// other packages only if the package's own notice nothing, and skips slow tests that add nothing. A fault that does not compile
// is not one: for Gremlins that is status 2, but go test ends with 1 as for a failed test, or is itself killed by the fault.
const substitute = `#!/bin/sh
go=%s
if [ "$1" != test ]; then
	exec "$go" "$@"
fi
if [ $$ != 1 ]; then
	exec %s "$0" "$@"
fi
limit=10m
while [ $# -gt 0 ]; do
	case $1 in
		-timeout) limit=$2 ;;
		-coverprofile) cp %s "$2" ;;
	esac
	shift
done
"$go" build %s || exit 2
for package in %s; do
	"$go" test -count=1 -failfast -vet=off -ldflags='-s -w' -timeout "$limit" "$package" || exit 1
done
`

// deceive writes the substitute for go.
func (b *bench) deceive() error {
	real, err := exec.LookPath("go")
	if err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(b.path, "*.go"))
	if err != nil {
		return err
	}
	profile := "mode: set\n"
	for _, file := range files {
		profile += "retry/" + filepath.ToSlash(file) + ":1.1,1000000.1 1 1\n"
	}
	covered := filepath.Join(b.bin, "profile")
	tests := "retry/" + strings.Join(append([]string{b.path}, b.tests...), " retry/")
	if err := os.Mkdir(b.bin, 0o777); err != nil {
		return err
	}
	if err := os.WriteFile(covered, []byte(profile), 0o666); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(b.bin, "go"), fmt.Appendf(nil, substitute, real, strings.Join(isolation, " "), covered, "retry/"+b.path, tests), 0o777)
}

// copy copies the checkout.
func (b *bench) copy() error {
	names, err := exec.Command("git", "ls-files", "-coz", "--exclude-standard").Output()
	if err != nil {
		return err
	}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(names), "\x00"), "\x00") {
		info, err := os.Stat(name)
		if err != nil {
			continue // deleted, but not committed
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		to := filepath.Join(b.copied, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(to, text, info.Mode()); err != nil {
			return err
		}
	}
	return nil
}

// choose creates a repository with uncommitted changes of some lines. Gremlins then tries only these lines.
func (b *bench) choose() error {
	faults, err := b.run("--dry-run")
	if err != nil {
		return err
	}
	order := func(f fault) uint64 {
		h := fnv.New64a()
		fmt.Fprintln(h, *seed, f.File, f.Line)
		return h.Sum64()
	}
	slices.SortStableFunc(faults, func(a, b fault) int { return cmp.Compare(order(a), order(b)) })
	lines := map[string][]int{}
	for _, f := range faults[:min(b.sample, len(faults))] {
		lines[f.File] = append(lines[f.File], f.Line)
	}
	folder := filepath.Join(b.copied, b.path)
	whole := map[string][]byte{}
	for file, lines := range lines {
		text, err := os.ReadFile(filepath.Join(folder, file))
		if err != nil {
			return err
		}
		whole[file] = text
		var kept []string
		for i, line := range strings.SplitAfter(string(text), "\n") {
			if !slices.Contains(lines, i+1) {
				kept = append(kept, line)
			}
		}
		if err := os.WriteFile(filepath.Join(folder, file), []byte(strings.Join(kept, "")), 0o666); err != nil {
			return err
		}
	}
	// Gremlins takes each hunk for one range of lines, so the diff must have no context.
	for _, words := range []string{"init -q", "config diff.context 0", "add -A", "-c user.name=sample -c user.email=sample commit -q -m sample"} {
		call := exec.Command("git", strings.Fields(words)...)
		call.Env = b.environment()
		if err := run(call); err != nil {
			return err
		}
	}
	for file, text := range whole {
		if err := os.WriteFile(filepath.Join(folder, file), text, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// run runs a command whose output matters only if it fails.
func run(call *exec.Cmd) error {
	if output, err := call.CombinedOutput(); err != nil {
		return fmt.Errorf("%v: %w\n%s", call, err, output)
	}
	return nil
}
