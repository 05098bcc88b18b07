//go:build !(linux && exactsignals)

package signals

// ReserveThreads does nothing in this build.
func ReserveThreads(int) {}
