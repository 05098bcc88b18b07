package runner

import "time"

// A Budget says how many retries this machine can still afford. When a method returns an error, its other results are
// those of a full budget.
type Budget interface {
	// Take takes a token for a retry, if there is one.
	Take() (ok bool, err error)
	// GiveBack returns what a success earns.
	GiveBack() error
	// Hold holds back the retries of all calls with this budget for a duration from now.
	Hold(time.Duration) error
	// Held returns for how long they are still held back.
	Held() (time.Duration, error)
}

// allowance is the budget of one run, if it has one. Its first error is reported. After an error it leaves the budget
// alone until the next retry, because another try may take seconds.
type allowance struct {
	budget Budget
	tell   func(error)
	told   bool
	failed bool
}

// renew uses the budget again after an error.
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
