package app

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const actsOn = "tarry/Preempt-v0:cluster=2x2x4,warm=2,horizon=12,load=1.2"

// What is wrong with the flags of an actor is reported at once, and before any Python is started.
func TestActorFlags(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		args string
		want string
	}{
		{"--actor python:mine:policy", "--actor without --env, expected --env ID:key=value,..."},
		{"--actor mine.py --actor python:mine --env " + actsOn,
			`"mine.py", expected python:MODULE:FUNCTION or NAME=python:MODULE:FUNCTION`},
		{"--actor mine.py --actor python:mine --env " + actsOn, `"python:mine", expected`},
		{"--env " + actsOn + " --trained-on none", "--env without --actor\n--trained-on without --actor"},
		{"--actor python:m:a --env classic/CartPole-v1", "environment classic/CartPole-v1 has no cluster"},
		{"--actor python:m:a --windows train --env " + actsOn + " --trained-on tarry/Nothing-v0 --python /nonexistent",
			"m:a, trained on tarry/Nothing-v0: "},
		{"--actor python:m:a --env " + actsOn + " --python /nonexistent",
			"m:a: fork/exec /nonexistent: no such file or directory: expected a Python with the package tarry, " +
				"named by --python or TARRY_PYTHON"},
	} {
		s := tarry(t, dir, append([]string{"eval", "--count", "2"}, strings.Fields(c.args)...)...)
		if s.code != exitUsage || !strings.Contains(s.errors, c.want) {
			t.Errorf("%s gives code %d and\n%s\nexpected %s", c.args, s.code, s.errors, c.want)
		}
	}
}

// withPython gives an interpreter that has what the package tarry needs, with the package's sources
// and its library; skips where there is none, unless TARRY_LIBRARY_BUILT states that there must be
// (make pytest).
func withPython(t *testing.T) (python string) {
	t.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	python = filepath.Join(root, "build", "venv", "bin", "python")
	t.Setenv("PYTHONPATH", filepath.Join(root, "python", "src"))
	t.Setenv("TARRY_PYTHON", python)
	out, err := exec.Command(python, "-c", "import tarry; print(tarry.__version__)").CombinedOutput()
	if err == nil {
		return python
	}
	if os.Getenv("TARRY_LIBRARY_BUILT") != "" {
		t.Fatalf("the package tarry does not load: %v\n%s", err, out)
	}
	t.Skipf("no Python with the package tarry (make venv; make pytest builds its library): %v", err)
	return ""
}

const mine = `
import os, sys

def first(env):
    print("made")
    os.write(1, b"past Python\n")
    return lambda obs, action_mask: next(i for i, legal in enumerate(action_mask) if legal)

def last(env):
    return lambda obs, action_mask: max(i for i, legal in enumerate(action_mask) if legal)

def wrong(env):
    return lambda obs, action_mask: next(i for i, legal in enumerate(action_mask) if not legal)

def fails(env):
    def policy(obs):
        raise KeyError("mine")
    return policy
`

// Actors are measured beside each other by any number of workers with the same bytes, whatever they
// print.
func TestActorsFromTheCommand(t *testing.T) {
	withPython(t)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "mine.py"), []byte(mine), 0o666); err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, jobs := range []string{"1", "2"} {
		s := good(t, dir, "eval", "--actor", "python:mine:first", "--actor", "greedy=python:mine:last", "--env",
			actsOn, "--baselines", "dally", "--count", "3", "--jobs", jobs, "--out", "out"+jobs, "--format", "csv")
		if !strings.Contains(s.out, "\nmine:first,") || !strings.Contains(s.out, "\ngreedy,") ||
			strings.Contains(s.out, "made") {
			t.Fatalf("the result is\n%s", s.out)
		}
		for _, want := range []string{"made\n", "past Python\n", "mine:first: ", " us each"} {
			if !strings.Contains(s.errors, want) {
				t.Errorf("standard error lacks %q:\n%s", want, s.errors)
			}
		}
		evals, err := os.ReadFile(filepath.Join(dir, "out"+jobs, "evals", "part-0.parquet"))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, s.out+string(evals))
	}
	if all[0] != all[1] {
		t.Error("two workers write other bytes than one")
	}
	for function, want := range map[string]string{"wrong": "tarry: mine:wrong: tarry/Preempt-v0: invalid action: ",
		"fails": "KeyError: 'mine'"} {
		s := tarry(t, dir, "eval", "--actor", "python:mine:"+function, "--env", actsOn, "--count", "2")
		if s.code != exitFailed || !strings.Contains(s.errors, want) {
			t.Errorf("%s gives code %d and\n%s\nexpected %s", function, s.code, s.errors, want)
		}
	}
	s := tarry(t, dir, "eval", "--actor", "python:mine:first", "--env", actsOn, "--count", "2", "--windows", "train")
	if s.code != exitUsage || !strings.Contains(s.errors, "window 0 of part train is training window 0 of "+
		"mine:first: expected windows that training has not seen") {
		t.Errorf("windows of training give code %d and\n%s", s.code, s.errors)
	}
	good(t, dir, "eval", "--actor", "python:mine:first", "--env", actsOn, "--count", "2", "--windows", "train",
		"--trained-on", "none")
}
