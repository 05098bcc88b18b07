//go:build linux

package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// elsewhere is a step to an empty directory.
var elsewhere = typed("cd $(mktemp -d -p .); clear", "$")

// TestWatchedProgress lets a clone and a download show their progress.
func TestWatchedProgress(t *testing.T) {
	t.Parallel()
	readSources()
	t.Run("git", func(t *testing.T) {
		t.Parallel()
		dir, port := t.TempDir(), freePort(t)
		prepare := exec.Command("sh", "-ec", `git init -q r; cd r; for i in $(seq 50); do echo $i >$i; done; git add .
			git -c user.name=n -c user.email=e commit -qm all`)
		prepare.Dir = dir
		if output, err := prepare.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, output)
		}
		daemon := exec.Command("git", "daemon", "--reuseaddr", "--export-all", "--listen=127.0.0.1", "--port="+port, "--base-path="+dir, dir)
		daemon.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // git starts another program
		if err := daemon.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = syscall.Kill(-daemon.Process.Pid, syscall.SIGKILL); _ = daemon.Wait() })
		for began := time.Now(); exec.Command("git", "ls-remote", "git://127.0.0.1:"+port+"/r").Run() != nil; time.Sleep(20 * time.Millisecond) {
			if time.Since(began) > 20*time.Second {
				t.Fatal("git daemon doesn't answer")
			}
		}
		// git tells the rate only of what takes a while, and its last two lines come from two processes.
		compare(t, dir, `([0-9.]+ (bytes|.iB) \| .*, )?done\.|(?s:(Receiving|remote: Total).*?\n.*?\n)`, elsewhere, typed("run git clone git://127.0.0.1:"+port+"/r", "Receiving objects: 100%"))
	})
	t.Run("wget", func(t *testing.T) {
		t.Parallel()
		content := strings.Repeat("x", 1<<20)
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			http.ServeContent(w, r, "file", time.Unix(0, 0), strings.NewReader(content))
		}))
		defer server.Close()
		compare(t, t.TempDir(), `[-0-9.,: ]+[KMGTB/s]*`, elsewhere, typed("run wget --no-proxy "+server.URL+"/file", "aved"))
	})
}

// The password of this test is "secret".
const shadow = "root:$6$saltsalt$TVLlQcbpFVof5W3Yz4DTP6gRstiNuHwwTt6GLc1E5n0U0aDehy0S5knV8wiOQSpT0Y77vwPZN.Pq.H91p5hVO1:19000:0:99999:7:::\nnobody:$6$saltsalt$TVLlQcbpFVof5W3Yz4DTP6gRstiNuHwwTt6GLc1E5n0U0aDehy0S5knV8wiOQSpT0Y77vwPZN.Pq.H91p5hVO1:19000:0:99999:7:::\nsshd:*:19000:0:99999:7:::\n"

// TestWatchedPasswords lets ssh and sudo ask for a password. The accounts that have it exist in a mount namespace.
func TestWatchedPasswords(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can have accounts with a password for a while")
	}
	t.Parallel()
	readSources()
	dir := t.TempDir()
	for d := dir; d != os.TempDir(); d = filepath.Dir(d) {
		if err := os.Chmod(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	path, err := exec.LookPath("retry")
	if err != nil {
		t.Fatal(err)
	}
	port := freePort(t)
	for name, text := range map[string]string{
		"shadow":  shadow,
		"sudoers": "nobody ALL=(ALL) ALL\n",
		"inside":  "#!/bin/sh -e\nmount --bind " + dir + "/shadow /etc/shadow\nmount --bind " + dir + "/sudoers /etc/sudoers\nexec \"$@\"\n",
		"sshd_config": "Port " + port + "\nListenAddress 127.0.0.1\nHostKey " + dir + "/key\nPidFile " + dir + "/pid\nUsePAM no\n" +
			"PermitRootLogin yes\nPasswordAuthentication yes\nForceCommand PS1=inside: sh -i\nPrintMotd no\n",
		"ssh_config": "Host *\nStrictHostKeyChecking no\nUserKnownHostsFile /dev/null\nLogLevel ERROR\nPubkeyAuthentication no\nPort " + port + "\n",
	} {
		mode := os.FileMode(0o644)
		switch name {
		case "inside":
			mode = 0o755
		case "sudoers", "shadow":
			mode = 0o440
		}
		write(t, filepath.Join(dir, name), text, mode)
	}
	copied, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "retry"), string(copied), 0o755)
	t.Run("ssh", func(t *testing.T) {
		t.Parallel()
		if output, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", filepath.Join(dir, "key")).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, output)
		}
		separatePrivileges()
		sshd := exec.Command("unshare", "-m", dir+"/inside", "/usr/sbin/sshd", "-D", "-e", "-f", dir+"/sshd_config")
		if err := sshd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = sshd.Process.Kill(); _ = sshd.Wait() })
		for began := time.Now(); ; time.Sleep(20 * time.Millisecond) {
			if _, err := os.Stat(dir + "/pid"); err == nil {
				break
			}
			if time.Since(began) > 20*time.Second {
				t.Fatal("sshd doesn't start")
			}
		}
		compare(t, dir, "",
			typed("run ssh -F "+dir+"/ssh_config root@127.0.0.1", "password:"),
			typed("secret", "inside:"),
			typed("stty size", "24 80"),
			step{[]string{"resize", "100", "30"}, "inside:"},
			typed("stty size", "30 100"),
			typed("exit", "$"))
	})
	t.Run("sudo", func(t *testing.T) {
		t.Parallel()
		compare(t, dir, "",
			typed("export RUN; clear", "$"),
			typed("unshare -m "+dir+"/inside env PATH="+dir+":/usr/sbin:/usr/bin:/sbin:/bin HOME=/ setpriv --reuid nobody "+
				"--regid nogroup --clear-groups bash --noprofile --norc", "bash-"),
			typed(`PS1='$ '; run() { $RUN "$@"; }; cd /; clear`, "$"),
			typed("run sudo -k -p word: sh -c 'id -un; test -t 1 && echo terminal'", "word:"),
			typed("secret", "terminal"),
			typed("exit", "$"))
	})
}
