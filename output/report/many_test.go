package report

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tarry/internal/stats"
)

// TestThreeSeedsInAFolder: trainings that differ in their seed alone are one line with a band;
// others are lines of their own, named after what differs.
func TestThreeSeedsInAFolder(t *testing.T) {
	f := fixture{t: t, dir: t.TempDir()}
	add := func(name string, seed uint64, gamma float64) {
		newTraining(t, filepath.Join(f.dir, name), seed, 4)
		f.write(filepath.Join(name, "config.json"), fmt.Sprintf(
			`{"env": "e", "agent": "ppo", "seed": %d, "hyperparameters": {"gamma": %g, "seed": %d}}`, seed, gamma,
			seed))
	}
	for i, name := range []string{"agent/1", "agent/2", "agent/10"} {
		add(name, uint64(i+1), 0.9)
	}
	p := read(t, f.dir, Options{})
	if p.Title != "3 training runs" || len(p.Config) != 3 || p.Config[2].Name != "agent/10/config.json" {
		t.Errorf("title %q, configurations %+v", p.Title, p.Config)
	}
	s := curveOf(t, p, "return on validation").Series
	want := stats.Student([]float64{3, 4, 5})
	if len(s) != 1 || s[0].Name != "ppo" || !slices.Equal(s[0].X, []num{200, 400}) || s[0].Y[0] != 4 ||
		s[0].Lo[0] != num(want.Lo) {
		t.Errorf("%+v, want the mean over three seeds with a band", s)
	}
	add("other", 1, 0.5)
	s = curveOf(t, read(t, f.dir, Options{}), "return on validation").Series
	if len(s) != 2 || s[0].Name != "ppo, gamma=0.9" || s[1].Name != "ppo, gamma=0.5" || s[1].Lo != nil {
		t.Errorf("%+v, want a line for each gamma", s)
	}
	add("twice", 1, 0.5)
	s = curveOf(t, read(t, f.dir, Options{}), "return on validation").Series
	if len(s) != 3 || s[1].Name != "ppo, gamma=0.5 (other)" || s[2].Name != "ppo, gamma=0.5 (twice)" {
		t.Errorf("%+v, want runs of one seed apart", s)
	}
}

// curveOf finds a learning curve by the label of its y axis.
func curveOf(t *testing.T, p *Page, label string) view {
	t.Helper()
	for _, c := range p.Charts {
		for _, v := range c.Views {
			if v.Y.Label == label {
				v.Series = slices.DeleteFunc(v.Series, func(s series) bool { return s.Thin })
				return v
			}
		}
	}
	t.Fatalf("no curve %q", label)
	return view{}
}

// TestFoldersAreNotPooled: trials of two folders are two settings, whatever their keys.
func TestFoldersAreNotPooled(t *testing.T) {
	a, dir := newTrials(t, "a", "bb"), t.TempDir()
	for _, name := range []string{"x", "y"} {
		f := a
		f.dir = filepath.Join(dir, name)
		f.write("config.json", `{"policies": ["bb", "a"]}`)
		f.trial("a", 0)
		f.trial("bb", 0)
	}
	p := read(t, dir, Options{})
	m := p.Tables[0]
	if len(m.Rows) != 4 || m.Columns[0].Name != "folder" || m.Rows[0][0].Text != "x" || m.Rows[0][1].Text != "bb" ||
		*m.Rows[0][2].V != 1 || m.Rows[2][0].Text != "y" {
		t.Errorf("%s: %+v", p.Title, m.Rows)
	}
	if d := p.Tables[1]; d.Title != "Differences against bb" || *row(t, d, "y", "a")["JCT mean"].V != -1 {
		t.Errorf("%+v", d)
	}
}

// TestTunings in one folder are seeds of a line, and a sweep among them is reported.
func TestTunings(t *testing.T) {
	f := fixture{t: t, dir: t.TempDir()}
	for seed := 1; seed <= 2; seed++ {
		name := fmt.Sprint(seed)
		newTuned(t, filepath.Join(f.dir, name), 4)
		f.write(filepath.Join(name, "config.json"), fmt.Sprintf(
			`{"env": "e", "policy": "dally-manual", "optimiser": "cmaes", "seed": %d}`, seed))
	}
	f.write("s/sweep.json", `{}`)
	p := read(t, f.dir, Options{})
	s := chartOf(t, p, "tuning").Views[0].Series
	if len(s) != 1 || s[0].Name != "dally-manual, tuned by cmaes" || len(s[0].Lo) != len(s[0].X) ||
		math.IsNaN(float64(s[0].Lo[0])) {
		t.Errorf("%+v", s)
	}
	if p.Title != "2 tuning runs, 1 sweep" || !slices.ContainsFunc(p.Notes,
		func(n string) bool { return strings.HasPrefix(n, "s is the folder of a sweep") }) {
		t.Errorf("title %q, notes %q", p.Title, p.Notes)
	}
}
