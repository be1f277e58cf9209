//go:build unix

package app

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// warningSignal makes a run write a checkpoint.
const warningSignal = syscall.SIGUSR2

// TestInterruptWhileReading: Ctrl-C also ends a program that waits for its trace.
func TestInterruptWhileReading(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe.csv"), 0o600); err != nil {
		t.Skip("no named pipes here:", err)
	}
	cmd := exec.Command(binary(), "simulate", "--trace", "csv:pipe.csv", "--policy", "fifo", "--out", "o")
	cmd.Dir = dir
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w, err := os.OpenFile(filepath.Join(dir, "pipe.csv"), os.O_WRONLY, 0) // returns when the program has opened it
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	cmd.Wait() // the exit code shows the rest
	if code := cmd.ProcessState.ExitCode(); code != exitInterrupted {
		t.Errorf("exit code %d, expected %d", code, exitInterrupted)
	}
	if _, err := os.Stat(filepath.Join(dir, "o")); err == nil {
		t.Error("the folder of the results was made before the trace was read")
	}
}
