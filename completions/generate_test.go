//go:build unix

package completions

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"retry/internal/options"
)

var update = flag.Bool("update", false, "write the generated files anew")

// TestGenerated compares each completion script with the one generated from the table of options and its template, or writes it.
func TestGenerated(t *testing.T) {
	for file, generate := range map[string]func(template string, table []*options.Option) string{
		"retry.bash": generateBash, "_retry": generateZsh, "retry.fish": generateFish, "retry.ps1": generatePowerShell,
	} {
		template, err := os.ReadFile("testdata/" + file + ".in")
		if err != nil {
			t.Fatal(err)
		}
		want := generate(string(template), options.Table())
		if *update {
			if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want {
			t.Errorf("%s is not up to date: go test ./completions -run TestGenerated -update", file)
		}
	}
}

// isFile and isCommand report the kind of an option's value.
func isFile(o *options.Option) bool    { return o.Placeholder == "FILE" }
func isCommand(o *options.Option) bool { return o.Placeholder == "CMD" || o.Name == "c" }

// description returns the option's help in one line, with the default.
func description(o *options.Option) string {
	text := cmp.Or(strings.ReplaceAll(o.Description(), "\n", " "), "show the common options")
	if o.Default != "" {
		text += " (" + o.Default + ")"
	}
	return text
}

// letters returns the one-letter options that take a value.
func letters(table []*options.Option) (letters string) {
	for _, o := range table {
		for _, form := range o.Forms() {
			if len(form) == 2 && o.TakesWord() {
				letters += form[1:]
			}
		}
	}
	return letters
}

// valuePattern matches an option whose value is the next word. It is a regular expression for bash and for fish.
func valuePattern(table []*options.Option) string {
	var names []string
	for _, o := range table {
		if o.TakesWord() && len(o.Name) > 1 {
			names = append(names, o.Name)
		}
	}
	short := letters(table)
	return "^(--(" + strings.Join(names, "|") + ")|-[^-" + short + "]*[" + short + "])$"
}

// scriptPattern matches -c, alone or after other letters.
func scriptPattern(table []*options.Option) string { return "^-[^-" + letters(table) + "]*c" }

// fill inserts the parts generated from the table into a completion script.
func fill(text string, table []*options.Option, choices string) string {
	return strings.NewReplacer(
		"@VALUE@", valuePattern(table), "@SCRIPT@", scriptPattern(table), "@CHOICES@", choices,
	).Replace(text)
}

func generateBash(template string, table []*options.Option) string {
	var forms []string
	var choices strings.Builder
	for _, o := range table {
		forms = append(forms, o.Forms()...)
		action := ""
		switch words := o.Suggested(); {
		case isFile(o):
			action = `_retry_compgen "$2" -f`
		case isCommand(o):
			action = `_retry_compgen "$2" -c`
		case len(words) > 0:
			action = `_retry_words "$2" ` + strings.Join(words, " ")
		default:
			continue
		}
		choices.WriteString("\t" + strings.Join(o.Forms(), " | ") + ") " + action + " ;;\n")
	}
	text := strings.ReplaceAll(template, "@OPTIONS@", strings.Join(forms, " "))
	return fill(text, table, choices.String())
}

func generateZsh(template string, table []*options.Option) string {
	var choices strings.Builder
	for _, o := range table {
		for _, form := range o.Forms() {
			choices.WriteString("    '" + zshQuoted(zshExclusion(table, o)+form+zshValue(o, form)) + "' \\\n")
		}
	}
	var open, whole []string
	for _, rule := range rules(table) {
		if strings.HasSuffix(rule, ":") {
			open = append(open, rule)
		} else {
			whole = append(whole, rule)
		}
	}
	template = strings.NewReplacer("@OPENRULES@", strings.Join(open, " "), "@RULES@", strings.Join(whole, " ")).Replace(template)
	return fill(template, table, choices.String())
}

// rules returns the kinds of rules.
func rules(table []*options.Option) []string {
	for _, o := range table {
		if o.Placeholder == "RULE" {
			return o.Suggested()
		}
	}
	return nil
}

// zshExclusion returns the part of a specification that lists the options not offered together with this one.
func zshExclusion(table []*options.Option, o *options.Option) string {
	names := []string{}
	repeated := o.Placeholder == "RULE" || o.Name == "quiet"
	if !repeated {
		names = append(names, o.Forms()...)
	}
	for _, other := range table {
		if o.Excludes(other) {
			names = append(names, other.Forms()...)
		}
	}
	text := ""
	if len(names) > 0 {
		text = "(" + strings.Join(names, " ") + ")"
	}
	if repeated {
		text += "*"
	}
	return text
}

// zshValue returns the rest of a specification.
func zshValue(o *options.Option, form string) string {
	text := "[" + zshPlain(description(o)) + "]"
	switch {
	case o.Placeholder == "":
		return text
	case o.Optional:
		text = "=-" + text + ":"
	case len(form) == 2:
		text = "+" + text
	default:
		text = "=" + text
	}
	text += ":" + zshPlain(o.Placeholder) + ":"
	switch words := o.Suggested(); {
	case isFile(o):
		text += "_files"
	case isCommand(o):
		text += "_command_names -e"
	case o.Placeholder == "RULE":
		text += "_retry_rule"
	case len(words) > 0:
		text += "(" + strings.Join(words, " ") + ")"
	}
	return text
}

// zshPlain returns text without characters that are special in a specification.
func zshPlain(text string) string {
	return strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, ":", `\:`).Replace(text)
}

func zshQuoted(text string) string { return strings.ReplaceAll(text, "'", `'\''`) }

func generateFish(template string, table []*options.Option) string {
	var choices strings.Builder
	for _, o := range table {
		line := "complete -c retry -n __retry_in_options"
		for _, form := range o.Forms() {
			if len(form) == 2 {
				line += " -s " + form[1:]
			} else {
				line += " -l " + form[2:]
			}
		}
		switch {
		case isFile(o):
			line += " -r -F"
		case o.TakesWord():
			line += " -x"
		}
		// The values are on a line of their own, because fish repeats the text of a line for each value. The text is on the last line,
		// because fish lists the option once, with the text that comes last.
		if values := fishValues(o); values != "" {
			choices.WriteString(line + " -a " + quoted(values) + "\n")
		}
		choices.WriteString(line + " -d " + quoted(description(o)) + "\n")
	}
	return fill(template, table, choices.String())
}

// fishValues returns the values that fish offers for the option, or the command that prints them.
func fishValues(o *options.Option) string {
	if isCommand(o) {
		return "(__retry_complete_name)"
	}
	return strings.Join(o.Suggested(), " ")
}

// quoted returns text in single quotes, for fish.
func quoted(text string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(text) + "'"
}

func generatePowerShell(template string, table []*options.Option) string {
	var texts, values strings.Builder
	var commands []string
	for _, o := range table {
		for _, form := range o.Forms() {
			fmt.Fprintf(&texts, "        '%s' = '%s'\n", form, strings.ReplaceAll(description(o), "'", "''"))
			if words := o.Suggested(); len(words) > 0 {
				fmt.Fprintf(&values, "        '%s' = '%s'\n", form, strings.Join(words, "', '"))
			}
			if isCommand(o) {
				commands = append(commands, "'"+form+"'")
			}
		}
	}
	template = strings.NewReplacer("@OPTIONS@", texts.String(), "@COMMANDS@", strings.Join(commands, ", ")).Replace(template)
	return fill(template, table, values.String())
}
