//go:build unix

package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/user"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// installed finds a program on PATH, or in the directories where Debian keeps others.
func installed(t *testing.T, tool string) string {
	t.Helper()
	if path, err := exec.LookPath(tool); err == nil {
		return path
	}
	for _, pattern := range []string{"/usr/sbin/", "/usr/lib/postgresql/*/bin/"} {
		if found, _ := filepath.Glob(pattern + tool); len(found) > 0 {
			return found[len(found)-1]
		}
	}
	t.Skip(tool + " is not installed")
	return ""
}

// hasReported waits until the report of the attempts contains the text.
func (k *kitchen) hasReported(text string) bool {
	for k.Context().Err() == nil {
		if report, _ := os.ReadFile(k.report); bytes.Contains(report, []byte(text)) {
			return true
		}
		time.Sleep(5 * time.Millisecond)
	}
	return false
}

// afterFailure calls a function once an attempt has ended, while the recipe is running.
func (k *kitchen) afterFailure(then func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		if k.hasReported(`"event":"attempt"`) {
			then()
		}
	}()
	k.Cleanup(func() { <-done })
}

// port returns the port of the PostgreSQL server, which all recipes share. The first one starts it.
func (k *kitchen) port() string {
	k.Helper()
	for _, tool := range []string{"initdb", "postgres", "pg_ctl", "pg_isready", "psql", "pg_dump", "setpriv"} {
		installed(k.T, tool)
	}
	return k.database()
}

// startPostgres starts the server as an ordinary user, because it refuses to run as root.
func startPostgres(t *testing.T) string {
	dir, err := os.MkdirTemp("", "retry-postgres")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	var as []string
	if os.Getuid() == 0 {
		const nobody = 65534
		as = []string{"setpriv", "--reuid", strconv.Itoa(nobody), "--regid", strconv.Itoa(nobody), "--clear-groups"}
		if err := os.Chown(dir, nobody, nobody); err != nil {
			t.Fatal(err)
		}
	}
	run := func(words ...string) {
		words = append(append([]string(nil), as...), words...)
		c := exec.Command(words[0], words[1:]...)
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("%v: %v\n%s", words, err, out)
		}
	}
	data, port := filepath.Join(dir, "data"), freePort(t)
	run(installed(t, "initdb"), "-D", data, "-A", "trust", "-U", "test", "-E", "UTF8", "--locale", "C", "--no-sync")
	background(t, nil, []string{"pg_isready", "-q", "-h", "127.0.0.1", "-p", port},
		append(as, installed(t, "postgres"), "-D", data, "-p", port, "-k", dir, "-c", "listen_addresses=127.0.0.1",
			"-c", "fsync=off")...)
	t.Cleanup(func() { run(installed(t, "pg_ctl"), "-D", data, "-m", "fast", "-w", "stop") })
	return port
}

// opensLate returns a port at which the database answers, but only after an attempt has failed there.
func (k *kitchen) opensLate() string {
	k.Helper()
	target, port := k.port(), freePort(k.T)
	k.afterFailure(func() {
		listener, err := net.Listen("tcp", "127.0.0.1:"+port)
		if err != nil {
			k.Error(err)
			return
		}
		k.passOn(listener, target, 0)
	})
	return port
}

// passOn forwards connections of a listener to the database, until the test ends. Unless cut is 0, the first connection is closed
// once after that many bytes have been sent to the database.
func (k *kitchen) passOn(listener net.Listener, target string, cut int64) {
	k.Cleanup(func() { listener.Close() })
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", "127.0.0.1:"+target)
			if err != nil {
				client.Close()
				continue
			}
			go func(cut int64) {
				if cut > 0 {
					io.CopyN(server, client, cut)
				} else {
					io.Copy(server, client)
				}
				server.Close()
				client.Close()
			}(cut)
			go func() {
				io.Copy(client, server)
				client.Close()
			}()
			cut = 0
		}
	}()
}

func pgIsReady(k *kitchen, block string) {
	port := k.opensLate()
	k.shell(0, k.change(block, "--delay 1s", "--delay 50ms", "-h db", "-h 127.0.0.1 -p "+port))
	got := k.attempts()
	want := slices.Repeat([]string{"pg_isready: success: exit status 0"}, 3)
	if n := len(got) - 3; n < 1 || got[n-1] != "pg_isready: retry: exit status 2" || !slices.Equal(got[n:], want) {
		k.Errorf("the attempts are\n%s", strings.Join(got, "\n"))
	}
}

// pgDump loads two megabytes over a connection that breaks in the middle.
func pgDump(k *kitchen, block string) {
	target := k.port()
	k.env = append(k.env, "PGHOST=127.0.0.1", "PGPORT="+target, "PGUSER=test")
	k.shell(0, `createdb orders; createdb copy
		psql -X -q orders -c "CREATE TABLE item AS SELECT n, repeat('x', 100) AS text FROM generate_series(1, 20000) AS n"`)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		k.Fatal(err)
	}
	k.passOn(listener, target, 500_000)
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	k.run(0, "bash", "-c", k.change(block, "-h db", "-h 127.0.0.1 -p "+port))
	k.check("psql: retry: exit status 2", "psql: success: exit status 0")
	sum := k.shell(0, `psql -X -At copy -c "SELECT count(*), sum(n), sum(length(text)) FROM item"`)
	if sum != "20000|200010000|2000000\n" {
		k.Errorf("copied %s", sum)
	}
	// An error in the input is not retried: the table already exists.
	k.run(3, "bash", "-c", k.change(block, "-h db", "-h 127.0.0.1 -p "+port))
	k.check("psql: stop: exit status 3 matches no --retry-if rule")
}

// aptGet uses an archive with one package, whose server fails at first, and directories of its own. It installs nothing.
func aptGet(k *kitchen, block string) {
	need(k.T, "apt-get")
	archive := map[string]string{"git.deb": "a package"}
	sum := func(name string) [sha256.Size]byte { return sha256.Sum256([]byte(archive[name])) }
	archive["Packages"] = fmt.Sprintf("Package: git\nVersion: 1:99\nArchitecture: all\nMaintainer: a@example.com\n"+
		"Filename: ./git.deb\nSize: %d\nSHA256: %x\nDescription: an example\n", len(archive["git.deb"]), sum("git.deb"))
	archive["Release"] = fmt.Sprintf("Date: %s\nSHA256:\n %x %d Packages\n", time.Now().UTC().Format(time.RFC1123Z),
		sum("Packages"), len(archive["Packages"]))
	var mu sync.Mutex
	busy := map[string]bool{"Packages": true, "git.deb": true}
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		name := path.Base(r.URL.Path)
		text, found := archive[name]
		switch {
		case busy[name]:
			delete(busy, name)
			w.WriteHeader(http.StatusServiceUnavailable)
		case found:
			io.WriteString(w, text)
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	})
	address := "127.0.0.1:" + freePort(k.T)
	k.afterFailure(func() {
		listener, err := net.Listen("tcp", address)
		if err != nil {
			k.Error(err)
			return
		}
		k.Cleanup(func() { listener.Close() })
		go http.Serve(listener, handler)
	})
	k.write("apt/etc/sources.list", "deb [trusted=yes] http://"+address+" ./\n")
	k.write("apt/status", "")
	for _, dir := range []string{"state/lists/partial", "cache/archives/partial", "etc/apt.conf.d", "etc/preferences.d", "log"} {
		if err := os.MkdirAll(k.path("apt/"+dir), 0o755); err != nil {
			k.Fatal(err)
		}
	}
	k.write("apt.conf", fmt.Sprintf(`Dir %q; Dir::State "state"; Dir::State::status %q; Dir::Cache "cache"; Dir::Etc "etc";
		Dir::Log "log";
		APT::Sandbox::User "root"; APT::Get::Download-Only "true"; Acquire::Languages "none"; Acquire::http::Proxy "DIRECT";`,
		k.path("apt"), k.path("apt/status")))
	k.env = append(k.env, "APT_CONFIG="+k.path("apt.conf"))
	k.shell(0, block)
	k.check("apt-get: retry: exit status 100 (connection refused, transient)",
		"apt-get: retry: exit status 100 (HTTP 503, transient)", "apt-get: success: exit status 0",
		"apt-get: retry: exit status 100 (HTTP 503, transient)", "apt-get: success: exit status 0")
	if got, _ := filepath.Glob(k.path("apt/cache/archives/git_*.deb")); len(got) != 1 {
		k.Errorf("it fetched %q", got)
	}
	k.shell(100, k.change(block, "recommends git", "recommends gti"))
	k.check("apt-get: success: exit status 0",
		"apt-get: stop: exit status 100 matches --stop-if stderr:^E: (Unable to locate package|Sub-process)")
}

// sshReboot uses a server that answers once more with the old boot ID, goes away, and comes back with a new one.
func sshReboot(k *kitchen, block string) {
	need(k.T, "ssh")
	need(k.T, "ssh-keygen")
	sshd, port := installed(k.T, "sshd"), freePort(k.T)
	me, err := user.Current()
	if err != nil {
		k.Fatal(err)
	}
	separatePrivileges()
	k.shell(0, `ssh-keygen -q -t ed25519 -N "" -f host_key; ssh-keygen -q -t ed25519 -N "" -f key; cp key.pub authorized
		echo "[127.0.0.1]:`+port+` $(cat host_key.pub)" >known`)
	k.write("boot_id", "old\n")
	k.tool("remote", k.change(`#!/bin/sh
		case $SSH_ORIGINAL_COMMAND in
		'sudo systemctl reboot') : >DIR/rebooting;;
		'cat /proc/sys/kernel/random/boot_id')
			cat DIR/boot_id
			if [ -e DIR/rebooting ]; then
				kill "$(cat DIR/pid)"
				while [ -e DIR/pid ]; do sleep 0.02; done # it goes with the listening socket
			fi;;
		*) exit 9;;
		esac`, "DIR", k.dir))
	k.write("sshd_config", k.change(`Port PORT
		ListenAddress 127.0.0.1
		PidFile DIR/pid
		HostKey DIR/host_key
		AuthorizedKeysFile DIR/authorized
		ForceCommand DIR/bin/remote
		StrictModes no
		PermitRootLogin yes
		PasswordAuthentication no
		UsePAM no`, "PORT", port, "DIR", k.dir))
	k.write("ssh_config", k.change(`Host host
		HostName 127.0.0.1
		Port PORT
		User USER
		IdentityFile DIR/key
		IdentitiesOnly yes
		UserKnownHostsFile DIR/known`, "PORT", port, "USER", me.Username, "DIR", k.dir))
	client, err := exec.LookPath("ssh")
	if err != nil {
		k.Fatal(err)
	}
	k.tool("ssh", "#!/bin/sh\nexec "+client+" -F "+k.path("ssh_config")+" \"$@\"\n")
	boot := func() {
		background(k.T, nil, []string{"test", "-s", k.path("pid")}, sshd, "-D", "-e", "-f", k.path("sshd_config"))
	}
	boot()
	down := make(chan struct{})
	go func() {
		defer close(down)
		k.hasReported(`"status":255`)
	}()
	said := make(chan string)
	go func() {
		c := exec.CommandContext(k.Context(), "sh", "-e", "-c", block)
		c.Dir, c.Env = k.dir, k.env
		out, err := c.CombinedOutput()
		said <- fmt.Sprintf("%v\n%s", err, out)
	}()
	select {
	case <-down:
	case text := <-said:
		k.Fatalf("it ended too early: %s", text)
	}
	if err := os.Remove(k.path("rebooting")); err != nil {
		k.Error(err)
	}
	k.write("boot_id", "new\n")
	boot()
	if text := <-said; !strings.HasPrefix(text, "<nil>\n") || !strings.Contains(text, "\nnew\n") {
		k.Errorf("said\n%s", text)
	}
	k.check("ssh: retry: exit status 0 matches --fail-if stdout:old",
		"ssh: retry: exit status 255 (connection refused, transient)", "ssh: success: exit status 0")
}
