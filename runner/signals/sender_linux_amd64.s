#include "textflag.h"

// noteCode has the kernel's arguments of a signal handler: DI is the number, SI the siginfo, DX the context. It may
// change AX and CX only, and leaves all else to the runtime's handler.
TEXT noteCode<>(SB), NOSPLIT|NOFRAME|TOPFRAME, $0
	MOVL 8(SI), AX
	LEAQ ·codes(SB), CX
	MOVL AX, (CX)(DI*4)
	MOVQ ·goHandler(SB), AX
	JMP  AX

// func noteEntry() uintptr
TEXT ·noteEntry(SB), NOSPLIT, $0-8
	MOVQ $noteCode<>(SB), AX
	MOVQ AX, ret+0(FP)
	RET
