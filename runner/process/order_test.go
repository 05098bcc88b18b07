//go:build unix

package process_test

import (
	"regexp"
	"strings"
	"testing"
)

// The verdict doesn't depend on which of two streams is read first, or in which order a command writes the same text to each.
func TestVerdictIgnoresOrder(t *testing.T) {
	t.Parallel()
	const pause = "sleep 0.05; "
	for name, said := range map[string][2]string{
		"both tell":        {`HTTP/2.0 503 Service Unavailable\r\nRetry-After: 0\r\n\r\n{}\n`, `gh: Service Unavailable (HTTP 503)\n`},
		"one and another":  {`HTTP/2.0 404 Not Found\r\n\r\n{}\n`, `curl: (6) Could not resolve host: example.com\n`},
		"good and bad":     {`HTTP/1.1 200 OK\r\n\r\nok\n`, `read: connection reset by peer\n`},
		"passing, lasting": {`HTTP/1.1 429 Too Many Requests\r\nRetry-After: 0\r\n\r\n`, `error: unauthorized\n`},
		"lasting, passing": {`error: permission denied\n`, `dial tcp: i/o timeout\n`},
		"unended":          {`HTTP/1.1 502 Bad Gateway\r\n`, `error: 403 Forbidden`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, err := "printf '"+said[0]+"'; ", "printf '"+said[1]+"' >&2; "
			half := strings.IndexByte(said[0], ' ') + 1
			verdicts := map[string][]string{}
			for order, script := range map[string]string{
				"out first": out + pause + err,
				"err first": err + pause + out,
				"between":   "printf '" + said[0][:half] + "'; " + pause + err + pause + "printf '" + said[0][half:] + "'; ",
				"at once":   out + err,
			} {
				f := flowing(t, "-n", "2", "--delay", "0", "--transient", "--report", "report", "sh", "-c", script+"exit 1")
				f.exits(1)
				attempts := regexp.MustCompile(`"verdict":.*`).FindAllString(f.read("report"), -1)
				if len(attempts) == 0 {
					t.Fatal("no attempt was reported")
				}
				told := strings.Join(attempts, "\n")
				verdicts[told] = append(verdicts[told], order)
			}
			if len(verdicts) != 1 {
				t.Errorf("it depends on the order: %q", verdicts)
			}
		})
	}
}
