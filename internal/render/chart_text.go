package render

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Text draws the chart with characters, as wide as the terminal, or 80 columns wide and without colour if width is 0. It returns
// "" if there is nothing to draw, or not enough room.
func (c *Chart) Text(width int, color bool) string {
	const least = 40
	if width == 0 {
		width = 80
	}
	if width < least || c.empty() {
		return ""
	}
	var page strings.Builder
	names := c.names()
	for i := range c.Panels {
		panel := &c.Panels[i]
		fmt.Fprintf(&page, "\n%s\n\n", panel.Y.title())
		if c.Bars {
			page.WriteString(panel.textBars(width))
			continue
		}
		page.WriteString(newPlot(c, panel, names, width).draw(color))
	}
	page.WriteString(c.textLegend(width, color))
	return clipped(page.String(), width)
}

// textLegend explains the marks, except for bars, which have their names beside them.
func (c *Chart) textLegend(width int, color bool) string {
	var legend strings.Builder
	legend.WriteByte('\n')
	if !c.Bars {
		legend.WriteString(c.key(color))
		if len(c.names()) > 1 {
			fmt.Fprintf(&legend, "  %c  several of them\n", several)
		}
	}
	for _, note := range c.remarks() {
		for _, line := range wrapped(note, width-2) {
			legend.WriteString("  " + line + "\n")
		}
	}
	return legend.String()
}

// key lists the marks and the names of the series.
func (c *Chart) key(color bool) string {
	var key strings.Builder
	names := c.names()
	for i, name := range names {
		fmt.Fprintf(&key, "  %s  %s\n", painted(markOf(i, len(names)), i, color), name)
	}
	return key.String()
}

// The marks of a plot. Letters tell series apart without colour.
const (
	several = '*'
	single  = '•'
	rule    = '╌'
	shade   = '░'
)

func markOf(i, of int) rune {
	if of == 1 {
		return single
	}
	return rune('a' + i%26)
}

// painted returns a mark in the colour of a series.
func painted(mark rune, i int, color bool) string {
	if !color || i < 0 {
		return string(mark)
	}
	codes := [looks]int{34, 31, 32, 35, 33, 36, 90}
	return fmt.Sprintf("\x1b[%dm%c\x1b[0m", codes[i%looks], mark)
}

// clipped cuts lines that are too long. Colours take no space, and only marks inside the plot have them.
func clipped(text string, width int) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if runes := []rune(strings.TrimRight(line, " ")); len(runes) > width && !strings.Contains(line, "\x1b") {
			lines[i] = string(runes[:width-1]) + "…"
		} else {
			lines[i] = string(runes)
		}
	}
	return strings.Join(lines, "\n")
}

// A plot is a panel drawn with characters: a grid of marks.
type plot struct {
	*Panel
	names      []string
	across, up scale
	cells      [][]cell // rows, from the top
	left       int      // columns to the left of the grid
}

type cell struct {
	mark   rune
	series int // -1 for a mark that belongs to no series
}

const plotHeight = 13

func newPlot(c *Chart, panel *Panel, names []string, width int) *plot {
	p := &plot{Panel: panel, names: names, up: panel.up(5, false)}
	for _, t := range p.up.ticks {
		p.left = max(p.left, len([]rune(t.label))+2)
	}
	p.across = c.across(max(2, (width-p.left)/12))
	columns := width - p.left - 2
	for range plotHeight {
		p.cells = append(p.cells, slices.Repeat([]cell{{' ', -1}}, columns))
	}
	return p
}

func (p *plot) column(x float64) int {
	return int(math.Round(p.across.part(x) * float64(len(p.cells[0])-1)))
}
func (p *plot) row(y float64) int {
	return plotHeight - 1 - int(math.Round(p.up.part(y)*(plotHeight-1)))
}

func (p *plot) draw(color bool) string {
	for _, s := range p.Spans {
		p.shade(s)
	}
	for _, r := range p.Rules {
		p.rule(r)
	}
	for _, s := range p.Series {
		p.series(s)
	}
	var text strings.Builder
	for row := range p.cells {
		text.WriteString(p.margin(row))
		for _, c := range p.cells[row] {
			text.WriteString(painted(c.mark, c.series, color))
		}
		text.WriteByte('\n')
	}
	return text.String() + p.axis()
}

// margin returns the text to the left of a row: the label of a tick, if there is one in that row.
func (p *plot) margin(row int) string {
	for _, t := range p.up.ticks {
		if p.row(t.at) == row {
			return fmt.Sprintf("%*s ┤", p.left-2, t.label)
		}
	}
	return strings.Repeat(" ", p.left-1) + "│"
}

// axis returns the line below the plot, the ticks and the label of the axis.
func (p *plot) axis() string {
	line := []rune(strings.Repeat(" ", p.left-1) + "└" + strings.Repeat("─", len(p.cells[0])))
	labels := []rune(strings.Repeat(" ", len(line)+2))
	free := 0
	for _, t := range p.across.ticks {
		at, label := p.left+p.column(t.at), []rune(t.label)
		line[at] = '┬'
		if from := max(0, min(at-len(label)/2, len(labels)-len(label))); from >= free {
			copy(labels[from:], label)
			free = from + len(label) + 2
		}
	}
	title := p.across.title()
	indent := max(0, p.left+(len(p.cells[0])-len([]rune(title)))/2)
	return string(line) + "\n" + string(labels) + "\n" + strings.Repeat(" ", indent) + title + "\n"
}

func (p *plot) shade(s Span) {
	from, to := p.column(s.From), p.column(s.To)
	for row := range p.cells {
		for column := from; column <= to; column++ {
			p.cells[row][column] = cell{shade, -1}
		}
	}
	p.write(0, from+1, s.Name)
}

func (p *plot) rule(r Rule) {
	switch {
	case r.Upright:
		for row := range p.cells {
			p.cells[row][p.column(r.At)] = cell{'┊', -1}
		}
		p.write(0, p.column(r.At)+2, r.Name)
	case r.At <= p.up.high:
		row := p.row(r.At)
		for column := range p.cells[row] {
			p.cells[row][column] = cell{rule, -1}
		}
		p.write(row, 2, r.Name)
	}
}

// write puts a name into the grid, if there is room for it.
func (p *plot) write(row, column int, name string) {
	runes := []rune(name)
	column = max(0, min(column, len(p.cells[row])-len(runes)))
	for i, r := range runes {
		if column+i < len(p.cells[row]) {
			p.cells[row][column+i] = cell{r, -1}
		}
	}
}

// series marks the positions of a series, and those between them if its points are joined.
func (p *plot) series(s Series) {
	drawn := map[[2]int]bool{}
	last := -1
	for i, point := range s.Points {
		column, row := p.column(point.X), p.row(point.Y)
		if i > 0 && s.Style != Dots {
			before := s.Points[i-1]
			from := p.column(before.X)
			for c := from; c <= column; c++ {
				part := float64(c-from) / float64(max(1, column-from))
				y := before.Y
				switch {
				case s.Style == Line && p.up.Log && before.Y > 0 && point.Y > 0:
					y *= math.Pow(point.Y/before.Y, part)
				case s.Style == Line:
					y += part * (point.Y - before.Y)
				}
				last = p.join(s, drawn, c, last, p.row(y))
			}
		}
		last = p.join(s, drawn, column, last, row)
		if s.Style == Dots {
			last = -1
		}
	}
}

// join marks a position, and those above or below it up to the row that was marked before.
func (p *plot) join(s Series, drawn map[[2]int]bool, column, last, row int) int {
	from, to := row, row
	switch {
	case last >= 0 && last < row:
		from = last + 1
	case last > row:
		to = last - 1
	}
	for r := from; r <= to; r++ {
		if !drawn[[2]int{r, column}] {
			drawn[[2]int{r, column}] = true
			p.put(&p.cells[r][column], slices.Index(p.names, s.Name))
		}
	}
	return row
}

// put marks a cell. If the cell has the mark of another series, it becomes the mark for several series.
func (p *plot) put(c *cell, series int) {
	switch c.series {
	case -1:
		*c = cell{markOf(series, len(p.names)), series}
	default:
		*c = cell{several, c.series}
	}
}

// textBars draws the name and the value of each series, with a bar below them.
func (p *Panel) textBars(width int) string {
	up := p.up(5, true)
	var text strings.Builder
	for _, s := range p.Series {
		if len(s.Points) == 0 {
			continue
		}
		length := int(math.Round(up.part(s.Points[0].Y) * float64(width-2)))
		fmt.Fprintf(&text, "  %s: %s\n  %s\n", s.Name, p.Y.Unit.value(s.Points[0].Y), strings.Repeat("█", max(1, length)))
	}
	return text.String()
}
