package render

import (
	"fmt"
	"html"
	"slices"
	"strings"
)

// picture is an SVG picture of a chart while it is being drawn. Positions are in user units from the top left corner.
type picture struct {
	chart  *Chart
	names  []string
	across scale
	y      float64 // how far down it has been drawn
	text   strings.Builder
}

const (
	pictureWidth          = 800
	frameLeft, frameRight = 80, pictureWidth - 30
	margin                = 20
	onlyHeight            = 300 // of the only panel of a picture
	panelHeight           = 190 // of one of several panels
)

// style sets the colours of a picture, for light pages and for dark ones. The colours of the series are Okabe and Ito's, which
// colour-blind people can tell apart, and lighter ones of the same hues on black. A later series is drawn over an earlier one
// with gaps, so that both can be seen if they coincide.
const style = `<style>
text{fill:#222}.small{fill:#666}.page{fill:#fff}.grid{stroke:#e3e3e3}.frame{stroke:#777;fill:none}.whisker{stroke:#000;stroke-width:1.5}
.rule{stroke:#222;stroke-dasharray:2 3}.span{fill:#000;opacity:.08}
.line{stroke:currentColor;fill:none;stroke-width:2.2;stroke-linejoin:round}
.dot,.bar{fill:currentColor}.band{fill:currentColor;opacity:.16}
.s0{color:#0072b2;stroke-width:3.4}.s1{color:#d55e00;stroke-dasharray:9 5}.s2{color:#009e73;stroke-dasharray:3 4}
.s3{color:#b3589a;stroke-dasharray:12 4 2 4}.s4{color:#b07d00;stroke-dasharray:5 9}.s5{color:#2b9fd8;stroke-dasharray:2 6}
.s6{color:#555;stroke-dasharray:14 6}
@media (prefers-color-scheme:dark){
text{fill:#e6e6e6}.small{fill:#a3a3a3}.page{fill:#111418}.grid{stroke:#2c3138}.frame{stroke:#8b8b8b}.whisker{stroke:#000;stroke-width:1.5}
.rule{stroke:#e6e6e6}.span{fill:#fff;opacity:.13}.band{opacity:.25}
.s0{color:#55b4f0}.s1{color:#ff8f40}.s2{color:#2fd6a3}.s3{color:#ee9fd3}.s4{color:#f0c24b}.s5{color:#a8dcff}.s6{color:#bbb}
}
</style>`

// looks is the number of series that the style can tell apart.
const looks = 7

func newPicture(c *Chart) *picture {
	return &picture{chart: c, names: c.names(), across: c.across(8)}
}

func (p *picture) add(format string, values ...any) { fmt.Fprintf(&p.text, format+"\n", values...) }

// draw returns the picture. Its height is only known at the end, so the beginning is written last.
func (p *picture) draw() string {
	p.head()
	if p.chart.empty() {
		p.y += 40
		p.add(`<text class="small" x="%d" y="%.0f">nothing to draw</text>`, margin, p.y)
		return p.page()
	}
	height := float64(panelHeight)
	if len(p.chart.Panels) == 1 {
		height = onlyHeight
	}
	for i := range p.chart.Panels {
		p.panel(&p.chart.Panels[i], height, i == len(p.chart.Panels)-1)
	}
	p.legend()
	return p.page()
}

// page returns the picture, with the height of what has been drawn.
func (p *picture) page() string {
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %.0f" font-family="sans-serif" font-size="14">`,
		pictureWidth, p.y+margin-8) + "\n" + style + "\n" + `<rect class="page" width="100%" height="100%"/>` + "\n" +
		p.text.String() + "</svg>\n"
}

// head writes the question, the answer and the command line.
func (p *picture) head() {
	const perAnswer, perLine = 92, 105 // characters
	p.y = 34
	p.add(`<text x="%d" y="%.0f" font-size="19" font-weight="bold">%s</text>`, margin, p.y, html.EscapeString(p.chart.Title))
	for text := range strings.Lines(p.chart.Answer) {
		for _, line := range wrapped(text, perAnswer) {
			p.y += 23
			p.add(`<text x="%d" y="%.0f" font-size="15">%s</text>`, margin, p.y, html.EscapeString(line))
		}
	}
	p.y += 3
	// An option stays on one line with its value.
	glued := strings.ReplaceAll(strings.ReplaceAll(p.chart.Command, " ", "\x00"), "\x00-", " -")
	for _, line := range wrapped(glued, perLine) {
		line = strings.TrimSpace(strings.ReplaceAll(line, "\x00", " "))
		p.y += 17
		p.add(`<text class="small" x="%d" y="%.0f" font-size="12" font-family="monospace">%s</text>`,
			margin, p.y, html.EscapeString(line))
	}
}

// wrapped breaks a text between words into lines of at most the given number of characters, if its words allow it.
func wrapped(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		switch {
		case line == "":
			line = word
		case len([]rune(line))+1+len([]rune(word)) > width:
			lines, line = append(lines, line), "    "+word
		default:
			line += " " + word
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// A frame is the area of the picture that a panel fills.
type frame struct {
	*picture
	*Panel
	up          scale
	top, bottom float64
}

func (f *frame) x(x float64) float64 { return frameLeft + f.across.part(x)*(frameRight-frameLeft) }
func (f *frame) y(y float64) float64 { return f.bottom - f.up.part(y)*(f.bottom-f.top) }

// panel draws a panel, and below the last one the common axis.
func (p *picture) panel(panel *Panel, height float64, last bool) {
	f := &frame{p, panel, panel.up(6, p.chart.Bars), p.y + 46, p.y + 46 + height}
	p.add(`<text x="%d" y="%.1f">%s</text>`, margin, f.top-14, html.EscapeString(panel.Y.title()))
	f.spans()
	f.grid(last)
	if p.chart.Bars {
		f.bars()
	} else {
		f.series()
	}
	f.rules()
	p.y = f.bottom
	if last {
		p.y += 24
		if !p.chart.Bars {
			p.y += 20
			p.add(`<text x="%d" y="%.1f" text-anchor="middle">%s</text>`,
				(frameLeft+frameRight)/2, p.y, html.EscapeString(p.chart.X.title()))
		}
	}
}

// title returns the label of an axis, with what the ticks don't show.
func (a Axis) title() string {
	if a.Log {
		return a.Label + ", logarithmic"
	}
	return a.Label
}

// grid draws the axes, the ticks and their labels.
func (f *frame) grid(labels bool) {
	for _, t := range f.up.ticks {
		y := f.y(t.at)
		f.add(`<path class="grid" d="M%d %.1fH%d"/>`, frameLeft, y, frameRight)
		f.add(`<text x="%d" y="%.1f" text-anchor="end" font-size="13">%s</text>`, frameLeft-8, y+4.5, t.label)
	}
	across := f.across.ticks
	if f.chart.Bars {
		across = nil
	}
	for _, t := range across {
		x := f.x(t.at)
		f.add(`<path class="grid" d="M%.1f %.1fV%.1f"/>`, x, f.top, f.bottom)
		if labels {
			f.add(`<text x="%.1f" y="%.1f" text-anchor="middle" font-size="13">%s</text>`, x, f.bottom+19, t.label)
		}
	}
	f.add(`<path class="frame" d="M%d %.1fV%.1fH%d"/>`, frameLeft, f.top, f.bottom, frameRight)
}

func (f *frame) spans() {
	for _, s := range f.Spans {
		from, to := f.x(s.From), f.x(s.To)
		f.add(`<rect class="span" x="%.1f" y="%.1f" width="%.1f" height="%.1f"/>`, from, f.top, to-from, f.bottom-f.top)
		f.add(`<text x="%.1f" y="%.1f" text-anchor="middle" font-size="13">%s</text>`,
			(from+to)/2, f.top+16, html.EscapeString(s.Name))
	}
}

// rules draws the rules that are on the scale.
func (f *frame) rules() {
	for _, r := range f.Rules {
		name := html.EscapeString(r.Name)
		switch {
		case r.Upright:
			x := f.x(r.At)
			f.add(`<path class="rule" d="M%.1f %.1fV%.1f"/>`, x, f.top, f.bottom)
			f.add(`<text x="%.1f" y="%.1f" font-size="13">%s</text>`, x+5, f.top+14, name)
		case r.At <= f.up.high:
			y, above := f.y(r.At), -5.0
			if y-f.top < 20 {
				above = 15
			}
			f.add(`<path class="rule" d="M%d %.1fH%d"/>`, frameLeft, y, frameRight)
			f.add(`<text x="%d" y="%.1f" font-size="13">%s</text>`, frameLeft+8, y+above, name)
		}
	}
}

// class returns the class that gives a series its colour.
func (p *picture) class(name string) string {
	return fmt.Sprintf("s%d", slices.Index(p.names, name)%looks)
}

// series draws the bands first, so that they don't cover the lines.
func (f *frame) series() {
	for _, s := range f.Series {
		f.band(s)
	}
	for _, s := range f.Series {
		if s.Style == Dots || len(s.Points) == 1 {
			f.dots(s)
			continue
		}
		if len(s.Points) > 0 {
			f.add(`<polyline class="%s line" points="%s"/>`, f.class(s.Name),
				f.outline(s, func(p Point) float64 { return p.Y }))
		}
	}
}

// band fills the area between the bounds of a series, or draws a vertical bar between them for a single point.
func (f *frame) band(s Series) {
	if !slices.ContainsFunc(s.Points, func(p Point) bool { return p.High > p.Low }) {
		return
	}
	if len(s.Points) == 1 {
		p := s.Points[0]
		f.add(`<rect class="%s band" x="%.1f" y="%.1f" width="16" height="%.1f"/>`,
			f.class(s.Name), f.x(p.X)-8, f.y(p.High), f.y(p.Low)-f.y(p.High))
		return
	}
	below := s
	below.Points = slices.Clone(s.Points)
	slices.Reverse(below.Points)
	f.add(`<polygon class="%s band" points="%s %s"/>`, f.class(s.Name),
		f.outline(s, func(p Point) float64 { return p.High }), f.outline(below, func(p Point) float64 { return p.Low }))
}

// outline returns the positions of one value of a series. For steps they are joined by right angles, in either direction.
func (f *frame) outline(s Series, value func(Point) float64) string {
	var places []string
	for i, p := range s.Points {
		if i > 0 && s.Style == Steps {
			before := s.Points[i-1]
			if p.X > before.X {
				places = append(places, fmt.Sprintf("%.1f,%.1f", f.x(p.X), f.y(value(before))))
			} else {
				places = append(places, fmt.Sprintf("%.1f,%.1f", f.x(before.X), f.y(value(p))))
			}
		}
		places = append(places, fmt.Sprintf("%.1f,%.1f", f.x(p.X), f.y(value(p))))
	}
	return strings.Join(places, " ")
}

func (f *frame) dots(s Series) {
	for _, p := range s.Points {
		f.add(`<circle class="%s dot" cx="%.1f" cy="%.1f" r="4"/>`, f.class(s.Name), f.x(p.X), f.y(p.Y))
	}
}

// bars draws the only point of each series as a bar, with its value above it and its band as a vertical line.
func (f *frame) bars() {
	width := float64(frameRight-frameLeft) / float64(max(1, len(f.Series)))
	for i, s := range f.Series {
		if len(s.Points) == 0 {
			continue
		}
		p, middle := s.Points[0], frameLeft+width*(float64(i)+0.5)
		y := f.y(p.Y)
		f.add(`<rect class="%s bar" x="%.1f" y="%.1f" width="%.1f" height="%.1f"/>`,
			f.class(s.Name), middle-width*0.32, y, width*0.64, f.bottom-y)
		if p.High > p.Low {
			f.add(`<path class="whisker" d="M%.1f %.1fV%.1f"/>`, middle, f.y(p.High), f.y(p.Low))
		}
		f.add(`<text x="%.1f" y="%.1f" text-anchor="middle" font-size="13">%s</text>`,
			middle, f.y(max(p.Y, p.High))-5, f.Y.Unit.value(p.Y))
	}
}

// legend names the series and explains what else is drawn.
func (p *picture) legend() {
	p.y += 10
	for _, name := range p.names {
		p.y += 22
		class := p.class(name)
		switch {
		case p.chart.Bars:
			p.add(`<rect class="%s bar" x="%d" y="%.1f" width="34" height="12"/>`, class, margin, p.y-11)
		case p.dotted(name):
			p.add(`<circle class="%s dot" cx="%d" cy="%.1f" r="4"/>`, class, margin+17, p.y-5)
		default:
			p.add(`<path class="%s line" d="M%d %.1fh34"/>`, class, margin, p.y-5)
		}
		p.add(`<text x="%d" y="%.1f">%s</text>`, margin+46, p.y, html.EscapeString(name))
	}
	for _, note := range p.remarks() {
		for _, line := range wrapped(note, 110) {
			p.y += 20
			p.add(`<text class="small" x="%d" y="%.1f" font-size="13">%s</text>`, margin, p.y, html.EscapeString(line))
		}
	}
}

// remarks returns those of the chart and the meaning of the bands.
func (p *picture) remarks() []string {
	if p.chart.Band == "" {
		return p.chart.remarks()
	}
	what := "band: "
	if p.chart.Bars {
		what = "thin line: "
	}
	return append([]string{what + p.chart.Band}, p.chart.remarks()...)
}

func (p *picture) dotted(name string) bool {
	for _, panel := range p.chart.Panels {
		for _, s := range panel.Series {
			if s.Name == name && (s.Style == Dots || len(s.Points) == 1) {
				return true
			}
		}
	}
	return false
}
