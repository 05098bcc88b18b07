// Package runner is the loop: it makes attempts, has them judged by package policy, and sleeps between them. It knows
// nothing of an operating system; an Executor is that for it, and a Reporter tells of what happens.
package runner
