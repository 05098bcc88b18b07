package policy

import "testing"

func TestHTTPStatuses(t *testing.T) {
	tests := []struct {
		rule  string
		match []int
		not   []int
	}{
		{"http:429", []int{429}, []int{0, 428, 430}},
		{"http:429,5xx", []int{429, 500, 599}, []int{0, 428, 499, 600}},
		{"http: 429 , 5XX ", []int{429, 500, 599}, []int{499}},
		{"http:500-504", []int{500, 502, 504}, []int{499, 505}},
		{"http:1xx,599", []int{100, 199, 599}, []int{99, 200, 598}},
		{"http:100-599", []int{100, 599}, []int{0, 600, 999}},
	}
	for _, test := range tests {
		rule := texts{test.rule}.rules(t)[0]
		for _, status := range test.match {
			if !rule.Match(answered(1, status)) {
				t.Errorf("%s does not match %d", test.rule, status)
			}
		}
		for _, status := range test.not {
			if rule.Match(answered(1, status)) {
				t.Errorf("%s matches %d", test.rule, status)
			}
		}
		if rule.String() != test.rule {
			t.Errorf("%s calls itself %s", test.rule, rule)
		}
	}
}

// If a command exits with status 0, only a response that it printed counts.
func TestHTTPStatusesShown(t *testing.T) {
	rule := texts{"http:503"}.rules(t)[0]
	for _, test := range []struct {
		outcome Outcome
		want    bool
	}{
		{told(0, Diagnosis{HTTP: 503}), false},
		{told(0, Diagnosis{HTTP: 503, Shown: true}), true},
		{told(22, Diagnosis{HTTP: 503}), true},
		{exited(22), false},
		{Outcome{End: TimedOut, Status: StatusTimeout, Diagnosis: &Diagnosis{HTTP: 503}}, true},
	} {
		if got := rule.Match(test.outcome); got != test.want {
			t.Errorf("%v, %+v: %v", test.outcome, test.outcome.Diagnosis, got)
		}
	}
}

func TestParseHTTPStatusesErrors(t *testing.T) {
	const want = " is not an HTTP status; use 429, a class such as 5xx or a range such as 500-504"
	for text, message := range map[string]string{
		"http:":            `""` + want,
		"http:,429":        `""` + want,
		"http:429,":        `""` + want,
		"http:99":          `"99"` + want,
		"http:5":           `"5"` + want,
		"http:600":         `"600"` + want,
		"http:6xx":         `"6xx"` + want,
		"http:0xx":         `"0xx"` + want,
		"http:xx":          `"xx"` + want,
		"http:50x":         `"50x"` + want,
		"http:4xx-5xx":     `"4xx-5xx"` + want,
		"http:500-":        `"500-"` + want,
		"http:-500":        `"-500"` + want,
		"http:500-600":     `"500-600"` + want,
		"http:five":        `"five"` + want,
		"http:any":         `"any"` + want,
		"http:504-500":     `the range "504-500" ends before it begins`,
		"http:1-2-3":       `"1-2-3"` + want,
		"http:99999999999": `"99999999999"` + want,
		"HTTP:503":         `unknown kind of rule "HTTP"; use code:LIST, signal:LIST, http:LIST, timeout, stdout:RE, stderr:RE or output:RE`,
	} {
		if rule, err := ParseRule(text, signalNumber); err == nil || err.Error() != message {
			t.Errorf("%s: %v, %v, want %s", text, rule, err, message)
		}
	}
}

func TestTellHTTP(t *testing.T) {
	for _, rules := range []Rules{
		{SuccessIf: texts{"http:200"}.rules(t)}, {FailIf: texts{"1", "http:503"}.rules(t)},
		{StopIf: texts{"http:404"}.rules(t)}, {RetryIf: texts{"http:5xx"}.rules(t)},
	} {
		if !rules.TellHTTP() {
			t.Errorf("%+v", rules)
		}
	}
	if rules := (&Rules{RetryIf: texts{"1", "stdout:http"}.rules(t), Transient: &Transient{}}); rules.TellHTTP() {
		t.Errorf("%+v", rules)
	}
}
