package schedenv

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/catalogue/simulation"
	"tarry/env/scenario"
	"tarry/sim"
	"tarry/sim/param"
)

// A list whose jobs all come at once is dealt out: every job to one part, whole lists or draws from
// them.
func TestBatch(t *testing.T) {
	path := filepath.Join(t.TempDir(), "list,1.csv")
	text := "id,submit_s,gpus,work_s\n"
	for i := range 40 {
		text += fmt.Sprintf("j%d,500,%d,%d\n", i, 1+i%4, 1000*(i+1))
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	ids := func(options string, p Part) (got [][]string) {
		s := param.Parse("test", `cluster=2x2x4,horizon=0,warm=0,trace="csv:`+path+`",part=`+string(p)+options)
		c := Read(s, simulation.All())
		if err := s.Err(); err != nil {
			t.Fatal(err)
		}
		for i := range min(c.Source.Windows(p), 5) {
			w, err := c.Source.Window(p, i)
			if err != nil {
				t.Fatal(err)
			}
			var list []string
			for _, j := range w.Jobs {
				if j.Submit != 0 {
					t.Errorf("job %s comes at %v", j.ID, j.Submit)
				}
				list = append(list, j.ID)
			}
			got = append(got, list)
		}
		return got
	}
	where := map[string]Part{}
	for p, n := range map[Part]int{Train: 28, Validation: 6, Test: 6} {
		whole := ids("", p)
		if len(whole) != 1 || len(whole[0]) != n {
			t.Errorf("part %s has windows %v, want one of %d jobs", p, whole, n)
		}
		for _, j := range whole[0] {
			if other, twice := where[j]; twice {
				t.Errorf("job %s is in %s and %s", j, other, p)
			}
			where[j] = p
		}
	}
	for _, p := range []Part{Train, Validation, Test} {
		draws := ids(",batch_jobs=5,windows=9", p)
		if len(draws) != 5 || fmt.Sprint(draws) != fmt.Sprint(ids(",batch_jobs=5,windows=9", p)) ||
			fmt.Sprint(draws[0]) == fmt.Sprint(draws[1]) {
			t.Errorf("part %s: draws %v", p, draws)
		}
		for _, d := range draws {
			if len(d) != 5 {
				t.Errorf("a draw has jobs %v, want 5", d)
			}
			for _, j := range d {
				if where[j] != p {
					t.Errorf("job %s of %s is drawn for %s", j, where[j], p)
				}
			}
		}
	}
	if e := timidEnv(t, `cluster=2x2x4,horizon=0,warm=0,trace="`+path+`"`); e.Config().Source.Windows(Train) != 1 {
		t.Error("the old spelling gives other windows")
	}
}

func TestTraceFaults(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("id,submit_s,gpus,work_s\n"+text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	two, apart := write("two.csv", "a,0,1,1\nb,0,1,1\n"), write("apart.csv",
		"a,0,1,1\nb,90,1,1\nc,800,1,1\nd,999,1,1\n")
	for options, want := range map[string]string{
		"trace=philly:" + dir + "/none.csv": "none.csv",
		"trace=phily:x.csv":                 "phily:x.csv",
		`trace="synth:dmeo,jobs=3"`:         `did you mean "demo"?`,
		`cluster=1x2x4,trace="synth:demo,jobs=30,gpus=16"`: "synth:demo,jobs=30,gpus=16: gpus is 16, expected the " +
			"8 GPUs of the cluster, or no gpus: the load of an environment is of its cluster",
		`cluster=1x2x4,workload="demo,gpus=16"`: "synth:demo: gpus is 16, expected the 8 GPUs of " +
			"the cluster",
		"trace=" + two: "its parts have 1, 0 and 1 jobs, expected at least " +
			"1 in each",
		"gap=0,horizon=1,warm=0,lease_s=100,trace=" + apart: "expected at least one window",
		"horizon=0,trace=" + apart:                          "horizon is 0 with a trace, expected > 0",
		`trace="` + apart:                                   "a double quote is not closed",
		"batch_jobs=3":                                      "batch_jobs is given without a trace",
		"gap=0,warm=0,horizon=9e4,trace=csv:" + apart:       "a shorter warm, horizon, gap or lease_s would do",
	} {
		s := param.Parse("test", options)
		Read(s, simulation.All())
		if err := s.Err(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s gives %v, want %s", options, err, want)
		}
	}
}

// Windows without submits are left out.
func TestQuietWindows(t *testing.T) {
	var jobs []sim.Job
	for i := range 300 {
		at := sim.Time(i) * sim.Second
		if i%30 < 10 {
			jobs = append(jobs, sim.Job{ID: fmt.Sprint(i), Submit: at, GPUs: 1, Work: sim.Second})
		}
	}
	w, err := sim.NewWorkload("w", jobs)
	if err != nil {
		t.Fatal(err)
	}
	r, err := scenario.NewRecorded(w, [3]float64{1, 1, 1}, 0, 10*sim.Second)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []Part{Train, Validation, Test} {
		for i := range r.Windows(p) {
			if got, err := r.Window(p, i); err != nil || len(got.Jobs) == 0 {
				t.Errorf("part %s: window %d has jobs %v, %v", p, i, got, err)
			}
		}
	}
}
