package cost

import (
	"context"
	"encoding/csv"
	"flag"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"tarry/catalogue/schedulers"
	"tarry/catalogue/simulation"
)

var update = flag.Bool("update", false, "write the tables of docs/reference/cost.md")

const (
	costCSV   = "../../docs/cost.csv"
	growthCSV = "../../docs/cost-growth.csv"
	costPage  = "../../docs/reference/cost.md"
	// base is the scheduler that costs are multiples of.
	base = "dally"
)

func runs(t *testing.T, path string) []Run {
	t.Helper()
	out, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Every scheduler of the catalogue has one row of docs/cost.csv, and the file has no other.
func TestEverySchedulerIsMeasured(t *testing.T) {
	var names, measured []string
	for _, e := range schedulers.All() {
		names = append(names, e.Name)
	}
	for _, r := range runs(t, costCSV) {
		measured = append(measured, r.Scheduler)
		if r.GPUs != 512 || r.Jobs != 82247 {
			t.Errorf("%s: %s has %d jobs on %d GPUs, expected Philly's 82247 on 512", costCSV, r.Scheduler, r.Jobs, r.GPUs)
		}
	}
	if !slices.Equal(measured, names) {
		t.Errorf("%s has rows of\n%v, expected\n%v: make cost ONLY=NAME", costCSV, measured, names)
	}
}

// Every scheduler of the table of growth has a row for each size of docs/cost-growth.csv.
func TestEveryOrderGrows(t *testing.T) {
	sizes := map[string][]int{}
	all := runs(t, growthCSV)
	for _, r := range all {
		sizes[r.Scheduler] = append(sizes[r.Scheduler], r.GPUs)
	}
	for _, name := range Growing() {
		if want := []int{512, 5120, 80000}; !slices.Equal(sizes[name], want) {
			t.Errorf("%s: %s has rows for %v GPUs, expected %v: make growth ONLY=%s", growthCSV, name, sizes[name], want, name)
		}
		delete(sizes, name)
	}
	for name := range sizes {
		t.Errorf("%s: %s is not in the table of growth", growthCSV, name)
	}
}

// cells reads the rows of a file of text, its head first.
func cells(t *testing.T, path string) [][]string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) < 2 {
		t.Fatalf("%s: %d rows, %v", path, len(rows), err)
	}
	return rows
}

// cellTable gives the Markdown table of such a file; a name of a scheduler is code.
func cellTable(t *testing.T, path string) string {
	t.Helper()
	var b strings.Builder
	for i, row := range cells(t, path) {
		if i > 0 && !strings.Contains(row[0], "`") {
			row[0] = "`" + row[0] + "`"
		}
		b.WriteString("| " + strings.Join(row, " | ") + " |\n")
		if i == 0 {
			b.WriteString(strings.Repeat("|---", len(row)) + "|\n")
		}
	}
	return b.String()
}

// TestPage holds the tables of docs/reference/cost.md against their files; -update writes them.
func TestPage(t *testing.T) {
	page, err := os.ReadFile(costPage)
	if err != nil {
		t.Fatal(err)
	}
	want := string(page)
	for name, table := range map[string]string{
		"cost/philly": Table(runs(t, costCSV), base), "cost/growth": GrowthTable(runs(t, growthCSV)),
		"cost/reasons": cellTable(t, reasonsCSV), "cost/decisions": cellTable(t, "../../docs/cost-decisions.csv"),
	} {
		place := regexp.MustCompile(`(?s)<!-- table ` + name + ` -->\n.*?<!-- end -->`)
		if !place.MatchString(want) {
			t.Fatalf("%s has no place for the table %s", costPage, name)
		}
		want = place.ReplaceAllLiteralString(want, "<!-- table "+name+" -->\n"+table+"<!-- end -->")
	}
	switch {
	case want == string(page):
	case *update:
		if err := os.WriteFile(costPage, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s is not what %s, %s and the files beside them have: make cost or make growth", costPage, costCSV,
			growthCSV)
	}
}

// Tables name who did not end, count by jobs that ended, and put the cheapest first.
func TestTables(t *testing.T) {
	got := Table([]Run{{"slow", 512, 100, 40, 12}, {"dally", 512, 100, 100, 0.5}, {"fifo", 512, 100, 100, 0.25}}, base)
	want := "| scheduler | CPU-s | x `dally` | jobs done |\n|---|---|---|---|\n| `fifo` | 0.25 | 0.5 | all |\n" +
		"| `dally` | 0.50 | 1.0 | all |\n| `slow` | > 12.00 | > 24.0 | 40 of 100 |\n"
	if got != want {
		t.Errorf("costs:\n%s\nexpected\n%s", got, want)
	}
	got = GrowthTable([]Run{{"las", 100, 1000, 1000, 0.001}, {"las", 10000, 4000, 2000, 0.02}})
	want = "| scheduler | us per job, 100 GPUs | us per job, 10000 GPUs | power of GPUs | CPU-s on the largest " +
		"| jobs done |\n" +
		"|---|---|---|---|---|---|\n| `las` | 1.0 | > 10.0 | 0.50 | > 0.0 | 2000 of 4000 |\n"
	if got != want {
		t.Errorf("growth:\n%s\nexpected\n%s", got, want)
	}
}

// What is written is read back, and what is no file of rows is refused with its line.
func TestReadWrite(t *testing.T) {
	path := t.TempDir() + "/cost.csv"
	all := []Run{{"fifo", 512, 100, 100, 0.25}, {"las", 512, 100, 40, 12}}
	if err := Write(path, all); err != nil {
		t.Fatal(err)
	}
	if got := runs(t, path); !slices.Equal(got, all) {
		t.Errorf("read %v, expected %v", got, all)
	}
	for text, want := range map[string]string{
		"scheduler,gpus\n": "the head is not",
		"scheduler,gpus,jobs,done,cpu_s\nfifo,512,many,1,1\n": `line 2: jobs is "many"`,
		"scheduler,gpus,jobs,done,cpu_s\nfifo,512,1,1,NaN\n":  `line 2: cpu_s is "NaN"`,
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, expected %s", text, err, want)
		}
	}
}

// TestChild is the process that TestMeasure starts.
func TestChild(t *testing.T) {
	c := Case{Scheduler: os.Getenv("TARRY_COST_SCHEDULER"), Trace: os.Getenv("TARRY_COST_TRACE"), Cluster: "1x8x8"}
	if c.Scheduler == "" {
		t.Skip("a process of TestMeasure")
	}
	if err := Child(context.Background(), simulation.All(), c, 2, time.Tick(20*time.Millisecond), os.Stdout); err != nil {
		os.Stderr.WriteString(err.Error())
		os.Exit(1)
	}
	os.Exit(0)
}

// A run that ends has all its jobs, one at its limit the jobs that ended before, and a fault of its
// case is an error.
func TestMeasure(t *testing.T) {
	measure := func(scheduler, trace string) (Run, error) {
		t.Setenv("TARRY_COST_SCHEDULER", scheduler)
		t.Setenv("TARRY_COST_TRACE", trace)
		return Measure(context.Background(), scheduler, 2, os.Args[0], "-test.run=^TestChild$")
	}
	r, err := measure("fifo", "synth:philly,jobs=500,gpus=64,load=0.9")
	if err != nil || !r.Ended() || r.Jobs != 500 || r.GPUs != 64 || r.Seconds <= 0 {
		t.Errorf("fifo: %+v, %v, expected 500 jobs on 64 GPUs", r, err)
	}
	r, err = measure("gandiva:quantum=1", "synth:philly,jobs=20000,gpus=64,load=2")
	if err != nil || r.Ended() || r.Jobs != 20000 || r.Seconds < 1 {
		t.Errorf("gandiva: %+v, %v, expected the limit of 2 s", r, err)
	}
	if _, err = measure("nothing", "synth:philly,jobs=500"); err == nil || !strings.Contains(err.Error(), "nothing") {
		t.Errorf("an unknown scheduler: error %v", err)
	}
}
