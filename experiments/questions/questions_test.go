package questions

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tarry/catalogue/shipped"
	"tarry/experiments/sweep"
)

// mine is a question with everything that the language has.
const mine = `name: mine
title: what is asked?
question: Asked.
predict: Expected.
read: Seen so.
vars:
  jobs: {tiny: 20, small: 40, full: 80}
  loads: [0.5, 0.9]
  trace: synth:poisson,load={load},jobs={jobs}
forms:
  - [las, "las:place=consolidate"]
kind: simulate
base: {trace: "{trace}", cluster: 2x2x8}
sweeps:
  - name: mine-a
    axes:
      - {name: load, values: "{loads}"}
      - {name: policy, values: [dally, "{forms}"]}
    seeds: 2
    validation: {tiny: 1, small: 1, full: 2}
  - name: mine-b
    predict: The second is better.
    base: {cluster: {tiny: 2x2x8, small: 4x4x8, full: 8x4x8}}
    axes:
      - {name: load, values: [0.7]}
      - name: part
        sets: policy
        cases: [fifo, {short: "sjf:by=estimate"}, "{forms}"]
choose: load
figures:
  - {kind: means, name: jct, caption: Means., metric: jct_mean_s}
`

// read reads a text as a question's file.
func read(t *testing.T, text string) (sweep.Question, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "q.yaml")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	q, err := ReadFile(shipped.All(), path)
	if err != nil {
		err = fmt.Errorf("%s", strings.ReplaceAll(err.Error(), path, "q.yaml"))
	}
	return q, err
}

// The language in small: scales, variables, spliced lists, forms, several sweeps.
func TestLanguage(t *testing.T) {
	q, err := read(t, mine)
	if err != nil {
		t.Fatal(err)
	}
	if q.Name != "mine" || q.Title != "what is asked?" || q.Ask != "Asked." || q.Figures == nil || q.Tables != nil {
		t.Errorf("%+v", q)
	}
	if want := "Expected.\nmine-b: The second is better."; q.Predict != want {
		t.Errorf("predicted %q, want %q", q.Predict, want)
	}
	a, b := q.Specs(sweep.Full)[0], q.Specs(sweep.Full)[1]
	if !slices.Equal(a.Seeds, []uint64{1, 2, 1001, 1002}) ||
		!slices.Equal(a.Axes[1].Values, []string{"dally", "las", "las:place=consolidate"}) {
		t.Errorf("seeds %v, values %q", a.Seeds, a.Axes[1].Values)
	}
	if b.Base["cluster"] != "8x4x8" || a.Base["cluster"] != "2x2x8" {
		t.Errorf("clusters %v and %v", a.Base["cluster"], b.Base["cluster"])
	}
	cells, err := b.Cells(shipped.All())
	if err != nil {
		t.Fatal(err)
	}
	var policies []string
	for _, c := range cells {
		policies = append(policies, c.Axes["part"]+" "+c.Settings["policy"].(string))
	}
	want := []string{"fifo fifo", "short sjf:by=estimate", "las las", "las:place=consolidate las:place=consolidate"}
	if !slices.Equal(policies, want) || cells[0].Settings["trace"] != "synth:poisson,load=0.7,jobs=80" {
		t.Errorf("%q, want %q; trace %v", policies, want, cells[0].Settings["trace"])
	}
}

// Every fault is reported with its line and what was expected.
func TestFaultsOfQuestions(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"title:", "titel:", `q.yaml:2:1: unknown field "titel", expected one of`},
		{"title:", "titel:", `did you mean "title"?`},
		{"metric: jct_mean_s", "metrik: jct_mean_s", `q.yaml:31:47: unknown field "figures[0].metrik"`},
		{"metric: jct_mean_s", "metrik: jct_mean_s", "figures[0].metric is missing"},
		{"kind: means", "kind: meens", `kind is "meens", expected one of means, relative, profile, cdf, timeline, ` +
			`heat, curves, pareto; did you mean "means"?`},
		{"kind: means", "kind: pareto", "figures[0].over is missing, expected a value: a row of kind pareto has one"},
		{"jobs={jobs}", "jobs={loads}", "q.yaml:9:3: {loads} is a list or a mapping, expected it as a whole value"},
		{"loads: [0.5, 0.9]", "loads: ['{loads}']", "{loads} stands in its own value"},
		{"seeds: 2", "seeds: two", `q.yaml:19:5: seeds is "two", expected a whole number`},
		{"cases: [fifo,", "cases: [{a: fifo, b: las},", "q.yaml:28"},
		{"  - [las, ", "  - [las]\n  - [las, ", "an entry of forms is [las], expected a list of two or more schedulers"},
		{"loads: [0.5, 0.9]", "loads: [0.5, 0.9]\n  policy: fifo", "vars.policy has the name of an axis, expected another"},
		{"predict: The second is better.", "predict: [1]", "q.yaml:22:5: sweeps[1].predict is not a text, expected what"},
		{"sweeps:\n", "sweep:\n", `unknown field "sweep", expected one of`},
	} {
		text := strings.Replace(mine, c.old, c.new, 1)
		if text == mine {
			t.Fatalf("%q is not there", c.old)
		}
		if _, err := read(t, text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\ngot  %v\nwant %s", c.new, err, c.want)
		}
	}
}

// Variables that stand in one another end at a bound, texts and lists alike.
func TestVariablesEnd(t *testing.T) {
	for _, double := range []string{`["{%[1]c}", "{%[1]c}"]`, `"{%[1]c}{%[1]c}"`} {
		text := "name: bomb\nkind: simulate\nbase: {trace: '{z}'}\nvars:\n  a: [x, y]\n"
		if double[0] == '"' {
			text = strings.Replace(text, "[x, y]", "x", 1)
		}
		for c := 'b'; c <= 'z'; c++ {
			text += fmt.Sprintf("  %c: "+strings.ReplaceAll(double, "%[1]c", string(c-1))+"\n", c)
		}
		if _, err := read(t, text); err == nil || !strings.Contains(err.Error(), "more than 262144 values") {
			t.Errorf("%v", err)
		}
	}
}

// FuzzQuestion: no file ends the program.
func FuzzQuestion(f *testing.F) {
	f.Add(mine)
	f.Add(strings.ReplaceAll(mine, "{", "["))
	f.Fuzz(func(_ *testing.T, text string) {
		q, err := parse(shipped.All(), "q.yaml", []byte(text))
		if err != nil {
			return
		}
		_ = q.question()
		for _, scale := range sweep.Scales() {
			if _, err := q.specs(scale); err != nil {
				continue
			}
		}
	})
}

// What ships can be read at every scale, and states what is wrong where it cannot.
func TestShipped(t *testing.T) {
	names, err := files.ReadDir(".")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, e := range names {
		if q := open(strings.TrimSuffix(e.Name(), ".yaml")); q.Err != nil || q.Ask == "" || q.Predict == "" {
			t.Errorf("%s: %+v", e.Name(), q)
		}
		if _, err := ReadFile(shipped.All(), e.Name()); err != nil {
			t.Error(err)
		}
	}
	if q := Shipped("nothing").Opened(); q.Err == nil || (sweep.Questions{q}).Validate() == nil {
		t.Errorf("%+v", q)
	}
}

// A plain sweep is read as before, and a file without scales notes it.
func TestPlainSweep(t *testing.T) {
	specs, one, err := Sweeps(shipped.All(), "../../examples/load.yaml", sweep.Full)
	if err != nil || len(specs) != 1 || !one {
		t.Fatal(specs, one, err)
	}
	want, err := sweep.ReadFile(shipped.All(), "../../examples/load.yaml")
	if err != nil || want.Name != specs[0].Name || len(want.Axes) != len(specs[0].Axes) {
		t.Errorf("%+v, want %+v, %v", specs[0], want, err)
	}
	specs, one, err = Sweeps(shipped.All(), "load.yaml", sweep.Tiny)
	if err != nil || len(specs) != 1 || one || len(specs[0].Seeds) != 3 {
		t.Error(specs, one, err)
	}
}

func BenchmarkShipped(b *testing.B) {
	for b.Loop() {
		if q := Shipped("load").Opened(); q.Err != nil {
			b.Fatal(q.Err)
		}
	}
}
