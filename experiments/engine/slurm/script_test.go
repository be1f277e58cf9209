package slurm

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"tarry/experiments/sweep"
	"tarry/sim/param"
)

func TestSlurmScript(t *testing.T) {
	opt, err := parseSlurmOptions(map[string]string{
		"throttle": "2", "partition": "short", "time": "01:30:00", "mem": "4G", "cpus-per-task": "2",
		"gres": "gpu:1", "constraint": "a100|v100", "comment": "two words", "exclusive": "",
		"modules": "go\ncuda/12", "prologue": "ulimit -c 0", "warning": "90",
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := slurmScript{sweep: "demo", name: "tarry-demo-0a1b2c.3", cells: []int{1001, 1002, 1003, 1007}, offset: 1001,
		dir: "/shared/my 50% sweep", work: "/home/u/it's here", worker: []string{"/opt/my tarry", "sweep", "worker"},
		opt: &opt}
	got, err := s.text()
	if err != nil {
		t.Fatal(err)
	}
	want := `#!/bin/bash
# Cells 1001-1003,1007 of the sweep demo: element i is cell i + 1001.
#SBATCH --job-name=tarry-demo-0a1b2c.3
#SBATCH --array=0-2,6%2
#SBATCH --output="/shared/my 50%% sweep/slurm/%A_%a.log"
#SBATCH --open-mode=append
#SBATCH --requeue
#SBATCH --signal=B:USR2@90
#SBATCH --chdir="/home/u/it's here"
#SBATCH --comment="two words"
#SBATCH --constraint=a100|v100
#SBATCH --cpus-per-task=2
#SBATCH --exclusive
#SBATCH --gres=gpu:1
#SBATCH --mem=4G
#SBATCH --partition=short
#SBATCH --time=01:30:00
set -e
module load go
module load cuda/12
ulimit -c 0
exec '/opt/my tarry' sweep worker --out '/shared/my 50% sweep' --index "$((SLURM_ARRAY_TASK_ID + 1001))"
`
	if got != want {
		t.Errorf("script:\n%s\nexpected:\n%s", got, want)
	}
	s.dir = "/a\"b"
	if _, err := s.text(); err == nil ||
		err.Error() != `slurm: folder "/a\"b" has a quote, a backslash or a line break in its name, which sbatch cannot take` {
		t.Errorf("a quote in the folder: %v", err)
	}
}

// TestSlurmScriptRuns lets bash run a script as Slurm would.
func TestSlurmScriptRuns(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash here")
	}
	dir := t.TempDir()
	s := slurmScript{sweep: "demo", name: "n", cells: []int{7, 8}, offset: 5, dir: "/x y", work: dir,
		worker: []string{"/bin/echo", "sweep", "worker"},
		opt:    &slurmOptions{prologue: []string{"echo first $SLURM_RESTART_COUNT"}}}
	text, err := s.text()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "s.sh")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(bash, file)
	cmd.Env = append(os.Environ(), "SLURM_ARRAY_TASK_ID=3", "SLURM_RESTART_COUNT=2")
	out, err := cmd.CombinedOutput()
	if want := "first 2\nsweep worker --out /x y --index 8\n"; err != nil || string(out) != want {
		t.Errorf("bash printed %q, %v, expected %q", out, err, want)
	}
}

func TestSlurmOptionErrors(t *testing.T) {
	_, err := parseSlurmOptions(map[string]string{
		"throttle": "-1", "max-timeouts": "x", "array": "0-3", "No": "1", "comment": "a\nb", "no-wait": "maybe",
		"name": "a,b", "warning": "0",
	}, nil)
	want := strings.Join([]string{
		`slurm: option throttle is "-1", expected a whole number >= 0`,
		`slurm: option max-timeouts is "x", expected a whole number >= 0`,
		`slurm: option warning is "0", expected a whole number >= 1`,
		`slurm: option no-wait is "maybe", expected true or false`,
		`slurm: option name is "a,b", expected a name without space, comma, quote, backslash and %`,
		`slurm: option No is "1", expected an option of sbatch without its dashes, as in partition=short`,
		`slurm: option array is "0-3", expected nothing: the engine sets it (see name, throttle, warning)`,
		`slurm: option comment is "a\nb", expected a text on one line without " and \`,
	}, "\n")
	if err == nil || err.Error() != want {
		t.Errorf("errors:\n%v\nexpected:\n%s", err, want)
	}
}

func TestFate(t *testing.T) {
	st := func(s sweep.State, exit int, text string) sweep.Status {
		st := sweep.Status{State: s, Exit: exit, Error: text}
		if exit == 1 {
			st.Failures = 1
		}
		return st
	}
	for _, c := range []struct {
		name    string
		state   string        // "" = the queue does not have it
		used    time.Duration // of a limit of 10 minutes
		status  sweep.Status
		counts  slurmCounts
		retries int
		end     sweep.State
		text    string
		after   slurmCounts
	}{
		{name: "done", state: "COMPLETED", status: st(sweep.Done, 0, ""), end: sweep.Done},
		{name: "done, forgotten", status: st(sweep.Done, 0, ""), end: sweep.Done},
		{name: "done, though killed after", state: "TIMEOUT", status: st(sweep.Done, 0, ""), end: sweep.Done},
		{name: "permanent", state: "FAILED", status: st(sweep.Failed, 42, "no such trace"), retries: 9,
			end: sweep.Failed, text: "no such trace"},
		{name: "failed, no retries", state: "FAILED", status: st(sweep.Failed, 1, "disk full"), end: sweep.Failed,
			text: "disk full"},
		{name: "failed, one retry", state: "FAILED", status: st(sweep.Failed, 1, "disk full"), retries: 1,
			text: "failed (disk full), retry 1 of 1"},
		{name: "stopped by a signal", state: "FAILED", status: st(sweep.Requeue, 75, ""), text: "stopped by a signal",
			after: slurmCounts{Requeues: 1}},
		{name: "stopped by a signal, forgotten", status: st(sweep.Requeue, 75, ""), text: "stopped by a signal",
			after: slurmCounts{Requeues: 1}},
		{name: "killed", state: "FAILED", status: st(sweep.Running, 0, ""), text: "killed",
			after: slurmCounts{Requeues: 1}},
		{name: "node lost", state: "NODE_FAIL", status: st(sweep.Running, 0, ""), text: "lost with its node",
			after: slurmCounts{Requeues: 1}},
		{name: "gone", status: st(sweep.Running, 0, ""), text: "gone from the queue", after: slurmCounts{Requeues: 1}},
		{name: "too often", state: "PREEMPTED", status: st(sweep.Requeue, 75, ""), counts: slurmCounts{Requeues: 2},
			end: sweep.Failed,
			text: "stopped by a signal, and put back 2 times before (max-requeues); what it kept is there: tarry " +
				"sweep retry continues from it", after: slurmCounts{Requeues: 3}},
		{name: "preempted, ended in the grace time", state: "TIMEOUT", used: 300 * time.Second,
			status: st(sweep.Requeue, 75, ""), text: "preempted", after: slurmCounts{Requeues: 1}},
		{name: "time limit", state: "TIMEOUT", used: 600 * time.Second, status: st(sweep.Requeue, 75, ""),
			text: "ended by its time limit (1 of 4 times before it is given up); the partition's limit is in force, " +
				"--option time=HH:MM:SS may raise it", after: slurmCounts{Timeouts: 1}},
		{name: "told of the time limit", state: "FAILED", used: 550 * time.Second, status: st(sweep.Requeue, 75, ""),
			text: "ended by its time limit (1 of 4 times before it is given up); the partition's limit is in force, " +
				"--option time=HH:MM:SS may raise it", after: slurmCounts{Timeouts: 1}},
		{name: "stopped by a signal long before the limit", state: "FAILED", used: 400 * time.Second,
			status: st(sweep.Requeue, 75, ""), text: "stopped by a signal", after: slurmCounts{Requeues: 1}},
		{name: "time limit, too often", state: "TIMEOUT", used: 601 * time.Second, status: st(sweep.Running, 0, ""),
			counts: slurmCounts{Timeouts: 3}, end: sweep.Failed,
			text: "its time limit ended it 4 times; its checkpoint is kept: the partition's limit is in force, " +
				"--option time=HH:MM:SS may raise it, then tarry sweep retry",
			after: slurmCounts{Timeouts: 4}},
		{name: "memory", state: "OUT_OF_MEMORY", status: st(sweep.Running, 0, ""), end: sweep.Failed,
			text: "Slurm ended it for its memory: raise that with --option mem=... and start it again with tarry " +
				"sweep retry"},
		{name: "never began", state: "FAILED", status: st(sweep.Waiting, 0, ""), end: sweep.Failed,
			text: "the batch script ended before the worker began (tarry sweep retry when that is mended)"},
		{name: "completed, nothing there", state: "COMPLETED", status: st(sweep.Running, 0, ""), end: sweep.Failed,
			text: "Slurm states COMPLETED, its STATUS states running"},
		{name: "cancelled in Slurm", state: "CANCELLED", status: st(sweep.Requeue, 75, ""), end: sweep.Cancelled},
	} {
		o := slurmOptions{requeues: 2, timeouts: 3, warning: time.Minute}
		f := o.outcomeOf(queued{state: c.state, used: c.used, limit: 10 * time.Minute}, c.state != "", c.status,
			&c.counts, c.retries)
		text := ""
		if f.err != nil {
			text = f.err.Error()
		}
		if f.end != c.end || text != c.text || c.counts != c.after {
			t.Errorf("%s: end %q, %q, counts %+v, expected %q, %q, %+v", c.name, f.end, text, c.counts, c.end, c.text,
				c.after)
		}
	}
}

func TestSlurmTime(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"0:07": 7 * time.Second, "12:34": 754 * time.Second, "1:00:00": time.Hour, "2-03:04:05": 51*time.Hour +
			245*time.Second,
		"UNLIMITED": 0, "INVALID": 0, "": 0, "1:2:3:4": 0,
	} {
		if got := slurmTime(text); got != want {
			t.Errorf("slurmTime(%q) = %v, expected %v", text, got, want)
		}
	}
}

func TestChunks(t *testing.T) {
	for _, c := range []struct {
		cells []int
		size  int
		want  [][]int
	}{
		{nil, 4, nil},
		{[]int{0, 1, 2, 3, 4, 5}, 4, [][]int{{0, 1, 2, 3}, {4, 5}}},
		{[]int{3, 9, 11, 12}, 4, [][]int{{3}, {9, 11}, {12}}},
		{[]int{7}, 1001, [][]int{{7}}},
	} {
		if got := chunks(c.cells, c.size); !reflect.DeepEqual(got, c.want) {
			t.Errorf("chunks(%v, %d) = %v, expected %v", c.cells, c.size, got, c.want)
		}
	}
}

// What is wrong with an option of a sweep's file is reported where it was written; one of the
// command line in the engine's name.
func TestSlurmOptionPlaces(t *testing.T) {
	at := map[string]param.Place{"throttle": {File: "s.yaml", Line: 7, Column: 5},
		"array": {File: "s.yaml", Line: 8, Column: 5}}
	_, err := parseSlurmOptions(map[string]string{"throttle": "-1", "array": "0-3", "poll": "0"}, at)
	want := strings.Join([]string{
		`s.yaml:7:5: option throttle is "-1", expected a whole number >= 0`,
		`slurm: option poll is "0", expected a whole number >= 1`,
		`s.yaml:8:5: option array is "0-3", expected nothing: the engine sets it (see name, throttle, warning)`,
	}, "\n")
	if err == nil || err.Error() != want {
		t.Errorf("errors:\n%v\nexpected:\n%s", err, want)
	}
}
