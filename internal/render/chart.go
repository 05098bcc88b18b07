package render

import (
	"fmt"
	"io"
	"math"
	"regexp"
	"strings"
	"time"

	"github.com/guptarohit/asciigraph"

	"retry/policy"
)

// Chart is lines over a common axis.
type Chart struct {
	Title, X, Y string
	Time        bool // the values are seconds and written as durations
	Log         bool // the values are drawn by their logarithm
	Series      []Series
}

// Series is one line.
type Series struct {
	Name   string
	Points []Point
}

// Point is a value over a place on the axis, and the band it may lie in.
type Point struct{ X, Y, Low, High float64 }

// terminal draws the chart in characters, as wide as the terminal, or 80 columns without colour where there is none. It
// is empty where there is no line to draw.
func (c *Chart) terminal(width int, color bool) string {
	const height, label = 14, 12
	if width == 0 {
		width = 80
	}
	if len(c.Series) == 0 || len(c.Series[0].Points) < 2 || width < 2*label {
		return ""
	}
	var lines [][]float64
	var names []string
	least := c.leastPositive()
	for _, s := range c.Series {
		var line []float64
		for _, p := range s.Points {
			y := p.Y
			if c.Log {
				y = math.Log10(max(y, least))
			}
			line = append(line, y)
		}
		lines, names = append(lines, line), append(names, s.Name)
	}
	points := c.Series[0].Points
	options := []asciigraph.Option{
		asciigraph.Width(width - label), asciigraph.Height(height), asciigraph.SeriesLegends(names...),
		asciigraph.YAxisValueFormatter(c.value), asciigraph.XAxisRange(points[0].X, points[len(points)-1].X),
		asciigraph.XAxisValueFormatter(func(x float64) string { return fmt.Sprintf("%.0f", x) }),
	}
	if n := len(points); n < 5 {
		options = append(options, asciigraph.XAxisTickCount(n))
	}
	if color {
		options = append(options, asciigraph.SeriesColors(
			asciigraph.Blue, asciigraph.Green, asciigraph.Red, asciigraph.Yellow, asciigraph.Cyan))
	}
	scale := ""
	if c.Log {
		scale = ", logarithmic"
	}
	plot := asciigraph.PlotMany(lines, options...)
	if !color { // the legend has colours all the same
		plot = regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(plot, "")
	}
	title := c.Title + scale
	return "\n" + title[:min(len(title), width)] + "\n\n" + strings.TrimRight(plot, "\n") + "\n"
}

// leastPositive is what stands for 0, which has no logarithm.
func (c *Chart) leastPositive() float64 {
	least := math.MaxFloat64
	for _, s := range c.Series {
		for _, p := range s.Points {
			if p.Y > 0 {
				least = min(least, p.Y)
			}
		}
	}
	return least
}

// value writes a value of the drawn axis.
func (c *Chart) value(y float64) string {
	if c.Log {
		y = math.Pow(10, y)
	}
	return c.label(y)
}

func (c *Chart) label(y float64) string {
	if c.Time {
		return policy.FormatDuration(rounded(y))
	}
	return fmt.Sprintf("%.4g", y)
}

// rounded is seconds as a duration of three figures or so.
func rounded(seconds float64) time.Duration {
	d := time.Duration(min(max(0, seconds)*1e9, math.MaxInt64/2))
	for _, unit := range []time.Duration{time.Second, 100 * time.Millisecond, 10 * time.Millisecond, time.Millisecond} {
		if d >= 10*unit {
			return d.Round(unit)
		}
	}
	return d
}

// SVG draws the chart as a picture of 800 by 500, each line with the band it may lie in.
func (c *Chart) SVG(out io.Writer) error {
	_, err := io.WriteString(out, newPicture(c).draw())
	return err
}
