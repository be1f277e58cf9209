package results

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite docs/reference/tables.md")

// described is a table of the data dictionary.
type described struct {
	row         Row
	shared      string // the columns that it shares with others, by embedded struct
	what, where string
}

func dictionary() []described {
	return []described{
		{Trial{}, "", "one run of one policy on one workload", "`simulate`, `compare`, sweeps"},
		{Eval{}, "Summary", "one agent, tuned scheduler or baseline on one held-out window",
			"`eval`, sweeps that learn or tune"},
		{Job{}, "", "one job of one trial", "`simulate`, `compare`, `eval`, sweeps"},
		{Interval{}, "", "one allocation: one job on one set of GPUs",
			"`simulate`, `compare`, `eval`; in sweeps below each cell"},
		{Sample{}, "", "the state of the cluster from a time on, until the next row", "as `intervals`"},
		{Prediction{}, "", "how well the predictor of a trial foretold run times, at the submit of each job",
			"`simulate` and `compare` with `--predict`, sweeps of such runs"},
		{Measure{}, "", "one number about a trial: deadlines, fairness among tenants, what a policy states of itself",
			"`simulate` and `compare` with deadlines, `--tenants` or such a policy, sweeps of such runs; else " +
				"there is none"},
		{Curve{}, "", "one training update", "`train`, sweeps that learn"},
		{Tune{}, "", "one point that an optimiser measured", "`tune`, sweeps that tune"},
		{Timing{}, "", "wall time of one trial; the only table that differs between runs of the same configuration",
			"`--timing`"},
	}
}

const dictionaryHead = `# The tables

<!-- generated: make dictionary -->

Every command with ` + "`--out`" + ` writes Parquet, a folder per table; ` + "`pandas.read_parquet(OUT + \"/trials\")`" + ` reads one. This page is made from the
schema (` + "`make dictionary`" + `), and the same words are in each file:

` + "```python" + `
pyarrow.parquet.read_schema(file).field("jct_s").metadata  # unit, description, missing
` + "```" + `

- **Missing values.** No column is nullable. A missing number is NaN, a missing text is empty, a missing integer is -1. The column *missing* states what
  stands for what; without an entry a value is always there. A count of 0 is a count.
- **Units** are last in a name: ` + "`_s`" + ` seconds of simulated time, ` + "`_frac`" + ` a share of 1. A ratio has no unit.
- **Files of earlier versions** lack some columns. tarry reads them, with missing values.
- **Statistics.** Each row group has the bounds of each column and its count of nulls (0). NaN is no bound. Texts beyond 1024 bytes have none.

## How a job's time adds up

` + "`jct_s = queue_s + run_s + overhead_s`" + `, to the microsecond, and ` + "`run_s = compute_s + comm_s`" + `. ` + "`lost_s`" + ` is the part of ` + "`run_s`" + ` that a fault
undid, back to the last checkpoint: the job did that work again. With ` + "`costs.kill`" + ` it holds what preemptions undid, too; the table ` + "`measures`" + ` has
that alone (` + "`killed_mean_s`" + `). ` + "`run_s - lost_s`" + ` is the running time that counts. The means of ` + "`trials`" + ` add up as
well, up to the last digits.

## How a job ends

| outcome | meaning |
|---|---|
| finished | all its work is done |
| unfinished | the run ended before (` + "`--until`" + `), or before the job came |
| refused | the cluster can never hold it: its least number of GPUs is more than the cluster has of its type, or than its machines have CPU and memory for. Refused when it comes |
| rejected | the policy's own admission turned it away; its times until then count, and a job that waits may be turned away after it ran |

` + "`jobs = finished + unfinished + refused + rejected`" + `. Jobs that a trace reader left out (` + "`tarry trace info`" + ` counts them) are not in the workload and in no table.
Means and quantiles are over finished jobs. Two rows with the same ` + "`workload_sha256`" + ` compare the same jobs when ` + "`finished`" + ` and ` + "`finished_set`" + ` are the
same; else compare the jobs that both finished, as ` + "`tarry compare`" + ` and ` + "`tarry eval`" + ` do.

## Axes of a sweep

The tables that a sweep gathers have a column per axis, ` + "`axis_NAME`" + `, and ` + "`axis_seed`" + `, the cell's seed. In the name, everything but ASCII letters,
digits and ` + "`_`" + ` becomes ` + "`_`" + `; names that are then the same (capitals are not distinguished) get ` + "`_2`, `_3`" + `, ... in the order of the axes. The type follows from all
values of the axis: integer, number (double) or text. Values that are the same number in different spelling (1 and 1.0) make it text.
`

// TestDictionary holds docs/reference/tables.md against the schema.
func TestDictionary(t *testing.T) {
	var b strings.Builder
	b.WriteString(dictionaryHead)
	table(t, &b, "Columns of every table", "They name the trial of a row.", Keys{})
	for _, d := range dictionary() {
		table(t, &b, "`"+d.row.Table()+"`", fmt.Sprintf("A row is %s. Written by %s.", d.what, d.where), d.row)
		if d.shared != "" {
			fmt.Fprintf(&b, "\nAnd the columns of `trials`.\n")
		}
	}
	path := filepath.Join("..", "..", "docs", "reference", "tables.md")
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != b.String() {
		t.Error("docs/reference/tables.md is not what the schema says: make dictionary writes it anew")
	}
}

// table describes the columns that a row struct has of its own: not the columns of Keys, nor, where
// it is embedded beside others, of Summary.
func table(t *testing.T, b *strings.Builder, title, text string, row any) {
	t.Helper()
	cols, errs := appendColumns(nil, reflect.TypeOf(row), nil)
	if errs != nil {
		t.Fatal(errs)
	}
	shared := map[string]bool{}
	note := func(of any) {
		more, _ := appendColumns(nil, reflect.TypeOf(of), nil)
		for _, c := range more {
			shared[c.name] = true
		}
	}
	switch row.(type) {
	case Keys:
	case Eval:
		note(Keys{})
		note(Summary{})
	default:
		note(Keys{})
	}
	fmt.Fprintf(b, "\n## %s\n\n%s\n\n| column | type | unit | meaning | missing |\n|---|---|---|---|---|\n", title,
		text)
	for _, c := range cols {
		if shared[c.name] {
			continue
		}
		kind := map[reflect.Kind]string{reflect.Float64: "double", reflect.String: "text"}[c.kind]
		if kind == "" {
			kind = "integer"
		}
		fmt.Fprintf(b, "| `%s` | %s | %s | %s | %s |\n", c.name, kind, c.unit, c.doc, c.none)
	}
}

// Every column states what it is, in which unit, and what a missing value stands for where its type
// has one that is used.
func TestEveryColumnIsDescribed(t *testing.T) {
	for _, d := range dictionary() {
		cols, errs := appendColumns(nil, reflect.TypeOf(d.row), nil)
		if errs != nil || !isTable(d.row.Table()) {
			t.Fatal(errs)
		}
		for _, c := range cols {
			at := d.row.Table() + "." + c.name
			missing, _, _ := strings.Cut(c.none, ":")
			want := map[reflect.Kind]string{reflect.Float64: "NaN", reflect.String: "empty"}[c.kind]
			if want == "" {
				want = "-1"
			}
			switch {
			case c.doc == "" || c.unit == "":
				t.Errorf("%s has no meaning or no unit", at)
			case c.none != "" && missing != want:
				t.Errorf("%s: missing is %q, expected %s: reason", at, c.none, want)
			case c.later && c.none == "":
				t.Errorf("%s is a later column and does not say what a missing value stands for", at)
			case strings.ContainsAny(c.doc+c.none, "|\n") || len(c.doc) > 200:
				t.Errorf("%s is described by %q, expected a line of a table", at, c.doc)
			}
			unit, timed := strings.CutSuffix(c.name, "_s")
			if timed && c.unit != "s" && !strings.HasSuffix(unit, "_per") {
				t.Errorf("%s is in %q, its name says seconds", at, c.unit)
			}
		}
	}
}
