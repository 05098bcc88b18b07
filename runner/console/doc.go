// Package console writes to the descriptors retry was started with, and measures the terminal.
package console
