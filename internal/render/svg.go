package render

import (
	"fmt"
	"html"
	"math"
	"strings"
)

// picture is a chart on its way to SVG: the frame, and the ranges that fill it.
type picture struct {
	chart                  *Chart
	left, right, low, high float64
	text                   strings.Builder
}

const (
	pictureWidth, pictureHeight = 800, 500
	frameLeft, frameTop         = 90, 50
	frameRight, frameBottom     = pictureWidth - 150, pictureHeight - 60
)

// colors are Okabe and Ito's, which the colour-blind can tell apart.
var colors = []string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9"}

func newPicture(c *Chart) *picture {
	p := &picture{chart: c, left: math.MaxFloat64, right: -math.MaxFloat64, low: math.MaxFloat64, high: -math.MaxFloat64}
	for _, s := range c.Series {
		for _, point := range s.Points {
			p.left, p.right = min(p.left, point.X), max(p.right, point.X)
			p.high = max(p.high, point.Y, point.High)
			if point.Y > 0 || !c.Log {
				p.low = min(p.low, point.Y)
			}
		}
	}
	if p.left > p.right {
		p.left, p.right, p.low, p.high = 0, 1, 0, 1
	}
	if !c.Log {
		p.low = min(0, p.low)
	}
	if p.right == p.left {
		p.right++
	}
	if p.high <= p.low {
		p.high = p.low + 1
	}
	if c.Log {
		p.low, p.high = math.Log10(max(p.low, math.SmallestNonzeroFloat64)), math.Log10(p.high)
		p.low, p.high = math.Floor(p.low), math.Ceil(p.high)
		if p.high == p.low {
			p.high++
		}
	}
	return p
}

// x and y are places in the picture.
func (p *picture) x(x float64) float64 {
	return frameLeft + (x-p.left)/(p.right-p.left)*(frameRight-frameLeft)
}

func (p *picture) y(y float64) float64 {
	if p.chart.Log {
		if y <= 0 {
			return frameBottom
		}
		y = math.Log10(y)
	}
	return min(frameBottom, frameBottom-(y-p.low)/(p.high-p.low)*(frameBottom-frameTop))
}

func (p *picture) add(format string, values ...any) { fmt.Fprintf(&p.text, format+"\n", values...) }

func (p *picture) draw() string {
	p.add(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="13">`,
		pictureWidth, pictureHeight)
	p.add(`<rect width="100%%" height="100%%" fill="white"/>`)
	p.add(`<text x="%d" y="28" font-size="16">%s</text>`, frameLeft, html.EscapeString(p.chart.Title))
	p.axes()
	for i, s := range p.chart.Series {
		p.line(s, colors[i%len(colors)], i)
	}
	p.add(`</svg>`)
	return p.text.String()
}

// axes draws the frame, the grid and their labels.
func (p *picture) axes() {
	for _, y := range p.yTicks() {
		at := p.y(y)
		p.add(`<path d="M%d %.1fH%d" stroke="#ddd"/>`, frameLeft, at, frameRight)
		p.add(`<text x="%d" y="%.1f" text-anchor="end">%s</text>`, frameLeft-8, at+4, p.chart.label(y))
	}
	for _, x := range ticks(p.left, p.right, 8) {
		if x != math.Trunc(x) {
			continue
		}
		at := p.x(x)
		p.add(`<path d="M%.1f %dV%d" stroke="#ddd"/>`, at, frameTop, frameBottom)
		p.add(`<text x="%.1f" y="%d" text-anchor="middle">%.0f</text>`, at, frameBottom+20, x)
	}
	p.add(`<path d="M%d %dV%dH%d" fill="none" stroke="#444"/>`, frameLeft, frameTop, frameBottom, frameRight)
	p.add(`<text x="%d" y="%d" text-anchor="middle">%s</text>`,
		(frameLeft+frameRight)/2, pictureHeight-15, html.EscapeString(p.chart.X))
}

// yTicks are the decades of a logarithmic axis, or round numbers.
func (p *picture) yTicks() []float64 {
	if !p.chart.Log {
		return ticks(p.low, p.high, 6)
	}
	var decades []float64
	for e := p.low; e <= p.high; e += math.Max(1, math.Ceil((p.high-p.low)/8)) {
		decades = append(decades, math.Pow(10, e))
	}
	return decades
}

// ticks are about n round numbers from low to high.
func ticks(low, high float64, n int) []float64 {
	step := math.Pow(10, math.Floor(math.Log10((high-low)/float64(n))))
	for _, more := range []float64{2, 2.5, 2} {
		if (high-low)/step > float64(n) {
			step *= more
		}
	}
	var list []float64
	for i := math.Ceil(low / step); i*step <= high; i++ {
		list = append(list, i*step)
	}
	return list
}

// line draws one series, the band it may lie in, and its name at its end.
func (p *picture) line(s Series, color string, i int) {
	if len(s.Points) == 0 {
		return
	}
	var line, above, below []string
	banded := false
	for _, point := range s.Points {
		x := p.x(point.X)
		line = append(line, fmt.Sprintf("%.1f,%.1f", x, p.y(point.Y)))
		above = append(above, fmt.Sprintf("%.1f,%.1f", x, p.y(point.High)))
		below = append([]string{fmt.Sprintf("%.1f,%.1f", x, p.y(point.Low))}, below...)
		banded = banded || point.High > point.Low
	}
	if banded {
		p.add(`<polygon points="%s %s" fill="%s" opacity="0.15"/>`, strings.Join(above, " "), strings.Join(below, " "), color)
	}
	p.add(`<polyline points="%s" fill="none" stroke="%s" stroke-width="2"/>`, strings.Join(line, " "), color)
	at := frameTop + 14 + 22*i
	p.add(`<path d="M%d %dh24" stroke="%s" stroke-width="2"/>`, frameRight+16, at, color)
	p.add(`<text x="%d" y="%d">%s</text>`, frameRight+46, at+4, html.EscapeString(s.Name))
}
