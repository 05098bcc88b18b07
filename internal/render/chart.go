package render

import (
	"io"
	"slices"
	"strconv"
	"strings"
)

// Chart is a question and the panels that answer it, one below the other with a common X axis. [Chart.SVG] draws it as a
// picture, [Chart.Text] with characters.
type Chart struct {
	Title   string // the question
	Answer  string // the answer in a few words, which can have several lines; may be empty
	Command string // the command line that draws this chart, in small print
	X       Axis
	Panels  []Panel
	Band    string // the meaning of the bands, if there are any
	Bars    bool   // each series is a single value, drawn as a bar; the X axis is not drawn
}

// Panel is the part of a chart that has a Y axis of its own.
type Panel struct {
	Y      Axis
	Series []Series
	Rules  []Rule
	Spans  []Span
}

// Axis is an axis of a panel.
type Axis struct {
	Label string
	Unit  Unit
	Log   bool
}

// Unit is the unit of the values along an axis.
type Unit int

const (
	Count   Unit = iota // whole numbers, written in full
	Seconds             // written as durations
	Percent             // from 0 to 1, written as percentages
)

// Series is a value as a function of X. Series with the same name in several panels have the same colour and one entry in the
// legend.
type Series struct {
	Name   string
	Style  Style
	Points []Point
}

// Style says how the points of a series are drawn.
type Style int

const (
	Line  Style = iota // joined by straight lines
	Steps              // a value holds until the next point
	Dots               // not joined
)

// Point is a value at a position on the X axis, with a band if High is above Low.
type Point struct{ X, Y, Low, High float64 }

// Rule marks a value on the Y axis, or on the X axis if Upright. A rule far beyond the points is only mentioned in the legend.
type Rule struct {
	Name    string
	At      float64
	Upright bool
}

// Span shades a part of the X axis.
type Span struct {
	Name     string
	From, To float64
}

// SVG draws the chart as a picture that is 800 units wide and as high as necessary. It suits light and dark pages.
func (c *Chart) SVG(out io.Writer) error {
	_, err := io.WriteString(out, newPicture(c).draw())
	return err
}

// names returns the names of the series in the order of the legend, each once.
func (c *Chart) names() []string {
	var names []string
	for _, panel := range c.Panels {
		for _, s := range panel.Series {
			if !slices.Contains(names, s.Name) {
				names = append(names, s.Name)
			}
		}
	}
	return names
}

// empty reports whether there is nothing to draw.
func (c *Chart) empty() bool {
	for _, panel := range c.Panels {
		for _, s := range panel.Series {
			if len(s.Points) > 0 {
				return false
			}
		}
	}
	return true
}

// across returns the scale of the X axis.
func (c *Chart) across(ticks int) scale {
	r := nothing
	for _, panel := range c.Panels {
		for _, s := range panel.Series {
			for _, p := range s.Points {
				r.include(p.X)
			}
		}
		for _, span := range panel.Spans {
			r.include(span.From)
			r.include(span.To)
		}
	}
	return newScale(c.X, r, ticks, false)
}

// up returns the scale of a panel's Y axis. Rules far above the points are ignored, because they would flatten the rest.
func (p *Panel) up(ticks int, bars bool) scale {
	r := nothing
	if !p.Y.Log {
		r.include(0)
	}
	for _, s := range p.Series {
		for _, point := range s.Points {
			for _, y := range []float64{point.Y, point.High, point.Low} {
				if y > 0 || !p.Y.Log {
					r.include(y)
				}
			}
		}
	}
	if room := 1.1 * r.high; bars {
		r.include(room) // for the value above a bar
	}
	for _, rule := range p.Rules {
		if !rule.Upright && p.near(rule, r) {
			r.include(rule.At)
		}
	}
	return newScale(p.Y, r, ticks, true)
}

// near reports whether a rule is close enough to the values to be drawn with them.
func (p *Panel) near(rule Rule, r extent) bool {
	if p.Y.Log {
		return rule.At > 0 && rule.At <= 10*r.high
	}
	return rule.At <= 2*r.high
}

// remarks returns notes about what can't be seen: which rules are too far up, and which series coincide.
func (c *Chart) remarks() []string {
	var list []string
	for _, panel := range c.Panels {
		up := panel.up(6, c.Bars)
		for _, rule := range panel.Rules {
			if !rule.Upright && rule.At > up.high {
				list = append(list, rule.Name+" is above the chart")
			}
		}
		for _, names := range panel.coinciding() {
			remark := strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1] + " coincide"
			if len(c.Panels) > 1 {
				remark = panel.Y.Label + ": " + remark
			}
			list = append(list, remark)
		}
	}
	return list
}

// coinciding returns, for each group of series with the same values, their names.
func (p *Panel) coinciding() [][]string {
	same := func(a, b Point) bool { return a.X == b.X && a.Y == b.Y }
	var groups [][]string
	seen := map[string]bool{}
	for i, s := range p.Series {
		group := []string{strconv.Quote(s.Name)}
		for _, other := range p.Series[i+1:] {
			if len(s.Points) > 0 && !seen[other.Name] && slices.EqualFunc(s.Points, other.Points, same) {
				seen[other.Name] = true
				group = append(group, strconv.Quote(other.Name))
			}
		}
		if len(group) > 1 {
			groups = append(groups, group)
		}
	}
	return groups
}
