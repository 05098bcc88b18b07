#!/usr/bin/env bash
# Installs a release of retry in the runner's tool cache, and adds it to the PATH of later steps. It downloads the release from
# the repository of the action itself, and verifies its checksum.
set -euo pipefail

fail() {
	echo "::error title=retry::$*"
	exit 1
}

get() { curl -fsSL --retry 5 --connect-timeout 30 "$@"; }

# The runner unpacks an action into a directory …/_actions/owner/name/ref. An action in the workflow's own checkout belongs to
# the workflow's repository.
repository=$GITHUB_REPOSITORY ref=
path=${GITHUB_ACTION_PATH//\\//}
if [[ $path == */_actions/*/*/* ]]; then
	IFS=/ read -r owner name ref _ <<<"${path##*/_actions/}"
	repository=$owner/$name
fi

# newest PREFIX prints the highest released version that starts with the prefix.
newest() {
	get -H "Authorization: Bearer $GITHUB_TOKEN" "$GITHUB_API_URL/repos/$repository/releases?per_page=100" |
		tr , '\n' | sed -nE 's/.*"tag_name": *"v([0-9]+\.[0-9]+\.[0-9]+)".*/\1/p' |
		awk -v prefix="$1" 'index($0, prefix) == 1' | sort -t . -k 1,1n -k 2,2n -k 3,3n | tail -n 1
}

number='(0|[1-9][0-9]*)'
wanted=${INPUT_VERSION:-$ref}
wanted=${wanted#v}
if [[ $wanted =~ ^$number\.$number\.$number(-[0-9A-Za-z.-]+)?$ ]]; then
	version=$wanted
elif [[ $wanted =~ ^$number(\.$number)?$ ]]; then
	version=$(newest "$wanted.") || fail "the releases of $repository could not be listed"
elif [ -z "$INPUT_VERSION" ] || [ "$INPUT_VERSION" = latest ]; then
	version=$(newest '') || fail "the releases of $repository could not be listed"
else
	fail "version must be of the form 1.2.3, 1.2, 1 or latest; it is '$INPUT_VERSION'"
fi
[ -n "$version" ] || fail "$repository has no release '$wanted'"

case ${RUNNER_ARCH:-$(uname -m)} in
X64 | x86_64 | amd64) machine=amd64 ;;
ARM64 | aarch64 | arm64) machine=arm64 ;;
ARM | armv7l) machine=armv7 ;;
X86 | i?86) machine=386 ;;
riscv64 | ppc64le | s390x) machine=$(uname -m) ;;
loongarch64) machine=loong64 ;;
*) fail "there is no retry for the architecture ${RUNNER_ARCH:-$(uname -m)}" ;;
esac
kind=tar.gz program=retry
case ${RUNNER_OS:-$(uname -s)} in
Linux) system=linux ;;
macOS | Darwin) system=darwin ;;
FreeBSD) system=freebsd ;;
OpenBSD) system=openbsd ;;
NetBSD) system=netbsd ;;
Windows | MINGW* | MSYS*) system=windows kind=zip program=retry.exe ;;
*) fail "there is no retry for the system ${RUNNER_OS:-$(uname -s)}" ;;
esac

# install fills the directory by way of another one, so that no other job finds it half filled.
install() {
	local archive=retry_${version}_${system}_$machine.$kind want have
	local from=$GITHUB_SERVER_URL/$repository/releases/download/v$version
	scratch=$(mktemp -d "${RUNNER_TEMP:-/tmp}/retry.XXXXXX")
	trap 'rm -rf "$scratch"' EXIT
	get -o "$scratch/checksums.txt" "$from/checksums.txt" || fail "$from has no checksums"
	want=$(awk -v file="$archive" '$2 == file { print $1 }' "$scratch/checksums.txt")
	[ -n "$want" ] || fail "release $version has no $archive"
	get -o "$scratch/$archive" "$from/$archive" || fail "$from/$archive could not be downloaded"
	have=$({ sha256sum "$scratch/$archive" 2>/dev/null || shasum -a 256 "$scratch/$archive"; } | sed 's/^\\//; s/ .*//')
	[ "$have" = "$want" ] || fail "the checksum of $archive is $have, but should be $want"
	mkdir "$scratch/unpacked"
	case $kind in
	zip) unzip -q "$scratch/$archive" -d "$scratch/unpacked" ;;
	*) tar -xzf "$scratch/$archive" -C "$scratch/unpacked" ;;
	esac
	mkdir -p "${folder%/*}"
	mv "$scratch"/unpacked/*/ "$folder" 2>/dev/null || [ -x "$folder/$program" ] # another job was faster
}

folder=${RUNNER_TOOL_CACHE:-${RUNNER_TEMP:-/tmp}}/retry/$version/$system-$machine
folder=${folder//\\//}
[ -x "$folder/$program" ] || install
"$folder/$program" --version
if [ "$system" = windows ]; then folder=$(cygpath -w "$folder"); fi
echo "$folder" >>"$GITHUB_PATH"
