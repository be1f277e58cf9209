//go:build unix

package app

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestReproduceTold: a question that gets TERM or USR2 ends with 75 and resumes, with the tables of
// one that was never stopped.
func TestReproduceTold(t *testing.T) {
	dir := scratch(t)
	file := filepath.Join(dir, "learn.yaml")
	if err := os.WriteFile(file, []byte(`name: learn
question: Does it learn?
kind: learn
base: {env: "classic/CartPole-v1", agent: ppo, envs: 4, steps: 128, checkpoint_every: 4, validate_every: 0,
  validate_episodes: 2, total_steps: {tiny: 3072, small: 8192, full: 8192}}
figures: [{kind: curves, name: return, caption: Return., series: "", column: return_mean, y_label: return}]
`), 0o666); err != nil {
		t.Fatal(err)
	}
	scale := "small"
	if len(raceFlags()) > 0 {
		scale = "tiny"
	}
	good(t, dir, "reproduce", file, "--scale", scale, "--out", "straight")
	want := outcome(t, filepath.Join(dir, "straight"))
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGUSR2} {
		out := sig.String()
		args := []string{"reproduce", file, "--scale", scale, "--out", strings.ReplaceAll(out, " ", "-")}
		cmd := launch(t, dir, args...)
		log := filepath.Join(dir, args[len(args)-1], "cells", "seed=1", "log")
		for range 4000 {
			if data, _ := os.ReadFile(log); strings.Contains(string(data), "update 1 of") {
				break
			}
			time.Sleep(2 * time.Millisecond)
		}
		if err := cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		cmd.Wait() // the exit code shows the rest
		if code := cmd.ProcessState.ExitCode(); code != exitRequeue {
			t.Errorf("%s: exit code %d, want %d", out, code, exitRequeue)
		}
		good(t, dir, args...)
		sameFiles(t, out, want, outcome(t, filepath.Join(dir, args[len(args)-1])))
	}
}
