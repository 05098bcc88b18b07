//go:build exactsignals

// A function without a body, which pin_linux.go has, needs an assembly file in its package.
