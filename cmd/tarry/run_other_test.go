//go:build !unix

package main

import "syscall"

// warningSignal tells a run to write a checkpoint; TERM stands in for it here.
const warningSignal = syscall.SIGTERM
