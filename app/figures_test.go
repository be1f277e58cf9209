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

// What is wrong is reported in one line, with the exit code of its kind, and nothing is drawn.
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
		{"whole --only jct_meen_s", 2,
			`tarry: --only: no figure is called "jct_meen_s", expected some of jct_mean_s, jct_p99_s, queue_mean_s, makespan_s, comm_frac, jct_cdf; did you mean "jct_mean_s"?`},
		{"whole --out way/file/deep --only jct_cdf", 1, "tarry: --out: open way/file/deep: not a directory"},
		{"whole --question tymers", 2,
			`tarry: no question is called "tymers", tarry list questions shows them; did you mean "timers"?`},
		{"whole --question timers", 2, "tarry: --question timers: whole has the axes load, policy, expected " +
			"cluster, t_rack, t_net"},
		{"whole --question learned", 2, "tarry: --question learned: the cells of whole are of the kind simulate, " +
			"expected learn"},
		{"whole whole", 2, "tarry: whole and whole both hold a sweep called few, expected different names: their " +
			"rows would be mixed up"},
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

// The commands in a question's file do what their comments state; here at the smallest scale.
func TestCommandsOfAQuestion(t *testing.T) {
	text, err := os.ReadFile("../experiments/questions/congestion.yaml")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	ran := 0
	for line := range strings.Lines(string(text)) {
		command, ok := strings.CutPrefix(strings.TrimSpace(line), "#     tarry ")
		if !ok {
			continue
		}
		if strings.HasPrefix(command, "reproduce ") {
			command += " --scale small"
		}
		good(t, dir, strings.Fields(strings.Replace(command, "--scale small", "--scale tiny", 1))...)
		ran++
	}
	if ran != 3 {
		t.Fatalf("%d commands in the file, want 3", ran)
	}
	made, err := filepath.Glob(filepath.Join(dir, "runs/congestion/figures/*"))
	if err != nil || len(made) != 15 || !slices.Contains(made,
		filepath.Join(dir, "runs/congestion/figures/comm_frac.pdf")) {
		t.Errorf("%d files in runs/congestion/figures, want three figures of five files: %v %v", len(made), made, err)
	}
}

// A folder that has sweeps in it, as a question of several sweeps makes it, stands for these.
func TestFiguresOfAFolderOfSweeps(t *testing.T) {
	dir := t.TempDir()
	for name, load := range map[string]string{"few": "0.9", "more": "0.5"} {
		file := sweepFile(t, dir, strings.NewReplacer("name: few", "name: "+name, `"0.9"`, `"`+load+`"`, `"0.5", `,
			"").Replace(fewCells))
		good(t, dir, "sweep", file, "--out", "runs/"+name, "--jobs", "1")
	}
	both := good(t, dir, "figures", "runs/few", "runs/more", "--out", "pictures", "--only", "jct_mean_s")
	inOne := good(t, dir, "figures", "runs", "--only", "jct_mean_s")
	if want := strings.ReplaceAll(both.out, "pictures", "runs/figures"); inOne.out != want ||
		!strings.Contains(want, "jct_mean_s") {
		t.Errorf("drawn %q, expected %q", inOne.out, want)
	}
	for _, end := range []string{".csv", ".svg"} {
		a, err := os.ReadFile(filepath.Join(dir, "pictures/jct_mean_s"+end))
		if err != nil {
			t.Fatal(err)
		}
		if b, err := os.ReadFile(filepath.Join(dir, "runs/figures/jct_mean_s"+end)); err != nil ||
			string(a) != string(b) {
			t.Errorf("jct_mean_s%s is another (%v)", end, err)
		}
	}
}

// Where policies turn jobs away, means that cannot be compared are left out with a remark, and the
// rest is drawn.
func TestFiguresWhereJobsAreRejected(t *testing.T) {
	dir := t.TempDir()
	file := sweepFile(t, dir, `name: away
kind: simulate
base: {trace: "synth:poisson,jobs=30,load={load},gpus=16", cluster: 1x2x8, speed: counting, deadlines: "tightness=1.1,min=0.5,max=1.5,fraction=1"}
axes: [{name: load, values: ["0.5", "0.9"]}, {name: policy, values: [fifo, elasticflow]}]
seeds: 1
`)
	good(t, dir, "sweep", file, "--out", "away", "--jobs", "1")
	s := tarry(t, dir, "figures", "away")
	if s.code != 0 || !strings.Contains(s.errors, "left out: figure jct_mean_s: the series finished different jobs") ||
		!strings.Contains(s.out, "satisfied_frac") {
		t.Errorf("exit code %d, %q, %q", s.code, s.out, s.errors)
	}
	s = tarry(t, dir, "figures", "away", "--only", "jct_mean_s")
	if s.code == 0 {
		t.Errorf("what was asked for is not there: exit code %d, %q", s.code, s.errors)
	}
}

// A comparison in which no job ends notes it, and makes no folder.
func TestFiguresOfNothingFinished(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "jobs.csv"), []byte("id,submit_s,gpus,work_s\na,0,99,100\n"),
		0o666); err != nil {
		t.Fatal(err)
	}
	good(t, dir, "compare", "--trace", "csv:jobs.csv", "--cluster", "1x1x4", "--policy", "fifo", "--policy", "las",
		"--out", "out")
	s := tarry(t, dir, "figures", "out")
	if s.code != 1 || strings.TrimSpace(s.errors) != "tarry: out: no job finished: nothing to draw" || s.out != "" {
		t.Errorf("exit code %d, %q, %q", s.code, s.out, s.errors)
	}
	if _, err := os.Stat(filepath.Join(dir, "out/figures")); err == nil {
		t.Error("a folder of figures was made")
	}
	s = tarry(t, dir, "compare", "--trace", "csv:jobs.csv", "--cluster", "1x1x4", "--policy", "fifo", "--plot", "drawn")
	if s.code != 1 || !strings.Contains(s.errors, "tarry: --plot: no job finished: nothing to draw") {
		t.Errorf("compare --plot: exit code %d, %q", s.code, s.errors)
	}
	const none = `name: none
kind: simulate
base: {trace: "csv:jobs.csv", cluster: 1x1x4}
axes: [{name: policy, values: [fifo, las]}]
seeds: 2
`
	if err := os.WriteFile(filepath.Join(dir, "none.yaml"), []byte(none), 0o666); err != nil {
		t.Fatal(err)
	}
	good(t, dir, "sweep", "none.yaml", "--out", "none", "--jobs", "1")
	s = tarry(t, dir, "figures", "none")
	if s.code != 1 || strings.TrimSpace(s.errors) != "tarry: no job finished: nothing to draw" || s.out != "" {
		t.Errorf("a sweep: exit code %d, %q, %q", s.code, s.out, s.errors)
	}
	for _, folder := range []string{"out", "none"} { // the page and the list have nothing to draw, and are made
		good(t, dir, "report", folder)
		if s := good(t, dir, "runs", folder); !strings.Contains(s.out, folder) {
			t.Errorf("runs %s: %q", folder, s.out)
		}
	}
}

// A style and formats are chosen; the folder may then be drawn into again.
func TestStylesOfFigures(t *testing.T) {
	dir := t.TempDir()
	good(t, dir, "compare", "--trace", "synth:demo,jobs=20", "--cluster", "2x2x8", "--policy", "fifo", "--policy", "dally",
		"--out", "both")
	for _, args := range [][]string{{"--style", "paper"}, {"--style", "talk", "--format", "svg, pgf,svg"}} {
		s := good(t, dir, append([]string{"figures", "both", "--only", "jct_cdf"}, args...)...)
		want := map[string]string{"paper": "{pdf,pgf,csv,parquet}", "talk": "{svg,pgf,csv,parquet}"}[args[1]]
		if !strings.Contains(s.out, want) {
			t.Errorf("%v: %q, expected %s", args, s.out, want)
		}
	}
	for _, name := range []string{"pdf", "pgf", "svg", "csv"} {
		if _, err := os.Stat(filepath.Join(dir, "both/figures/jct_cdf."+name)); err != nil {
			t.Error(err)
		}
	}
	for _, c := range []struct{ flag, value, want string }{
		{"--style", "papers", `--style: style "papers", expected screen, paper, talk; did you mean "paper"?`},
		{"--format", "gif", `--format: "gif", expected some of png, svg, pdf, pgf`}} {
		s := tarry(t, dir, "figures", "both", c.flag, c.value)
		if s.code != 2 || !strings.Contains(s.errors, c.want) {
			t.Errorf("%s %s: %d %s", c.flag, c.value, s.code, s.errors)
		}
	}
}

// A tuning gets the curve of its best point; seeds of one search are one line. Runs in folders named
// as tables are found.
func TestFiguresOfTunings(t *testing.T) {
	dir := t.TempDir()
	for _, seed := range []string{"1", "2"} {
		good(t, dir, "tune", "--policy", "dally-manual", "--param", "t_rack=0.1:100:log", "--env",
			"tarry/DelayTimer-v1:workload=demo,cluster=2x2x4,horizon=12", "--budget", "3", "--windows", "2",
			"--validation", "2", "--seed", seed, "--out", "runs/"+map[string]string{"1": "tune", "2": "trials"}[seed])
	}
	s := good(t, dir, "figures", "runs", "--out", "pictures", "--format", "svg")
	if !strings.Contains(s.out, "tuning.{svg,csv,parquet}  Best point so far, on windows of training.") {
		t.Errorf("drew %s", s.out)
	}
	data, err := os.ReadFile(filepath.Join(dir, "pictures/tuning.csv"))
	if err != nil || !strings.Contains(string(data), "cmaes(dally-manual)") || strings.Contains(string(data), "trials") {
		t.Errorf("%s, %v", data, err)
	}
	if s := good(t, dir, "runs", "runs", "--columns", "path,kind,status"); strings.Count(s.out, "finished") != 2 {
		t.Errorf("listed %s", s.out)
	}
}
