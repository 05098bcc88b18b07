// Package stream is what retry does with the standard streams of an attempt: look for patterns in its output, listen for
// hints, hold output back, keep it for --judge, feed the same input to every attempt.
//
// Bytes pass unchanged, in order and as they come, and memory doesn't grow with their number. A stream that nothing was
// asked of isn't touched: the command gets retry's own descriptor. What a pattern or a hint means is decided elsewhere.
package stream
