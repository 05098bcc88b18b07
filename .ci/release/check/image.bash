# shellcheck shell=bash
# Tests of the image for .ci/release-check: it is built for each of its platforms, and retry runs, without a container engine, as
# it would in a container: as process 1 of a root with nothing else. .ci/release-check defines fail, $scratch, $dist, $retry and $version.
# shellcheck disable=SC2154

buildah() { command buildah --storage-driver vfs --root "$scratch/storage" --runroot "$scratch/run" "$@"; }

# image builds the Dockerfile for each platform and checks the contents.
image() {
	local platform platforms root container
	platforms=$(.ci/release/image "$dist" "$scratch/context")
	[ "$platforms" = linux/amd64,linux/arm64,linux/arm/v7,linux/riscv64 ]
	for platform in ${platforms//,/ }; do
		buildah build --isolation chroot --platform "$platform" --tag retry -f Dockerfile "$scratch/context"
		container=$(buildah from --platform "$platform" retry)
		root=$(buildah mount "$container")
		(cd "$root" && find . ! -path . | sort) | diff <(printf './%s\n' licenses licenses/{LICENSE,NOTICES} retry tmp) -
		[ "$(stat -c %a "$root/tmp")" = 1777 ]
		cmp NOTICES "$root/licenses/NOTICES"
		[ "$(buildah inspect --format '{{ .OCIv1.OS }}/{{ .OCIv1.Architecture }} {{ .OCIv1.Config.Entrypoint }}' "$container")" = \
			"${platform%/v7} [/retry]" ]
		[ "$platform" != linux/amd64 ] || cp -a "$root" "$scratch/image"
		buildah rm "$container"
	done
}

# alone runs retry as process 1 of the image: no shell, no /dev, no /proc. A shell may have been started with signals ignored.
alone() {
	unshare --pid --mount --net --ipc --uts --fork --kill-child env -i --default-signal "$(command -v chroot)" "$scratch/image" \
		/retry "$@"
}

# attempt runs it and keeps its status and what it prints.
attempt() {
	ended=0
	said=$(alone "$@" 2>&1) || ended=$?
}

# says STATUS TEXT... checks the status and the output.
says() {
	local want=$1 text
	shift
	echo "$said"
	[ "$ended" = "$want" ] || fail "status $ended, want $want"
	for text in "$@"; do
		grep -qF -e "$text" <<<"$said" || fail "it did not say: $text"
	done
}

alone_in_it() {
	local said ended signal pid
	attempt --version
	says 0 "retry $version"
	attempt -n 2 --delay 0 -- /nonexistent
	says 127 'not retrying: command not found'
	attempt -n 2 --delay 0 -- nonexistent
	says 127 'not retrying: command not found'
	attempt -n 2 --delay 0 -- /retry -n 1 -- /nonexistent
	says 127 'retry: attempt 1/2 failed: exit status 127' 'retry: giving up after 2 attempts'
	attempt --delay 0 -n 3 -- /retry -n 2 --delay 1ms -- /retry --no-such-option
	says 125 'attempt 2/3 failed: exit status 125' 'giving up after 3 attempts' 'giving up after 2 attempts'
	# The command's own streams are copied, held and replayed, with the image's /tmp and without.
	attempt -n 2 --delay 0 --fail-if stdout:nothing --stdout success --stdin replay -- /retry --version
	says 0 "retry $version"
	rmdir "$scratch/image/tmp"
	attempt -n 2 --delay 0 --fail-if stdout:nothing --stdout success --stdin replay -- /retry --version
	says 0 "retry $version"
	mkdir -m 1777 "$scratch/image/tmp"
	attempt -n 2 --delay 0 --timeout 300ms -- /retry --delay 1h -- /retry --no-such-option
	says 124 'attempt 1/2 failed: timed out' 'giving up after 2 attempts' 'retry: not retrying: SIGTERM received'
	attempt -n 2 --delay 0 --judge true -- /retry --version
	says 125 "--judge: the shell can't be run: command not found"
	attempt --plan --seed 7 --jitter decorrelated --format json
	[ "$said" = "$("$retry" --plan --seed 7 --jitter decorrelated --format json)" ] || fail "another plan"
	# A container's runtime signals it from outside, during an attempt and during a sleep.
	for signal in TERM INT HUP; do
		# As process 1 it must handle signals before it is found asleep; its line shows that it does.
		alone --delay 1h -- /retry --no-such-option 2>"$scratch/first" &
		until grep -q 'sleeping 1h' "$scratch/first"; do sleep 0.05; done
		pid=$(pgrep -x -P "$(pgrep -P $! -x unshare || echo $!)" retry)
		kill -s "$signal" "$pid"
		ended=0
		wait $! || ended=$?
		said=$(<"$scratch/first")
		says $((128 + $(kill -l "$signal"))) "SIG$signal received"
	done
}
