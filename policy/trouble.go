package policy

import "regexp/syntax"

// Trouble is what went wrong in an attempt, as far as its output or its status tells.
type Trouble struct {
	Category  string // in words, never the server's
	Transient bool   // worth another try
	Unsent    bool   // surely nothing was processed
	HTTP      int    // the HTTP status it tells of, 0 for none
}

func HTTPTrouble(status int) (Trouble, bool)                   { return Trouble{}, false }
func LineTrouble(line []byte) (Trouble, bool)                  { return Trouble{}, false }
func StatusTrouble(command string, status int) (Trouble, bool) { return Trouble{}, false }
func TroubleTrigger() *syntax.Regexp                           { return mustParse("HTTP") }
