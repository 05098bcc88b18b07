package runner

import "time"

// A Budget limits the retries of all calls that share it. When a method returns an error, its other results are those
// of a full budget.
type Budget interface {
	// Take takes a token for a retry. ok is false if there is none.
	Take() (ok bool, err error)
	// GiveBack adds what a success earns.
	GiveBack() error
	// Hold holds back the retries of all calls with this budget for a duration from now.
	Hold(time.Duration) error
	// Held returns for how much longer they are held back.
	Held() (time.Duration, error)
}

// allowance is a run's access to its budget, if it has one. It reports only the first error. After an error, it doesn't
// use the budget again before the next retry, because that may take seconds.
type allowance struct {
	budget Budget
	tell   func(error)
	told   bool
	failed bool
}

// renew allows the budget to be used again after an error.
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
