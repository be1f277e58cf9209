package app

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tarry/internal/effort"
)

// TestDamagedCells: a file of a cell that changes after gathering is reported by every command that
// reads it, and running the cell again gives the first bytes back.
func TestDamagedCells(t *testing.T) {
	for _, c := range []struct{ kind, text string }{
		{"simulate", "name: d\nkind: simulate\nbase: {trace: \"synth:demo,jobs=20\", cluster: 1x2x8}\naxes: [{name: " +
			"policy, values: [fifo, dally]}]\n"},
		{"learn", "name: d\nkind: learn\nbase: {env: \"tarry/DelayTimer-v0:workload=demo,cluster=1x2x4\", " +
			"total_steps: 64, envs: 2, steps: 16, validate_every: 0, validate_episodes: 1, evaluate: {baselines: " +
			"[fifo], windows: 1}}\nseeds: 2\n"},
		{"tune", "name: d\nkind: tune\nbase: {env: \"tarry/DelayTimer-v0:workload=demo,cluster=1x2x4\", policy: " +
			"dally-manual, params: {t_rack: \"1:9\"}, budget: 2, windows: 1, validation: 1, candidates: 1, " +
			"evaluate: {baselines: [fifo], windows: 1}}\nseeds: 2\n"},
	} {
		t.Run(c.kind, func(t *testing.T) {
			dir := scratch(t)
			sweepFile(t, dir, c.text)
			good(t, dir, "sweep", "sweep.yaml", "--out", "s")
			want := outcome(t, filepath.Join(dir, "s"))
			var id string
			var files []string
			cells := filepath.Join(dir, "s", "cells")
			err := filepath.WalkDir(cells, func(path string, d fs.DirEntry, err error) error {
				if err != nil || d.IsDir() || d.Name() == "log" || d.Name() == "STATUS" {
					return err
				}
				if d.Name() == "manifest.json" && id == "" && filepath.Base(filepath.Dir(path)) != "run" {
					id, _ = filepath.Rel(cells, filepath.Dir(path))
				}
				files = append(files, path)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			files = slices.DeleteFunc(files, func(f string) bool {
				return !strings.HasPrefix(f,
					filepath.Join(cells, id)+string(filepath.Separator))
			})
			if len(files) < 5 {
				t.Fatalf("cell %s has the files %v", id, files)
			}
			if s := good(t, dir, "sweep", "status", "s", "--verify"); !strings.Contains(s.errors,
				"the files of all 2 cells that are done are as they were written") {
				t.Errorf("of a whole sweep it says %q", s.errors)
			}
			for i, file := range files[:effort.Of(t, 3, len(files))] { // each kind of damage once
				damage(t, file, i%3)
				name, _ := filepath.Rel(filepath.Join(cells, id), file)
				commands := [][]string{{"sweep", "gather", "s"}, {"sweep", "status", "s", "--verify"},
					{"sweep", "sweep.yaml", "--out", "s"}}
				if i > 0 {
					commands = commands[:1] // each costs a start of the program
				}
				for _, args := range commands {
					s := tarry(t, dir, args...)
					if s.code != exitFailed || !strings.Contains(s.errors, "cell "+id+" is broken: ") ||
						!strings.Contains(s.errors, filepath.ToSlash(name)) ||
						!strings.Contains(s.errors, "tarry sweep retry s ") {
						t.Errorf("%s damaged (%d): %v: code %d, %q", name, i%3, args, s.code, s.errors)
					}
				}
				var told struct{ Broken []string }
				s := tarry(t, dir, "sweep", "status", "s", "--verify", "--format", "json")
				if err := json.Unmarshal([]byte(s.out), &told); err != nil || s.code != exitFailed ||
					!slices.Equal(told.Broken, []string{filepath.ToSlash(id)}) {
					t.Errorf("%s: code %d, broken %v, %v", name, s.code, told.Broken, err)
				}
				good(t, dir, "sweep", "retry", "s", id)
				good(t, dir, "sweep", "sweep.yaml", "--out", "s")
				sameFiles(t, name+" mended", want, outcome(t, filepath.Join(dir, "s")))
			}
			damage(t, filepath.Join(dir, "s", mainTableOf(c.kind), "part-0.parquet"), 0)
			if s := tarry(t, dir, "sweep", "status", "s", "--verify"); s.code != exitFailed ||
				!strings.Contains(s.errors, "the gathered tables are broken: ") {
				t.Errorf("a gathered table: code %d, %q", s.code, s.errors)
			}
			good(t, dir, "sweep", "gather", "s")
			sameFiles(t, "gathered again", want, outcome(t, filepath.Join(dir, "s")))
		})
	}
}

func mainTableOf(kind string) string {
	return map[string]string{"simulate": "trials", "learn": "curves", "tune": "tune"}[kind]
}

// damage flips a bit in the middle of a file, cuts the file in half, or removes it.
func damage(t *testing.T, path string, how int) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	switch how {
	case 0:
		data[len(data)/2] ^= 4
	case 1:
		data = data[:len(data)/2]
	case 2:
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		return
	}
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
}
