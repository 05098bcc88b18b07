package process

import "testing"

func TestBatchLine(t *testing.T) {
	const head = `cmd.exe /d /e:on /v:off /s /c "`
	for _, test := range []struct {
		path      string
		arguments []string
		want      string
	}{
		{`C:\a b\x.cmd`, nil, `"C:\a b\x.cmd""`},
		{`./x.bat`, []string{"a", "-b=c"}, `".\x.bat" a "-b=c""`},
		{`C:\100%\x.cmd`, []string{"%PATH%"}, `"C:\100%%cd:~,%\x.cmd" "%%cd:~,%PATH%%cd:~,%""`},
		{`x.cmd`, []string{"", `a"b c`, `a\"b`, `a b\`, `a\`, `\a\b`}, `"x.cmd" "" "a""b c" "a\\""b" "a b\\" "a\\" \a\b"`},
		{`x.cmd`, []string{`" & calc & "`, "&|<>^()!"}, `"x.cmd" """ & calc & """ "&|<>^()!""`},
	} {
		if got, err := batchLine(test.path, test.arguments); got != head+test.want || err != nil {
			t.Errorf("%q, %q:\ngot  %s, %v\nwant %s", test.path, test.arguments, got, err, head+test.want)
		}
	}
	for _, argument := range []string{"a\nb", "a\r", "a\x00"} {
		if _, err := batchLine("x.cmd", []string{argument}); err == nil {
			t.Errorf("%q is taken", argument)
		}
	}
}

func TestInterpreterLine(t *testing.T) {
	for want, command := range map[string][]string{
		`cmd.exe /d /s /c "echo "a  b" & exit 1"`: {"cmd.exe", "/d", "/s", "/c", `echo "a  b" & exit 1`},
		`cmd /S /K "dir c:\"`:                     {"cmd", "/S", "/K", `dir c:\`},
		`cmd /c "echo \"a b\""`:                   {"cmd", "/c", `echo "a b"`},
		`cmd /s /c`:                               {"cmd", "/s", "/c"},
	} {
		if got := interpreterLine(command); got != want {
			t.Errorf("%q:\ngot  %s\nwant %s", command, got, want)
		}
	}
}
