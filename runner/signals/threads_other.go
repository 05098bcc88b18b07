//go:build !(linux && exactsignals)

package signals

// ReserveThreads does nothing here.
func ReserveThreads(int) {}
