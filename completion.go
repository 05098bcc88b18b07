package main

import (
	"cmp"
	"io"
	"slices"
	"strings"
)

// The completions are made from the table of options. Those in the folder completions are what printCompletion prints;
// a test compares them, and with -update writes them anew.

// printCompletion shows how a shell completes the command line.
func printCompletion(stdout io.Writer, shell string) error {
	table := options()
	text := ""
	switch shell {
	case "bash":
		text = bashCompletion(table)
	case "zsh":
		text = zshCompletion(table)
	case "fish":
		text = fishCompletion(table)
	default:
		return badUsage("", "--completion: %q is no shell that it knows: write bash, zsh or fish", shell)
	}
	_, err := io.WriteString(stdout, text)
	return err
}

// suggested are the words that can be an option's value, where there are some to choose from; more follows one that
// ends in a colon.
func (o *option) suggested() []string {
	words := ""
	switch o.name {
	case "shell":
		words = "sh bash dash fish ksh zsh"
	case "backoff":
		words = "exponential constant linear fibonacci"
	case "jitter":
		words = "none full equal decorrelated additive normal proportional"
	case "signal":
		words = "TERM INT HUP QUIT KILL USR1 USR2"
	case "transient":
		words = "unsent"
	case "stdin":
		words = "inherit replay none"
	case "stdout":
		words = "live success last"
	case "stderr":
		words = "live last"
	case "simulate":
		words = "outage contention help"
	case "format":
		words = "text json csv svg"
	case "scale":
		words = "linear log"
	case "completion":
		words = "bash zsh fish"
	}
	if o.placeholder == "RULE" {
		words = "code: signal: http: timeout stdout: stderr: output:"
	}
	return strings.Fields(words)
}

// isFile and isCommand tell the kind of an option's value.
func (o *option) isFile() bool    { return o.placeholder == "FILE" }
func (o *option) isCommand() bool { return o.placeholder == "CMD" || o.name == "c" }

// takesWord reports whether the option's value can be the next word.
func (o *option) takesWord() bool { return o.placeholder != "" && !o.optional }

// forms are the option as it is typed, -n and --max-attempts.
func (o *option) forms() []string {
	if o.short != "" {
		return []string{dashed(o.short), dashed(o.name)}
	}
	return []string{dashed(o.name)}
}

// description is the option's help in one line.
func (o *option) description() string {
	text := strings.ReplaceAll(cmp.Or(o.help, "show the common options"), "\n", " ")
	if o.standard != "" {
		text += " (" + o.standard + ")"
	}
	return text
}

// letters are the one-letter options that take a value.
func letters(table []*option) (letters string) {
	for _, o := range table {
		for _, form := range o.forms() {
			if len(form) == 2 && o.takesWord() {
				letters += form[1:]
			}
		}
	}
	return letters
}

// valuePattern matches an option whose value is the next word. It is a regular expression of bash and of fish.
func valuePattern(table []*option) string {
	var names []string
	for _, o := range table {
		if o.takesWord() && len(o.name) > 1 {
			names = append(names, o.name)
		}
	}
	short := letters(table)
	return "^(--(" + strings.Join(names, "|") + ")|-[^-" + short + "]*[" + short + "])$"
}

// scriptPattern matches -c, alone or behind other letters.
func scriptPattern(table []*option) string { return "^-[^-" + letters(table) + "]*c" }

// fill puts the parts made from the table into a completion.
func fill(text string, table []*option, choices string) string {
	return strings.NewReplacer(
		"@VALUE@", valuePattern(table), "@SCRIPT@", scriptPattern(table), "@CHOICES@", choices,
	).Replace(text)
}

const bashText = `# bash completion for retry, made by: retry --completion bash
# It runs nothing of what is typed.

_retry() {
	COMPREPLY=()
	# Readline splits words at = and : too. What stands together is one word; head is the part of the last one that
	# readline leaves alone.
	local words=() index=() line=${COMP_LINE:0:COMP_POINT} head='' n=-1 i
	for ((i = 0; i <= COMP_CWORD; i++)); do
		if [[ $n == -1 || $line == [[:space:]]* || $line != "${COMP_WORDS[i]}"* && $i -lt $COMP_CWORD ]]; then
			line=${line#"${line%%[![:space:]]*}"}
			((++n))
			words[n]='' index[n]=$i
		fi
		[[ $i == "$COMP_CWORD" ]] && break
		words[n]+=${COMP_WORDS[i]}
		line=${line#"${COMP_WORDS[i]}"}
	done
	head=${words[n]}
	[[ $line == [=:] ]] && head+=$line
	words[n]+=$line

	local value='@VALUE@' script='@SCRIPT@'
	local cur=${words[n]} option='' shell='' at=''
	for ((i = 1; i < n && n > 0; i++)); do
		if [[ ${words[i]} == -- ]]; then
			at=$((i + 1))
			break
		elif [[ ${words[i]} != -?* ]]; then
			at=$i
			break
		fi
		[[ ${words[i]} =~ $script ]] && shell=yes
		if [[ ${words[i]} =~ $value ]]; then
			option=${words[i]}
			[[ $option == --* ]] || option=-${option: -1}
			((++i < n)) && option=
		fi
	done

	if [[ $option ]]; then
		_retry_value "$option" ''
	elif [[ ! $at && $cur == --*=* ]]; then
		_retry_value "${cur%%=*}" "${cur%%=*}="
	elif [[ ! $at && $cur == -* ]]; then
		_retry_words '' @OPTIONS@
	elif [[ $shell ]]; then
		_retry_compgen '' -f
	elif ((n == ${at:-$n})); then
		_retry_compgen '' -c
	elif declare -F _comp_command_offset >/dev/null; then
		_comp_command_offset "${index[at]}"
	elif declare -F _command_offset >/dev/null; then
		_command_offset "${index[at]}"
	else
		_retry_compgen '' -f
	fi
}

# _retry_value OPTION PREFIX completes the value of the option, which stands behind the prefix.
_retry_value() {
	case $1 in
@CHOICES@	esac
}

# _retry_words PREFIX WORD... offers words.
_retry_words() {
	local prefix=$1 word
	shift
	for word; do
		if [[ $prefix$word == "$cur"* ]]; then
			word=$prefix$word
			COMPREPLY+=("${word#"$head"}")
			[[ $word == *: ]] && compopt -o nospace 2>/dev/null
		fi
	done
}

# _retry_compgen PREFIX ACTION offers what compgen finds. What it can't find, in quotes for instance, readline may.
_retry_compgen() {
	local word
	compopt -o filenames -o default 2>/dev/null
	while IFS= read -r word; do
		word=$1$word
		COMPREPLY+=("${word#"$head"}")
	done < <(compgen "$2" -- "${cur#"$1"}")
}

complete -F _retry retry
`

func bashCompletion(table []*option) string {
	var forms []string
	var choices strings.Builder
	for _, o := range table {
		forms = append(forms, o.forms()...)
		action := ""
		switch words := o.suggested(); {
		case o.isFile():
			action = `_retry_compgen "$2" -f`
		case o.isCommand():
			action = `_retry_compgen "$2" -c`
		case len(words) > 0:
			action = `_retry_words "$2" ` + strings.Join(words, " ")
		default:
			continue
		}
		choices.WriteString("\t" + strings.Join(o.forms(), " | ") + ") " + action + " ;;\n")
	}
	text := strings.ReplaceAll(bashText, "@OPTIONS@", strings.Join(forms, " "))
	return fill(text, table, choices.String())
}

const zshText = `#compdef retry
# zsh completion for retry, made by: retry --completion zsh
# It runs nothing of what is typed.

_retry() {
  # To complete a file name zsh expands the folders before it, commands in them too.
  [[ $words[CURRENT] == *(\$[\(\{\[]|$'\140')* ]] && return 1
  local curcontext=$curcontext state state_descr line ret=1
  typeset -A opt_args
  _arguments -C -s -S -A '-*' \
@CHOICES@    '*:: :->command' && ret=0
  if [[ $state == command ]]; then
    if [[ $words[1] == -- ]]; then
      shift words
      (( CURRENT-- ))
    fi
    if (( $+opt_args[-c] )); then
      _files && ret=0
    elif (( CURRENT == 1 )); then
      _command_names -e && ret=0
    else
      _normal && ret=0
    fi
  fi
  return ret
}

_retry_rule() {
  local expl
  _wanted rules expl rule compadd -S '' code: signal: http: stdout: stderr: output: ||
    _wanted rules expl rule compadd timeout
}

if [[ $funcstack[1] == _retry ]]; then
  _retry "$@"
else
  compdef _retry retry
fi
`

func zshCompletion(table []*option) string {
	var choices strings.Builder
	for _, o := range table {
		for _, form := range o.forms() {
			choices.WriteString("    '" + zshQuoted(zshExclusion(table, o)+form+zshValue(o, form)) + "' \\\n")
		}
	}
	return fill(zshText, table, choices.String())
}

// zshExclusion is the part of a specification that says which options are not offered any more beside this one.
func zshExclusion(table []*option, o *option) string {
	names := []string{}
	repeated := o.placeholder == "RULE" || o.name == "quiet"
	if !repeated {
		names = append(names, o.forms()...)
	}
	for _, other := range table {
		if slices.Contains(exclusive[:], [2]string{o.name, other.name}) || slices.Contains(exclusive[:], [2]string{other.name, o.name}) {
			names = append(names, other.forms()...)
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

// zshValue is the rest of a specification.
func zshValue(o *option, form string) string {
	text := "[" + zshPlain(o.description()) + "]"
	switch {
	case o.placeholder == "":
		return text
	case o.optional:
		text = "=-" + text + ":"
	case len(form) == 2:
		text = "+" + text
	default:
		text = "=" + text
	}
	text += ":" + zshPlain(o.placeholder) + ":"
	switch words := o.suggested(); {
	case o.isFile():
		text += "_files"
	case o.isCommand():
		text += "_command_names -e"
	case o.placeholder == "RULE":
		text += "_retry_rule"
	case len(words) > 0:
		text += "(" + strings.Join(words, " ") + ")"
	}
	return text
}

// zshPlain is text that a specification takes as it is.
func zshPlain(text string) string {
	return strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, ":", `\:`).Replace(text)
}

func zshQuoted(text string) string { return strings.ReplaceAll(text, "'", `'\''`) }

const fishText = `# fish completion for retry, made by: retry --completion fish
# It runs nothing of what is typed.

# The number of the word that is the command, or has to be. It fails while there may be another option.
function __retry_command_at
    set -l words (commandline -opc)
    set -l i 2
    while test $i -le (count $words)
        if test "$words[$i]" = --
            math $i + 1
            return
        else if not string match -qr -- '^-.' "$words[$i]"
            echo $i
            return
        else if string match -qr -- '@VALUE@' "$words[$i]"
            set i (math $i + 1)
        end
        set i (math $i + 1)
    end
    return 1
end

function __retry_in_options
    not __retry_command_at >/dev/null
end

# The command's own completion. Behind -c there are only words.
function __retry_complete_command
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l at (__retry_command_at)
    or set at (math (count $words) + 1)
    set -l rest
    if test $at -le (count $words)
        set rest $words[$at..-1]
        set words $words[1..(math $at - 1)]
    else if string match -qr -- '^-' $current
        return
    end
    if string match -qr -- '@SCRIPT@' $words[2..-1]
        __fish_complete_path "$current"
    else
        __retry_complete_line "$current" $rest
    end
end

# The names of commands, as an option's value.
function __retry_complete_name
    set -l current (commandline -ct)
    __retry_complete_line (string replace -r -- '^--[^=]*=' '' "$current" | string collect --allow-empty)
end

# Completes the first argument behind the others. To complete the name of a command fish runs what is in parentheses.
function __retry_complete_line
    if not string match -q -- '*(*' "$argv[1]"
        set -l line (string escape -- $argv[2..-1]) "$argv[1]"
        complete "--do-complete=$line"
    end
end

complete -c retry -f
complete -c retry -a '(__retry_complete_command)'
@CHOICES@`

func fishCompletion(table []*option) string {
	var choices strings.Builder
	for _, o := range table {
		line := "complete -c retry -n __retry_in_options"
		for _, form := range o.forms() {
			if len(form) == 2 {
				line += " -s " + form[1:]
			} else {
				line += " -l " + form[2:]
			}
		}
		switch words := o.suggested(); {
		case o.isFile():
			line += " -r -F"
		case o.isCommand():
			line += " -x -a '(__retry_complete_name)'"
		case o.takesWord() && len(words) > 0:
			line += " -x -a '" + strings.Join(words, " ") + "'"
		case o.takesWord():
			line += " -x"
		case o.optional:
			line += " -a '" + strings.Join(words, " ") + "'"
		}
		quoted := strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(o.description())
		choices.WriteString(line + " -d '" + quoted + "'\n")
	}
	return fill(fishText, table, choices.String())
}
