package app

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// fewCells is a sweep of four cells over the axes of the question load.
const fewCells = `name: few
kind: simulate
base: {trace: "synth:demo,jobs=20,load={load}", cluster: 2x2x8}
axes: [{name: load, values: ["0.5", "0.9"]}, {name: policy, values: [fifo, dally]}]
seeds: 1
`

// What is wrong is said in one line, with the exit code of its kind, and nothing is drawn.
func TestFiguresOfBadInput(t *testing.T) {
	dir := t.TempDir()
	file := sweepFile(t, dir, fewCells)
	for _, d := range []string{"nothing", "way"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "way/file"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	good(t, dir, "sweep", file, "--out", "planned", "--engine", "print")
	good(t, dir, "sweep", file, "--out", "some", "--engine", "print")
	good(t, dir, "sweep", "worker", "--out", "some", "--index", "0")
	good(t, dir, "sweep", file, "--out", "whole", "--jobs", "1")
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"", 2, "tarry: no folder, expected the DIR of a sweep"},
		{"nothing", 2, "tarry: nothing is no folder of a sweep: it has no sweep.json: file does not exist"},
		{"planned", 1, "tarry: no cell of planned is done: tarry sweep status planned shows how far they are"},
		{"some", 1, "tarry: some was not gathered: run the sweep to its end, or tarry sweep gather some"},
		{"whole --only jct_meen_s", 2, `tarry: --only: no figure is called "jct_meen_s", expected some of jct_mean_s, jct_p99_s, queue_mean_s, makespan_s, comm_frac, jct_cdf; did you mean "jct_mean_s"?`},
		{"whole --out way/file/deep --only jct_cdf", 1, "tarry: open way/file/deep: not a directory"},
		{"whole --question tymers", 2, `tarry: no question is called "tymers", tarry list questions shows them; did you mean "timers"?`},
		{"whole --question timers", 2, "tarry: --question timers: whole has the axes load, policy, expected cluster, t_rack, t_net"},
		{"whole --question learned", 2, "tarry: --question learned: the cells of whole are of the kind simulate, expected learn"},
		{"whole whole", 2, "tarry: whole and whole both hold a sweep called few, expected different names: their rows would be mixed up"},
	} {
		s := tarry(t, dir, append([]string{"figures"}, strings.Fields(c.args)...)...)
		if s.code != c.code || strings.TrimSpace(s.errors) != c.want || s.out != "" {
			t.Errorf("figures %s: exit code %d, %q, want %d, %q", c.args, s.code, s.errors, c.code, c.want)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*/figures")); left != nil {
		t.Errorf("%v was made", left)
	}
}

// The commands in a question's doc.go do what they say; here at the smallest scale.
func TestCommandsOfAQuestion(t *testing.T) {
	text, err := os.ReadFile("../experiments/congestion/doc.go")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	ran := 0
	for line := range strings.Lines(string(text)) {
		command, ok := strings.CutPrefix(strings.TrimSpace(line), "//\ttarry ")
		if !ok {
			continue
		}
		good(t, dir, strings.Fields(strings.Replace(command, "--scale small", "--scale tiny", 1))...)
		ran++
	}
	if ran != 2 {
		t.Fatalf("%d commands in doc.go, want 2", ran)
	}
	made, err := filepath.Glob(filepath.Join(dir, "runs/congestion/figures/*"))
	if err != nil || len(made) != 15 || !slices.Contains(made, filepath.Join(dir, "runs/congestion/figures/comm_frac.pdf")) {
		t.Errorf("%d files in runs/congestion/figures, want three figures of five files: %v %v", len(made), made, err)
	}
}
