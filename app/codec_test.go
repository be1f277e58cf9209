package app

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// allOf wants at least some files of tables in a folder, each with the codec in its metadata; "" =
// the default, which none names.
func allOf(t *testing.T, dir, codec string, least int) {
	t.Helper()
	n := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".parquet" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		n++
		at := bytes.Index(data, []byte("tarry.parquet_codec"))
		if at < 0 && codec != "" || at >= 0 && (codec == "" || !bytes.Contains(data[at:at+40], []byte(codec))) {
			t.Errorf("%s is not of codec %q", path, codec)
		}
		return nil
	})
	if err != nil || n < least {
		t.Errorf("%d files of tables, expected at least %d, %v", n, least, err)
	}
}

// Every command with tables takes the codec, and its tables are read by the others.
func TestCodecOfEveryCommand(t *testing.T) {
	dir := scratch(t)
	run := []string{"simulate", "--trace", "synth:demo,jobs=30", "--policy", "fifo", "--timing", "--format", "json",
		"--out", "run"}
	plain := good(t, dir, run...)
	allOf(t, filepath.Join(dir, "run"), "", 5)
	again := good(t, dir, append(run, "--parquet-codec", "snappy")...)
	allOf(t, filepath.Join(dir, "run"), "snappy", 5)
	if plain.out != again.out {
		t.Error("the codec changes the result")
	}
	third := good(t, dir, append(run, "--parquet-codec", "snappy")...)
	if !strings.Contains(third.errors, "1 of 1 trials were complete already") {
		t.Errorf("the tables are not taken up: %s", third.errors)
	}
	good(t, dir, small(smallEnv, "agent", "--set", "anneal=false", "--parquet-codec", "none")...)
	allOf(t, filepath.Join(dir, "agent"), "none", 2)
	good(t, dir, "train", "--out", "agent", "--resume", "--set", "total_steps=704") // as it was recorded
	allOf(t, filepath.Join(dir, "agent"), "none", 2)
	good(t, dir, "eval", "--checkpoint", "agent", "--baselines", "fifo", "--count", "1", "--out", "evaluation",
		"--parquet-codec", "zstd:3")
	allOf(t, filepath.Join(dir, "evaluation"), "zstd:3", 9)
	good(t, dir, tuning("tuned", "--budget", "2", "--parquet-codec", "zstd:7")...)
	good(t, dir, "tune", "--out", "tuned", "--resume")
	allOf(t, filepath.Join(dir, "tuned"), "zstd:7", 1)
	for _, c := range [][]string{run, small(smallEnv, "x"), tuning("x"), {"eval", "--checkpoint", "agent"},
		{"sweep", "--question", "load", "--out", "x"}} {
		if s := tarry(t, dir, append(c, "--parquet-codec", "gzip")...); s.code != exitUsage ||
			!strings.Contains(s.errors, "zstd, zstd:3, zstd:7, zstd:11, snappy, none") {
			t.Errorf("%s: exit code %d, %s", c[0], s.code, s.errors)
		}
	}
}

// The codec of a sweep is a setting of its cells: all that run it, and who gathers, write the same
// bytes.
func TestCodecOfSweeps(t *testing.T) {
	dir := scratch(t)
	for kind, base := range map[string]string{
		"simulate": `{trace: "synth:demo,jobs=30", policies: [fifo, dally], parquet_codec: none}`,
		"learn": `{env: "` + smallEnv +
			`", total_steps: 64, envs: 2, steps: 16, hidden: 8, minibatches: 2, validate_episodes: 1, ` +
			`parquet_codec: none, evaluate: {baselines: [fifo], windows: 1}}`,
		"tune": `{env: "` + smallEnv +
			`", policy: dally-manual, params: {t_rack: "0.1:10:log"}, budget: 2, windows: 1, validation: 1, ` +
			`parquet_codec: none, evaluate: {baselines: [fifo], windows: 1}}`,
	} {
		file := sweepFile(t, dir, "name: x\nkind: "+kind+"\nbase: "+base+"\nseeds: 2\n")
		good(t, dir, "sweep", file, "--out", kind)
		allOf(t, filepath.Join(dir, kind), "none", 4)
		good(t, dir, "sweep", file, "--out", kind+"-again", "--engine", "dir", "--host", "other")
		sameFiles(t, kind, outcome(t, filepath.Join(dir, kind)), outcome(t, filepath.Join(dir, kind+"-again")))
		bad := sweepFile(t, dir, "name: x\nkind: "+kind+"\nbase:\n  parquet_codec: gzip\n")
		s := tarry(t, dir, "sweep", bad, "--out", "bad")
		if s.code != exitUsage || !strings.Contains(s.errors, "sweep.yaml:4:3: parquet_codec") ||
			!strings.Contains(s.errors, "zstd, zstd:3, zstd:7, zstd:11, snappy, none") {
			t.Errorf("%s: exit code %d, %s", kind, s.code, s.errors)
		}
	}
	file := sweepFile(t, dir, "name: y\nkind: simulate\nbase: {trace: \"synth:demo,jobs=30\", policy: fifo}\n")
	good(t, dir, "sweep", file, "--out", "y", "--parquet-codec", "snappy")
	allOf(t, filepath.Join(dir, "y"), "snappy", 6)
	if s := tarry(t, dir, "sweep", file, "--out", "y"); s.code != exitUsage ||
		!strings.Contains(s.errors, "y holds sweep y") {
		t.Errorf("exit code %d, %s", s.code, s.errors)
	}
}
