//go:build !unix

package app

import "os"

// requeueSignals: there is no USR2 here; TERM and Ctrl-C make a training run write a checkpoint
// and end.
func requeueSignals() []os.Signal { return []os.Signal{os.Interrupt} }
