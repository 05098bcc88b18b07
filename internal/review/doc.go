// Package review evaluates report lines: how calls ended, how long outages lasted, and what another schedule would have done. It
// reads each line once. Its memory grows with the number of labels, not of lines.
package review
