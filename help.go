package main

import (
	"bytes"
	"io"
	"strings"

	"github.com/urfave/cli/v2"
)

// helpTemplate is filled with the groups of options; the columns are aligned at the tabs.
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

// printHelp shows the common options on one screen, or all of them by group.
func printHelp(stdout io.Writer, table []*option, common bool) error {
	var groups []helpGroup
	for _, o := range table {
		if o.help == "" || (common && !o.common) {
			continue
		}
		title := o.group
		if common {
			title = ""
		}
		if len(groups) == 0 || groups[len(groups)-1].Title != title {
			groups = append(groups, helpGroup{Title: title})
		}
		last := &groups[len(groups)-1]
		last.Rows = append(last.Rows, o.rows()...)
	}
	foot := helpGroup{Rows: []string{
		"D is a duration: 1m30s, 250ms, 2d or a number of seconds.",
		"RULE is code:1,75-78 or just 1,75-78, signal:KILL, http:429,5xx, timeout, or",
		"stdout:RE, stderr:RE or output:RE: a regular expression tried on each line.",
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

// rows are the option's lines in the help.
func (o *option) rows() []string {
	form := "    " + dashed(o.name)
	if o.short != "" {
		form = "-" + o.short + ", --" + o.name
	} else if len(o.name) == 1 {
		form = dashed(o.name)
	}
	switch {
	case o.optional:
		form += "[=" + o.placeholder + "]"
	case o.placeholder != "":
		form += " " + o.placeholder
	}
	text := o.help
	if o.standard != "" {
		text += " (" + o.standard + ")"
	}
	lines := strings.Split(text, "\n")
	rows := []string{form + "\t" + lines[0]}
	for _, line := range lines[1:] {
		rows = append(rows, "\t"+line)
	}
	return rows
}
