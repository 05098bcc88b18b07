// Package console writes to the descriptors that retry was started with, unbuffered, and measures the terminal.
package console
