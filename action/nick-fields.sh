#!/usr/bin/env bash
# Runs a command with retry, according to the inputs of the action nick-fields/retry.
set -euo pipefail

fail() {
	echo "::error title=retry::$*"
	exit 125
}

report=$(mktemp "${RUNNER_TEMP:-/tmp}/retry-report.XXXXXX")
echo "report=$report" >>"$GITHUB_OUTPUT"

args=(--report "$report" --max-attempts "$INPUT_MAX_ATTEMPTS" --delay "$INPUT_RETRY_WAIT_SECONDS")
timeout=
if [ -n "$INPUT_TIMEOUT_MINUTES" ]; then timeout=${INPUT_TIMEOUT_MINUTES}m; fi
if [ -n "$INPUT_TIMEOUT_SECONDS" ]; then
	[ -z "$timeout" ] || fail "timeout_minutes and timeout_seconds can't both be given"
	timeout=${INPUT_TIMEOUT_SECONDS}s
fi
if [ -n "$timeout" ]; then args+=(--timeout "$timeout"); fi
case $INPUT_RETRY_ON in
any | '') ;;
timeout)
	[ -n "$timeout" ] || fail "retry_on: timeout needs timeout_minutes or timeout_seconds"
	args+=(--retry-if timeout)
	;;
error) if [ -n "$timeout" ]; then args+=(--stop-if timeout); fi ;;
*) fail "retry_on must be any, timeout or error; it is '$INPUT_RETRY_ON'" ;;
esac
if [ -n "$INPUT_RETRY_ON_EXIT_CODE" ]; then args+=(--retry-if "code:$INPUT_RETRY_ON_EXIT_CODE"); fi
if [ "$INPUT_WARNING_ON_RETRY" = true ]; then args+=(--summary); fi
if [ -n "$INPUT_ON_RETRY_COMMAND" ]; then
	args+=(--before-retry "(
$INPUT_ON_RETRY_COMMAND
) || echo '::warning title=retry::on_retry_command failed'")
fi

shell=$INPUT_SHELL
if [ -z "$shell" ]; then
	if [ "${RUNNER_OS:-}" = Windows ]; then shell=powershell; else shell=bash; fi
fi
option=-c
case $shell in
bash | sh | python | pwsh | powershell) ;;
cmd) option=//c ;; # bash on Windows passes this on as /c
*) fail "shell must be bash, sh, python, pwsh, powershell or cmd; it is '$shell'" ;;
esac

# The words are the shell, its option, and the commands for the first attempt and for the others.
# shellcheck disable=SC2016
exec retry "${args[@]}" -- bash -c '
	if [ "$RETRY_ATTEMPT" = 1 ]; then exec "$1" "$2" "$3"; else exec "$1" "$2" "$4"; fi' bash \
	"$shell" "$option" "$INPUT_COMMAND" "${INPUT_NEW_COMMAND_ON_RETRY:-$INPUT_COMMAND}"
