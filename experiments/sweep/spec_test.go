package sweep

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tarry/catalogue/shipped"
	"tarry/sim/param"
)

// parse reads the text of a file called s.yaml.
func parse(t testing.TB, text string) (Spec, error) {
	t.Helper()
	s, err := param.ParseYAML("s.yaml", []byte(text))
	if err != nil {
		return Spec{}, err
	}
	return Read(shipped.All(), s)
}

// cellsOf parses and spells out.
func cellsOf(t testing.TB, text string) ([]Cell, error) {
	t.Helper()
	s, err := parse(t, text)
	if err != nil {
		return nil, err
	}
	return s.Cells(shipped.All())
}

const small = `name: small
kind: simulate
base: {trace: "synth:demo,jobs=20,load={load}", cluster: 2x2x8, costs: {restore_s: 5}}
axes:
  - {name: load, grid: {from: 0.5, to: 0.9, steps: 3}}
  - {name: policy, values: [fifo, "dally:lease=60"]}
seeds: [3, 7]
`

// TestCells: the order, the ids, the settings.
func TestCells(t *testing.T) {
	cells, err := cellsOf(t, small)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for i, c := range cells {
		ids = append(ids, c.ID)
		if c.Index != i {
			t.Errorf("cell %d has index %d", i, c.Index)
		}
	}
	want := "load=0.5/policy=fifo/seed=3 load=0.5/policy=fifo/seed=7 load=0.5/policy=dally:lease%3D60/seed=3"
	if len(ids) != 12 || strings.Join(ids[:3], " ") != want || ids[11] != "load=0.9/policy=dally:lease%3D60/seed=7" {
		t.Errorf("got %v", ids)
	}
	c := cells[3]
	if c.Seed != 7 || c.Settings["policy"] != "dally:lease=60" ||
		c.Settings["trace"] != "synth:demo,jobs=20,load=0.5" || c.Axes["load"] != "0.5" {
		t.Errorf("got %+v", c)
	}
	if cells[0].ConfigSHA256 != cells[1].ConfigSHA256 || cells[0].ConfigSHA256 == cells[2].ConfigSHA256 {
		t.Error("the hash must tell settings apart and seeds not")
	}
}

// TestGoSpec: a spec of a question means what a file means.
func TestGoSpec(t *testing.T) {
	s := Spec{Name: "small", Kind: "simulate", Seeds: []uint64{3, 7},
		Base: Settings{"trace": "synth:demo,jobs=20,load={load}", "cluster": "2x2x8",
			"costs": Settings{"restore_s": 5}},
		Axes: []Axis{{Name: "load", Grid: &Grid{From: 0.5, To: 0.9, Steps: 3}},
			{Name: "policy", Values: []string{"fifo", "dally:lease=60"}}}}
	got, err := s.Cells(shipped.All())
	if err != nil {
		t.Fatal(err)
	}
	want, err := cellsOf(t, small)
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got  %v\nwant %v (%v)", got, want, err)
	}
	if err := s.Check(shipped.All(), got); err != nil {
		t.Error(err)
	}
}

// TestAxes: numbers that are spaced and drawn.
func TestAxes(t *testing.T) {
	for _, c := range []struct {
		axis Axis
		want string
	}{
		{Axis{Grid: &Grid{From: 0.1, To: 0.3, Steps: 3}}, "0.1 0.2 0.3"},
		{Axis{Grid: &Grid{From: 1, To: 100, Steps: 3, Log: true}}, "1 10 100"},
		{Axis{Grid: &Grid{From: 1, To: 4, Steps: 3, Int: true}}, "1 3 4"},
		{Axis{Grid: &Grid{From: 5, To: 9, Steps: 1}}, "5"},
		{Axis{Grid: &Grid{From: -1, To: 1, Steps: 3}}, "-1 0 1"},
		{Axis{Cases: []Case{{Name: "lan"}, {Name: "wan"}}}, "lan wan"},
	} {
		got, err := c.axis.names()
		if err != nil || strings.Join(got, " ") != c.want {
			t.Errorf("%+v gives %v (%v), want %s", c.axis, got, err, c.want)
		}
	}
	a := Axis{Name: "x", Random: &Random{From: 1, To: 1000, Count: 200, Log: true}}
	first, err := a.names()
	again, _ := a.names()
	if err != nil || !slices.Equal(first, again) {
		t.Errorf("drawn twice, two lists (%v)", err)
	}
	low := 0
	for _, v := range first {
		if len(v) > 8 {
			t.Errorf("%s has too many digits for an id", v)
		}
		if strings.Index(v+".", ".") < 3 { // below 100: two of three decades
			low++
		}
	}
	if low < 110 || low > 155 {
		t.Errorf("%d of 200 numbers are below 100, expected about two thirds", low)
	}
	a.Random = &Random{From: 1, To: 3, Count: 3, Int: true, Seed: 1}
	whole, _ := a.names()
	for _, v := range whole {
		if !slices.Contains([]string{"1", "2", "3"}, v) {
			t.Errorf("drew %s, expected 1, 2 or 3", v)
		}
	}
}

// TestFileFaults: every fault at once, in the order of the lines, each with what was expected.
func TestFileFaults(t *testing.T) {
	_, err := parse(t, `name: x
kynd: simulate
base: [1]
axes:
  - {name: a, values: [1, {b: 2}]}
  - {nam: b, grid: {from: 1, to: x, steps: 0}}
  - 7
seeds: [1, -2]
budget: {minutes: -1, cells: many}
engine: {name: local, jobs: 9999, isolate: maybe}
`)
	want := `s.yaml:1:1: kind is missing, expected one of simulate, learn, tune
s.yaml:2:1: unknown field "kynd", expected one of axes, base, budget, engine, kind, name, question, seeds; did you mean "kind"?
s.yaml:3:7: base is a list, expected settings, key: value
s.yaml:5:27: axes[0].values[1] is a mapping, expected a number or text: an axis whose values are more than that has cases
s.yaml:6:34: axes[1].grid.to is "x", expected a finite number
s.yaml:6:44: axes[1].grid.steps is "0", expected a whole number in 1..10000000
s.yaml:6:5: axes[1].name is missing, expected a name
s.yaml:6:6: unknown field "axes[1].nam", expected one of cases, grid, name, optimise, random, values; did you mean "name"?
s.yaml:7:5: axes[2] is "7", expected key: value
s.yaml:8:12: seeds[1] is "-2", expected a whole number >= 0
s.yaml:9:30: budget.cells is "many", expected a whole number in 1..10000000
s.yaml:9:19: budget.minutes is "-1", expected a finite number >= 0
s.yaml:10:29: engine.jobs is "9999", expected a whole number in 0..4096
s.yaml:10:44: engine.isolate is "maybe", expected true or false`
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}

// TestAxisOfText: a base that is written as text goes with an axis of one of its keys, and the base
// of the other cells stays as it was. Without a base the axis is a mapping of one key.
func TestAxisOfText(t *testing.T) {
	const head = `name: x
kind: simulate
base: {trace: "synth:demo,jobs=20", cluster: 2x2x8, policy: fifo, deadlines: "min=0.5,tightness=9", elastic: "min=1", costs: "restore_s=5,start_s=2"}
axes:
`
	cells, err := cellsOf(t, head+`  - {name: deadlines.tightness, values: [1, 2]}
  - {name: elastic.max, values: [2x, 3x]}
  - {name: costs.restore_s, values: [7]}
`)
	if err != nil || len(cells) != 4 {
		t.Fatal(len(cells), err)
	}
	if got, want := fmt.Sprintf("%v %v %v %v", cells[1].Settings["deadlines"], cells[1].Settings["elastic"],
		cells[2].Settings["deadlines"], cells[2].Settings["costs"]), "min=0.5,tightness=1 min=1,max=3x "+
		"min=0.5,tightness=2 start_s=2,restore_s=7"; got != want {
		t.Errorf("got %s, expected %s", got, want)
	}
	for i := range cells {
		if _, err := checkSimulate(shipped.All(), &cells[i], "s.yaml", func(string) string { return "" }); err != nil {
			t.Error(err)
		}
	}
	alone := strings.Replace(strings.Replace(head, `, deadlines: "min=0.5,tightness=9", elastic: "min=1"`, "", 1),
		"deadlines", "", 1)
	cells, err = cellsOf(t, alone+"  - {name: elastic.min, values: [1]}\n")
	if err != nil {
		t.Fatal(err)
	}
	c, err := simulateConfig(&cells[0], "s.yaml", func(string) string { return "" })
	if err != nil || c.Elastic != "min=1" {
		t.Errorf("elastic is %q, error %v", c.Elastic, err)
	}
	if _, err := cellsOf(t, head+"  - {name: trace.jobs, values: [1]}\n"); err == nil ||
		!strings.Contains(err.Error(), "trace is synth:demo,jobs=20, expected a mapping for trace.jobs") {
		t.Errorf("error %v", err)
	}
}

// TestCellFaults: what is wrong with axes and settings as they are put together.
func TestCellFaults(t *testing.T) {
	head := "name: x\nkind: simulate\nbase: {trace: synth:demo, policy: fifo}\n"
	for _, c := range []struct{ text, want string }{
		{head + "axes: [{name: polcy, values: [a]}]",
			`s.yaml:4:9: axis polcy is used nowhere: it is no setting of kind simulate and no {polcy} stands in a setting; did you mean "policy"?`},
		{head + "axes: [{name: load, values: [1, 1]}]", "s.yaml:4:9: axis load has 1 twice: two cells would have " +
			"the same id"},
		{head + "axes: [{name: load}]", "s.yaml:4:9: axis load has 0 of values, cases, grid, random and optimise, " +
			"expected exactly one with at least one value"},
		{head + "axes: [{name: seed, values: [1]}]", "s.yaml:4:9: an axis is called seed, expected the list seeds: " +
			"it is an axis already, the last one"},
		{head + "axes: [{name: a b, values: [1]}]",
			`s.yaml:4:9: an axis is called "a b", expected letters, digits, "_", "." and "-"`},
		{head + "axes: [{name: policy, values: [a]}, {name: policy, values: [b]}]",
			"s.yaml:4:38: two axes are called policy"},
		{head + "budget: {cells: 2}\nseeds: 3", "s.yaml:4:10: the sweep has 3 cells, the budget allows 2"},
		{head + "axes: [{name: trace.x, values: [1]}]", "s.yaml:4:9: trace is synth:demo, expected a mapping " +
			"for trace.x"},
		{head + "axes: [{name: policy, grid: {from: 2, to: 1, steps: 2}}]",
			"s.yaml:4:9: axis policy: from 2 to 1, expected two finite numbers, the larger one last"},
		{head + "seeds: [4, 4]", "s.yaml:4:1: seed 4 is given twice"},
		{"name: a/b\nkind: simulat\nbase: {seed: 3}", "s.yaml:1:1: the sweep's name is \"a/b\", expected 1..100 " +
			"letters, digits, \"_\", \".\" and \"-\"\n" +
			"s.yaml:2:1: kind is \"simulat\", expected one of simulate, learn, tune; did you mean " +
			"\"simulate\"?\ns.yaml:3:8: seed is given, expected seeds beside base"},
		{"name: a\nkind: simulate\nbase: {trace: \"{lod} {x\", policy: fifo}\naxes: [{name: load, values: [1]}]",
			`s.yaml:3:8: {lod} in "{lod} {x" is no axis, expected one of load, seed; did you mean "load"?` + "\n" +
				`s.yaml:3:8: "{lod} {x" opens a brace and does not close it`},
	} {
		_, err := cellsOf(t, c.text)
		got := strings.ReplaceAll(fmt.Sprint(err), "simulate, learn, tune,", "simulate, learn,")
		if err == nil || got != c.want {
			t.Errorf("%s\ngot  %v\nwant %s", c.text, err, c.want)
		}
	}
}

// TestCheckFaults: settings that mean nothing are reported with their places, each once.
func TestCheckFaults(t *testing.T) {
	s, err := parse(t, `name: x
kind: simulate
base:
  trace: synth:demo,jobs=5
  tracy: 1
  speed: warp
axes:
  - name: policy
    values:
      - fifo
      - fido
seeds: 4
`)
	if err != nil {
		t.Fatal(err)
	}
	cells, err := s.Cells(shipped.All())
	if err != nil {
		t.Fatal(err)
	}
	err = s.Check(shipped.All(), cells)
	if err == nil || strings.Count(err.Error(), `s.yaml:5:3: unknown field "tracy"`) != 1 {
		t.Errorf("got %v", err)
	}
	if err := s.Override([]string{"speed=tiers"}); err != nil {
		t.Fatal(err)
	}
	delete(s.Base, "tracy")
	cells, _ = s.Cells(shipped.All())
	err = s.Check(shipped.All(), cells)
	if err == nil || !strings.HasPrefix(err.Error(), "s.yaml:11:9: ") || !strings.Contains(err.Error(), `"fido"`) ||
		strings.Contains(err.Error(), "\n") {
		t.Errorf("got %v", err)
	}
}

// TestOverride: --set reaches into mappings and makes lists; all faults are reported at once.
func TestOverride(t *testing.T) {
	s, err := parse(t, small)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Override([]string{"costs.checkpoint_s=7", "cluster=4x4x8", "profiles=[a.yaml, b.yaml]"}); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprintf("%v %v %v", s.Base["costs"], s.Base["cluster"],
		s.Base["profiles"]); got != "map[checkpoint_s:7 restore_s:5] 4x4x8 [a.yaml b.yaml]" {
		t.Errorf("got %s", got)
	}
	err = s.Override([]string{"x", "trace.y=1"})
	want := "--set: \"x\", expected key=value\n--set: trace is synth:demo,jobs=20,load={load}, expected a mapping " +
		"for trace.y"
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

// TestCost: jobs and steps are counted over all cells.
func TestCost(t *testing.T) {
	s, err := parse(t, small)
	if err != nil {
		t.Fatal(err)
	}
	cells, _ := s.Cells(shipped.All())
	cost, err := s.Cost(shipped.All(), cells)
	if err != nil || cost.Cells != 12 || cost.Jobs != 12*20 || cost.GPUs != 32 || cost.Learn {
		t.Errorf("got %+v, %v", cost, err)
	}
}

// TestExamples: the files that are shipped spell out and mean something.
func TestExamples(t *testing.T) {
	for file, cells := range map[string]int{"load.yaml": 48, "learn.yaml": 4, "tune.yaml": 4} {
		path := filepath.Join("..", "..", "examples", file)
		s, err := ReadFile(shipped.All(), path)
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.Cells(shipped.All())
		if err != nil || len(got) != cells {
			t.Errorf("%s: %d cells (%v), want %d", file, len(got), err, cells)
			continue
		}
		if err := s.Check(shipped.All(), got); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// FuzzSpec: a file is read or refused, never a panic; what is read spells out to distinct ids.
func FuzzSpec(f *testing.F) {
	f.Add(small)
	for _, name := range []string{"load.yaml", "learn.yaml", "tune.yaml"} {
		data, err := os.ReadFile(filepath.Join("..", "..", "examples", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data))
	}
	f.Add("name: x\nkind: learn\nbase: {env: \"{a}\"}\naxes: [{name: a, random: {from: 1, to: 2, count: 3, log: " +
		"true, seed: 4}}, {name: b, cases: [{name: c, set: {d.e: f}}]}]")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := parse(t, text)
		if err != nil {
			return
		}
		s.Budget.Cells = 500
		if s.Seeds != nil {
			s.Seeds = s.Seeds[:min(3, len(s.Seeds))]
		}
		cells, err := s.Cells(shipped.All())
		if err != nil {
			return
		}
		seen := map[string]bool{}
		for _, c := range cells {
			if seen[c.ID] || !filepath.IsLocal(c.ID) {
				t.Errorf("id %q", c.ID)
			}
			seen[c.ID] = true
		}
	})
}
