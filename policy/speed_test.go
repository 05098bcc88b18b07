package policy

import (
	"bytes"
	"fmt"
	"testing"
)

// Reading a stream, and judging its end once per attempt.
func BenchmarkDiagnoser(b *testing.B) {
	for _, text := range []struct{ name, line string }{
		{"log", "2026-11-21T10:00:00Z INFO request handled path=/v1/items took 12ms\n"},
		{"failures", "curl: (22) The requested URL returned error: 503\n"},
		{"nearly", "GET /x HTTP/1.1 404 12 connection timed ou, no route to hos, name or service not know\n"},
		{"responses", "HTTP/1.1 503 x\r\nRetry-After: 5\r\n\r\n"},
		{"short lines", "x\n"},
		{"no lines", "x"},
		{"carriage returns", "50%\r"},
	} {
		block := bytes.Repeat([]byte(text.line), 128<<10/len(text.line))
		b.Run(text.name, func(b *testing.B) {
			d := Diagnoser{Diagnostics: Diagnostics{Failures: true, RetryAfter: true}}
			b.SetBytes(int64(len(block)))
			b.ReportAllocs()
			for range b.N {
				d.Write(0, block)
			}
		})
		b.Run(fmt.Sprintf("the end of %s", text.name), func(b *testing.B) {
			d := Diagnoser{Diagnostics: Diagnostics{Failures: true, RetryAfter: true}}
			d.Write(0, block)
			for range b.N {
				d.Diagnosis(hintNow)
			}
		})
	}
}
