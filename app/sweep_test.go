package app

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// manyCells is a sweep of 200 cells of a few milliseconds.
const manyCells = `name: many
kind: simulate
base: {trace: "synth:demo,jobs=20", cluster: 2x2x8}
axes: [{name: policy, values: [fifo, dally]}]
seeds: 100
`

// scratch is a folder in memory where there is one: what is killed here is processes, not disks.
func scratch(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "tarry-sweep-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// sweepFile writes a sweep's file and gives its path.
func sweepFile(t *testing.T, dir, text string) string {
	t.Helper()
	path := filepath.Join(dir, "sweep.yaml")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// outcome is every file that must not depend on the history.
func outcome(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := sums(t, dir)
	for name := range all {
		if base := filepath.Base(name); base == "STATUS" || base == "log" || base == "lock" {
			delete(all, name)
		}
	}
	return all
}

// started counts the cells that have a STATUS.
func started(dir string) int {
	found, _ := filepath.Glob(filepath.Join(dir, "cells", "*", "*", "STATUS"))
	return len(found)
}

// launch starts the command and leaves it running.
func launch(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(binary(), args...)
	cmd.Dir = dir
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd
}

// awaitCells waits until so many cells were started, or the time is over.
func awaitCells(dir string, n int) {
	for range 4000 {
		if started(dir) >= n {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// onceEach: no cell was run to its end twice: its log states once at most that nothing was there
// yet.
func onceEach(t *testing.T, dir string, cells int) {
	t.Helper()
	logs, _ := filepath.Glob(filepath.Join(dir, "cells", "*", "*", "log"))
	if len(logs) != cells {
		t.Errorf("%d logs, expected %d", len(logs), cells)
	}
	for _, path := range logs {
		data, err := os.ReadFile(path)
		if n := strings.Count(string(data), "1 trials, 0 of them were complete already"); err != nil || n > 1 {
			t.Errorf("%s: run to its end %d times (%v)\n%s", path, n, err, data)
		}
	}
}

// straight runs the sweep without interruption and gives its outcome.
func straight(t *testing.T, dir, file string) map[string]string {
	t.Helper()
	good(t, dir, "sweep", file, "--out", "straight", "--jobs", "2")
	onceEach(t, filepath.Join(dir, "straight"), 200)
	return outcome(t, filepath.Join(dir, "straight"))
}

// TestSweepKilled: a sweep that is killed with -9 five times at random resumes with the same
// command to the same bytes; the same command once more does nothing.
func TestSweepKilled(t *testing.T) {
	dir := scratch(t)
	file := sweepFile(t, dir, manyCells)
	want := straight(t, dir, file)
	// config, manifest and four tables of each cell; two tables, the manifest and the two files of
	// the sweep
	if len(want) != 200*6+5 {
		t.Errorf("%d files", len(want))
	}
	draws := rand.New(rand.NewPCG(1, 2))
	out := filepath.Join(dir, "killed")
	kills := 0
	for kill := range 5 {
		cmd := launch(t, dir, "sweep", file, "--out", "killed", "--jobs", "2")
		awaitCells(out, 30*kill+5+draws.IntN(30))
		time.Sleep(time.Duration(draws.IntN(10)) * time.Millisecond)
		if cmd.Process.Kill() == nil {
			kills++
		}
		cmd.Wait() // it was killed
	}
	if n := started(out); kills != 5 || n == 200 {
		t.Logf("%d kills, %d cells started before the last one", kills, n)
	}
	s := good(t, dir, "sweep", file, "--out", "killed", "--jobs", "2")
	if !strings.Contains(s.errors, "killed: resumes, ") || !strings.Contains(s.errors, "200 of 200 cells done") {
		t.Errorf("it says %q", s.errors)
	}
	sameFiles(t, "five kills", want, outcome(t, out))
	onceEach(t, out, 200)
	all := sums(t, out)
	again := good(t, dir, "sweep", file, "--out", "killed")
	if !strings.Contains(again.errors, "killed: nothing to do, all 200 cells are over") {
		t.Errorf("the second time it says %q", again.errors)
	}
	sameFiles(t, "the same command again", all, sums(t, out))
}

// TestSweepTwoHosts: two hosts share a folder, each is killed at random and comes back.
func TestSweepTwoHosts(t *testing.T) {
	dir := scratch(t)
	file := sweepFile(t, dir, manyCells)
	want := straight(t, dir, file)
	draws := rand.New(rand.NewPCG(3, 4))
	out := filepath.Join(dir, "shared")
	host := func(name string) *exec.Cmd {
		return launch(t, dir, "sweep", file, "--out", "shared", "--engine", "dir", "--host", name, "--stale", "500ms",
			"--jobs", "1")
	}
	hosts := []*exec.Cmd{host("a"), host("b")}
	for kill := range 5 {
		awaitCells(out, 30*kill+5+draws.IntN(30))
		k := draws.IntN(2)
		hosts[k].Process.Kill() // it may be over
		hosts[k].Wait()
		hosts[k] = host(string(rune('a' + k)))
	}
	for k, cmd := range hosts {
		if err := cmd.Wait(); err != nil {
			t.Errorf("host %d: %v", k, err)
		}
	}
	sameFiles(t, "two hosts", want, outcome(t, out))
	onceEach(t, out, 200)
	seen := map[string]bool{}
	for i := range 200 {
		data, _ := os.ReadFile(filepath.Join(out, "cells", []string{"policy=fifo", "policy=dally"}[i/100],
			fmt.Sprintf("seed=%d", i%100+1), "STATUS"))
		for _, h := range []string{"a", "b"} {
			seen[h] = seen[h] || strings.Contains(string(data), `"host":"`+h+`"`)
		}
	}
	if !seen["a"] || !seen["b"] {
		t.Errorf("hosts that ended cells: %v, expected both", seen)
	}
}

// TestSweepFailing: cells that fail are listed with the last lines of their logs, the others end,
// and the exit codes show what can be done.
func TestSweepFailing(t *testing.T) {
	dir := scratch(t)
	file := sweepFile(t, dir, `name: fail
kind: simulate
base: {trace: "csv:jobs-{which}.csv", cluster: 2x2x8, policy: fifo}
axes: [{name: which, values: [a, b]}]
`)
	for _, w := range []string{"a", "b"} {
		good(t, dir, "trace", "generate", "--out", "jobs-"+w+".csv", "demo,jobs=5")
	}
	plan := tarry(t, dir, "sweep", file, "--out", "s", "--engine", "print")
	if plan.code != exitOK || strings.Count(plan.out, " sweep worker --out s --index ") != 2 {
		t.Fatalf("exit code %d, out %q, errors %q", plan.code, plan.out, plan.errors)
	}
	if err := os.WriteFile(filepath.Join(dir, "jobs-b.csv"), []byte("nonsense\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	s := tarry(t, dir, "sweep", file, "--out", "s")
	if s.code != exitPermanent || !strings.Contains(s.errors, "cell 1, which=b/seed=1, failed:") ||
		!strings.Contains(s.errors, "jobs-b.csv") ||
		!strings.Contains(s.errors, "1 of 2 cells failed; tarry sweep retry s --failed lets them start again") {
		t.Errorf("exit code %d, errors %s", s.code, s.errors)
	}
	status := good(t, dir, "sweep", "status", "s", "--failed")
	if !strings.Contains(status.out, "fail: 2 cells: 1 done, 1 failed") || !strings.Contains(status.out, "jobs-b.csv") {
		t.Errorf("status says %s", status.out)
	}
	if again := tarry(t, dir, "sweep", file, "--out", "s"); again.code != exitPermanent ||
		!strings.Contains(again.errors, "nothing to do") {
		t.Errorf("again: exit code %d, %s", again.code, again.errors)
	}
	if w := tarry(t, dir, "sweep", "worker", "--out", "s", "--index", "1"); w.code != exitPermanent {
		t.Errorf("worker: exit code %d, %s", w.code, w.errors)
	}
	good(t, dir, "trace", "generate", "--out", "jobs-b.csv", "demo,jobs=5")
	good(t, dir, "sweep", "retry", "s", "--failed")
	good(t, dir, "sweep", file, "--out", "s")
	if out := good(t, dir, "sweep", "status", "s").out; out != "fail: 2 cells: 2 done\n" {
		t.Errorf("status says %q", out)
	}
}

// TestSweepDiskFull: a disk that fills up stops the sweep with a clear message; nothing is lost and
// the same command resumes.
func TestSweepDiskFull(t *testing.T) {
	dir := scratch(t)
	file := sweepFile(t, dir, strings.Replace(manyCells, "seeds: 100", "seeds: 4", 1))
	good(t, dir, "sweep", file, "--out", "free")
	want := outcome(t, filepath.Join(dir, "free"))
	good(t, dir, "sweep", "worker", "--out", planned(t, dir, file), "--index", "0")
	// No file may grow beyond 4 KiB: small files can be written, tables cannot.
	cmd := exec.Command("bash", "-c", `ulimit -f 4; trap "" XFSZ; exec "$0" sweep "$1" --out full`, binary(), file)
	cmd.Dir = dir
	said, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Skip("no bash here:", err)
	}
	if cmd.ProcessState.ExitCode() != exitFailed || !strings.Contains(string(said),
		"the sweep's folder cannot be written") || !strings.Contains(string(said),
		"nothing is lost: the same command continues") {
		t.Errorf("exit code %d: %s", cmd.ProcessState.ExitCode(), said)
	}
	s := good(t, dir, "sweep", file, "--out", "full")
	if !strings.Contains(s.errors, "8 of 8 cells done") {
		t.Errorf("it says %s", s.errors)
	}
	sameFiles(t, "a full disk", want, outcome(t, filepath.Join(dir, "full")))
}

// planned lays a sweep down and runs nothing.
func planned(t *testing.T, dir, file string) string {
	t.Helper()
	good(t, dir, "sweep", file, "--out", "full", "--engine", "print")
	return "full"
}

// TestSweepMisuse: what is wrong with the command line is reported, with exit code 2, before
// anything runs.
func TestSweepMisuse(t *testing.T) {
	dir := scratch(t)
	file := sweepFile(t, dir, strings.Replace(manyCells, "seeds: 100", "seeds: 1", 1))
	good(t, dir, "sweep", file, "--out", "mine")
	other := filepath.Join(dir, "other.yaml")
	if err := os.WriteFile(other, []byte(strings.Replace(manyCells, "many", "other", 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"sweep"}, "nothing to run, expected the FILE of a sweep or --question NAME"},
		{[]string{"sweep", file}, "no --out, expected the folder of the sweep"},
		{[]string{"sweep", "statsu"}, "expected the file of a sweep, or one of worker, status"},
		{[]string{"sweep", "statsu", "mine"},
			`"statsu": expected the FILE of a sweep, or one of worker, status, retry, cancel, gather; did you mean "status"?`},
		{[]string{"sweep", file, "--out", "x", "--engine", "slrum"},
			`engine "slrum": unknown, expected one of local, dir, slurm, k8s, print; did you mean "slurm"?`},
		{[]string{"sweep", file, "--out", "x", "--memory", "lots"},
			`--memory: "lots", expected a size such as 8G or 500M`},
		{[]string{"sweep", file, "--out", "x", "--set", "tracy=1"}, `--set tracy=1: unknown field "tracy"`},
		{[]string{"sweep", file, "--out", "x", "--host", "a b"},
			`--host: "a b", expected a name without blanks and slashes`},
		{[]string{"sweep", other, "--out", "mine"}, "mine holds sweep many of 2 cells"},
		{[]string{"sweep", "--question", "nonsense", "--out", "x"}, `no question is called "nonsense"`},
		{[]string{"sweep", "--question", "results", "--only", "results-timers-pop", "--out", "x"},
			`--only: "results-timers-pop", expected one of results-timers-tuned, `},
		{[]string{"sweep", "--question", "results", "--only", "results-timers-tuned,results-timers-ppo", "--out", "x"},
			"; each is given by an --only of its own"},
		{[]string{"sweep", file, "--only", "nothing", "--out", "x"}, `--only: "nothing", expected one of `},
		{[]string{"sweep", "worker", "--out", "mine"}, "no --index, expected the number of a cell, or " +
			"SLURM_ARRAY_TASK_ID or JOB_COMPLETION_INDEX"},
		{[]string{"sweep", "status", "nowhere"}, "nowhere is no folder of a sweep: it has no sweep.json"},
		{[]string{"sweep", "retry", "mine"}, "no cell, expected --failed, --cancelled or ids of cells"},
		{[]string{"sweep", "retry", "mine", "x=1"}, `no cell is called "x=1"`},
	} {
		if s := tarry(t, dir, c.args...); s.code != exitUsage || !strings.Contains(s.errors, c.want) || s.out != "" {
			t.Errorf("tarry %s: exit code %d, errors %q, want %q", strings.Join(c.args, " "), s.code, s.errors, c.want)
		}
	}
	if entries, _ := os.ReadDir(filepath.Join(dir, "x")); len(entries) != 0 {
		t.Errorf("something was written: %v", entries)
	}
	if s := tarry(t, dir, "sweep", file, "--out", "big", "--memory", "1M"); s.code != exitFailed ||
		!strings.Contains(s.errors, "2 cells not started: out of memory; raise --memory") {
		t.Errorf("exit code %d: %s", s.code, s.errors)
	}
}

// TestSweepDry: a dry run prints the cells and their cost and writes nothing.
func TestSweepDry(t *testing.T) {
	dir := scratch(t)
	file := sweepFile(t, dir, manyCells)
	s := good(t, dir, "sweep", file, "--out", "s", "--dry-run", "--set", "trace=synth:demo,jobs=7")
	lines := strings.Split(strings.TrimSpace(s.out), "\n")
	if len(lines) != 200 || lines[0] != "0\tpolicy=fifo/seed=1" ||
		!strings.Contains(s.errors, "many: 200 cells, 1400 jobs to simulate") {
		t.Errorf("%d lines, the first %q; errors %s", len(lines), lines[0], s.errors)
	}
	s = good(t, dir, "sweep", "--question", "results", "--scale", "tiny", "--only", "results-timers-ppo", "--dry-run")
	if !strings.HasPrefix(s.errors, "results-timers-ppo: ") || strings.Count(s.errors, "results-") != 1 ||
		strings.Count(s.out, "learner=timers-ppo") != strings.Count(s.out, "\n") {
		t.Errorf("one sweep of a question: %s%s", s.out, s.errors)
	}
	if entries, _ := os.ReadDir(dir); !slices.ContainsFunc(entries,
		func(e os.DirEntry) bool { return e.Name() == "sweep.yaml" }) || len(entries) != 1 {
		t.Errorf("a dry run wrote %v", entries)
	}
}

// Options of an engine are read with the sweep's file: what is wrong is reported where it was
// written.
func TestSweepOptionPlaces(t *testing.T) {
	dir := scratch(t)
	file := sweepFile(t, dir, strings.Replace(manyCells, "seeds: 100", "seeds: 1",
		1)+"\nengine:\n  options:\n    image: x\n")
	if s := tarry(t, dir, "sweep", file, "--out", "x", "--engine", "print"); !strings.Contains(s.errors,
		`: option image="x", expected none`) || !strings.Contains(s.errors, ":5: option") {
		t.Errorf("exit code %d, errors %q", s.code, s.errors)
	}
	if s := tarry(t, dir, "sweep", file, "--out", "y", "--engine", "print", "--option",
		"image=y"); !strings.Contains(s.errors, `print: option image="y", expected none`) {
		t.Errorf("exit code %d, errors %q", s.code, s.errors)
	}
}
