//go:build unix

package app

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestHostileFiles: small files that stand for much are refused, with the file's name, or read,
// within the time and the memory that the mutated inputs have.
func TestHostileFiles(t *testing.T) {
	dir := scratch(t)
	write := func(name string, data []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	const header = "id,submit_s,gpus,work_s\n"
	var million bytes.Buffer // of ends of lines, in a kilobyte
	z := gzip.NewWriter(&million)
	if _, err := z.Write(bytes.Repeat([]byte("\n"), 1<<20)); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	write("newlines.csv.gz", bytes.Repeat(million.Bytes(), 1024)) // members of one file
	write("endless.csv", []byte(header+"a,0,1,1e12\nb,0,1,1e12\n"))
	write("equal.csv", []byte(header+strings.Repeat("a,0,1,10\n", 300_000)))
	write("long.csv", []byte(header+strings.Repeat("x", 8<<20)+",0,1,10\n"))
	sweep := func(more string) []byte {
		return []byte("name: s\nkind: simulate\nbase: {trace: \"synth:demo,jobs=5\", policy: fifo}\n" + more)
	}
	write("steps.yaml", sweep("axes: [{name: until_s, grid: {from: 1, to: 2, steps: 2000000000}}]\n"))
	write("draws.yaml", sweep("axes: [{name: until_s, random: {from: 1, to: 2, count: 2000000000}}]\n"))
	write("cells.yaml", sweep("axes: [{name: until_s, grid: {from: 1, to: 2, steps: 3000}}, {name: estimate_error, "+
		"grid: {from: 0, to: 1, steps: 3000}}]\nseeds: 3000\n"))
	write("seeds.yaml", sweep("seeds: 2000000000\n"))
	write("racks.yaml", []byte("racks: [{count: 16777216, machines: [{count: 16777216, gpus: 64}]}]\n"))
	good(t, dir, small(smallEnv, "agent")...)
	write("agent/checkpoints/best.ckpt", nil)
	for _, c := range []struct {
		file string
		args []string
	}{
		{"newlines.csv.gz", []string{"simulate", "--trace", "csv:newlines.csv.gz", "--policy", "fifo"}},
		{"endless.csv", []string{"simulate", "--trace", "csv:endless.csv", "--policy", "dally:lease=60"}},
		{"endless.csv", []string{"compare", "--trace", "csv:endless.csv", "--policy", "tiresias", "--policy",
			"gandiva"}},
		{"equal.csv", []string{"simulate", "--trace", "csv:equal.csv", "--policy", "fifo", "--strict"}},
		{"equal.csv", []string{"trace", "info", "csv:equal.csv"}},
		{"long.csv", []string{"trace", "info", "csv:long.csv"}},
		{"steps.yaml", []string{"sweep", "steps.yaml", "--dry-run"}},
		{"draws.yaml", []string{"sweep", "draws.yaml", "--dry-run"}},
		{"cells.yaml", []string{"sweep", "cells.yaml", "--dry-run"}},
		{"seeds.yaml", []string{"sweep", "seeds.yaml", "--out", "s"}},
		{"racks.yaml", []string{"simulate", "--trace", "synth:demo", "--policy", "fifo", "--cluster", "racks.yaml"}},
		{"best.ckpt", []string{"eval", "--checkpoint", "agent", "--count", "1"}},
	} {
		r := limited(dir, c.args)
		if err := r.check(c.file); err != nil {
			t.Errorf("tarry %s: %v", strings.Join(c.args, " "), err)
		}
		if len(r.errors) > 1<<20 {
			t.Errorf("tarry %s says %d bytes", strings.Join(c.args, " "), len(r.errors))
		}
		t.Logf("%s: code %d, %v, %d MiB: %.150s", c.args[len(c.args)-1], r.code, r.took, r.memory>>20, r.errors)
	}
}
