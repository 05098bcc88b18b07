//go:build unix

package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// tale is what the report lines of one call say about its outage.
type tale struct {
	first          time.Time // the start of the first attempt
	lastFailed     time.Time // the start of the last attempt that failed
	succeeded      time.Time // the end of the attempt that succeeded
	Down, Up       float64
	Success        bool
	Event, Verdict string
	Start          string
	Duration       float64
	Failures       map[string]int
}

// meet runs a call that can't succeed before an outage is over. It returns what its lines say, and between which times it ended.
func meet(t *testing.T, dir, id string, outage time.Duration) (call tale, before, after time.Time) {
	t.Helper()
	flag, report := filepath.Join(dir, "up"+id), filepath.Join(dir, "report"+id)
	command := exec.Command("retry", "-qq", "-n", "0", "--base", "4ms", "--cap", "200ms", "--label", "outage", "--report", report, "test", "-e", flag)
	if err := command.Start(); err != nil {
		t.Error(err)
		return
	}
	for began := time.Now(); time.Since(began) < time.Minute; time.Sleep(time.Millisecond) {
		if text, _ := os.ReadFile(report); bytes.Contains(text, []byte(`"event":"attempt"`)) {
			break // the first attempt has failed
		}
	}
	time.Sleep(outage)
	before = time.Now()
	if err := os.WriteFile(flag, nil, 0o644); err != nil {
		t.Error(err)
	}
	after = time.Now()
	if err := command.Wait(); err != nil {
		t.Error(err)
	}
	text, err := os.ReadFile(report)
	if err != nil {
		t.Error(err)
	}
	for line := range strings.Lines(string(text)) {
		call.Event = ""
		if err := json.Unmarshal([]byte(line), &call); err != nil {
			t.Error(err)
		}
		if call.Event != "attempt" {
			continue
		}
		start, err := time.Parse(time.RFC3339Nano, call.Start)
		if err != nil {
			t.Error(err)
		}
		if call.first.IsZero() {
			call.first = start
		}
		if call.Verdict == "success" {
			call.succeeded = start.Add(time.Duration(call.Duration * float64(time.Second)))
		} else {
			call.lastFailed = start
		}
	}
	return call, before, after
}

// TestReviewOfRealOutages compares the curve of a review with outages whose ends are known. The assertions hold however slow the
// machine is: an attempt that failed started before the end, one that succeeded ended after it, and the estimate lies in between.
func TestReviewOfRealOutages(t *testing.T) {
	t.Parallel()
	readSources()
	const calls, together = 96, 16
	dir := t.TempDir()
	rng := rand.New(rand.NewPCG(1, 1))
	var outages [calls]time.Duration
	for i := range outages {
		outages[i] = time.Duration(200 * rng.ExpFloat64() * float64(time.Millisecond))
	}
	var found [calls]tale
	var before, after [calls]time.Time
	var group sync.WaitGroup
	for first := range together {
		group.Go(func() {
			for i := first; i < calls; i += together {
				found[i], before[i], after[i] = meet(t, dir, strconv.Itoa(i), outages[i])
			}
		})
	}
	group.Wait()
	if t.Failed() {
		return
	}
	var down, up []float64
	for i, call := range found {
		if !call.Success || call.lastFailed.After(after[i]) || call.succeeded.Before(before[i]) {
			t.Errorf("outage %d ended between %v and %v, and the call tells %+v", i, before[i], after[i], call)
		}
		if len(call.Failures) == 0 {
			t.Errorf("call %d didn't meet its outage", i)
		}
		down, up = append(down, call.Down), append(up, call.Up)
		if wall := call.lastFailed.Sub(call.first).Seconds(); call.Up <= call.Down || call.Down-wall > 1 || wall-call.Down > 1 {
			t.Errorf("outage %d lasted from %v to %v by its call, whose attempts are %vs apart", i, call.Down, call.Up, wall)
		}
	}
	part := func(list []float64, seconds float64) float64 {
		n := 0
		for _, x := range list {
			if x <= seconds {
				n++
			}
		}
		return float64(n) / float64(len(list))
	}
	const bin, rounding = 1.0 / 32, 0.01
	for _, p := range curveOf(t, dir, calls) {
		over := 1 - p.survival
		if least, most := part(up, p.seconds*(1-bin)), part(down, p.seconds*(1+bin)); over < least-rounding || over > most+rounding {
			t.Errorf("%.3f of the outages are over after %.3fs, want %.3f to %.3f", over, p.seconds, least, most)
		}
	}
}

type survival struct{ seconds, survival float64 }

// curveOf reviews the reports in a directory, in no particular order.
func curveOf(t *testing.T, dir string, calls int) (curve []survival) {
	t.Helper()
	arguments := []string{"--format", "csv", "--review"}
	for i := range calls {
		arguments = append(arguments, filepath.Join(dir, "report"+strconv.Itoa((i*7)%calls)))
	}
	output, err := exec.Command("retry", arguments...).Output()
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(string(output))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		seconds, err := strconv.ParseFloat(row[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		part, err := strconv.ParseFloat(row[2], 64)
		if err != nil {
			t.Fatal(err)
		}
		curve = append(curve, survival{seconds, part})
	}
	if len(curve) < 20 {
		t.Fatalf("the curve has %d points:\n%s", len(curve), output)
	}
	return curve
}
