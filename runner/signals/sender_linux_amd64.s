#include "textflag.h"

// noteCode is called by the kernel as a signal handler: DI is the signal number, SI the siginfo, and DX the context. It may
// change only AX and CX, and leaves everything else to the runtime's handler.
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
