//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// alone starts a run that has its folder, and gives it once it does.
func alone(t *testing.T, dir, out string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := launch(t, dir, args...)
	t.Cleanup(func() {
		cmd.Process.Kill() // it may have ended
		cmd.Wait()
	})
	for until := time.Now().Add(time.Minute); time.Now().Before(until); time.Sleep(2 * time.Millisecond) {
		held, begun := content(filepath.Join(dir, out, "lock")), content(filepath.Join(dir, out, "config.json"))
		if held != "" && begun != "" {
			return cmd
		}
	}
	t.Fatalf("%v did not begin", args)
	return nil
}

// Two runs on one folder are kept apart: the second says who has it and changes nothing. One that was killed
// with -9 has it no longer, and goes on to the same bytes, without the lock.
func TestRunsKeptApart(t *testing.T) {
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	train := func(out string, more ...string) []string {
		return append([]string{"train", "--env", "classic/CartPole-v1", "--set", "envs=4", "--set", "steps=128", "--set", "total_steps=8192", "--set", "checkpoint_every=1",
			"--set", "validate_every=0", "--set", "validate_episodes=2", "--out", out}, more...)
	}
	for _, c := range []struct {
		name string
		args func(out string, more ...string) []string
	}{{"train", train}, {"tune", tuning}} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			good(t, dir, c.args("whole")...)
			first := alone(t, dir, "run", c.args("run")...)
			if err := first.Process.Signal(syscall.SIGSTOP); err != nil { // it holds the folder as long as it is there
				t.Fatal(err)
			}
			before := sums(t, filepath.Join(dir, "run"))
			want := fmt.Sprintf("tarry: run is locked by another process (pid %d on %s); wait until it ends, or give another folder\n", first.Process.Pid, host)
			for _, more := range [][]string{nil, {"--resume"}, {"--resume", "--seed", "9"}} {
				if s := tarry(t, dir, c.args("run", more...)...); s.code != exitFailed || s.errors != want || s.out != "" {
					t.Errorf("%v: exit code %d, %q, %q, expected %d and %q", more, s.code, s.errors, s.out, exitFailed, want)
				}
			}
			sameFiles(t, "after refusals", before, sums(t, filepath.Join(dir, "run")))
			if err := first.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			first.Wait() // it was killed
			if content(filepath.Join(dir, "run", "lock")) == "" {
				t.Error("nothing is left of the killed run's lock: the test shows nothing")
			}
			good(t, dir, c.args("run", "--resume")...)
			sameFiles(t, "killed", sums(t, filepath.Join(dir, "whole")), sums(t, filepath.Join(dir, "run")))
		})
	}
}

// A run in a folder that cannot be written to says so.
func TestRunReadOnly(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("everything can be written to by root")
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "run"), 0o555); err != nil {
		t.Fatal(err)
	}
	want := "tarry: run cannot be written to: open run/lock: permission denied\n"
	for _, args := range [][]string{small(smallEnv, "run"), tuning("run", "--resume")} {
		if s := tarry(t, dir, args...); s.code != exitFailed || s.errors != want {
			t.Errorf("%v: exit code %d, %q, expected %d and %q", args, s.code, s.errors, exitFailed, want)
		}
	}
}
