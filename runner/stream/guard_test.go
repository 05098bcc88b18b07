//go:build unix

package stream

import (
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"retry/policy"
)

// The evidence before and after an attempt proves that something was read, proves that nothing was, or leaves doubt.
func TestEvidence(t *testing.T) {
	const text = "create table orders (id int);\ninsert into orders values (1);\n"
	zeros := strings.Repeat("\x00", headSize)
	open := func(queued int, head string) evidence {
		return evidence{queued: queued, head: []byte(head), open: true}
	}
	closed := func(queued int, head string) evidence { return evidence{queued: queued, head: []byte(head)} }
	at := func(e evidence, seconds int64) evidence {
		e.read = unix.NsecToTimespec(seconds * 1e9)
		return e
	}
	counts := func(taken uint64) evidence { return evidence{counted: true, taken: taken} }
	for _, test := range []struct {
		name          string
		before, after evidence
		want          policy.Spent
	}{
		{"nothing arrived", open(0, ""), open(0, ""), policy.Unspent},
		{"at its end from the start", closed(0, ""), closed(0, ""), policy.Unspent},
		{"the end arrived, perhaps after data", open(0, ""), closed(0, ""), policy.PerhapsConsumed},
		{"data arrived, perhaps after other data", open(0, ""), open(5, "a\nb\nc"), policy.PerhapsConsumed},
		{"unchanged", open(len(text), text), open(len(text), text), policy.Unspent},
		{"more arrived", open(10, text[:10]), open(len(text), text), policy.Unspent},
		{"the end arrived after the data", open(10, text[:10]), closed(10, text[:10]), policy.Unspent},
		{"fewer", open(len(text), text), open(len(text)-1, text[1:]), policy.Consumed},
		{"fewer, without a writer", closed(5, ""), closed(4, ""), policy.Consumed},
		{"all", closed(5, "abcde"), closed(0, ""), policy.Consumed},
		{"as many, but different", open(10, text[:10]), open(10, text[5:15]), policy.Consumed},
		{"as many, but invisible", open(10, ""), open(10, ""), policy.Unspent},
		{"the same byte over and over", open(1<<16, zeros), open(1<<16, zeros), policy.PerhapsConsumed},
		{"the same byte, without a writer", closed(1<<16, zeros), closed(1<<16, zeros), policy.Unspent},
		{"one byte", open(1, "x"), open(1, "x"), policy.Unspent},
		{"lines that repeat", open(8, "yes\nyes\n"), open(8, "yes\nyes\n"), policy.PerhapsConsumed},
		{"an end like the beginning", open(9, "abcdefgha"), open(9, "abcdefgha"), policy.Unspent},
		{"read meanwhile", at(open(9, ""), 1), at(open(9, ""), 2), policy.Consumed},
		{"only its end was read", at(closed(0, ""), 1), at(closed(0, ""), 2), policy.Unspent},
		{"counted", counts(7), counts(8), policy.Consumed},
		{"counted, none read", counts(7), counts(7), policy.Unspent},
	} {
		if got := test.before.compare(test.after); got != test.want {
			t.Errorf("%s: %d, want %d", test.name, got, test.want)
		}
	}
}
