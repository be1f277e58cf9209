//go:build unix

package app

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestWorkerOfPacks: the elements that Slurm would run, run by hand. A killed one starts again at
// the cell that it had come to; a cancelled cell is left alone; the tables have the bytes of a run
// on this machine.
func TestWorkerOfPacks(t *testing.T) {
	dir := t.TempDir()
	trainings(t, dir, "five", 5, 1)
	path := os.Getenv("PATH")
	t.Setenv("PATH", dir) // without Slurm the script and the list are written
	s := tarry(t, dir, "sweep", "five.yaml", "--out", "s", "--engine", "slurm", "--pack", "3")
	if s.code != exitFailed || !strings.Contains(s.errors, "slurm: no sbatch") {
		t.Fatalf("exit code %d\n%s", s.code, s.errors)
	}
	t.Setenv("PATH", path)
	list := filepath.Join(dir, "s", "slurm", "submit-1.packs")
	if text := content(list); text != "0-2\n3-4\n" {
		t.Fatalf("the packs are %q, expected cells 0-2 and 3-4", text)
	}
	if script := content(filepath.Join(dir, "s", "slurm", "submit-1.sh")); !strings.Contains(script,
		"#SBATCH --array=0-1\n") || !strings.Contains(script, " --pack "+list+" --retries ") {
		t.Errorf("the script:\n%s", script)
	}
	worker := func(element string) said {
		return tarry(t, dir, "sweep", "worker", "--out", "s", "--pack", list, "--index", element)
	}
	if s := worker("0"); s.code != exitOK {
		t.Fatalf("element 0: %d\n%s", s.code, s.errors)
	}
	if s := worker("2"); s.code != exitUsage || !strings.Contains(s.errors, "no line 2, expected 0..1") {
		t.Errorf("element 2: %d\n%s", s.code, s.errors)
	}
	// A kill leaves a cell as it is on disk: running, with what it had. Here: without any STATUS.
	cell := func(seed int) string {
		return filepath.Join(dir, "s", "cells", "total_steps=512", fmt.Sprintf("seed=%d", seed))
	}
	if err := os.Remove(filepath.Join(cell(2), "STATUS")); err != nil {
		t.Fatal(err)
	}
	if s := worker("0"); s.code != exitOK || attempts(cell(1)) != 1 || attempts(cell(2)) != 1 ||
		attempts(cell(3)) != 1 {
		t.Errorf("again: %d\n%s", s.code, s.errors)
	}
	if err := os.Remove(filepath.Join(dir, "s", "slurm", "jobs.json")); err != nil { // nothing was handed in
		t.Fatal(err)
	}
	good(t, dir, "sweep", "cancel", "s")
	if s := worker("1"); s.code != exitOK || attempts(cell(4)) != 0 {
		t.Errorf("cancelled cells: exit code %d, %d starts\n%s", s.code, attempts(cell(4)), s.errors)
	}
	good(t, dir, "sweep", "retry", "s", "--cancelled")
	if s := worker("1"); s.code != exitOK || attempts(cell(5)) != 1 {
		t.Errorf("after retry: exit code %d\n%s", s.code, s.errors)
	}
	good(t, dir, "sweep", "gather", "s")
	good(t, dir, "sweep", "five.yaml", "--out", "here", "--jobs", "2")
	sameTables(t, filepath.Join(dir, "s"), filepath.Join(dir, "here"))
}

// TestPacksOnSlurm: seven cells in three elements of a real Slurm. The long one of a pack is killed
// and the element put back; what was done stays done, the rest follows, and the tables equal this
// machine's.
func TestPacksOnSlurm(t *testing.T) {
	startSlurm(t)
	dir := t.TempDir()
	trainings(t, dir, "seven", 1, 1, 2, 3, 60, 4, 5, 6)
	end := background(t, dir, "sweep", "seven.yaml", "--out", "s", "--engine", "slurm", "--pack", "3", "--option",
		"poll=1", "--option", "time=20")
	sweepDir := filepath.Join(dir, "s")
	until(t, "the job", time.Minute, func() bool { return slurmJob(sweepDir, 1) != "" })
	job := slurmJob(sweepDir, 1)
	long := filepath.Join(sweepDir, "cells", "total_steps=30720", "seed=1")
	until(t, "the long cell to train", 3*time.Minute, func() bool {
		return strings.Contains(
			content(filepath.Join(long, "log")), "update 12 of 60")
	})
	element := job + "_1"
	killWorker(t, sweepDir, 1)
	until(t, element+" to be put back", 2*time.Minute, func() bool { return state(element) == "PENDING" })
	slurmCommand(t, "scontrol", "update", "JobId="+element, "StartTime=now+2")
	s := end()
	if s.code != exitOK || attempts(long) < 2 || !strings.Contains(s.errors, "7 cells (0-6) in 3 elements") {
		t.Fatalf("exit code %d, the long cell was started %d times\n%s", s.code, attempts(long), s.errors)
	}
	for _, steps := range []int{1, 2, 3, 4, 5, 6} {
		if n := attempts(filepath.Join(sweepDir, "cells", fmt.Sprintf("total_steps=%d", 512*steps), "seed=1")); n != 1 {
			t.Errorf("the cell of %d updates was started %d times, expected once", steps, n)
		}
	}
	good(t, dir, "sweep", "seven.yaml", "--out", "here", "--jobs", "2")
	sameTables(t, sweepDir, filepath.Join(dir, "here"))
}

// killWorker kills the worker of an element with packs, as a node's kernel would.
func killWorker(t *testing.T, dir string, element int) {
	t.Helper()
	lists, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range lists {
		text := content(list)
		if !strings.Contains(text, "\x00--out\x00"+dir+"\x00--pack\x00") ||
			!strings.HasSuffix(text, fmt.Sprintf("\x00--index\x00%d\x00", element)) {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(list)))
		if err != nil {
			t.Fatal(err)
		}
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Fatalf("no worker of element %d runs", element)
}
