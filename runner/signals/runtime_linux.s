//go:build exactsignals

// A function without a body, like Pin in runtime_linux.go, needs an assembly file in its package.
