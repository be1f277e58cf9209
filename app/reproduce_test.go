package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// asked is a question of a user's own, whose answer takes a second.
const asked = `name: small
title: does consolidation pay?
question: Is a job faster where it waits for one machine?
predict: Yes.
read: Below 1 is better.
kind: simulate
vars:
  jobs: {tiny: 20, small: 30, full: 40}
base: {trace: "synth:poisson,load={load},jobs={jobs}", cluster: 2x2x8, speed: collective}
axes:
  - {name: load, values: [0.5, 0.9]}
  - {name: policy, values: [dally, fifo]}
seeds: 2
figures:
  - {kind: means, name: jct, caption: Means., metric: jct_mean_s}
  - {kind: relative, name: ratio, caption: Ratios., metric: jct_mean_s, base: dally}
tables:
  - {kind: relative, name: jct, metric: jct_mean_s, base: dally}
`

// place has a place for the table of the question small.
const place = "# Small\n\n<!-- table small/jct -->\n| old | x |\n|---|---:|\n| fifo | 1 |\n<!-- end -->\n"

// A question of one's own is swept, drawn and filled; the same command again finds nothing to do and
// nothing moved; another seed moves cells, which are named with what they were.
func TestReproduce(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	kept := "pages: [small.md]\ncsv: csv\npictures: {ratio: ratio.svg}\n" +
		"stored: {folder: kept, tables: [trials]}\n"
	write("small.yaml", asked+kept)
	write("small.md", place)
	s := good(t, dir, "reproduce", "./small.yaml", "--scale", "tiny", "--out", "tiny")
	if !strings.Contains(s.out, "tiny/tables: 0 tables the same, 1 moved") || read("small.md") != place ||
		!strings.Contains(read("tiny/tables/jct.md"), "fifo") {
		t.Errorf("tiny:\n%s\n%s", s.out, s.errors)
	}
	s = good(t, dir, "reproduce", "./small.yaml", "--jobs", "1")
	filled := read("small.md")
	for _, want := range []string{"small: does consolidation pay?", "small.md: 0 tables the same, 1 moved",
		"fifo, x: 1 -> (none)", "2 new", "ratio.svg: changed"} {
		if !strings.Contains(s.out, want) {
			t.Errorf("no %q in\n%s", want, s.out)
		}
	}
	if filled == place || !strings.Contains(read("csv/small-jct.csv"), "fifo") || read("kept/small/sweep.json") == "" ||
		read("kept/small/trials/part-0.parquet") == "" {
		t.Errorf("page:\n%s", filled)
	}
	for _, args := range [][]string{{"./small.yaml"}, {"./small.yaml", "--stored"}} {
		s = good(t, dir, append([]string{"reproduce"}, args...)...)
		if !strings.Contains(s.out, "small.md: 1 tables the same, 0 moved\npictures in runs/small/figures: 2 the "+
			"same, 0 changed, 0 new\nratio.svg: the same") || read("small.md") != filled {
			t.Errorf("%v:\n%s", args, s.out)
		}
	}
	// A table that stands on no page is a file, and is compared with what it was.
	second := strings.Replace(asked, "tables:\n", "tables:\n  - {kind: means, name: apart, metric: jct_mean_s}\n", 1)
	write("small.yaml", second+kept)
	s = good(t, dir, "reproduce", "./small.yaml", "--stored")
	if !strings.Contains(s.out, "csv: 0 tables the same, 1 moved\n  small/apart is new") ||
		!strings.Contains(read("csv/small-apart.csv"), "fifo") || read("csv/notes/small.csv") != "table,note\n" {
		t.Errorf("%s", s.out)
	}
	if s = good(t, dir, "reproduce", "./small.yaml", "--stored"); !strings.Contains(s.out, "csv: 1 tables the same") {
		t.Errorf("%s", s.out)
	}
	write("small.yaml", strings.Replace(second+kept, "pages: [small.md]\n", "", 1))
	if s = good(t, dir, "reproduce", "./small.yaml", "--stored"); !strings.Contains(s.out, "csv: 2 tables the same") {
		t.Errorf("without a page:\n%s", s.out)
	}
	write("small.yaml", strings.Replace(asked, "full: 40", "full: 50", 1)+kept)
	s = good(t, dir, "reproduce", "./small.yaml", "--out", "other")
	if !strings.Contains(s.out, "small/jct: 2 of 4 cells moved, most by ") || !strings.Contains(s.out, "fifo, 0.5: ") {
		t.Errorf("%s", s.out)
	}
}

// What is wrong is reported before anything runs.
func TestReproduceOfBadInput(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"small.yaml": asked, "bad.yaml": strings.Replace(asked, "axes:",
		"axis:", 1), "nopage.yaml": asked + "pages: [none.md]\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(dir, "docs", "results"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"docs/results/predictors.md"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"", 2, "tarry: no question, expected a QUESTION of tarry list questions, a file, or --stored"},
		{"laod", 2, `did you mean "load"?`},
		{"load --scale tinny", 2, `tarry: --scale: "tinny", expected one of tiny, small, full; did you mean "tiny"?`},
		{"load --stored", 2, "tarry: --stored: rows of question load are not stored, expected one of "},
		{"order --stored --scale tiny", 2, "--stored: stored rows are of scale full, and --scale is tiny"},
		{"./none.yaml", 2, "tarry: open ./none.yaml: no such file or directory"},
		{"./bad.yaml", 2, `unknown field "axis", expected one of`},
		{"./nopage.yaml", 2, "none.md: no such file or directory: a question fills its pages in the folder of " +
			"the project"},
		{"order --stored", 2, "docs/results/order.md: no such file or directory"},
		{"./small.yaml --engine fast --scale tiny", 2, `engine "fast": unknown`},
		{"predictors", 1, "data of the question: "},
		{"predictors --data", 1, "data of the question: "},
	} {
		t.Setenv("TARRY_SHARED", filepath.Join(dir, "nowhere"))
		s := tarry(t, dir, append([]string{"reproduce"}, strings.Fields(c.args)...)...)
		if s.code != c.code || !strings.Contains(s.errors, c.want) {
			t.Errorf("reproduce %s: exit code %d, %q, want %d, %q", c.args, s.code, s.errors, c.code, c.want)
		}
	}
	if s := good(t, dir, "reproduce", "load", "--print"); !strings.Contains(s.out, "\nname: load\n") {
		t.Error(s.out)
	}
}
