//go:build unix

package app

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"tarry/experiments/sweep"
)

// TestHeeded: a warned cell that trains resumes after its checkpoint, one that simulates does not
// listen, and the end is the end.
func TestHeeded(t *testing.T) {
	stopped := errors.Join(sweep.ErrRequeue)
	for _, c := range []struct {
		name        string
		checkpoints bool
		end         bool // TERM comes while the cell runs for the second time
		calls       int
		err         error
	}{
		{"trains", true, false, 2, nil},
		{"trains, gets the signal to end", true, true, 2, sweep.ErrRequeue},
		{"simulates", false, false, 1, nil},
	} {
		ctx, term := context.WithCancel(context.Background())
		warnings := make(chan os.Signal)
		calls := 0
		var log bytes.Buffer
		err := signalled(ctx, warnings, c.checkpoints, &log, func(inner context.Context) error {
			calls++
			switch {
			case calls == 1:
				warnings <- os.Interrupt // taken in any case
				if !c.checkpoints {
					return nil
				}
				<-inner.Done()
				return stopped
			case c.end:
				term()
				<-inner.Done()
				return stopped
			}
			return nil
		})
		term()
		if calls != c.calls || !errors.Is(err, c.err) {
			t.Errorf("%s: %d calls, %v, expected %d, %v", c.name, calls, err, c.calls, c.err)
		}
		if warned := log.Len() > 0; warned != c.checkpoints {
			t.Errorf("%s: log %q", c.name, log.String())
		}
	}
}

func TestListedCell(t *testing.T) {
	path := filepath.Join(t.TempDir(), "list")
	if err := os.WriteFile(path, []byte("3\n5\nx\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if n, err := listedCell(path, 1); n != 5 || err != nil {
		t.Errorf("line 1: %d, %v, expected 5", n, err)
	}
	for line, want := range map[int]string{
		2: path + `:3: "x", expected the number of a cell`,
		3: path + " has 3 lines, expected one for index 3",
	} {
		if _, err := listedCell(path, line); err == nil || err.Error() != want {
			t.Errorf("line %d: %v, expected %s", line, err, want)
		}
	}
}

// TestWorkerList: a Job of Kubernetes counts from 0, and the list has the cells.
func TestWorkerList(t *testing.T) {
	dir := t.TempDir()
	trainings(t, dir, "three", 3, 1)
	if s := tarry(t, dir, "sweep", "three.yaml", "--out", "s", "--engine", "k8s", "--option", "image=x", "--option",
		"claim=y"); s.code != exitOK {
		t.Fatal(s.errors)
	}
	t.Setenv("JOB_COMPLETION_INDEX", "1")
	list := filepath.Join(dir, "s", "k8s", "job-1.cells")
	if err := os.WriteFile(list, []byte("0\n2\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	good(t, dir, "sweep", "worker", "--out", "s", "--list", list)
	if n := attempts(filepath.Join(dir, "s", "cells", "total_steps=512", "seed=3")); n != 1 {
		t.Errorf("cell 2 was started %d times, expected once", n)
	}
}
