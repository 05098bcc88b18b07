package stream

// waitsSilently reports whether poll(2) with no events asked for waits, and returns when nobody reads any more.
const waitsSilently = true
