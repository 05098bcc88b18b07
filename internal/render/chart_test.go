package render

import (
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// everything returns a chart with all features of charts.
func everything() *Chart {
	curve := Series{Name: "observed", Style: Steps, Points: []Point{
		{0, 1, 1, 1}, {10, 0.75, 0.6, 0.9}, {30, 0.4, 0.2, 0.6}, {90, 0.1, 0, 0.3},
	}}
	dots := Series{Name: "--base 1s & more", Style: Dots, Points: []Point{{10, 0.75, 0, 0}, {50, 0.4, 0, 0}}}
	trend := Series{Name: "expected", Points: []Point{{0, 1, 0, 0}, {100, 0, 0, 0}}}
	return &Chart{
		Title: "How long does a failure last?", Answer: "half of them are over after 30s\nall after 90s",
		Command: "retry --review log --base 1s", X: Axis{"time since the failure", Seconds, false},
		Panels: []Panel{{
			Y: Axis{"still failing", Percent, false}, Series: []Series{curve, dots, trend},
			Rules: []Rule{{Name: "half", At: 0.5}, {Name: "deadline", At: 60, Upright: true}, {Name: "far", At: 7}},
			Spans: []Span{{"outage", 20, 40}},
		}},
		Band: "95 % confidence",
	}
}

func TestChartGolden(t *testing.T) {
	bars := &Chart{Title: "Which is dearer?", Bars: true, Band: "one standard deviation", Panels: []Panel{
		{Y: Axis{"calls", Count, false}, Series: []Series{
			{Name: "a", Points: []Point{{0, 1200, 1000, 1400}}}, {Name: "b", Points: []Point{{0, 300, 300, 300}}}, {Name: "c"},
		}},
		{Y: Axis{"time", Seconds, true}, Series: []Series{
			{Name: "a", Points: []Point{{0, 0.5, 0, 0}}}, {Name: "b", Points: []Point{{0, 90, 0, 0}}},
		}},
	}}
	for name, c := range map[string]*Chart{"everything": everything(), "bars": bars} {
		golden(t, "chart-"+name+".svg", c.SVG)
		for _, color := range []bool{false, true} {
			golden(t, fmt.Sprintf("chart-%s-%v.txt", name, color), func(out io.Writer) error {
				_, err := io.WriteString(out, c.Text(60, color))
				return err
			})
		}
	}
}

func drawnSVG(t *testing.T, c *Chart) string {
	t.Helper()
	var text strings.Builder
	if err := c.SVG(&text); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// places returns the pairs of numbers of the first line or band of a class.
func places(t *testing.T, svg, class string) (list [][2]float64) {
	t.Helper()
	found := regexp.MustCompile(`class="` + class + `" points="([^"]*)"`).FindStringSubmatch(svg)
	if found == nil {
		t.Fatalf("nothing of class %s in %s", class, svg)
	}
	for pair := range strings.FieldsSeq(found[1]) {
		x, y, _ := strings.Cut(pair, ",")
		list = append(list, [2]float64{parsed(t, x), parsed(t, y)})
	}
	return list
}

func parsed(t *testing.T, text string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// A step holds its value until the next point, and so do the bounds of its band.
func TestStepsHaveRightAngles(t *testing.T) {
	svg := drawnSVG(t, everything())
	line := places(t, svg, "s0 line")
	if len(line) != 7 {
		t.Errorf("4 steps are drawn with %d places: %v", len(line), line)
	}
	for i := 1; i < len(line); i++ {
		along, down := line[i][0] != line[i-1][0], line[i][1] != line[i-1][1]
		if along == down || along != (i%2 == 1) || line[i][0] < line[i-1][0] {
			t.Errorf("place %d of %v", i, line)
		}
	}
	band := places(t, svg, "s0 band")
	for i := 1; i < len(band); i++ {
		if i != 7 && band[i][0] != band[i-1][0] && band[i][1] != band[i-1][1] {
			t.Errorf("place %d of the band is not at a right angle: %v", i, band)
		}
	}
	for i := range 7 { // the upper bound goes right, the lower one back
		if band[i][0] != band[13-i][0] || band[i][1] > band[13-i][1] {
			t.Errorf("the bounds at %d: %v and %v", i, band[i], band[13-i])
		}
	}
}

// Everything lies within the frame, and greater values are higher and further to the right.
func TestPlacesAreInTheFrame(t *testing.T) {
	for _, logarithmic := range []bool{false, true} {
		plan := NewPlan(plans["normal-1s"], nil)
		svg := drawnSVG(t, plan.chart(logarithmic))
		line := places(t, svg, "s0 line")
		for i, p := range line {
			if p[0] < frameLeft || p[0] > frameRight || i > 0 && (p[0] <= line[i-1][0] || p[1] > line[i-1][1]) {
				t.Errorf("place %d: %v", i, line)
			}
		}
		if line[0][0] != frameLeft || line[len(line)-1][0] != frameRight {
			t.Errorf("the line does not fill the frame: %v", line)
		}
	}
	for _, place := range regexp.MustCompile(`M(-?[0-9.]+)[, ](-?[0-9.]+)`).FindAllStringSubmatch(drawnSVG(t, everything()), -1) {
		if x, y := parsed(t, place[1]), parsed(t, place[2]); x < 0 || x > pictureWidth || y < 0 || y > 600 {
			t.Errorf("%s is outside of the picture", place[0])
		}
	}
}

// A rule is drawn at its value, or only mentioned if it would flatten everything else.
func TestRules(t *testing.T) {
	svg := drawnSVG(t, everything())
	for _, want := range []string{">half</text>", ">deadline</text>", ">far is above the chart</text>", ">outage</text>"} {
		if strings.Count(svg, want) != 1 {
			t.Errorf("%d times %s", strings.Count(svg, want), want)
		}
	}
	if strings.Contains(svg, ">far</text>") || strings.Count(svg, `class="rule"`) != 2 {
		t.Errorf("not two rules: %s", svg)
	}
	for _, test := range []struct {
		at    float64
		log   bool
		drawn bool
	}{
		{50, false, true}, {100, false, true}, {200, false, true}, {201, false, false},
		{500, true, true}, {1000, true, true}, {1001, true, false}, {0, true, false},
	} {
		panel := Panel{Y: Axis{"", Count, test.log}, Series: []Series{{Points: []Point{{1, 1, 1, 1}, {2, 100, 1, 1}}}},
			Rules: []Rule{{Name: "rule", At: test.at}}}
		up := panel.up(6, false)
		if up.high < 100 {
			t.Errorf("a rule at %v, logarithmic %v: the scale ends at %v", test.at, test.log, up.high)
		}
		if drawn := test.at <= up.high && test.at >= up.low; drawn != test.drawn {
			t.Errorf("a rule at %v, logarithmic %v: drawn %v, from %v to %v", test.at, test.log, drawn, up.low, up.high)
		}
	}
}

// A rule at the end of the scale is drawn, not reported to be above it.
func TestRuleAtTheTop(t *testing.T) {
	c := NewPlan(plans["default"], nil).chart(false)
	if len(c.remarks()) != 0 || !strings.Contains(drawnSVG(t, c), ">cap 1m</text>") || !strings.Contains(c.Text(80, false), "cap 1m╌") {
		t.Errorf("%q: %s", c.remarks(), c.Text(80, false))
	}
}

// Series with the same values are reported to coincide, for each panel, as one group.
func TestCoinciding(t *testing.T) {
	same, other := []Point{{1, 1, 0, 0}, {2, 2, 0, 0}}, []Point{{1, 1, 0, 0}, {2, 3, 0, 0}}
	c := &Chart{Panels: []Panel{{Y: Axis{Label: "calls"}, Series: []Series{
		{Name: "a", Points: same}, {Name: "b", Points: other}, {Name: "c", Points: same}, {Name: "d", Points: other},
		{Name: "e", Points: same}, {Name: "f", Points: same[:1]}, {Name: "g"}, {Name: "h"},
	}}}}
	want := []string{`"a", "c" and "e" coincide`, `"b" and "d" coincide`}
	if got := c.remarks(); !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
	c.Panels = append(c.Panels, Panel{Y: Axis{Label: "time"}, Series: []Series{{Name: "a", Points: same}, {Name: "b", Points: same}}})
	want = []string{`calls: "a", "c" and "e" coincide`, `calls: "b" and "d" coincide`, `time: "a" and "b" coincide`}
	if got := c.remarks(); !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
}

// A single point is drawn with its band, and bars with their values.
func TestSinglePoints(t *testing.T) {
	c := &Chart{Panels: []Panel{{Series: []Series{{Name: "a", Points: []Point{{3, 5, 2, 8}}}}}}}
	svg := drawnSVG(t, c)
	if strings.Count(svg, "<circle") != 2 || strings.Contains(svg, "polyline") { // the point, and in the legend
		t.Errorf("a point is not a point: %s", svg)
	}
	found := regexp.MustCompile(`<rect class="s0 band" x="([0-9.]+)" y="([0-9.]+)" width="16" height="([0-9.]+)"`).FindStringSubmatch(svg)
	point := regexp.MustCompile(`<circle class="s0 dot" cx="([0-9.]+)" cy="([0-9.]+)"`).FindStringSubmatch(svg)
	if found == nil || point == nil {
		t.Fatal(svg)
	}
	top, height, y := parsed(t, found[2]), parsed(t, found[3]), parsed(t, point[2])
	if math.Abs(parsed(t, found[1])+8-parsed(t, point[1])) > 0.1 || math.Abs(top+height/2-y) > 0.1 || height <= 0 {
		t.Errorf("the band %v is not around the point %v", found, point)
	}
}

// A series without points is in the legend and nowhere else.
func TestSeriesWithoutPoints(t *testing.T) {
	for _, style := range []Style{Line, Steps, Dots} {
		c := &Chart{Panels: []Panel{{Series: []Series{{Name: "a", Points: []Point{{1, 1, 0, 2}, {2, 2, 0, 2}}}, {Name: "b", Style: style}}}}}
		svg := drawnSVG(t, c)
		if strings.Contains(svg, `points=""`) || strings.Count(svg, "polyline") != 1 || !strings.Contains(svg, ">b</text>") {
			t.Errorf("style %v: %s", style, svg)
		}
	}
}

// Bars stand on the axis, have the height of their values, and leave room for the value above.
func TestBars(t *testing.T) {
	c := &Chart{Bars: true, Panels: []Panel{{Y: Axis{"", Count, false}, Series: []Series{
		{Name: "a", Points: []Point{{0, 1000, 900, 1100}}}, {Name: "b", Points: []Point{{0, 500, 500, 500}}},
	}}}}
	svg := drawnSVG(t, c)
	bars := regexp.MustCompile(`bar" x="([0-9.]+)" y="([0-9.]+)" width="([0-9.]+)" height="([0-9.]+)"`).FindAllStringSubmatch(svg, -1)
	if len(bars) != 4 { // two, and two in the legend
		t.Fatalf("%d bars: %s", len(bars), svg)
	}
	a, b := bars[0], bars[1]
	if foot := parsed(t, a[2]) + parsed(t, a[4]); math.Abs(foot-parsed(t, b[2])-parsed(t, b[4])) > 0.11 {
		t.Errorf("the bars don't stand on one line: %v, %v", a, b)
	}
	if ratio := parsed(t, a[4]) / parsed(t, b[4]); math.Abs(ratio-2) > 0.01 {
		t.Errorf("1000 is drawn %v times as high as 500", ratio)
	}
	if parsed(t, a[1])+parsed(t, a[3]) >= parsed(t, b[1]) || parsed(t, a[1]) < frameLeft || parsed(t, b[1])+parsed(t, b[3]) > frameRight {
		t.Errorf("the bars overlap or leave the frame: %v, %v", a, b)
	}
	if strings.Count(svg, "whisker\" d") != 1 || !strings.Contains(svg, ">1,000</text>") || !strings.Contains(svg, ">500</text>") {
		t.Errorf("no deviation or no value: %s", svg)
	}
	value := regexp.MustCompile(`y="([0-9.]+)" text-anchor="middle" font-size="13">1,000<`).FindStringSubmatch(svg)
	if value == nil || parsed(t, value[1]) > parsed(t, a[2]) || parsed(t, value[1]) < 40 {
		t.Errorf("the value is not above its bar: %v, %v", value, a)
	}
}

// A schedule without a result, as after an interruption, keeps its place among the bars, and the others have theirs.
func TestBarsWithoutPoints(t *testing.T) {
	c := &Chart{Bars: true, Panels: []Panel{{Series: []Series{
		{Name: "a", Points: []Point{{0, 1000, 0, 0}}}, {Name: "b"}, {Name: "c", Points: []Point{{0, 500, 0, 0}}},
	}}}}
	svg, text := drawnSVG(t, c), c.Text(60, false)
	if strings.Count(svg, `<rect class="s2 bar"`) != 2 || strings.Count(svg, `<rect class="s1 bar"`) != 1 { // one in the legend
		t.Errorf("not the bars of a and c: %s", svg)
	}
	if !strings.Contains(text, "  a: 1,000\n") || !strings.Contains(text, "  c: 500\n") || strings.Contains(text, "  b:") {
		t.Errorf("not the bars of a and c: %s", text)
	}
}

func TestWrapped(t *testing.T) {
	for text, want := range map[string][]string{
		"":                        nil,
		"one":                     {"one"},
		"one two six":             {"one two six"},
		"one two seven":           {"one two", "    seven"},
		"incomprehensibilities a": {"incomprehensibilities", "    a"},
		"a  b":                    {"a b"},
		"äöü äöü äöü":             {"äöü äöü äöü"},
	} {
		if got := wrapped(text, 11); !slices.Equal(got, want) {
			t.Errorf("%q: %q, not %q", text, got, want)
		}
	}
}

// A long command line breaks before an option, not before its value.
func TestCommandBreaksBeforeOptions(t *testing.T) {
	c := &Chart{Command: "retry" + strings.Repeat(" --option value", 9), Panels: []Panel{{Series: []Series{{Points: []Point{{1, 1, 1, 1}}}}}}}
	lines := regexp.MustCompile(`font-family="monospace">([^<]*)<`).FindAllStringSubmatch(drawnSVG(t, c), -1)
	if len(lines) != 2 || !strings.HasPrefix(lines[1][1], "--option value") || lines[0][1]+" "+lines[1][1] != c.Command {
		t.Errorf("%q", lines)
	}
}

// The text chart tells series apart by letters, marks what coincides, and shows rules and spans.
func TestText(t *testing.T) {
	c := &Chart{X: Axis{"x", Count, false}, Panels: []Panel{{Y: Axis{"y", Count, false}, Series: []Series{
		{Name: "up", Points: []Point{{0, 0, 0, 0}, {10, 10, 0, 0}}}, {Name: "down", Points: []Point{{0, 10, 0, 0}, {10, 0, 0, 0}}},
	}}}}
	text := c.Text(60, false)
	rows := strings.Split(text, "\n")[3 : 3+plotHeight]
	for i, row := range rows {
		marks := strings.Trim(row, " ┤│0123456789")
		if marks == "" {
			t.Fatalf("row %d is empty in\n%s", i, text)
		}
		first, last := marks[:1], marks[len(marks)-1:]
		switch middle := plotHeight / 2; {
		case i < middle && (first != "b" || last != "a"), i > middle && (first != "a" || last != "b"), i == middle && !strings.Contains(marks, "*"):
			t.Errorf("row %d: %q in\n%s", i, marks, text)
		}
	}
	if !strings.Contains(text, "\n  a  up\n  b  down\n  *  several of them\n") {
		t.Errorf("no legend: %s", text)
	}
	for _, width := range []int{40, 41, 59, 60, 79, 120} {
		for _, chart := range []*Chart{c, everything()} {
			for line := range strings.SplitSeq(chart.Text(width, false), "\n") {
				if n := len([]rune(line)); n > width {
					t.Errorf("width %d: %d columns: %s", width, n, line)
				}
			}
		}
	}
	if c.Text(39, false) != "" || c.Text(40, false) == "" || (&Chart{Panels: []Panel{{Series: []Series{{Name: "a"}}}}}).Text(80, false) != "" {
		t.Error("a chart without points or room is not left out")
	}
	if got, want := c.Text(0, false), c.Text(80, false); got != want {
		t.Errorf("without a terminal: %s, not as wide as 80 columns: %s", got, want)
	}
	colored := c.Text(60, true)
	if regexp.MustCompile("\x1b\\[[0-9]*m").ReplaceAllString(colored, "") != text || colored == text {
		t.Errorf("colour changes more than colours: %s", colored)
	}
}

// Every column of a joined series has a mark, and the marks of two columns touch. Where the axis is logarithmic, 0 is at its
// lower end.
func TestTextLinesHaveNoGaps(t *testing.T) {
	for _, style := range []Style{Line, Steps} {
		for _, logarithmic := range []bool{false, true} {
			c := &Chart{X: Axis{"", Count, false}, Panels: []Panel{{Y: Axis{"", Count, logarithmic}, Series: []Series{
				{Name: "a", Style: style, Points: []Point{{0, 0, 0, 0}, {3, 1000, 0, 0}, {4, 1, 0, 0}, {8, 500, 0, 0}, {10, 0, 0, 0}}},
			}}}}
			p := newPlot(c, &c.Panels[0], c.names(), 60)
			p.draw(false)
			lowBefore, highBefore := 0, plotHeight-1
			for column := range p.cells[0] {
				low, high := plotHeight, -1
				for row := range p.cells {
					if p.cells[row][column].mark == single {
						low, high = min(low, row), max(high, row)
					}
				}
				if high < 0 || low > highBefore+1 || high < lowBefore-1 {
					t.Errorf("style %v, logarithmic %v: a gap at column %d", style, logarithmic, column)
				}
				lowBefore, highBefore = low, high
			}
		}
	}
}

// Each tick has its label below it, in full. One that would run into the label before, or come within two columns of it, is
// left out; one that would leave the chart is moved.
func TestTextAxisLabels(t *testing.T) {
	left := 0
	for width := 40; width <= 120; width += 5 {
		for most := 10.0; most < 1e16; most *= 10 {
			c := &Chart{X: Axis{"x", Count, false}, Panels: []Panel{{Series: []Series{{Name: "a", Points: []Point{{0, 1, 0, 0}, {most, 1, 0, 0}}}}}}}
			p := newPlot(c, &c.Panels[0], c.names(), width)
			labels := []rune(strings.Split(p.axis(), "\n")[1])
			end := -2
			for _, tick := range p.across.ticks {
				size := len(tick.label)
				from := max(0, min(p.left+p.column(tick.at)-size/2, width-size))
				if from < end+2 {
					left++
					continue
				}
				end = from + size
				if got := string(labels[from:end]); got != tick.label {
					t.Fatalf("width %d, up to %v: %q, not %q, at column %d of\n%s", width, most, got, tick.label, from, p.axis())
				}
			}
			if shown := len(strings.Fields(string(labels))); shown == 0 || len(labels) != width {
				t.Errorf("width %d, up to %v: %d labels in %d columns", width, most, shown, len(labels))
			}
		}
	}
	if left == 0 {
		t.Error("no label had to be left out")
	}
}

// The name of a rule is on the chart wherever the rule is, and cut only where it is longer than the chart is wide.
func TestTextNames(t *testing.T) {
	const width, columns = 40, 35
	for _, name := range []string{"deadline 1h", strings.Repeat("x", 30), strings.Repeat("x", 60)} {
		for _, rule := range []Rule{{name, 0, true}, {name, 5, true}, {name, 10, true}, {name, 1, false}} {
			text := (&Chart{Panels: []Panel{{
				Series: []Series{{Name: "a", Points: []Point{{0, 0, 0, 0}, {10, 0, 0, 0}}}}, Rules: []Rule{rule},
			}}}).Text(width, false)
			if !strings.Contains(text, name[:min(len(name), columns)]) {
				t.Errorf("no %q in\n%s", name, text)
			}
		}
	}
}

// A remark that is longer than a line goes on in the next; one that just fits is not cut.
func TestTextRemarks(t *testing.T) {
	for n := 1; n <= 30; n++ {
		c := everything()
		c.Panels[0].Rules = []Rule{{Name: strings.Repeat("n", n), At: 7}}
		text := c.Text(40, false)
		if want := c.remarks()[0]; !strings.Contains(strings.Join(strings.Fields(text), " "), want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
