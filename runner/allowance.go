package runner

import "time"

// A Budget is what the machine has left for retries. An error means that it can't tell; what is returned beside it is what
// a full budget would.
type Budget interface {
	// Take takes a token for a retry, if there is one.
	Take() (ok bool, err error)
	// GiveBack follows a success.
	GiveBack() error
	// Hold holds the retries of all calls with this budget back for so long from now.
	Hold(time.Duration) error
	// Held is for how long they still are.
	Held() (time.Duration, error)
}

// allowance is the budget of one run. There may be none. That it can't be used is told once, and it is left alone until the next
// retry then: to find out may take seconds.
type allowance struct {
	budget Budget
	tell   func(error)
	told   bool
	failed bool
}

// renew has it used again.
func (a *allowance) renew() { a.failed = false }

func (a *allowance) usable() bool { return a.budget != nil && !a.failed }

func (a *allowance) take() bool {
	if !a.usable() {
		return true
	}
	ok, err := a.budget.Take()
	a.note(err)
	return ok
}

func (a *allowance) giveBack() {
	if a.usable() {
		a.note(a.budget.GiveBack())
	}
}

func (a *allowance) hold(d time.Duration) {
	if a.usable() && d > 0 {
		a.note(a.budget.Hold(d))
	}
}

func (a *allowance) held() time.Duration {
	if !a.usable() {
		return 0
	}
	d, err := a.budget.Held()
	a.note(err)
	return d
}

func (a *allowance) note(err error) {
	a.failed = a.failed || err != nil
	if err != nil && !a.told {
		a.told = true
		a.tell(err)
	}
}
