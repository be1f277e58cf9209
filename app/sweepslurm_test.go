//go:build unix

package app

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"tarry/internal/effort"
)

// slurmPrefix finds a Slurm to start: TARRY_SLURM, what make slurm fetched, or what is installed.
func slurmPrefix(t *testing.T) string {
	t.Helper()
	if p := os.Getenv("TARRY_SLURM"); p != "" {
		return p
	}
	fetched, err := filepath.Abs("../build/slurm")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(fetched, "complete")); err == nil {
		return fetched
	}
	if _, err := os.Stat("/usr/sbin/slurmctld"); err == nil {
		return "/"
	}
	t.Skip("the slurm engine is not run for real: no Slurm here (make slurm fetches Debian's packages into " +
		"build/slurm, or TARRY_SLURM names a prefix)")
	return ""
}

// startSlurm starts a Slurm of one node for the test and puts its commands first in PATH.
func startSlurm(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("starts Slurm; not with -short")
	}
	prefix := slurmPrefix(t)
	script, err := filepath.Abs("../tools/slurm/slurm.sh")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if out, err := exec.Command(script, "start", prefix, dir).CombinedOutput(); err != nil {
		t.Fatalf("Slurm does not start: %v\n%s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command(script, "stop", dir).CombinedOutput(); err != nil {
			t.Errorf("Slurm does not stop: %v\n%s", err, out)
		}
	})
	t.Setenv("PATH", filepath.Join(dir, "bin")+":"+os.Getenv("PATH"))
}

// slurm calls one of Slurm's commands.
func slurmCommand(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// until waits for something, at most for the given time.
func until(t *testing.T, what string, most time.Duration, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(most); !ok(); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited %v for %s; the queue:\n%s", most, what,
				slurmCommand(t, "squeue", "--array", "--states=all"))
		}
	}
}

// state is what the queue states about an element; "" when it has forgotten it.
func state(element string) string {
	out, err := exec.Command("squeue", "--noheader", "--states=all", "--format=%T", "--jobs="+element).Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// pause stops the worker of a cell, as it is, until Slurm's next signal wakes it: so it cannot be
// over before that, however fast the machine is.
func pause(t *testing.T, dir string, index int) {
	t.Helper()
	tail := fmt.Sprintf("\x00--out\x00%s\x00--index\x00%d\x00", dir, index)
	lists, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range lists {
		if !strings.HasSuffix(content(list), tail) {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(list)))
		if err != nil {
			t.Fatal(err)
		}
		if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Fatalf("no worker of cell %d runs", index)
}

// content reads a file; "" where there is none yet.
func content(path string) string {
	data, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return string(data)
}

// attempts is how often a cell was started; 0 while its STATUS is not there or being written.
func attempts(cell string) int {
	var s struct{ Attempts int }
	if json.Unmarshal([]byte(content(filepath.Join(cell, "STATUS"))), &s) != nil {
		return 0
	}
	return s.Attempts
}

// slurmJob is the number of the job of the sweep's n-th submission; "" while there is none.
func slurmJob(dir string, n int) string {
	var rec struct {
		Submissions []struct{ Job string }
	}
	if json.Unmarshal([]byte(content(filepath.Join(dir, "slurm", "jobs.json"))), &rec) != nil ||
		len(rec.Submissions) < n {
		return ""
	}
	return rec.Submissions[n-1].Job
}

// background starts the command; end waits for it.
func background(t *testing.T, dir string, args ...string) (end func() said) {
	t.Helper()
	cmd := exec.Command(binary(), args...)
	var out, errs bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	over := false
	t.Cleanup(func() {
		if !over {
			cmd.Process.Kill()
			cmd.Wait()
			t.Logf("tarry %s said:\n%s", strings.Join(args, " "), errs.String())
		}
	})
	return func() said {
		err := cmd.Wait()
		var exit *exec.ExitError
		if over = true; err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		return said{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
	}
}

// trainings writes a sweep of trainings, one or several updates long each.
func trainings(t *testing.T, dir, name string, seeds int, updates ...int) {
	t.Helper()
	var steps []string
	for _, u := range updates {
		steps = append(steps, fmt.Sprintf("%q", fmt.Sprint(u*512)))
	}
	text := fmt.Sprintf(`name: %s
kind: learn
base:
  env: tarry/DelayTimer-v0:cluster=2x2x4,windows=20,warm=2,horizon=12
  steps: 64
  hidden: 16
  validate_every: 4
  validate_episodes: 2
  checkpoint_every: 2
axes:
  - name: total_steps
    values: [%s]
seeds: %d
`, name, strings.Join(steps, ", "), seeds)
	if err := os.WriteFile(filepath.Join(dir, name+".yaml"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// sameTables compares the gathered tables of two folders byte by byte.
func sameTables(t *testing.T, a, b string) {
	t.Helper()
	compared := 0
	for _, table := range []string{"curves", "manifest.json"} {
		err := filepath.WalkDir(filepath.Join(a, table), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			rel, err := filepath.Rel(a, path)
			if err != nil {
				return err
			}
			compared++
			if x, y := content(path), content(filepath.Join(b, rel)); x == "" || x != y {
				t.Errorf("%s differs: %d bytes, and %d bytes", rel, len(x), len(y))
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
	if compared < 2 {
		t.Errorf("%d files compared, expected the table and the manifest", compared)
	}
}

// TestSweepOnSlurm runs a sweep of twelve cells on a real Slurm. One long cell is preempted by a
// job of a higher partition, the other one is put back by hand; the tables have the bytes of a run
// on this machine alone.
func TestSweepOnSlurm(t *testing.T) {
	startSlurm(t)
	dir := t.TempDir()
	trainings(t, dir, "twelve", 2, 1, 2, 3, 4, 5, 60)
	end := background(t, dir, "sweep", "twelve.yaml", "--out", "s", "--engine", "slurm", "--option", "poll=1",
		"--option", "time=20")
	sweepDir := filepath.Join(dir, "s")
	until(t, "the job", time.Minute, func() bool { return slurmJob(sweepDir, 1) != "" })
	job := slurmJob(sweepDir, 1)
	long := func(seed int) string {
		return filepath.Join(sweepDir, "cells", "total_steps=30720", fmt.Sprintf("seed=%d", seed))
	}
	trains := func(seed int) func() bool {
		return func() bool { return strings.Contains(content(filepath.Join(long(seed), "log")), "update 12 of 60") }
	}
	pending := func(element string) func() bool { return func() bool { return state(element) == "PENDING" } }
	// Slurm holds what was put back for two minutes; the test does not wait here. But started
	// within the second in which it ended, it has a credential that counts as revoked: Slurm ends
	// it unstarted, and the command puts it back once more.
	again := func(element string) {
		until(t, element+" to be put back", 2*time.Minute, pending(element))
		slurmCommand(t, "scontrol", "update", "JobId="+element, "StartTime=now+2")
		until(t, element+" to start again", 2*time.Minute, func() bool { return state(element) != "PENDING" })
	}

	until(t, "the first long cell to train", 3*time.Minute, trains(1))
	pause(t, sweepDir, 10)
	until(t, "the second long cell to train", 3*time.Minute, trains(2))
	pause(t, sweepDir, 11)
	slurmCommand(t, "scontrol", "requeue", job+"_11")
	again(job + "_11")
	if s := state(job + "_10"); s != "RUNNING" {
		t.Errorf("the other element is %s after one was put back, expected RUNNING", s)
	}
	until(t, "the second long cell to be done", 3*time.Minute,
		func() bool { return strings.Contains(content(filepath.Join(long(2), "STATUS")), `"done"`) })

	slurmCommand(t, "sbatch", "--partition=high", "--cpus-per-task=4", "--output=/dev/null", "--wrap=true")
	until(t, "a checkpoint on USR2", 2*time.Minute, func() bool {
		return strings.Contains(content(filepath.Join(sweepDir, "slurm", job+"_10.log")), "tarry: warned: ")
	})
	pause(t, sweepDir, 10)
	again(job + "_10")

	s := end()
	if s.code != exitOK {
		t.Fatalf("exit code %d\n%s", s.code, s.errors)
	}
	for seed := 1; seed <= 2; seed++ {
		if n := attempts(long(seed)); n < 2 {
			t.Errorf("long cell of seed %d was started %d times, expected at least 2", seed, n)
		}
		if text := content(filepath.Join(sweepDir, "slurm", fmt.Sprintf("%s_%d.log", job, 9+seed))); strings.Count(
			text, "tarry: restart ") != 1 || !strings.Contains(text, "tarry: restart 1 of "+job) {
			t.Errorf("the log of the element does not tell of one restart:\n%s\nthe command said:\n%s", text, s.errors)
		}
	}
	good(t, dir, "sweep", "twelve.yaml", "--out", "here", "--jobs", "2")
	sameTables(t, sweepDir, filepath.Join(dir, "here"))

	s = good(t, dir, "sweep", "twelve.yaml", "--out", "s", "--engine", "slurm")
	if slurmJob(sweepDir, 2) != "" || !strings.Contains(s.errors, "nothing to do") {
		t.Errorf("the same command again handed in something, or does not say that nothing is to do:\n%s", s.errors)
	}
}

// TestSweepHandedToSlurm hands cells in without waiting, twice, and cancels them.
func TestSweepHandedToSlurm(t *testing.T) {
	startSlurm(t)
	dir := t.TempDir()
	trainings(t, dir, "two", 2, 1)
	s := tarry(t, dir, "sweep", "two.yaml", "--out", "s", "--engine", "slurm", "--option", "partition=fast")
	if want := "sbatch: error: invalid partition specified: fast"; s.code != exitFailed ||
		!strings.Contains(s.errors, want) {
		t.Errorf("exit code %d, expected %d and %q:\n%s", s.code, exitFailed, want, s.errors)
	}
	// nothing else can start
	slurmCommand(t, "sbatch", "--partition=high", "--cpus-per-task=4", "--output=/dev/null", "--wrap=sleep 600")
	for _, want := range []string{"2 cells are in the queue;", "2 cells are in the queue already"} {
		if s := good(t, dir, "sweep", "two.yaml", "--out", "s", "--engine", "slurm",
			"--no-wait"); !strings.Contains(s.errors, want) {
			t.Errorf("expected %q:\n%s", want, s.errors)
		}
		if n := strings.Count(slurmCommand(t, "squeue", "--noheader", "--array", "--partition=low"), "\n") + 1; n != 2 {
			t.Errorf("%d elements are in the queue, expected 2", n)
		}
	}
	good(t, dir, "sweep", "cancel", "s")
	if left := slurmCommand(t, "squeue", "--noheader", "--array", "--partition=low"); left != "" {
		t.Errorf("in the queue after cancel:\n%s", left)
	}
	slurmCommand(t, "scancel", "--partition=high")
	good(t, dir, "sweep", "retry", "s", "--cancelled")
	s = good(t, dir, "sweep", "two.yaml", "--out", "s", "--engine", "slurm", "--option", "poll=1")
	if attempts(filepath.Join(dir, "s", "cells", "total_steps=512", "seed=2")) != 1 {
		t.Errorf("the cancelled cells did not run:\n%s", s.errors)
	}
}

// TestSweepPastTimeLimit: Slurm's shortest limit is a minute, so this takes two or three.
func TestSweepPastTimeLimit(t *testing.T) {
	effort.Need(t, "takes minutes")
	startSlurm(t)
	dir := t.TempDir()
	trainings(t, dir, "long", 1, 100_000)
	end := background(t, dir, "sweep", "long.yaml", "--out", "s", "--engine", "slurm", "--option", "poll=1",
		"--option", "time=1", "--option", "max-timeouts=1", "--option", "warning=5")
	sweepDir := filepath.Join(dir, "s")
	until(t, "the job", time.Minute, func() bool { return slurmJob(sweepDir, 1) != "" })
	element := slurmJob(sweepDir, 1) + "_0"
	until(t, "the time limit", 4*time.Minute, func() bool {
		return state(element) == "PENDING" && attempts(filepath.Join(sweepDir, "cells", "total_steps=51200000",
			"seed=1")) > 0
	})
	slurmCommand(t, "scontrol", "update", "JobId="+element, "StartTime=now")
	s := end()
	for _, want := range []string{"ended by its time limit (1 of 2 times before it is given up); raise the limit " +
		"with --option time=HH:MM:SS; put back",
		"its time limit ended it 2 times; its checkpoint is kept"} {
		if !strings.Contains(s.errors, want) {
			t.Errorf("expected %q:\n%s", want, s.errors)
		}
	}
	if s.code != exitPermanent {
		t.Errorf("exit code %d, expected %d", s.code, exitPermanent)
	}
}

// TestSweepWithoutSbatch: the script is written, and the message states what is missing and what to
// do.
func TestSweepWithoutSbatch(t *testing.T) {
	dir := t.TempDir()
	trainings(t, dir, "one", 1, 1)
	t.Setenv("PATH", dir)
	s := tarry(t, dir, "sweep", "one.yaml", "--out", "s", "--engine", "slurm")
	script := filepath.Join(dir, "s", "slurm", "submit-1.sh")
	want := "slurm: no sbatch, squeue, scontrol, scancel in PATH: run the same command on a host of the cluster, or " +
		"hand in there what is written: sbatch " + script +
		"; --engine print lists the commands for another queue"
	if s.code != exitFailed || !strings.Contains(s.errors, want) {
		t.Errorf("exit code %d, expected %d and:\n%s\nit said:\n%s", s.code, exitFailed, want, s.errors)
	}
	if text := content(script); !strings.Contains(text, "#SBATCH --array=0\n") {
		t.Errorf("the script:\n%s", text)
	}
}
