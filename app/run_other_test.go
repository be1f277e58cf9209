//go:build !unix

package app

import "syscall"

// warningSignal tells a run to write a checkpoint; TERM stands in for it here.
const warningSignal = syscall.SIGTERM
