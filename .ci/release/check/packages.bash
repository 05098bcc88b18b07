# shellcheck shell=bash
# Tests of the packages for .ci/release-check: the contents of each, what linters report, and one of each kind installed and
# removed. .ci/release-check defines fail, $scratch, $dist and $version, and ends a step if a command fails.
# shellcheck disable=SC2154,SC2164

# files ZSH LICENCES... lists the files that every package contains, with its directories for zsh and for the licences.
files() {
	local page zsh=$1
	shift
	printf '%s\n' /usr/bin/retry /usr/share/bash-completion/completions/retry /usr/share/doc/retry-cli/{CHANGELOG,README}.md \
		/usr/share/fish/vendor_completions.d/retry.fish "/usr/share/zsh/$zsh/_retry" "${@/#//usr/share/}"
	for page in "$scratch"/one/man/*; do
		echo "/usr/share/man/man${page##*.}/${page##*/}.gz"
	done
}

# of_deb and of_others list the files of Debian's packages and of all others.
of_deb() { files vendor-completions doc/retry-cli/{changelog.gz,copyright} | cat - <(echo /usr/share/lintian/overrides/retry-cli) | sort; }
of_others() { files site-functions licenses/retry-cli/{LICENSE,NOTICES} | sort; }

# formula runs the test of Homebrew's formula with the program that the formula installs.
formula() {
	local page
	.ci/release/formula "$dist" "$version" v0.1.0 >"$scratch/retry-cli.rb"
	ruby -wc "$scratch/retry-cli.rb"
	[ "$(grep -cF "url \"$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/releases/download/v0.1.0/" "$scratch/retry-cli.rb")" = 4 ]
	ruby .ci/release/formula-test.rb "$scratch/retry-cli.rb" "$dist" "$scratch/homebrew"
	for page in man/*; do
		cmp "$page" "$scratch/homebrew/share/man/man${page##*.}/${page#man/}"
	done
}

# manifests checks that the manifests for scoop and winget match the archives.
manifests() {
	local file sums
	jq -e --arg home "$GITHUB_SERVER_URL/$GITHUB_REPOSITORY" '.homepage == $home and .license == "MIT"' "$dist/scoop/retry-cli.json"
	jq -r '.architecture[] | "\(.hash)  \(.url)"' "$dist/scoop/retry-cli.json" >"$scratch/sums"
	sed -nE 's/^ *InstallerUrl: (.*)/\1/p; s/^ *InstallerSha256: (.*)/\1/p' "$dist"/winget/manifests/*/*/*/*/*.installer.yaml |
		paste -d ' ' - - | awk '{ print $2 "  " $1 }' >>"$scratch/sums"
	[ "$(grep -c . "$scratch/sums")" = 4 ]
	while read -r sums file; do
		[[ $file == "$GITHUB_SERVER_URL/$GITHUB_REPOSITORY"/releases/download/* ]]
		grep -i "^$sums  ${file##*/}\$" "$dist/checksums.txt" || fail "$file"
	done <"$scratch/sums"
	# The program is where both say.
	unzip -Z1 "$dist"/retry_*_windows_amd64.zip >"$scratch/list"
	grep -Fx "$(jq -r '.architecture["64bit"].bin[0]' "$dist/scoop/retry-cli.json")" "$scratch/list"
	grep -Fx "$(sed -nE 's/.*RelativeFilePath: (.*)/\1/p' "$dist"/winget/manifests/*/*/*/*/*.installer.yaml | grep amd64 | tr '\134' /)" "$scratch/list"
}

# flake evaluates the flake with as much of nixpkgs as it needs, and checks the hash of the modules.
flake() {
	local hash
	nix-instantiate --eval --strict --json -A packages.x86_64-linux.default -E '(import ./flake.nix).outputs {
		self = { shortRev = "abc"; };
		nixpkgs = {
			lib = {
				genAttrs = names: f: builtins.listToAttrs (map (name: { inherit name; value = f name; }) names);
				optional = yes: value: if yes then [ value ] else [ ];
				licenses.mit = "MIT";
			};
			legacyPackages.x86_64-linux = { buildGoModule = package: package; stdenv.isLinux = true; installShellFiles = "files"; };
		};
	}' >"$scratch/flake.json"
	jq -e '.meta.mainProgram == "retry" and .version == "abc" and (.tags | index("exactsignals")) != null' "$scratch/flake.json"
	cd "$scratch/one"
	go mod vendor -o "$scratch/vendor"
	hash=$(nix --extra-experimental-features nix-command hash path "$scratch/vendor")
	[ "$(jq -r .vendorHash "$scratch/flake.json")" = "$hash" ] || fail "flake.nix: vendorHash has to be $hash"
}

lint_deb() {
	local file
	for file in "$dist"/*.deb; do
		case $file in
		*_loong64.deb) continue ;; # this lintian doesn't know the architecture
		esac
		lintian --allow-root --profile debian --fail-on error,warning --display-info "$file"
	done
}

# lint_rpm keeps rpmlint from unpacking the packages over this system, because names in them start with a slash.
lint_rpm() {
	printf '#!/bin/sh\nexec %s --no-absolute-filenames "$@"\n' "$(command -v cpio)" >"$scratch/bin/cpio"
	chmod +x "$scratch/bin/cpio"
	PATH=$scratch/bin:$PATH rpmlint -c .ci/release/rpmlint.toml --strict "$dist"/*.rpm
}

# deb tests Debian's packages: the contents of all, and one with dpkg and apt on a minimal system of its own.
deb() {
	local file page root=$scratch/root
	for file in "$dist"/*.deb; do
		dpkg-deb --fsys-tarfile "$file" | tar -t | sed -n 's,^\.,,; /\/$/!p' | sort | diff <(of_deb) -
		[ "$(dpkg-deb -f "$file" Conflicts)" = retry ]
		[ "$(dpkg-deb -f "$file" Homepage)" = "$GITHUB_SERVER_URL/$GITHUB_REPOSITORY" ]
		[ "$(dpkg-deb -f "$file" Maintainer)" = 'someone <someone@users.noreply.forge.example>' ]
		[ -z "$(dpkg-deb -f "$file" Depends Provides Replaces)" ]
		dpkg-deb -I "$file" | grep -E 'postinst|prerm|preinst|postrm' && fail "$file has scripts"
		dpkg-deb -x "$file" "$scratch/deb"
		for page in man/*; do
			zcat "$scratch/deb/usr/share/man/man${page##*.}/${page#man/}.gz" | cmp - "$page"
		done
		cat LICENSE <(printf '\n--\n\n') NOTICES | cmp - "$scratch/deb/usr/share/doc/retry-cli/copyright"
		rm -r "$scratch/deb"
	done
	mmdebstrap --quiet --variant=minbase --include=ca-certificates,man-db,zsh,fish,bash-completion \
		"$(sed -n s/^VERSION_CODENAME=//p /etc/os-release)" "$root"
	mkdir "$root/packages"
	cp .ci/release/debian "$dist"/retry-cli_*_amd64.deb "$root/packages"
	touch "$root/throw-away-copy"
	cp /etc/resolv.conf "$root/etc/resolv.conf"
	# shellcheck disable=SC2016
	unshare --mount --pid --fork --kill-child bash -euc '
		mount -t proc proc "$1/proc"
		mount --rbind /dev "$1/dev"
		cd "$1"
		exec chroot . /packages/debian "${@:2}"' deb "$root" "$version"
	rm -rf "$root"
}

# rpm_package checks the contents of all, and installs one in an empty root.
rpm_package() {
	local file root=$scratch/root
	cd "$dist"
	for file in *.rpm; do
		rpm -qlp --nosignature "$file" | sort | diff <(of_others) -
		rpm -qp --nosignature --conflicts "$file" | grep -x retry
		rpm -qpd --nosignature "$file" | grep -c . | grep -x $((2 + $(find "$scratch/one/man" -type f | wc -l)))
		rpm -qpL --nosignature "$file" | grep -c . | grep -x 2
		rpm -qp --nosignature --qf '%{URL} %{PACKAGER}\n' "$file" |
			grep -x "$GITHUB_SERVER_URL/$GITHUB_REPOSITORY someone <someone@users.noreply.forge.example>"
	done
	rpm --root "$root" --initdb
	rpm --root "$root" --nosignature -i retry-cli-*.x86_64.rpm
	chroot "$root" /usr/bin/retry --version
	rpm --root "$root" -V retry-cli
	rpm --root "$root" -e retry-cli
	[ ! -e "$root/usr/bin/retry" ]
	rm -r "$root"
}

# pacman_package checks the contents of all Arch packages, and installs one in an empty root.
pacman_package() {
	local file
	cd "$dist"
	for file in *.pkg.tar.zst; do
		command pacman --config /dev/null -Qlp "$file" | sed -n 's/^retry-cli //; /\/$/!p' | sort | diff <(of_others) -
		LC_ALL=C command pacman --config /dev/null -Qip "$file" | grep -E '^Conflicts With +: retry$'
	done
	by_pacman retry-cli "$dist"/retry-cli-*-x86_64.pkg.tar.zst
}

# by_pacman NAME FILE installs a package in an empty root, and removes it.
by_pacman() {
	local root=$scratch/root
	mkdir -p "$root/var/lib/pacman"
	printf '[options]\nArchitecture = auto\nLocalFileSigLevel = Optional\n' >"$scratch/pacman.conf"
	pacman() { command pacman --config "$scratch/pacman.conf" --root "$root" --dbpath "$root/var/lib/pacman" --noconfirm "$@"; }
	pacman -U "$2"
	chroot "$root" /usr/bin/retry --version
	pacman -Qkk "$1"
	pacman -R "$1"
	[ ! -e "$root/usr/bin/retry" ]
	rm -r "$root"
}

# aur builds a package from the PKGBUILD, as an ordinary user, with the archive beside it in place of a download.
aur() {
	local folder=$scratch/aur
	mkdir "$folder"
	cp "$dist/aur/retry-cli-bin.pkgbuild" "$folder/PKGBUILD"
	cp "$dist"/retry_*_linux_amd64.tar.gz "$folder/retry-cli-bin_${version/-/_}_x86_64.tar.gz"
	chown -R nobody "$folder"
	cd "$folder"
	setpriv --reuid nobody --regid nogroup --clear-groups env HOME="$folder" makepkg --nodeps --noconfirm
	bsdtar -tf retry-cli-bin-*.pkg.tar.* | grep -v -e '^\.' -e '/$' | sed 's,^,/,' | sort | diff <(of_others) -
	by_pacman retry-cli-bin "$(echo retry-cli-bin-*.pkg.tar.*)"
}

# apk checks Alpine's packages: two archives one after the other, the metadata and the contents.
apk() {
	local file
	cd "$dist"
	for file in *.apk; do
		tar -tzf "$file" | grep -v -e '^\.' -e '/$' | sed 's,^,/,' | sort | diff <(of_others) -
		tar -xzOf "$file" .PKGINFO | grep -x 'depend = !retry'
		tar -xzOf "$file" .PKGINFO | grep -x "url = $GITHUB_SERVER_URL/$GITHUB_REPOSITORY"
	done
}
