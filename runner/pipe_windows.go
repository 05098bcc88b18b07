package runner

import "os"

func readNow(*os.File, []byte) int { return 0 }
