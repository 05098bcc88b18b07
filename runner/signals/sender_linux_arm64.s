#include "textflag.h"

// noteCode is called by the kernel as a signal handler: R0 is the signal number, R1 the siginfo, and R2 the context. It
// changes only scratch registers, and leaves everything else to the runtime's handler.
TEXT noteCode<>(SB), NOSPLIT|NOFRAME|TOPFRAME, $0
	MOVW 8(R1), R9
	MOVD $·codes(SB), R10
	MOVW R9, (R10)(R0<<2)
	MOVD ·goHandler(SB), R11
	JMP  (R11)

// func noteEntry() uintptr
TEXT ·noteEntry(SB), NOSPLIT, $0-8
	MOVD $noteCode<>(SB), R0
	MOVD R0, ret+0(FP)
	RET
