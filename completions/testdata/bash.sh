# bash.sh [PACKAGE]: reads lines, split into words as readline does, with tabs between, and prints what each is completed
# to. PACKAGE is bash-completion's file.
if [ -n "$1" ]; then
	# shellcheck disable=SC1090
	. "$1"
fi
. completions/retry.bash
complete -W '--own --other' retry-test-command
while IFS= read -r COMP_LINE && IFS= read -r words; do
	IFS=$'\t' read -r -a COMP_WORDS <<<"$words"
	[[ $COMP_LINE == *' ' ]] && COMP_WORDS+=('')
	COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_POINT=${#COMP_LINE}
	line=$COMP_LINE
	_retry retry "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}" 2>/dev/null
	printf '> %s\n' "$line"
	printf '%s\n' "${COMPREPLY[@]}"
done
