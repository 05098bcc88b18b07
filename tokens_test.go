//go:build unix

package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestTokens runs the scripts of docs/budgets.md for a budget that several machines share, with several calls at once, against a
// real server: ten tokens allow ten retries.
func TestTokens(t *testing.T) {
	t.Parallel()
	for name, start := range map[string]func(t *testing.T, dir string) []string{"redis": startRedis, "etcd": startEtcd} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			token := filepath.Join(dir, "token")
			write(t, token, budgetScript(t, name), 0o755)
			env := append(os.Environ(), start(t, dir)...)
			var calls sync.WaitGroup
			said := make(chan string, 4)
			for range cap(said) {
				calls.Go(func() {
					c := command(t, "-n", "20", "--delay", "0", "--before-retry", token+" example", "--", "false")
					c.Env = env
					out, _ := c.CombinedOutput()
					said <- string(out)
				})
			}
			calls.Wait()
			retries := 0
			for range cap(said) {
				text := <-said
				retries += strings.Count(text, "; sleeping ") - 1 // the last was forbidden
				if !strings.Contains(text, "retry: false: not retrying: --before-retry: exit status 1: exit status 1\n") {
					t.Errorf("a call said\n%s", text)
				}
			}
			if retries != 10 {
				t.Errorf("%d retries of 10 tokens", retries)
			}
		})
	}
}

// budgetScript returns the script of docs/budgets.md whose second line starts with the name.
func budgetScript(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("docs/budgets.md")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile("(?s)```sh\n(#!/bin/sh\n# " + name + ": .*?)```").FindSubmatch(text)
	if found == nil {
		t.Fatalf("docs/budgets.md has no script for %s", name)
	}
	return string(found[1])
}

func freePort(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return fmt.Sprint(listener.Addr().(*net.TCPAddr).Port)
}

// background starts a server, which is ended with the test, and waits until it responds.
func background(t *testing.T, env []string, ask []string, words ...string) {
	t.Helper()
	server := exec.Command(words[0], words[1:]...)
	log, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	server.Stdout, server.Stderr = log, log
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Process.Kill(); _ = server.Wait() })
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		question := exec.Command(ask[0], ask[1:]...)
		question.Env = append(os.Environ(), env...)
		if question.Run() == nil {
			return
		}
		if time.Now().After(end) {
			text, _ := os.ReadFile(log.Name())
			t.Fatalf("%s doesn't answer:\n%s", words[0], text)
		}
	}
}

// startRedis gives the script a redis-cli that connects to the test's server.
func startRedis(t *testing.T, dir string) []string {
	need(t, "redis-server")
	need(t, "redis-cli")
	client, err := exec.LookPath("redis-cli")
	if err != nil {
		t.Fatal(err)
	}
	port := freePort(t)
	background(t, nil, []string{client, "-p", port, "ping"},
		"redis-server", "--port", port, "--bind", "127.0.0.1", "--dir", dir, "--save", "")
	write(t, filepath.Join(dir, "bin", "redis-cli"), "#!/bin/sh\nexec "+client+" -p "+port+` "$@"`+"\n", 0o755)
	return []string{"PATH=" + filepath.Join(dir, "bin") + ":" + os.Getenv("PATH")}
}

func startEtcd(t *testing.T, dir string) []string {
	need(t, "etcd")
	need(t, "etcdctl")
	client, peer := "http://127.0.0.1:"+freePort(t), "http://127.0.0.1:"+freePort(t)
	env := []string{"ETCDCTL_ENDPOINTS=" + client, "ETCDCTL_API=3"}
	background(t, env, []string{"etcdctl", "endpoint", "health"},
		"etcd", "--data-dir", filepath.Join(dir, "data"), "--listen-client-urls", client, "--advertise-client-urls", client,
		"--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer, "--initial-cluster", "default="+peer)
	return env
}
