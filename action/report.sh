#!/usr/bin/env bash
# Turns retry's report into the outputs of a step. If there is no result, retry was called with bad usage.
set -euo pipefail

result=
if [ -e "${REPORT:-}" ]; then result=$(grep '"event":"result"' "$REPORT" | tail -n 1) || :; fi

# field NAME prints the value of a field of the result that is a number or a word.
field() { sed -nE 's/.*"'"$1"'":([a-z0-9]+)[,}].*/\1/p' <<<"$result"; }

if [ -n "$result" ]; then
	reason=$(sed -nE 's/.*"reason":"(([^"\\]|\\.)*)".*/\1/p' <<<"$result")
	attempts=$(field attempts) status=$(field status) success=$(field success)
else
	reason='retry: bad usage' attempts=0 status=125 success=false
fi
if [ "$success" = true ]; then outcome=success reason=; else outcome=failure; fi
cat >>"$GITHUB_OUTPUT" <<EOF
attempts=$attempts
exit-code=$status
outcome=$outcome
reason=$reason
EOF
