package options

import (
	"slices"
	"strings"
	"sync"
)

// A word is an option as it was given.
type word struct {
	option *Option
	value  string
}

// table returns the table of options, which a call without options never builds.
var table = sync.OnceValue(Table)

// takeOptions reads options up to -- or the first argument that is not an option, and returns them and the remaining arguments.
// The forms are getopt's: -n 3, -n3, --name value, --name=value, and several one-letter switches in one argument. Short forms
// become long ones here, because cli rejects an option that is given in both forms.
func takeOptions(words []string) (given []word, rest []string, err error) {
	for len(words) > 0 && len(words[0]) > 1 && words[0][0] == '-' {
		if words[0] == "--" {
			return given, words[1:], nil
		}
		var taken []word
		if taken, words, err = takeWord(words[0], words[1:]); err != nil {
			return nil, nil, err
		}
		given = append(given, taken...)
	}
	return given, words, nil
}

// takeWord reads the options of one argument. The value of the last one may be the next argument.
func takeWord(text string, next []string) (taken []word, rest []string, err error) {
	if name, long := strings.CutPrefix(text, "--"); long {
		taken, err = takeLong(name)
	} else {
		taken, err = takeShort(text)
	}
	if err != nil {
		return nil, nil, err
	}
	last := &taken[len(taken)-1]
	switch {
	case last.value != missing:
		return taken, next, nil
	case len(next) == 0:
		return nil, nil, usageErrorf("%s needs a value: %s", Dashed(last.option.Name), last.option.Placeholder)
	}
	last.value = next[0]
	return taken, next[1:], nil
}

// missing marks an option whose value is the next argument. No argument of a command line contains a NUL.
const missing = "\x00"

// takeLong reads one long option. The text is without its hyphens.
func takeLong(text string) ([]word, error) {
	table := table()
	name, value, attached := strings.Cut(text, "=")
	i := slices.IndexFunc(table, func(o *Option) bool { return o.Name == name && len(name) > 1 })
	if i < 0 {
		return nil, unknown(table, "--"+name, name)
	}
	switch {
	case table[i].Placeholder == "" && attached:
		return nil, usageErrorf("--%s takes no value", name)
	case table[i].Placeholder != "" && !attached && !table[i].Optional:
		value = missing
	}
	return []word{{table[i], value}}, nil
}

// takeShort reads an argument with one-letter options, the last of which may have a value.
func takeShort(text string) ([]word, error) {
	table := table()
	name, _, _ := strings.Cut(text[1:], "=")
	if len(name) > 1 && slices.ContainsFunc(table, func(o *Option) bool { return o.Name == name }) {
		return nil, unknown(table, "-"+name, name) // -cap isn't -c ap
	}
	var cluster []word
	for letters := text[1:]; letters != ""; {
		letter := letters[:1]
		letters = letters[1:]
		i := slices.IndexFunc(table, func(o *Option) bool { return o.Name == letter || o.Short == letter })
		switch {
		case i < 0 && letter == "=" && len(cluster) > 0:
			return nil, usageErrorf("%s takes no value", text[:strings.IndexByte(text, '=')])
		case i < 0:
			if abroad(name) != "" {
				letter = name // an option of a program whose long options have one hyphen
			}
			return nil, unknown(table, "-"+letter, name)
		case table[i].Placeholder == "":
			cluster = append(cluster, word{table[i], ""})
		case letters == "":
			return append(cluster, word{table[i], missing}), nil
		default:
			return append(cluster, word{table[i], letters}), nil
		}
	}
	return cluster, nil
}
