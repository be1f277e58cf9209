package dictionary

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite docs/reference/tables.md")

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
	table(&b, "Columns of every table", "They are the keys, and name the trial of a row.", Keys())
	for _, d := range Tables() {
		table(&b, "`"+d.Name+"`", fmt.Sprintf("A row is %s. Written by %s. %s", d.What, d.Where, named(d.By)),
			d.Columns)
		if d.Name == "evals" {
			fmt.Fprintf(&b, "\nAnd the columns of `trials`.\n")
		}
	}
	for _, d := range Tables() {
		for _, name := range d.By {
			if !slices.ContainsFunc(d.Columns, func(c Column) bool { return c.Name == name }) {
				t.Errorf("rows of %s have the key %s, which is no column", d.Name, name)
			}
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

// named states which columns name a row.
func named(by []string) string {
	if by == nil {
		return "The keys name a row."
	}
	return "The keys and `" + strings.Join(by, "`, `") + "` name a row."
}

// table describes the columns that a table has of its own.
func table(b *strings.Builder, title, text string, columns []Column) {
	fmt.Fprintf(b, "\n## %s\n\n%s\n\n| column | type | unit | meaning | missing |\n|---|---|---|---|---|\n", title,
		text)
	for _, c := range columns {
		if c.Shared == "" {
			fmt.Fprintf(b, "| `%s` | %s | %s | %s | %s |\n", c.Name, c.Type, c.Unit, c.Doc, c.Missing)
		}
	}
}
