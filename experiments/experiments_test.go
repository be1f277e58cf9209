package experiments

import (
	"context"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	catalogue "tarry/catalogue/questions"
	"tarry/catalogue/shipped"
	"tarry/experiments/questions"
	"tarry/experiments/sweep"
	"tarry/internal/effort"
)

// run plans a sweep in a folder, runs its cells and gathers their tables.
func run(t *testing.T, dir string, s sweep.Spec) {
	t.Helper()
	f, err := sweep.Plan(shipped.All(), dir, s, "test", false)
	if err != nil {
		t.Fatal(err)
	}
	for i := range f.Len() {
		if err := f.Work(context.Background(), i, sweep.WorkOptions{Version: "test"}); err != nil {
			t.Fatalf("cell %s: %v", f.ID(i), err)
		}
	}
	if _, err := f.Gather(context.Background(), "test"); err != nil {
		t.Fatal(err)
	}
}

// Every question runs at the smallest scale, and its figures have the rows that they show. With
// TARRY_FIGURES they are kept there, to be looked at. The notebooks then run on the same tables:
// sweeping all questions takes a minute of processor time.
func TestQuestionsEndToEnd(t *testing.T) {
	runs := t.TempDir()
	// Thousands of cells with little memory each: a fifth of the time is the collector's otherwise.
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	t.Run("sweeps", func(t *testing.T) {
		for _, q := range catalogue.All().Opened() {
			t.Run(q.Name, func(t *testing.T) {
				if testing.Short() && q.Specs(sweep.Tiny)[0].Kind == "learn" {
					t.Skip("trains agents")
				}
				t.Parallel()
				endToEnd(t, q, filepath.Join(runs, q.Name))
			})
		}
	})
	t.Run("notebooks", func(t *testing.T) {
		if testing.Short() {
			t.Skip("the notebooks read tables of trained agents as well")
		}
		notebooksRun(t, runs)
	})
}

// endToEnd sweeps a question into a folder laid out as "tarry sweep --question" does it, and checks
// its figures and tables.
func endToEnd(t *testing.T, q sweep.Question, root string) {
	t.Helper()
	specs := q.Specs(sweep.Tiny)
	var dirs []string
	for _, s := range specs {
		dir := root
		if len(specs) > 1 {
			dir = filepath.Join(root, s.Name)
		}
		run(t, dir, s)
		dirs = append(dirs, dir)
	}
	d, err := sweep.OpenData(dirs...)
	if err != nil {
		t.Fatal(err)
	}
	figures, err := q.Figures(context.Background(), d)
	if err != nil {
		t.Fatal(err)
	}
	checkFigures(t, q.Name, t.TempDir(), figures)
	golden(t, filepath.Join("testdata", "figures", q.Name+".txt"), figuresOf(figures))
	checkTables(t, q, d)
}

// checkTables makes the tables of a question's page, each with a row or more below its head.
func checkTables(t *testing.T, q sweep.Question, d *sweep.Data) {
	t.Helper()
	if q.Tables == nil {
		return
	}
	tables, err := q.Tables(context.Background(), d)
	if err != nil {
		t.Error(err)
	}
	keep(t, q.Name, tables)
	for name, text := range tables {
		if strings.Count(text, "\n") < 3 {
			t.Errorf("table %s:\n%s", name, text)
		}
	}
}

func checkFigures(t *testing.T, question, root string, figures []sweep.Figure) {
	t.Helper()
	if len(figures) < 2 {
		t.Errorf("%d figures, want two or more", len(figures))
	}
	if to := os.Getenv("TARRY_FIGURES"); to != "" {
		root = filepath.Join(to, question)
	}
	names := map[string]bool{}
	defer func() {
		for _, want := range map[string][]string{"paper": {"profile", "timeline_dally", "jct_cdf_batch"},
			"learned": {"profile"}, "timers": {"jct_slow_network"}}[question] {
			if !names[want] {
				t.Errorf("no figure %s", want)
			}
		}
	}()
	drawn := effort.Of(t, 1, len(figures)) // in every format; the others as SVG alone, a quarter of the time
	if os.Getenv("TARRY_FIGURES") != "" {
		drawn = len(figures)
	}
	for i, f := range figures {
		if names[f.Name] {
			t.Errorf("two figures are called %s", f.Name)
		}
		names[f.Name] = true
		if f.Caption == "" || len(f.Rows) == 0 {
			t.Errorf("%s: caption %q, %d rows of data", f.Name, f.Caption, len(f.Rows))
		}
		high := 3.5
		if f.Listed() > 0 { // rows may take a page
			high = 9
		}
		if f.Width > 3.5 || f.Height > high {
			t.Errorf("%s: %v by %v inches, want one column", f.Name, f.Width, f.Height)
		}
		if i >= drawn {
			if _, err := f.Render("svg"); err != nil {
				t.Errorf("%s: %v", f.Name, err)
			}
			continue
		}
		if err := f.Save(root, f.Name); err != nil {
			t.Error(err)
		}
	}
}

// At every scale the cells can be spelled out, and the larger scales have more of them.
func TestScales(t *testing.T) {
	for _, q := range catalogue.All().Opened() {
		was := 0
		for _, scale := range sweep.Scales() {
			n := 0
			for _, s := range q.Specs(scale) {
				cells, err := s.Cells(shipped.All())
				if err != nil {
					t.Errorf("%s, %s: %v", q.Name, scale, err)
				}
				n += len(cells)
			}
			if n <= was {
				t.Errorf("%s, %s: %d cells, the smaller scale has %d", q.Name, scale, n, was)
			}
			was = n
		}
	}
}

// Every question states what is asked, what was expected and how to read the answer, and its file,
// or the comment of its package, the commands that run it.
func TestQuestionsSayWhatTheyAsk(t *testing.T) {
	for _, q := range catalogue.All().Opened() {
		text, ok := questions.Text(q.Name)
		if !ok {
			f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(q.Name, "doc.go"), nil, parser.ParseComments)
			if err != nil {
				t.Error(err)
				continue
			}
			text = f.Doc.Text()
		}
		for _, want := range []string{"tarry sweep --question " + q.Name + " --scale small --out runs/" + q.Name,
			"tarry figures runs/" + q.Name} {
			if !strings.Contains(text, want) {
				t.Errorf("%s does not say %q", q.Name, want)
			}
		}
		if q.Title == "" || q.Ask == "" || q.Predict == "" || q.Read == "" {
			t.Errorf("%s: something is not said: %+v", q.Name, q)
		}
	}
}

func TestFindNamesWhatWasMeant(t *testing.T) {
	if _, err := catalogue.All().Find("timer"); err == nil || !strings.Contains(err.Error(), `did you mean "timers"?`) {
		t.Errorf("%v, want a hint", err)
	}
	if q, err := catalogue.All().Find("paper"); err != nil || q.Name != "paper" {
		t.Errorf("%v, %v", q.Name, err)
	}
}

// The file of the recorded lists has the axes that the figures of the question paper are drawn
// over, and its cases are every list, size and network once. Running it needs data beside the
// project.
func TestRecordedLists(t *testing.T) {
	s, err := sweep.ReadFile(shipped.All(), "../examples/paper-lists.yaml")
	if err != nil {
		t.Fatal(err)
	}
	q, err := catalogue.All().Find("paper")
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range q.Specs(sweep.Tiny)[0].Axes {
		if s.Axes[i].Name != a.Name {
			t.Errorf("axis %s, want %s", s.Axes[i].Name, a.Name)
		}
	}
	seen := map[string]string{}
	for _, c := range s.Axes[0].Cases {
		full := map[string]any{}
		for _, from := range []sweep.Settings{s.Base, c.Set} {
			for k, v := range from {
				full[k] = v
			}
		}
		key := fmt.Sprint(full["trace"], full["cluster"], full["speed"])
		if was, twice := seen[key]; twice {
			t.Errorf("%s and %s are the same setting", was, c.Name)
		}
		seen[key] = c.Name
		for word, in := range map[string]string{"batch": "0start0arrival", "week": "poisson_1proc-week",
			"128": "2x8x8", "512": "8x8x8", "busy": "contended"} {
			if strings.Contains(c.Name, word) != strings.Contains(key, in) {
				t.Errorf("%s is %s", c.Name, key)
			}
		}
	}
	if len(seen) != 8 {
		t.Errorf("%d settings, want 8", len(seen))
	}
}
