package answer

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"retry/internal/options"
)

var update = flag.Bool("update", false, "draw the pictures of the documentation anew")

const docs = "../../docs"

// pictures maps the names of the pictures in docs/pictures to the options that draw them.
var pictures = map[string]string{
	"plan-default":   "--plan",
	"plan-100ms":     "--plan --base 100ms --factor 2.7 --cap 10m --jitter normal=0.1 --max-attempts 20",
	"plan-100ms-log": "--plan --base 100ms --factor 2.7 --cap 10m --jitter normal=0.1 --max-attempts 20 --scale log",
	"plan-1s":        "--plan --base 1s --factor 1.5 --cap 5m --jitter normal=0.1 --max-attempts 25",
	"plan-1s-log":    "--plan --base 1s --factor 1.5 --cap 5m --jitter normal=0.1 --max-attempts 25 --scale log",
	"plan-deadline":  "--plan --seed 3 --timeout 30s --deadline 5m",
	"contention":     "--simulate contention --base 10ms --cap 2s --seed 1",
	"contention-100": "--simulate contention:clients=100 --base 10ms --cap 2s --seed 1",
	"outage":         "--simulate outage:clients=1500,abandon=yes --base 100ms --factor 2.7 --cap 5m --jitter normal=0.1 --seed 1",
	"outage-kept":    "--simulate outage --base 100ms --factor 2.7 --cap 5m --jitter normal=0.1 --seed 1",
	"outage-27s":     "--simulate outage --base 27s --factor 2.7 --cap 5m --jitter normal=0.1 --seed 1 --scale log",
	"outage-budget":  "--simulate outage:clients=1500,abandon=yes --delay 100ms --seed 1 --budget per-machine=10",
}

// answered returns what a command line prints.
func answered(t *testing.T, line string) string {
	t.Helper()
	parsed, err := options.Parse(strings.Fields(line))
	if err != nil {
		t.Fatalf("retry %s: %v", line, err)
	}
	var out strings.Builder
	if err := Print(&out, parsed.Settings, func() bool { return false }); err != nil {
		t.Fatalf("retry %s: %v", line, err)
	}
	return out.String()
}

// The pictures in the documentation are those that retry draws.
func TestPictures(t *testing.T) {
	for name, line := range pictures {
		path := filepath.Join(docs, "pictures", name+".svg")
		got := answered(t, line+" --format svg")
		if *update {
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s is not what retry %s draws; go test ./internal/answer -update draws it anew", path, line)
		}
	}
	drawn, err := filepath.Glob(filepath.Join(docs, "pictures", "*.svg"))
	if err != nil || len(drawn) != len(pictures) {
		t.Errorf("%d pictures in docs/pictures, %d in the test: %v", len(drawn), len(pictures), err)
	}
}

// A page shows each picture below the command that draws it, and the output that it quotes is what retry prints.
func TestPages(t *testing.T) {
	shown := map[string]bool{}
	for _, page := range []string{"schedule.md", "forecasts.md"} {
		text, err := os.ReadFile(filepath.Join(docs, page))
		if err != nil {
			t.Fatal(err)
		}
		drawing, language := "", ""
		var block []string
		for line := range strings.Lines(string(text)) {
			line = strings.TrimSuffix(line, "\n")
			fence, isFence := strings.CutPrefix(line, "```")
			switch {
			case isFence && language == "console":
				quotes(t, page, block)
			case isFence && language == "sh" && len(block) > 0:
				drawing = strings.TrimPrefix(block[len(block)-1], "retry ")
			case !isFence && language != "":
				block = append(block, line)
			}
			if isFence {
				language, block = fence, nil
			}
			if _, name, ok := strings.Cut(line, "](pictures/"); ok {
				name, _, _ = strings.Cut(name, ".svg)")
				shown[name] = true
				if want := pictures[name] + " --format svg"; drawing != want {
					t.Errorf("%s shows %s below %q, not %q", page, name, drawing, want)
				}
			}
		}
	}
	for name := range pictures {
		if !shown[name] {
			t.Errorf("no page shows %s", name)
		}
	}
}

// quotes checks that retry prints the lines below each command. "..." stands for any lines.
func quotes(t *testing.T, page string, lines []string) {
	t.Helper()
	var printed []string
	for _, line := range lines {
		if command, ok := strings.CutPrefix(line, "$ retry "); ok {
			printed = strings.Split(answered(t, command), "\n")
			continue
		}
		if line == "..." {
			continue
		}
		at := slices.IndexFunc(printed, func(p string) bool { return strings.TrimRight(p, " ") == strings.TrimRight(line, " ") })
		if at < 0 {
			t.Errorf("%s quotes what retry does not print, or not in this order: %s", page, line)
			return
		}
		printed = printed[at+1:]
	}
}

// A picture can be read on light and dark pages.
func TestPicturesAreForLightAndDarkPages(t *testing.T) {
	for name := range pictures {
		text, err := os.ReadFile(filepath.Join(docs, "pictures", name+".svg"))
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Count(text, []byte("prefers-color-scheme:dark")) != 1 || bytes.Contains(text, []byte(`stroke="`)) || bytes.Contains(text, []byte(`fill="#`)) {
			t.Errorf("%s has colours that don't follow the page", name)
		}
	}
}
