//go:build exactsignals

package signals

import (
	"sync"
	_ "unsafe" // for go:linkname
)

// unpin is the other half of Pin.
//
//go:linkname unpin runtime.unlockOSThread
func unpin()

// ReserveThreads makes Go's runtime create n threads. The runtime keeps them when they are idle and needs no new ones
// later. If the system had no more, because a command has used them up, the runtime would end the program.
func ReserveThreads(n int) {
	var there, over sync.WaitGroup
	over.Add(1)
	there.Add(n)
	for range n {
		go func() {
			Pin()
			there.Done()
			over.Wait() // each goroutine holds a thread until all have theirs
			unpin()
		}()
	}
	there.Wait()
	over.Done()
}
