package slurm

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/experiments/engine"
	"tarry/experiments/sweep"
)

// TestSlurmRunsAll: handed in once, watched, done.
func TestSlurmRunsAll(t *testing.T) {
	b := newBench(t, 0, 1, 2)
	err := b.run(func(i int) {
		switch i {
		case 1:
			b.slurm.set("101_0", "RUNNING", "None")
			b.slurm.set("101_1", "RUNNING", "None")
		case 2:
			for c := range 3 {
				b.set(c, sweep.Done, 0)
			}
			b.slurm.set("101_0", "COMPLETED", "None")
			b.slurm.set("101_1", "", "")
			b.slurm.set("101_2", "COMPLETING", "None")
		case 3:
			b.slurm.set("101_2", "COMPLETED", "None")
		}
	})
	if err != nil {
		t.Error(err)
	}
	b.want("calls", b.slurm.calls, "sbatch --parsable DIR/slurm/submit-1.sh")
	b.want("events", b.events, "0 running", "1 running", "0 done", "1 done", "2 done")
}

// TestSlurmTwice: the same command finds the jobs of the first, and hands nothing in twice.
func TestSlurmTwice(t *testing.T) {
	b := newBench(t, 0, 1, 2, 3)
	b.option["no-wait"] = "true"
	if err := b.run(nil); !errors.Is(err, engine.ErrHandedOut) {
		t.Errorf("first: %v, expected engine.ErrHandedOut", err)
	}
	b.set(0, sweep.Done, 0)
	b.slurm.set("101_0", "", "")
	b.slurm.set("101_1", "RUNNING", "None")
	b.set(1, sweep.Running, 0)
	b.slurm.set("101_2", "FAILED", "NonZeroExitCode") // stopped by a signal between two looks
	b.set(2, sweep.Requeue, 75)
	b.slurm.set("101_3", "", "") // the same, long ago
	b.set(3, sweep.Requeue, 75)
	if err := b.run(nil); !errors.Is(err, engine.ErrHandedOut) {
		t.Errorf("second: %v, expected engine.ErrHandedOut", err)
	}
	calls := []string{"sbatch --parsable DIR/slurm/submit-1.sh", "scontrol requeue 101_2",
		"sbatch --parsable DIR/slurm/submit-2.sh"}
	b.want("calls", b.slurm.calls, calls...)
	if err := b.run(nil); !errors.Is(err, engine.ErrHandedOut) {
		t.Errorf("third: %v, expected engine.ErrHandedOut", err)
	}
	b.want("calls", b.slurm.calls, calls...)
	for c := range 4 {
		b.set(c, sweep.Done, 0)
	}
	if err := b.run(nil); err != nil {
		t.Errorf("fourth: %v, expected nothing", err)
	}
	b.want("calls", b.slurm.calls, calls...)
}

// TestSlurmPutsBack: preempted by Slurm, ended by exit code 75, by the time limit, with the node.
func TestSlurmPutsBack(t *testing.T) {
	b := newBench(t, 0, 1, 2, 3)
	err := b.run(func(i int) {
		switch i {
		case 1:
			for _, e := range []string{"101_0", "101_1", "101_2", "101_3"} {
				b.slurm.set(e, "RUNNING", "None")
			}
		case 2: // Slurm puts the first back itself
			b.slurm.set("101_0", "PENDING", "BeginTime")
			b.slurm.set("101_1", "FAILED", "NonZeroExitCode")
			b.slurm.set("101_2", "TIMEOUT", "TimeLimit")
			b.slurm.set("101_3", "NODE_FAIL", "NodeDown")
			for c := range 3 {
				b.set(c, sweep.Requeue, 75)
			}
			b.set(3, sweep.Running, 0)
		case 6:
			for c := range 4 {
				b.set(c, sweep.Done, 0)
				b.slurm.set("101_"+string(rune('0'+c)), "COMPLETED", "None")
			}
		}
	})
	if err != nil {
		t.Error(err)
	}
	b.want("calls", b.slurm.calls, "sbatch --parsable DIR/slurm/submit-1.sh", "scontrol requeue 101_1",
		"scontrol requeue 101_2", "scontrol requeue 101_3")
	b.want("log", strings.Split(strings.TrimSpace(b.log.String()), "\n"),
		"slurm: job 101: 4 cells (0-3), script DIR/slurm/submit-1.sh",
		"slurm: 101_0 (seed=0): put back by Slurm, BeginTime",
		"slurm: 101_1 (seed=1): stopped by a signal; put back",
		"slurm: 101_2 (seed=2): ended by its time limit (1 of 4 times before it is given up); the partition's limit "+
			"is in force, --option time=HH:MM:SS may raise it; put back",
		"slurm: 101_3 (seed=3): lost with its node; put back")
	rec, err := readSlurmRecord(b.dir)
	if err != nil || rec.Counts[1].Requeues != 1 || rec.Counts[2].Timeouts != 1 || rec.Counts[3].Requeues != 1 {
		t.Errorf("record %+v, %v", rec, err)
	}
}

// TestSlurmGivesUp: the time limit ends a cell too often; the STATUS notes it, and the error
// counts.
func TestSlurmGivesUp(t *testing.T) {
	b := newBench(t, 5)
	b.option["max-timeouts"], b.option["time"] = "1", "10"
	err := b.run(func(i int) {
		b.set(5, sweep.Requeue, 75)
		b.slurm.set("101_5", "TIMEOUT", "TimeLimit")
	})
	if err != nil {
		t.Error(err)
	}
	want := "101_5: its time limit ended it 2 times; its checkpoint is kept: raise the limit with --option " +
		"time=HH:MM:SS, then tarry sweep retry"
	if s := b.status[5]; s.State != sweep.Failed || s.Error != want {
		t.Errorf("STATUS %+v, expected failed, %s", s, want)
	}
	b.want("events", b.events, "5 requeue", "5 failed")
}

// TestSlurmScriptFails: what the script printed is in the STATUS.
func TestSlurmScriptFails(t *testing.T) {
	b := newBench(t, 0)
	err := b.run(func(i int) {
		b.slurm.set("101_0", "FAILED", "NonZeroExitCode")
		if err := os.WriteFile(filepath.Join(b.dir, "slurm", "101_0.log"), []byte("x\nmodule: command not found\n"),
			0o666); err != nil {
			t.Fatal(err)
		}
	})
	if err != nil {
		t.Error(err)
	}
	want := "101_0: the batch script ended before the worker began (tarry sweep retry when that is mended): module: " +
		"command not found (DIR/slurm/101_0.log)"
	if got := strings.ReplaceAll(b.status[0].Error, b.dir, "DIR"); got != want {
		t.Errorf("STATUS says %q, expected %q", got, want)
	}
}

// TestSlurmKilledBetween: the job was handed in and the process killed before it wrote the answer.
func TestSlurmKilledBetween(t *testing.T) {
	b := newBench(t, 0, 1)
	b.option["no-wait"] = "true"
	if err := b.run(nil); !errors.Is(err, engine.ErrHandedOut) {
		t.Fatal(err)
	}
	file := filepath.Join(b.dir, "slurm", "jobs.json")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(strings.Replace(string(data), `"job": "101"`, `"job": ""`, 1)),
		0o666); err != nil {
		t.Fatal(err)
	}
	if err := b.run(nil); !errors.Is(err, engine.ErrHandedOut) {
		t.Fatal(err)
	}
	b.want("calls", b.slurm.calls, "sbatch --parsable DIR/slurm/submit-1.sh")
}

// TestSlurmChunks: more cells than an array may have.
func TestSlurmChunks(t *testing.T) {
	b := newBench(t, 0, 1, 2, 3, 4, 5, 9)
	b.slurm.size = 3
	b.option["no-wait"] = "true"
	if err := b.run(nil); !errors.Is(err, engine.ErrHandedOut) {
		t.Fatal(err)
	}
	for i, want := range []string{"0-2", "0-2", "0"} {
		script, err := os.ReadFile(filepath.Join(b.dir, "slurm", "submit-"+string(rune('1'+i))+".sh"))
		if err != nil {
			t.Fatal(err)
		}
		if got := option(script, "array"); got != want {
			t.Errorf("script %d has --array=%s, expected %s", i+1, got, want)
		}
		if offset := []string{"+ 0))", "+ 3))", "+ 9))"}[i]; !strings.Contains(string(script), offset) {
			t.Errorf("script %d has no %q:\n%s", i+1, offset, script)
		}
	}
	if len(b.slurm.elements) != 7 {
		t.Errorf("%d elements, expected 7", len(b.slurm.elements))
	}
}

// TestSlurmRefused: sbatch's word reaches the user and nothing is recorded; a queue that is full is
// waited for.
func TestSlurmRefused(t *testing.T) {
	b := newBench(t, 0, 1, 2, 3)
	b.slurm.refuse = func(int) error { return errors.New("sbatch: error: invalid partition specified: fast") }
	err := b.run(nil)
	if want := "slurm: sbatch: error: invalid partition specified: fast (the script is " +
		filepath.Join(b.dir, "slurm", "submit-1.sh") + ")"; err == nil || err.Error() != want {
		t.Errorf("error %v, expected %s", err, want)
	}
	b = newBench(t, 0, 1, 2, 3)
	b.slurm.size = 2
	b.slurm.refuse = func(n int) error {
		if n == 2 {
			return errors.New("sbatch: error: QOSMaxSubmitJobPerUserLimit")
		}
		return nil
	}
	err = b.run(func(int) {
		for e := range b.slurm.elements {
			b.slurm.set(e.String(), "COMPLETED", "")
			if b.set(e.task, sweep.Done, 0); e.job != "101" {
				b.set(e.task+2, sweep.Done, 0)
			}
		}
	})
	if err != nil {
		t.Error(err)
	}
	if !strings.Contains(b.log.String(), "slurm: sbatch: error: QOSMaxSubmitJobPerUserLimit; 2 cells are offered "+
		"again later\n") {
		t.Errorf("log:\n%s", b.log.String())
	}
	if len(b.slurm.elements) != 4 || b.slurm.offered != 3 {
		t.Errorf("%d elements after %d calls, expected 4 after 3", len(b.slurm.elements), b.slurm.offered)
	}
}

// TestSlurmDeaf: a controller that does not answer for a while is asked again.
func TestSlurmDeaf(t *testing.T) {
	b := newBench(t, 0)
	err := b.run(func(i int) {
		if i == 1 {
			b.slurm.deaf = 3
		}
		b.set(0, sweep.Done, 0)
		b.slurm.set("101_0", "COMPLETED", "")
	})
	if err != nil {
		t.Error(err)
	}
	if want := "slurm: squeue: Unable to contact slurm controller; asked again\n"; strings.Count(b.log.String(),
		want) != 1 {
		t.Errorf("log:\n%s\nexpected once: %s", b.log.String(), want)
	}
}

// TestSlurmPutsBackItself: Slurm was a moment faster in putting an element back. It is not handed
// in a second time.
func TestSlurmPutsBackItself(t *testing.T) {
	b := newBench(t, 0)
	b.slurm.own = map[string]bool{"101_0": true}
	err := b.run(func(i int) {
		switch i {
		case 1:
			b.slurm.set("101_0", "FAILED", "NonZeroExitCode")
			b.set(0, sweep.Requeue, 75)
		case 5:
			b.set(0, sweep.Done, 0)
			b.slurm.set("101_0", "COMPLETED", "None")
		}
	})
	if err != nil {
		t.Error(err)
	}
	b.want("calls", b.slurm.calls, "sbatch --parsable DIR/slurm/submit-1.sh", "scontrol requeue 101_0")
	b.want("log", strings.Split(strings.TrimSpace(b.log.String()), "\n"),
		"slurm: job 101: 1 cells (0), script DIR/slurm/submit-1.sh", "slurm: 101_0 (seed=0): put back by Slurm, "+
			"BeginTime")
}

// TestSlurmRecordBroken: a broken jobs.json is named, and what moving it away would do.
func TestSlurmRecordBroken(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "slurm"), 0o777); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "slurm", "jobs.json")
	for _, c := range []struct{ text, want string }{
		{"{", "unexpected EOF"},
		{`{"version":2}`, "version is 2, expected 1"},
		{`{"version":1,"submissions":[{"cells":"3-1"}]}`,
			`submissions[0]: cells "3-1", expected ascending ranges as in 0-7,12`},
	} {
		if err := os.WriteFile(file, []byte(c.text), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := readSlurmRecord(dir)
		want := file + ": " + c.want + "; with the file moved away the jobs that it lists would be handed in again: " +
			"cancel them first (squeue, scancel)"
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v, expected %s", c.text, err, want)
		}
	}
}

// TestSlurmExtended: after cells were added the numbers mean other cells.
func TestSlurmExtended(t *testing.T) {
	b := newBench(t, 0, 1)
	b.option["no-wait"], b.sum = "true", "old"
	if err := b.run(nil); !errors.Is(err, engine.ErrHandedOut) {
		t.Fatal(err)
	}
	b.sum, b.cells = "new", []int{0, 1, 2}
	err := b.run(nil)
	if want := "slurm: the sweep has other cells than when job 101 was handed in: wait for its jobs, or end them " +
		"with tarry sweep cancel " + b.dir; err == nil || err.Error() != want {
		t.Errorf("while they are queued: %v, expected %s", err, want)
	}
	for e := range b.slurm.elements {
		b.slurm.set(e.String(), "COMPLETED", "")
	}
	b.set(0, sweep.Running, 0) // of the old number
	if err := b.run(nil); !errors.Is(err, engine.ErrHandedOut) {
		t.Fatal(err)
	}
	b.want("calls", b.slurm.calls, "sbatch --parsable DIR/slurm/submit-1.sh", "sbatch --parsable DIR/slurm/submit-2.sh")
}
