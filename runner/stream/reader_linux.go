package stream

// waitsSilently reports whether poll(2) with no events requested blocks on a pipe's write end until the last reader has gone.
const waitsSilently = true
