# bash completion for retry, made by: retry --completion bash
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

	local value='^(--(shell|base|factor|cap|backoff|delay|delays|jitter|seed|stagger|reset-after|success-if|fail-if|retry-if|stop-if|consecutive|max-attempts|timeout|deadline|idle-timeout|signal|kill-after|retry-after-pattern|retry-after-max|throttle-base|messages|judge|before-retry|on-failure|budget|stdin|stdout|stderr|rewind|tty|simulate|review|since|explain|at|aim|format|scale|report|trace|label|completion)|-[^-cn]*[cn])$' script='^-[^-cn]*c'
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
		_retry_words '' -c --shell --base --factor --cap --backoff --delay --delays --jitter --seed --stagger --reset-after --success-if --fail-if --retry-if --stop-if --until-failure --consecutive -n --max-attempts --timeout --deadline --tempfail --idle-timeout --signal --kill-after --sweep --retry-after --retry-after-pattern --retry-after-max --transient --throttle-base --messages --judge --before-retry --on-failure --budget --stdin --stdout -o --stderr --rewind --tty --plan --simulate --review --since --explain --at --aim --format --scale --report --report-argv --trace --label --summary -q --quiet -v --verbose --help -h --completion --version
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
	-c) _retry_compgen "$2" -c ;;
	--shell) _retry_words "$2" sh bash dash fish ksh zsh ;;
	--backoff) _retry_words "$2" exponential constant linear fibonacci ;;
	--jitter) _retry_words "$2" none full equal decorrelated additive normal proportional ;;
	--success-if) _retry_words "$2" code: signal: http: timeout stdout: stderr: output: ;;
	--fail-if) _retry_words "$2" code: signal: http: timeout stdout: stderr: output: ;;
	--retry-if) _retry_words "$2" code: signal: http: timeout stdout: stderr: output: ;;
	--stop-if) _retry_words "$2" code: signal: http: timeout stdout: stderr: output: ;;
	--signal) _retry_words "$2" TERM INT HUP QUIT KILL USR1 USR2 ;;
	--transient) _retry_words "$2" unsent ;;
	--messages) _retry_words "$2" C ;;
	--judge) _retry_compgen "$2" -c ;;
	--before-retry) _retry_compgen "$2" -c ;;
	--on-failure) _retry_compgen "$2" -c ;;
	--stdin) _retry_words "$2" inherit replay none ;;
	--stdout) _retry_words "$2" live success last ;;
	--stderr) _retry_words "$2" live last ;;
	--rewind) _retry_compgen "$2" -f ;;
	--tty) _retry_words "$2" auto always never ;;
	--simulate) _retry_words "$2" outage contention help ;;
	--review) _retry_compgen "$2" -f ;;
	--explain) _retry_compgen "$2" -f ;;
	--format) _retry_words "$2" text json csv svg ;;
	--scale) _retry_words "$2" linear log ;;
	--report) _retry_compgen "$2" -f ;;
	--trace) _retry_compgen "$2" -f ;;
	--completion) _retry_words "$2" bash zsh fish powershell ;;
	esac
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
