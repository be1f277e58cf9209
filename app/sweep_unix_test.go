//go:build unix

package app

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestSweepTold: TERM and USR2 end a sweep with 75, its cells have the status requeue, and it
// resumes.
func TestSweepTold(t *testing.T) {
	dir := scratch(t)
	file := sweepFile(t, dir, `name: learn
kind: learn
base: {env: "classic/CartPole-v1", agent: ppo, total_steps: 40960, envs: 4, steps: 128, checkpoint_every: 4, validate_every: 0, validate_episodes: 2}
`)
	steps := "total_steps=8192"
	if len(raceFlags()) > 0 { // an update takes ten times as long, so that a signal meets one all the same
		steps = "total_steps=3072"
	}
	good(t, dir, "sweep", file, "--out", "straight", "--set", steps)
	want := outcome(t, filepath.Join(dir, "straight"))
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGUSR2} {
		for _, more := range [][]string{nil, {"--isolate"}, {"--engine", "dir"}} {
			out := strings.ReplaceAll(fmt.Sprint(sig, more), " ", "-")
			args := append([]string{"sweep", file, "--out", out, "--set", steps}, more...)
			cmd := launch(t, dir, args...)
			log := filepath.Join(dir, out, "cells", "seed=1", "log")
			for range 30000 { // a minute: the machine may be busy
				if data, _ := os.ReadFile(log); strings.Contains(string(data), "update 1 of") {
					break
				}
				time.Sleep(2 * time.Millisecond)
			}
			if err := cmd.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			cmd.Wait() // the exit code shows the rest
			code := cmd.ProcessState.ExitCode()
			data, err := os.ReadFile(filepath.Join(dir, out, "cells", "seed=1", "STATUS"))
			if code != exitRequeue || err != nil || !strings.Contains(string(data), `"state":"requeue"`) {
				t.Errorf("%s: exit code %d, STATUS %s (%v)", out, code, data, err)
			}
			good(t, dir, args...)
			sameFiles(t, out, want, outcome(t, filepath.Join(dir, out)))
		}
	}
}

// TestSweepIsolatedHosts: two hosts run the cells in processes of their own. One is killed with -9
// while such a process trains; that ends with it, and the other host takes the cell over: the same
// bytes, and no cell ends twice.
func TestSweepIsolatedHosts(t *testing.T) {
	dir := scratch(t)
	file := sweepFile(t, dir, `name: learn
kind: learn
base: {env: "classic/CartPole-v1", agent: ppo, total_steps: 8192, envs: 4, steps: 128, checkpoint_every: 4, validate_every: 0, validate_episodes: 2}
seeds: 2
`)
	good(t, dir, "sweep", file, "--out", "straight")
	want := outcome(t, filepath.Join(dir, "straight"))
	out := filepath.Join(dir, "shared")
	cell := func(seed int, name string) string {
		return content(filepath.Join(out, "cells", fmt.Sprintf("seed=%d", seed), name))
	}
	host := func(name string) *exec.Cmd {
		return launch(t, dir, "sweep", file, "--out", "shared", "--engine", "dir", "--isolate", "--host", name,
			"--stale", "1s", "--jobs", "1")
	}
	first := host("a") // alone at first: on a busy machine the other would take both cells before it begins
	taken := 0
	until := time.Now().Add(time.Minute)
	for ; taken == 0 && time.Now().Before(until); time.Sleep(time.Millisecond) {
		for seed := 1; seed <= 2; seed++ {
			if strings.Contains(cell(seed, "STATUS"), `"host":"a"`) &&
				strings.Contains(cell(seed, "log"), "update 1 of") {
				taken = seed
			}
		}
	}
	if taken == 0 {
		t.Fatal("no cell began to train on the first host")
	}
	second := host("b")
	if err := first.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	first.Wait() // it was killed
	if err := second.Wait(); err != nil {
		t.Errorf("the second host: %v\n%s", err, cell(taken, "log"))
	}
	sameFiles(t, "two hosts", want, outcome(t, out))
	for seed := 1; seed <= 2; seed++ {
		if log := cell(seed, "log"); strings.Count(log, " s: done\n") != 1 {
			t.Errorf("the cell of seed %d did not end once:\n%s", seed, log)
		}
	}
	if log := cell(taken, "log"); !strings.Contains(log, "starts on a\n") || strings.Count(log, "starts on b\n") != 1 {
		t.Errorf("the cell of seed %d was not taken over once; its log:\n%s", taken, log)
	}
}
