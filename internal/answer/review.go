package answer

import (
	"fmt"
	"io"
	"os"
	"time"

	"retry/internal/options"
	"retry/internal/render"
	"retry/internal/review"
	"retry/runner/console"
)

// reviewed reads the files and evaluates them. If it is interrupted, it uses what it has read.
func reviewed(s *options.Settings, interrupted func() bool) (picture, error) {
	r := review.New()
	r.Only = s.Reviewed()
	if s.Given("since") {
		r.Since = time.Now().Add(-s.Since)
	}
	files := &reportFiles{names: s.Review}
	if err := files.look(); err != nil {
		return nil, err
	}
	bar := &progress{out: console.Descriptor(2), width: console.Width(2), interrupted: interrupted, began: time.Now(), of: 1}
	if bar.width == 0 {
		bar.out = io.Discard // a monthly job must not send a mail because the review took two seconds
	}
	defer bar.clear()
	complete, err := files.read(r, bar)
	if err != nil {
		return nil, err
	}
	r.Close()
	page := &render.Review{
		Command: s.ShownReview(), Lines: r, Complete: complete, AutoAxis: !s.Given("scale"),
		All: r.All.Find(candidates(s, r.All)),
	}
	if labels := r.Labels(); len(labels) > 1 {
		for _, g := range labels {
			page.Labels = append(page.Labels, g.Find(candidates(s, g)))
		}
	} else if len(labels) == 1 {
		r.All.Label = labels[0].Label
	}
	return page, nil
}

// candidates returns the schedules to compare for a group's outages: the one that was used and the one on the command line.
func candidates(s *options.Settings, g *review.Group) (list []review.Candidate) {
	if settings, err := options.ParseSchedule(g.Used()); err == nil && g.Used() != "" {
		list = append(list, candidate(settings))
	}
	if len(list) == 0 || s.Proposes() {
		list = append(list, candidate(s))
	}
	return list
}

func candidate(s *options.Settings) review.Candidate {
	return review.Candidate{
		Name: s.ShownLimited(), Short: s.ShownSchedule(),
		Proposal: review.Proposal{Schedule: s.Schedule, Attempts: s.MaxAttempts, Deadline: s.Deadline},
	}
}

// reportFiles are the files of a review.
type reportFiles struct {
	names []string
	size  int64 // of all files, 0 if the size of one is unknown
}

// look finds out the total size of the files.
func (f *reportFiles) look() error {
	known := true
	for _, name := range f.names {
		info, err := os.Stdin.Stat()
		if name != "-" {
			info, err = os.Stat(name)
		}
		if err != nil {
			return fmt.Errorf("--review: %w", err)
		}
		known = known && info.Mode().IsRegular()
		f.size += info.Size()
	}
	if !known {
		f.size = 0
	}
	return nil
}

// read reads all files, and reports whether it was not interrupted.
func (f *reportFiles) read(r *review.Review, bar *progress) (complete bool, err error) {
	var before, now int64
	tell := func(read int64) bool {
		now, complete = read, f.tell(bar, before+read)
		return complete
	}
	for _, name := range f.names {
		if err := readFile(r, name, tell); err != nil || !complete {
			return complete, err
		}
		before += now
	}
	return true, nil
}

// tell shows how much has been read, if the size is known, and reports whether to go on.
func (f *reportFiles) tell(bar *progress, read int64) bool {
	if f.size == 0 {
		return !bar.interrupted()
	}
	return bar.show(min(1, float64(read)/float64(f.size)))
}

// readFile reads a file, or standard input.
func readFile(r *review.Review, name string, tell func(int64) bool) error {
	file := os.Stdin
	if name != "-" {
		var err error
		if file, err = os.Open(name); err != nil {
			return fmt.Errorf("--review: %w", err)
		}
		defer file.Close()
	}
	if err := r.Read(file, tell); err != nil {
		return fmt.Errorf("--review: %w", err)
	}
	return nil
}

// printReview prints a review.
func printReview(stdout io.Writer, s *options.Settings, interrupted func() bool) error {
	page, err := reviewed(s, interrupted)
	if err != nil {
		return err
	}
	return show(page, stdout, s)
}
