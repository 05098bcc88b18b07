package policy

import (
	"slices"
	"strings"
	"testing"
)

// Lines are in lower case, without control sequences, and with each URL replaced.
func TestSplitLines(t *testing.T) {
	long := strings.Repeat("x", lineRead)
	for _, test := range []struct {
		text string
		want []string
	}{
		{"", nil},
		{"\n \t\n\r\n", nil},
		{"AZ @[az`{\n  Indented  ", []string{"az @[az`{", "  indented"}},
		{"10%\r100%\rdone\r\n", []string{"10%", "100%", "done"}},
		{"a\tb\x00c\x1fd\x7fe~f", []string{"a bcde~f"}},
		{long, []string{long}},
		{"first" + long, []string{long}},

		{`{\"error\": \'no\'}`, []string{`{"error": 'no'}`}},
		{`C:\path\`, []string{`c:\path\`}},

		{"\x1b[1;31mred\x1b[0m \x1b[@a\x1b[~b\x1b[1\x7fc", []string{"red ab"}},
		{"\x1b]0;title\az \x1b]8;;u\x1b\\link", []string{"z link"}},
		{"\x1bMa\x1b[\x1b]b\x1b\nc\x1bM", []string{"ab", "c"}},

		{"See HTTP://Host:80/a?b=c#d. Then (git+ssh://u@h:22/r), 'ftp://x': no", []string{"see url. then (url), 'url': no"}},
		{"://h x", []string{"url x"}},
		{"0a-z9+://h|://h;x ://: http://", []string{"url|url;x url: url"}},
		{"<a href=http://h/>\"s3://b\" `x://y` {x://y},x://y", []string{"<a href=url>\"url\" `url` {url},url"}},
	} {
		if got := splitLines([]byte(test.text)); !slices.Equal(got, test.want) {
			t.Errorf("%q is %q, want %q", test.text, got, test.want)
		}
	}
}
