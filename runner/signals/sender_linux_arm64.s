#include "textflag.h"

// noteCode has the kernel's arguments of a signal handler: R0 is the number, R1 the siginfo, R2 the context. It changes
// scratch registers only, and leaves all else to the runtime's handler.
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
