package engine

import (
	"os"
	"os/exec"
	"runtime"
	"syscall"
)

// dieWithParent asks the kernel to end the child when this process is killed.
func dieWithParent(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }

func lockThread()   { runtime.LockOSThread() }
func unlockThread() { runtime.UnlockOSThread() }

func stopSignal() os.Signal { return syscall.SIGTERM }
