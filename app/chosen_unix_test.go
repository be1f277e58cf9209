//go:build unix

package app

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A command that is interrupted while it chooses a predictor gives the choice up with the exit code of
// interrupted commands: no trial is there yet.
func TestChoiceInterrupted(t *testing.T) {
	dir := t.TempDir()
	run := func(out string, predict string) []string {
		return []string{"compare", "--trace", "synth:recur,jobs=20000,load=0.9", "--cluster", "1x4x4", "--predict", predict,
			"--policy", "gittins", "--out", out, "--format", "json"}
	}
	start := time.Now()
	good(t, dir, run("whole", "ridge")...)
	plain := time.Since(start)
	cmd := exec.Command(binary(), run("out", "auto")...)
	var stderr strings.Builder
	cmd.Dir, cmd.Stderr = dir, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(plain / 2)
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	cmd.Wait() // the state states how it ended
	if code := cmd.ProcessState.ExitCode(); code != exitInterrupted {
		t.Fatalf("exit code %d, expected %d\n%s", code, exitInterrupted, stderr.String())
	}
	if strings.Contains(stderr.String(), "auto is") {
		t.Errorf("it was to be interrupted in the choice, and it printed %s", stderr.String())
	}
	if _, err := os.Stat(filepath.Join(dir, "out", "trials")); err == nil {
		t.Error("there are trials of a run whose predictor was not chosen")
	}
}
