package app

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestForeignFolder: no command writes into a folder that holds files of others, all refuse it in
// the same words, and nothing in it is touched. --force changes nothing about that.
func TestForeignFolder(t *testing.T) {
	dir := scratch(t)
	compare := []string{"compare", "--trace", "synth:demo,jobs=5", "--policy", "fifo", "--policy", "srtf"}
	sweepFile(t, dir, "name: x\nkind: simulate\nbase: {trace: \"synth:demo,jobs=5\", policy: fifo}\n")
	good(t, dir, small(smallEnv, "agent")...)
	good(t, dir, tuning("tuned")...)
	good(t, dir, "sweep", "sweep.yaml", "--out", "swept")
	const tables = "tarry simulate, compare or eval"
	for _, c := range []struct {
		kind string
		args []string // %s is the folder
	}{
		{tables, append(slices.Clone(compare), "--out", "%s")},
		{tables, append(slices.Clone(compare), "--out", "%s", "--force")},
		{tables, []string{"simulate", "--trace", "synth:demo,jobs=5", "--policy", "fifo", "--out", "%s", "--force"}},
		{tables, []string{"eval", "--checkpoint", "agent", "--count", "2", "--out", "%s", "--force"}},
		{"tarry train", small(smallEnv, "%s")},
		{"tarry train", append(small(smallEnv, "%s"), "--resume")},
		{"tarry tune", tuning("%s")},
		{"tarry tune", tuning("%s", "--resume")},
		{"a sweep", []string{"sweep", "sweep.yaml", "--out", "%s"}},
		{"pictures", []string{"figures", "swept", "--out", "%s"}},
		{"pictures", append(slices.Clone(compare), "--plot", "%s")},
		{"pictures", append(small(smallEnv, "agent2"), "--plot", "%s")},
		{"pictures", []string{"eval", "--checkpoint", "agent", "--count", "2", "--plot", "%s"}},
		{"event files", []string{"export", "tensorboard", "--out", "%s", "agent"}},
		{"tarry trace split", []string{"trace", "split", "--out", "%s", "synth:demo"}},
	} {
		for _, name := range []string{"notes.md", "config.json"} {
			folder := "docs-" + name
			os.RemoveAll(filepath.Join(dir, folder))
			if err := os.MkdirAll(filepath.Join(dir, folder), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, folder, name), []byte("{\"mine\": true}\n"), 0o666); err != nil {
				t.Fatal(err)
			}
			args := slices.Clone(c.args)
			for i := range args {
				args[i] = strings.ReplaceAll(args[i], "%s", folder)
			}
			if name == "config.json" && (c.kind == "tarry train" || c.kind == "tarry tune") {
				continue // they hold such a file for a run of theirs and refuse it as one
			}
			s := tarry(t, dir, args...)
			want := fmt.Sprintf("tarry: %s holds something else (%s), expected an empty folder or one of %s\n", folder,
				name, c.kind)
			if s.code != exitUsage || s.errors != want || s.out != "" {
				t.Errorf("tarry %s: code %d, %q, %q, expected %d and %q", strings.Join(args, " "), s.code, s.errors,
					s.out, exitUsage, want)
			}
			if entries, err := os.ReadDir(filepath.Join(dir, folder)); err != nil || len(entries) != 1 {
				t.Errorf("tarry %s left %v (%v)", strings.Join(args, " "), entries, err)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "agent2")); err == nil {
		t.Error("training began although its pictures have no place")
	}
	// Runs of other commands are foreign, too.
	for _, c := range [][]string{{"agent", "checkpoints"}, {"tuned", "STATE"}, {"swept", "cells"}} {
		before := sums(t, filepath.Join(dir, c[0]))
		s := tarry(t, dir, append(slices.Clone(compare), "--force", "--out", c[0])...)
		if s.code != exitUsage || !strings.Contains(s.errors, c[0]+" holds something else (") {
			t.Errorf("into %s: code %d, %q", c[0], s.code, s.errors)
		}
		sameFiles(t, "a refused run into "+c[0], before, sums(t, filepath.Join(dir, c[0])))
	}
	// Its own folder takes what else there is.
	good(t, dir, append(slices.Clone(compare), "--out", "run", "--plot", filepath.Join("run", "plots"))...)
	good(t, dir, append(slices.Clone(compare), "--out", "run", "--plot", filepath.Join("run", "plots"), "--seed", "2",
		"--force")...)
}

// TestStaleTemp: what killed runs left in the folders that a command writes is gone after the next
// one, and what others write below is left alone.
func TestStaleTemp(t *testing.T) {
	dir := scratch(t)
	sweepFile(t, dir, "name: x\nkind: simulate\nbase: {trace: \"synth:demo,jobs=5\", policy: fifo}\n")
	good(t, dir, small(smallEnv, "agent")...)
	commands := []struct {
		out   string
		args  []string
		left  []string // by a killed run
		stays string   // of a run in a folder below, which others may write now
	}{
		{"o", []string{"compare", "--trace", "synth:demo,jobs=5", "--policy", "fifo", "--out", "o"},
			[]string{".config.json.tmp-1", ".manifest.json.tmp-7",
				"trials/policy-fifo/replicate-0/.part-0.parquet.tmp-3"}, "agent/.config.json.tmp-1"},
		{"s", []string{"sweep", "sweep.yaml", "--out", "s"},
			[]string{".sweep.json.tmp-1", ".cells.jsonl.tmp-2", "cells/seed=1/.STATUS.tmp-4",
				"trials/.part-0.parquet.tmp-5", ".manifest.json.tmp-6", "evals/.part-0.parquet.tmp-5"}, ""},
		{"f", []string{"figures", "s", "--out", "f"}, []string{".jct.png.tmp-1"}, "below/.jct.png.tmp-1"},
		{"b", []string{"export", "tensorboard", "--out", "b", "agent"},
			[]string{".events.out.tfevents.0000000000.tarry.tmp-1"}, ""},
		{"p", []string{"trace", "split", "--out", "p", "synth:demo"}, []string{".train.parquet.tmp-1"}, ""},
	}
	for _, c := range commands {
		good(t, dir, c.args...)
		before := sums(t, filepath.Join(dir, c.out))
		if c.out == "s" { // a cell that was killed before it began
			if err := os.Remove(filepath.Join(dir, "s/cells/seed=1/STATUS")); err != nil {
				t.Fatal(err)
			}
		}
		for _, name := range append(slices.Clone(c.left), c.stays) {
			path := filepath.Join(dir, c.out, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				t.Fatal(err)
			}
			if name != "" {
				if err := os.WriteFile(path, []byte("half"), 0o666); err != nil {
					t.Fatal(err)
				}
			}
		}
		good(t, dir, c.args...)
		after := sums(t, filepath.Join(dir, c.out))
		if c.stays != "" && after[filepath.FromSlash(c.stays)] == "" {
			t.Errorf("%v removed %s", c.args, c.stays)
		}
		delete(after, filepath.FromSlash(c.stays))
		if c.out == "s" { // its log has both runs
			for _, m := range []map[string]string{before, after} {
				delete(m, "cells/seed=1/log")
			}
		}
		sameFiles(t, strings.Join(c.args, " "), before, after)
	}
}
