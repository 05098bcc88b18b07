// Package stream is what retry does with the three standard streams of an attempt: pass them on, look for patterns in
// them, hold them, keep them, replay them. A stream that nobody asked anything of isn't touched.
package stream
