#!/usr/bin/env bash
# Runs the script in INPUT_RUN with retry and the options in INPUT_ARGS. retry replaces this shell, so that it receives the signal
# when the job is cancelled.
set -euo pipefail

report=$(mktemp "${RUNNER_TEMP:-/tmp}/retry-report.XXXXXX")
echo "report=$report" >>"$GITHUB_OUTPUT"

args=()
if [[ $INPUT_ARGS == *[![:space:]]* ]]; then
	# xargs understands a shell's quotes, and expands nothing.
	words=$(printf '%s' "$INPUT_ARGS" | xargs printf '%s\n') || { echo "::error title=retry::args: a quote is not closed"; exit 125; }
	while IFS= read -r word; do args+=("$word"); done <<<"$words"
fi
# Like a workflow's own bash steps. An empty array is an error in the bash of macOS.
exec retry --summary --shell 'bash --noprofile --norc -eo pipefail' -c "$INPUT_RUN" ${args[@]+"${args[@]}"} --report "$report"
