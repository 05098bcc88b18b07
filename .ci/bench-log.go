//go:build ignore

// This program writes a service's log for .ci/bench: bench-log SIZE [busy], SIZE in MiB. The same call writes the same bytes.
//
// The log is like that of a few processes that share a standard output, with 150 bytes a line: requests (6 lines in 10) as
// key=value with a hexadecimal id, a path, a status that is never 5xx, and sometimes the name of a browser; jobs as JSON (2 in
// 10); and in prose the messages of a server, a connection pool, a garbage collector and a kubelet, Java stack traces, and SQL
// statements followed by "took 3.1ms", which are 2 lines in 100. With busy, each request also ends in "took 12ms". There are
// words such as "server", "Server", "service", "read", "restart" and "thread", and every letter and digit, but nothing that a
// benchmark's expression matches.
package main

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"time"
)

var (
	methods  = []string{"GET", "GET", "GET", "GET", "POST", "PUT", "DELETE", "HEAD"}
	statuses = []int{200, 200, 200, 200, 200, 201, 204, 301, 304, 400, 401, 404, 409, 429}
	nouns    = []string{"items", "orders", "users", "invoices", "search", "carts", "sessions", "webhooks", "keys"}
	agents   = []string{
		"Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
		"Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148",
		"curl/8.9.1", "Go-http-client/2.0", "kube-probe/1.30", "okhttp/4.12.0", "python-requests/2.32.3",
	}
	queues  = []string{"mail", "thumbnails", "billing", "index", "export"}
	remarks = []string{
		"INFO  server: keep-alive connection from %s closed after %d requests",
		"INFO  http: Server header of upstream %s is %d bytes",
		"WARN  pool: connection to %s was idle for %d s, restart it",
		"DEBUG cache: evicted entry of %s after %d hits",
		"INFO  gc: heap of %s at %d MiB, no thread waits",
		"WARN  kubelet: probe of %s is slow, %d ms; service stays in rotation",
		"ERROR broker: read from %s failed after %d bytes: connection reset by peer",
		"INFO  tls: session with %s resumed, %d left in store",
	}
	frames = []string{
		"\tat com.example.shop.http.Server.handle(Server.java:%d)",
		"\tat com.example.shop.store.ItemStore.findByKey(ItemStore.java:%d)",
		"\tat java.base/java.lang.Thread.run(Thread.java:%d)",
		"\tat org.postgresql.jdbc.PgPreparedStatement.executeQuery(PgPreparedStatement.java:%d)",
	}
)

func main() {
	size, err := strconv.Atoi(os.Args[1])
	if err != nil {
		panic(err)
	}
	out := bufio.NewWriterSize(os.Stdout, 1<<20)
	l := log{rng: rand.New(rand.NewPCG(1, 2)), clock: time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC), busy: len(os.Args) > 2}
	for left := size << 20; left > 0; {
		line := l.next()
		if len(line) > left {
			line = append(line[:left-1], '\n')
		}
		if _, err := out.Write(line); err != nil {
			panic(err)
		}
		left -= len(line)
	}
	if err := out.Flush(); err != nil {
		panic(err)
	}
}

type log struct {
	rng   *rand.Rand
	clock time.Time
	busy  bool
	line  []byte
}

func pick[T any](rng *rand.Rand, from []T) T { return from[rng.IntN(len(from))] }

func (l *log) next() []byte {
	rng := l.rng
	l.clock = l.clock.Add(time.Duration(rng.IntN(4000)) * time.Microsecond)
	l.line = l.line[:0]
	switch kind := rng.IntN(100); {
	case kind < 60:
		l.stamp()
		l.printf(" INFO  request id=%016x method=%s path=/v1/%s/%d status=%d bytes=%d client=10.%d.%d.%d", rng.Uint64(),
			pick(rng, methods), pick(rng, nouns), rng.IntN(100000), pick(rng, statuses), rng.IntN(60000), rng.IntN(4),
			rng.IntN(256), rng.IntN(256))
		if rng.IntN(3) == 0 {
			l.printf(" agent=%q", pick(rng, agents))
		}
		if l.busy {
			l.printf(" took %dms", rng.IntN(900))
		}
	case kind < 80:
		l.printf(`{"time":%q,"level":"info","logger":"worker","msg":"job finished","queue":%q,"job":"%08x","attempt":%d,"elapsed_ms":%d}`,
			l.clock.Format("2006-01-02T15:04:05.000Z"), pick(rng, queues), rng.Uint32(), 1+rng.IntN(3), rng.IntN(5000))
	case kind < 94:
		l.stamp()
		l.line = append(l.line, ' ')
		l.printf(pick(rng, remarks), l.host(), rng.IntN(5000))
	case kind < 98:
		l.printf(pick(rng, frames), 10+rng.IntN(900))
	default:
		l.stamp()
		l.printf(" DEBUG sql: SELECT id, name, price FROM %s WHERE owner = $1 ORDER BY id LIMIT %d; %d rows, took %d.%dms",
			pick(rng, nouns), 10+rng.IntN(90), rng.IntN(50), rng.IntN(20), rng.IntN(10))
	}
	l.line = append(l.line, '\n')
	return l.line
}

func (l *log) stamp() { l.line = l.clock.AppendFormat(l.line, "2006-01-02T15:04:05.000Z") }

func (l *log) printf(format string, values ...any) { l.line = fmt.Appendf(l.line, format, values...) }

func (l *log) host() string {
	return fmt.Sprintf("%s-%d.prod.example.com", pick(l.rng, queues), l.rng.IntN(20))
}
