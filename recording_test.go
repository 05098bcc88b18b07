//go:build linux

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"html"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// The animated picture of the README is drawn from a recording of the real program on a terminal. To record it again, run
//
//	go test . -run TestGeneratedRecording -record
//
// and look at the picture.

var record = flag.Bool("record", false, "record the moving picture of the README again")

const (
	recordingFile = "docs/recording.jsonl"
	recordedLine  = "retry --transient --timeout 5s -- curl -fsS http://api.example.com/items"
	recordedWidth = 110
)

// shown is what the terminal received at a time, in seconds from the start.
type shown struct {
	At   float64 `json:"at"`
	Text string  `json:"text"`
}

func TestGeneratedRecording(t *testing.T) {
	if *record {
		writeRecording(t)
		*update = true
	}
	recording := readRecording(t)
	picture := animation(t, recording)
	if len(picture) > 200_000 {
		t.Errorf("the picture has %d bytes", len(picture))
	}
	generated(t, "docs/recording.svg", picture)
}

// The recording shows what the program prints today, except for the durations.
func TestRecordingIsCurrent(t *testing.T) {
	need(t, "curl")
	server := failingServer()
	defer server.Close()
	words := strings.Fields(recordedLine)
	c := exec.CommandContext(t.Context(), words[0], words[1:]...)
	c.Env = append(os.Environ(), "http_proxy="+server.URL, "RETRY_OPTS=--delay 0")
	output, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	all, whole := shots(t, readRecording(t))
	var recorded string
	for _, s := range all {
		if s.end == whole {
			recorded += s.text + "\n"
		}
	}
	durations := regexp.MustCompile(`[0-9.]+(ms|s)\b`)
	if got, want := durations.ReplaceAllString(recorded, "T"), durations.ReplaceAllString(string(output), "T"); got != want {
		t.Errorf("recorded\n%s\ntoday it is\n%s", got, want)
	}
}

// failingServer answers a curl that uses it as its proxy. It fails three times, in different ways.
func failingServer() *httptest.Server {
	request := 0
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		request++
		switch request {
		case 1, 3:
			w.WriteHeader(http.StatusServiceUnavailable)
		case 2:
			panic(http.ErrAbortHandler) // curl calls this an empty reply
		default:
			fmt.Fprintln(w, `{"items": 42}`)
		}
	}))
}

// writeRecording runs the command line against the failing server, on a pseudo-terminal.
func writeRecording(t *testing.T) {
	t.Helper()
	server := failingServer()
	defer server.Close()
	master, terminal := pseudoTerminal(t)
	defer master.Close()
	words := strings.Fields(recordedLine)
	c := exec.Command(words[0], words[1:]...)
	c.Stdin, c.Stdout, c.Stderr = terminal, terminal, terminal
	c.Env = append(os.Environ(), "http_proxy="+server.URL, "TERM=xterm-256color", "CI=", "RETRY_OPTS=")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	terminal.Close()
	var lines bytes.Buffer
	encoder := json.NewEncoder(&lines)
	block := make([]byte, 4096)
	for {
		n, err := master.Read(block)
		if n > 0 {
			if err := encoder.Encode(shown{time.Since(began).Seconds(), string(block[:n])}); err != nil {
				t.Fatal(err)
			}
		}
		if err != nil { // EIO, once no process has the terminal open
			break
		}
	}
	if err := c.Wait(); err != nil {
		t.Fatal(err)
	}
	write(t, recordingFile, lines.String(), 0o644)
}

func pseudoTerminal(t *testing.T) (master, terminal *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(int(master.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: recordedWidth})
	}
	if err == nil {
		terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	return master, terminal
}

func readRecording(t *testing.T) []shown {
	t.Helper()
	file, err := os.Open(recordingFile)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var recording []shown
	decoder := json.NewDecoder(bufio.NewReader(file))
	for {
		var o shown
		if err := decoder.Decode(&o); errors.Is(err, io.EOF) {
			return recording
		} else if err != nil {
			t.Fatal(err)
		}
		recording = append(recording, o)
	}
}

// A display is as much of a terminal as the recording needs. Each row has a single style.
type display struct {
	rows   []row
	column int
	style  string
}

type row struct{ text, style string }

// styles maps escape sequences to the classes of the picture.
var styles = map[string]string{"\x1b[2m": "dim", "\x1b[m": "", "\x1b[0m": ""}

// put shows a text. It fails if the text has an unknown control sequence.
func (d *display) put(text string) error {
	for text != "" {
		last := &d.rows[len(d.rows)-1]
		switch {
		case strings.HasPrefix(text, "\x1b[K"):
			last.text = last.text[:min(d.column, len(last.text))]
			text = text[len("\x1b[K"):]
		case text[0] == '\x1b':
			end := strings.IndexByte(text, 'm') + 1
			style, known := styles[text[:end]]
			if !known {
				return fmt.Errorf("unknown control sequence at %q", text)
			}
			d.style, text = style, text[end:]
		case text[0] == '\r':
			d.column, text = 0, text[1:]
		case text[0] == '\n':
			d.rows, text = append(d.rows, row{}), text[1:]
		case text[0] < ' ' || text[0] > '~':
			return fmt.Errorf("unknown character at %q", text)
		default:
			last.text = last.text[:min(d.column, len(last.text))] + text[:1]
			last.style = d.style
			d.column, text = d.column+1, text[1:]
		}
	}
	return nil
}

// A shot is a row of the picture and the time for which it is shown, in seconds.
type shot struct {
	row
	line       int
	begin, end float64
}

// The times of the animation, in seconds.
const (
	typing = 1.5 // before the command starts
	rest   = 4.0 // after it has ended
)

// shots returns the rows that the terminal shows one after the other, and the total time.
func shots(t *testing.T, recording []shown) ([]shot, float64) {
	t.Helper()
	d := &display{rows: []row{{}}}
	var all []shot
	current := map[int]int{} // from a line to its shot
	for i, o := range recording {
		if err := d.put(o.Text); err != nil {
			t.Fatal(err)
		}
		if i+1 < len(recording) && recording[i+1].At-o.At < 0.02 {
			continue // curl writes single characters
		}
		now := typing + o.At
		for line, r := range d.rows {
			last, is := current[line]
			if is && all[last].row == r {
				continue
			}
			if is {
				all[last].end = now
				delete(current, line)
			}
			if r.text != "" {
				current[line] = len(all)
				all = append(all, shot{row: r, line: line, begin: now})
			}
		}
	}
	whole := typing + recording[len(recording)-1].At + rest
	for _, last := range current {
		all[last].end = whole
	}
	return all, whole
}

// animation draws the recording as an SVG animated by CSS. A reader who has turned animations off sees the end.
func animation(t *testing.T, recording []shown) string {
	t.Helper()
	const left, top, leading = 16, 28, 19
	all, whole := shots(t, recording)
	lines := 1
	for _, s := range all {
		lines = max(lines, s.line+1)
	}
	var style, text strings.Builder
	frames := map[string]string{}
	for _, s := range all {
		class := s.style
		if s.begin > 0 {
			frame := fmt.Sprintf("0%%{opacity:0}%.2f%%{opacity:1}", 100*s.begin/whole)
			if s.end < whole {
				frame += fmt.Sprintf("%.2f%%{opacity:0}100%%{opacity:0}", 100*s.end/whole)
				class += " gone"
			} else {
				frame += "100%{opacity:1}"
			}
			if frames[frame] == "" {
				frames[frame] = fmt.Sprintf("k%d", len(frames))
			}
			class += " " + frames[frame]
		}
		fmt.Fprintf(&text, `<text x="%d" y="%d" class="%s">%s</text>`+"\n",
			left, top+(s.line+1)*leading, strings.TrimSpace(class), html.EscapeString(s.text))
	}
	for _, frame := range slices.SortedFunc(maps.Keys(frames), func(a, b string) int { return strings.Compare(frames[a], frames[b]) }) {
		fmt.Fprintf(&style, "@keyframes %[1]s{%[2]s}.%[1]s{animation-name:%[1]s}\n", frames[frame], frame)
	}
	width, height := left*2+recordedWidth*15/2, top+lines*leading+left
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %[1]d %[2]d" width="%[1]d" height="%[2]d" role="img">
<title>retry runs curl against a server that fails three times, and counts down each sleep</title>
<style>
rect{fill:#f6f8fa;stroke:#d0d7de}
text{font:12.5px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#1f2328;white-space:pre;animation:%[3]s step-end infinite}
.dim{fill:#656d76}.typed{font-weight:bold}.gone{opacity:0}
@media (prefers-color-scheme:dark){rect{fill:#161b22;stroke:#30363d}text{fill:#e6edf3}.dim{fill:#8d96a0}}
%[4]s@media (prefers-reduced-motion:reduce){text{animation:none}}
</style>
<rect x=".5" y=".5" width="%[5]d" height="%[6]d" rx="6"/>
<text x="%[7]d" y="%[8]d" class="typed">$ %[9]s</text>
%[10]s</svg>
`, width, height, seconds(whole), style.String(), width-1, height-1, left, top, html.EscapeString(recordedLine), text.String())
}

func seconds(value float64) string { return strconv.FormatFloat(value, 'f', 2, 64) + "s" }
