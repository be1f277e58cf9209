//go:build unix

package app

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// tunes is a sweep of one cell that looks along two axes.
const tunes = `name: tunes
kind: tune
base:
  env: ` + smallEnv + `
  policy: dally-manual
  budget: 100
  windows: 4
  validation: 3
  evaluate: {baselines: [dally, dally-manual], windows: 2}
axes:
  - {name: t_rack, optimise: {from: 0.05, to: 20, log: true}}
  - {name: t_net, optimise: {from: 0.05, to: 40, log: true}}
`

// awaitFile waits until there is a file, or the time is over.
func awaitFile(path string) {
	for range 4000 {
		if _, err := os.Stat(path); err == nil {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// TestSweepTuneKilled: a tune cell that is killed, asked to end, or warned leaves the bytes of one
// that was not.
func TestSweepTuneKilled(t *testing.T) {
	dir := scratch(t)
	file := sweepFile(t, dir, tunes)
	good(t, dir, "sweep", file, "--out", "straight")
	want := outcome(t, filepath.Join(dir, "straight"))
	for name := range map[string]bool{"tune/part-0.parquet": true, "evals/part-0.parquet": true,
		"cells/seed=1/run/best.json": true} {
		if want[filepath.FromSlash(name)] == "" {
			t.Errorf("no %s", name)
		}
	}
	for _, sig := range []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM} {
		out := filepath.Join(dir, sig.String())
		cmd := launch(t, dir, "sweep", file, "--out", out)
		awaitFile(filepath.Join(out, "cells", "seed=1", "run", "STATE"))
		if err := cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		cmd.Wait() // the exit code shows the rest
		if code := cmd.ProcessState.ExitCode(); sig == syscall.SIGTERM && code != exitRequeue {
			t.Errorf("told to end it gives %d, expected %d", code, exitRequeue)
		}
		good(t, dir, "sweep", file, "--out", out)
		sameFiles(t, sig.String(), want, outcome(t, out))
	}
	good(t, dir, "sweep", file, "--out", "warned", "--engine", "print")
	worker := exec.Command(binary(), "sweep", "worker", "--out", "warned", "--index", "0")
	var said bytes.Buffer
	worker.Dir, worker.Stderr = dir, &said
	if err := worker.Start(); err != nil {
		t.Fatal(err)
	}
	awaitFile(filepath.Join(dir, "warned", "cells", "seed=1", "run", "STATE"))
	if err := worker.Process.Signal(warningSignal); err != nil {
		t.Fatal(err)
	}
	if err := worker.Wait(); err != nil || !strings.Contains(said.String(),
		"points are measured; it continues until the signal to end") {
		t.Errorf("warned it ends with %v and says %q", err, said.String())
	}
	good(t, dir, "sweep", "gather", "warned")
	sameFiles(t, "warned", want, outcome(t, filepath.Join(dir, "warned")))
}
