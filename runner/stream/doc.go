// Package stream handles the standard streams of an attempt: it searches output for patterns and hints, holds output
// back, keeps a copy for --judge, and feeds the same input to every attempt.
//
// Bytes pass unchanged, in order and without delay, and memory use doesn't grow with their number. A stream of which
// the job asks nothing isn't touched: the command gets retry's own descriptor. What a pattern or a hint means is
// decided elsewhere.
package stream
