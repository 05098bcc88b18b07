// Package console writes to the descriptors that retry was started with, and measures the terminal. It buffers nothing.
package console
