//go:build unix

package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"retry/policy"
)

const reviewPage = "docs/review.md"

// inventedMonth is the report of a job that fails now and then: mostly for some seconds, sometimes for minutes, and sometimes
// because a name doesn't exist.
func inventedMonth() string {
	rng := rand.New(rand.NewPCG(1, 9))
	schedule := policy.Schedule{Backoff: policy.Exponential{Base: time.Second, Factor: 2}, Jitter: policy.Full{}, Cap: time.Minute}
	const attempts, lasts = 12, 0.4
	var text strings.Builder
	for i := range 3000 {
		outage, reason := 0.0, "exit status 7 (connection refused, transient)"
		switch kind := rng.Float64(); {
		case kind < 0.06:
			outage = 3 * math.Exp(0.7*rng.NormFloat64())
		case kind < 0.10:
			outage, reason = 50*math.Exp(0.5*rng.NormFloat64()), "exit status 22 (HTTP 503, transient)"
		case kind < 0.102:
			outage, reason = math.Inf(1), "exit status 6 (name not resolved, transient)"
		}
		sequence, at, down, n := schedule.Start(rng), 0.0, 0.0, 1
		for ; at < outage && n < attempts; n++ {
			down = at
			at += lasts + sequence.Next().Seconds()
		}
		result := `"success":true,"status":0`
		failures := ""
		if at < outage {
			result, down = `"success":false,"status":22,"cause":"attempts"`, at
			failures = fmt.Sprintf(`"failed":%.3f,"down":%.3f,"failures":{"%s":%d}`, float64(n)*lasts, down, reason, n)
		} else if outage > 0 {
			failures = fmt.Sprintf(`"failed":%.3f,"down":%.3f,"up":%.3f,"failures":{"%s":%d}`, float64(n-1)*lasts, down, at, reason, n-1)
		} else {
			failures = `"failures":{}`
		}
		fmt.Fprintf(&text, `{"v":1,"call":"%x","label":"fetch","time":"%s","event":"result",%s,"attempts":%d,"ran":%.3f,"slept":%.3f,"elapsed":%.3f,%s,`+
			`"schedule":"--base 1s --factor 2 --cap 1m --jitter full -n 12"}`+"\n",
			i, time.Date(2026, 3, 1, 0, i*14, 0, 0, time.UTC).Format(time.RFC3339), result, n, float64(n)*lasts, at-float64(n-1)*lasts, at+lasts, failures)
	}
	return text.String()
}

// The example on the page and its picture are the review of that month.
func TestReviewExample(t *testing.T) {
	readSources()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "march.jsonl"), inventedMonth(), 0o644)
	review := func(arguments ...string) string {
		command := exec.Command("retry", append([]string{"--review", "march.jsonl", "--base", "2s", "--cap", "5m", "-n", "9"}, arguments...)...)
		command.Dir = dir
		output, err := command.Output()
		if err != nil {
			t.Fatal(err)
		}
		return string(output)
	}
	page, err := os.ReadFile(reviewPage)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(page), "<!-- example -->\n")
	_, after, ended := strings.Cut(rest, "<!-- end of the example -->")
	if !found || !ended {
		t.Fatal(reviewPage + " has no place for the example")
	}
	text, _, _ := strings.Cut(review(), "\nHow long do outages last?")
	generated(t, reviewPage, before+"<!-- example -->\n```\n$ retry --review march.jsonl --base 2s --cap 5m -n 9\n"+text+
		"```\n<!-- end of the example -->"+after)
	generated(t, "docs/review.svg", review("--format", "svg"))
}

// TestReviewPage runs the commands of the page on reports collected in the ways that it describes.
func TestReviewPage(t *testing.T) {
	readSources()
	text, err := os.ReadFile(reviewPage)
	if err != nil {
		t.Fatal(err)
	}
	blocks := map[string][]string{}
	for _, block := range regexp.MustCompile("(?s)```([a-z]*)\n(.*?)```\n").FindAllStringSubmatch(string(text), -1) {
		blocks[block[1]] = append(blocks[block[1]], block[2])
	}
	if len(blocks["yaml"]) != 2 || len(blocks["crontab"]) != 1 || len(blocks["sh"]) != 3 {
		t.Fatalf("%d, %d and %d blocks", len(blocks["yaml"]), len(blocks["crontab"]), len(blocks["sh"]))
	}
	dir := t.TempDir()
	bin, logs := filepath.Join(dir, "bin"), filepath.Join(dir, "logs")
	write(t, filepath.Join(bin, "gh"), "#!/bin/sh\ncase $2 in list) echo 41; echo 42;; download) test $3 = 42 && mkdir -p $7/x && cp retry.jsonl $7/x;; esac\n", 0o755)
	for _, name := range []string{"npm", "backup", "fetch"} {
		write(t, filepath.Join(bin, name), "#!/bin/sh\nexit 0\n", 0o755)
	}
	if err := os.Mkdir(logs, 0o755); err != nil {
		t.Fatal(err)
	}
	run := func(script string, options string) string {
		t.Helper()
		script = strings.ReplaceAll(script, "/var/log/retry", logs)
		command := exec.Command("bash", "-eo", "pipefail", "-c", script)
		command.Dir = dir
		command.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "RETRY_OPTS="+strings.ReplaceAll(options, "/var/log/retry", logs))
		output, err := command.CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%s", script, err, output)
		}
		return string(output)
	}
	place := strings.NewReplacer("${{ github.workspace }}", dir, "$CI_PROJECT_DIR", dir)
	for _, block := range blocks["yaml"] {
		options := place.Replace(regexp.MustCompile("RETRY_OPTS: (.*)").FindStringSubmatch(block)[1])
		run(regexp.MustCompile("retry --transient.*").FindString(block), options)
	}
	if got := run(blocks["sh"][0], ""); !strings.Contains(got, "2 calls of npm, ") {
		t.Errorf("the calls of the CI systems are\n%s", got)
	}
	options := regexp.MustCompile("RETRY_OPTS=(.*)").FindStringSubmatch(blocks["crontab"][0])[1]
	for _, job := range regexp.MustCompile("(?m)retry --label.*$").FindAllString(blocks["crontab"][0], -1) {
		run(job, options)
	}
	run("cd /var/log/retry; gzip -k jobs.jsonl; mv jobs.jsonl.gz jobs.jsonl.2.gz", "") // as logrotate does
	for _, block := range blocks["sh"][1:] {
		run(block, "")
	}
	page, err := os.ReadFile(filepath.Join(dir, "page.txt"))
	if err != nil || !strings.Contains(string(page), "4 calls, ") || !strings.Contains(string(page), "backup") {
		t.Errorf("%v: the page is\n%s", err, page)
	}
	picture, err := os.ReadFile(filepath.Join(dir, "page.svg"))
	if err != nil || !strings.Contains(string(picture), "How long do outages last?") {
		t.Errorf("%v: the picture is\n%s", err, picture)
	}
}

// generated compares a file with the text that it must have, or writes it.
func generated(t *testing.T, path, want string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil || string(got) != want {
		t.Errorf("%s differs from what it is made of; go test . -run 'TestGenerated|TestReviewExample' -update writes it anew: %v", path, err)
	}
}
