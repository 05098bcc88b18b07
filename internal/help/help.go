// Package help prints the texts that retry shows about itself: --help, -h, --completion and --version. It reads the table of
// options, never their values. Nothing on the way to an attempt calls it.
package help

import (
	"bytes"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"retry/internal/options"
)

// helpTemplate is the template of the page. cli aligns the columns at the tabs.
const helpTemplate = `usage: retry [options] [--] COMMAND [ARG...]
       retry [options] -c STRING [ARG...]
{{range .}}
{{with .Title}}{{.}}:
{{end}}{{range .Rows}}  {{.}}
{{end}}{{end}}`

type helpGroup struct {
	Title string
	Rows  []string
}

// Print prints the common options on one screen, or all options by group.
func Print(stdout io.Writer, common bool) error {
	var groups []helpGroup
	for _, o := range options.Table() {
		if o.Help == "" || (common && !o.Common) {
			continue
		}
		title := o.Group
		if common {
			title = ""
		}
		if len(groups) == 0 || groups[len(groups)-1].Title != title {
			groups = append(groups, helpGroup{Title: title})
		}
		last := &groups[len(groups)-1]
		last.Rows = append(last.Rows, rows(o)...)
	}
	foot := helpGroup{Rows: []string{
		"D is a duration: 1m30s, 250ms, 2d or a number of seconds.",
		"RULE is code:1,75-78 or just 1,75-78, signal:KILL, http:429,5xx, timeout, or",
		"stdout:RE, stderr:RE or output:RE, a regular expression matched on each line.",
	}}
	if common {
		foot.Rows = append(foot.Rows, "retry --help shows all options.")
	} else {
		foot.Rows = append(foot.Rows, "RETRY_OPTS holds default options; RETRY_DISABLE=1 turns retrying off.")
	}
	var page bytes.Buffer
	cli.HelpPrinter(&page, helpTemplate, append(groups, foot))
	_, err := page.WriteTo(stdout)
	return err
}

// rows returns the lines of an option.
func rows(o *options.Option) []string {
	form := "    " + options.Dashed(o.Name)
	if o.Short != "" {
		form = "-" + o.Short + ", --" + o.Name
	} else if len(o.Name) == 1 {
		form = options.Dashed(o.Name)
	}
	switch {
	case o.Optional:
		form += "[=" + o.Placeholder + "]"
	case o.Placeholder != "":
		form += " " + o.Placeholder
	}
	lines := wrapped(o.Description())
	if o.Default != "" {
		lines[len(lines)-1] += " (" + o.Default + ")"
	}
	rows := []string{form + "\t" + lines[0]}
	for _, line := range lines[1:] {
		rows = append(rows, "\t"+line)
	}
	return rows
}

// wrapped breaks the text into lines that leave room for the options in 80 columns.
func wrapped(text string) (lines []string) {
	const most = 53
	for line := range strings.SplitSeq(text, "\n") {
		for len(line) > most {
			end := strings.LastIndexByte(line[:most+1], ' ')
			lines, line = append(lines, line[:end]), line[end+1:]
		}
		lines = append(lines, line)
	}
	return lines
}
