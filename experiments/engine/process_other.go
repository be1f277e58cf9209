//go:build !linux

package engine

import (
	"os"
	"os/exec"
)

// dieWithParent: there is no such thing here; the cell's lock keeps a second process out.
func dieWithParent(*exec.Cmd) {}

func lockThread()   {}
func unlockThread() {}

func stopSignal() os.Signal { return os.Interrupt }
