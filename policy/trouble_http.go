package policy

import "strconv"

// HTTPTrouble is what an HTTP status tells; ok is false for one that is no error. A server that says 408, 425, 429 or
// anything from 500 on but 501 and 505 may answer better later (RFC 9110 section 15, RFC 8470 section 5.2, RFC 6585
// section 4). One that says 429 has not looked at the request; whether one that says 503 has, its Retry-After tells.
func HTTPTrouble(status int) (t Trouble, ok bool) {
	if status < 400 || status > 599 {
		return Trouble{}, false
	}
	t = Trouble{Category: "HTTP " + strconv.Itoa(status), HTTP: status}
	switch status {
	case 408, 425:
		t.Transient = true
	case 429:
		t.Transient, t.Unsent = true, true
	case 501, 505:
	default:
		t.Transient = status >= 500
	}
	return t, true
}
