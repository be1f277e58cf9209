//go:build unix

package app

import (
	"os"
	"syscall"
)

// requeueSignals are those that tell a training run to write a checkpoint and end, beside TERM and
// Ctrl-C.
func requeueSignals() []os.Signal { return []os.Signal{syscall.SIGUSR2} }
