//go:build unix

package app

import (
	"os"
	"syscall"
)

// requeueSignals are the signals on which a training run has to write a checkpoint and end, beside
// TERM and Ctrl-C.
func requeueSignals() []os.Signal { return []os.Signal{syscall.SIGUSR2} }
