//go:build !unix

package app

import "syscall"

// warningSignal makes a run write a checkpoint; TERM stands in for it here.
const warningSignal = syscall.SIGTERM
