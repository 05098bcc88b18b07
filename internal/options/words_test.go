package options

import (
	"slices"
	"testing"
)

func TestWithScriptSwitch(t *testing.T) {
	for _, test := range []struct {
		system      string
		shell, want []string
	}{
		{"linux", []string{"bash", "-e"}, []string{"bash", "-e", "-c"}},
		{"linux", []string{"cmd"}, []string{"cmd", "-c"}},
		{"windows", []string{"cmd.exe"}, []string{"cmd.exe", "/d", "/s", "/c"}},
		{"windows", []string{`C:\Windows\CMD.EXE`, "/v:on", "/C"}, []string{`C:\Windows\CMD.EXE`, "/v:on", "/d", "/s", "/c"}},
		{"windows", []string{"cmd", "/S", "/D", "/c"}, []string{"cmd", "/S", "/D", "/c"}},
		{"windows", []string{"pwsh", "-NoProfile"}, []string{"pwsh", "-NoProfile", "-Command"}},
		{"windows", []string{"powershell.exe", "-Command"}, []string{"powershell.exe", "-Command"}},
		{"windows", []string{"pwsh", "-c"}, []string{"pwsh", "-c"}},
		{"windows", []string{`C:/Program Files/Git/bin/bash.exe`}, []string{`C:/Program Files/Git/bin/bash.exe`, "-c"}},
		{"windows", []string{"bash", "-c"}, []string{"bash", "-c"}},
	} {
		if got := withScriptSwitch(slices.Clone(test.shell), test.system); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q is %q, want %q", test.system, test.shell, got, test.want)
		}
	}
}

func TestSplitWindows(t *testing.T) {
	for text, want := range map[string][]string{
		"":                            nil,
		" \t":                         nil,
		`a  b`:                        {"a", "b"},
		`"" a`:                        {"", "a"},
		`"C:\Program Files\x.exe" /c`: {`C:\Program Files\x.exe`, "/c"},
		`C:\a\b.exe 'c d'`:            {`C:\a\b.exe`, "'c", "d'"},
		`a\\b c\`:                     {`a\\b`, `c\`},
		`a\"b "c\\" d\\\"e`:           {`a"b`, `c\`, `d\"e`},
		`"a""b"`:                      {`a"b`},
		`a" "b`:                       {"a b"},
	} {
		if got, err := splitWindows(text); !slices.Equal(got, want) || err != nil {
			t.Errorf("%s: %q, %v, want %q", text, got, err, want)
		}
	}
	if got, err := splitWindows(`a "b`); err == nil {
		t.Errorf("an open quote gives %q", got)
	}
}

func TestSplitWindowsCommand(t *testing.T) {
	if got, err := splitWindowsCommand(`x.exe "a & b" c`); !slices.Equal(got, []string{"x.exe", "a & b", "c"}) || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	for text, want := range map[string]string{
		"":           "the command is empty",
		`"" a`:       "the command is empty",
		"dir & exit": "the command needs a shell: it has '&'",
		`x "%PATH%"`: "the command needs a shell: it has '%'",
		"x > y":      "the command needs a shell: it has '>'",
		`x "a`:       "the command can't be split into words: it has an unclosed quote",
	} {
		if got, err := splitWindowsCommand(text); err == nil || err.Error() != want {
			t.Errorf("%s: %q, %v, want %s", text, got, err, want)
		}
	}
}
