package digest

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tarry/catalogue/shipped"
	"tarry/experiments/sweep"
	"tarry/output/results"
)

// crossed plans the sweep of the fault: load x racks x restore cost x policy, three seeds.
func crossed(t *testing.T, racks ...string) *sweep.Data {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "crossed")
	axes := []sweep.Axis{
		{Name: "load", Values: []string{"0.5", "0.7", "0.9"}},
		{Name: "racks", Values: racks},
		{Name: "costs.restore_s", Values: []string{"0", "30"}},
		{Name: "policy", Values: []string{"dally", "fifo"}},
	}
	spec := sweep.Spec{Name: "x", Kind: "simulate", Base: sweep.Settings{"trace": "synth:demo,load={load}",
		"cluster": "{racks}x2x8"}, Axes: axes, Seeds: sweep.FirstSeeds(3)}
	if _, err := sweep.Plan(shipped.All(), dir, spec, "test", false); err != nil {
		t.Fatal(err)
	}
	d, err := sweep.OpenData(dir)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// hours is the mean completion time that a cell measured: the seed adds itself, racks and restore
// cost much more.
func hours(c *sweep.Cell) float64 {
	at := func(axis string, of map[string]float64) float64 { return of[c.Axes[axis]] }
	return at("load", map[string]float64{"0.5": 10, "0.7": 20, "0.9": 30}) +
		at("policy", map[string]float64{"dally": 0, "fifo": 5}) +
		100*at("racks", map[string]float64{"2": 0, "4": 1, "8": 4}) +
		1000*at("costs.restore_s", map[string]float64{"0": 0, "30": 1}) + float64(c.Seed)
}

// studentHalf is half of the same interval on a scale of numbers that may be below 0, as returns
// are.
var studentHalf = 4.302652729749464 / math.Sqrt(3)

// studentAt reports whether bounds are those on the logarithm of Student's 95 % interval of three
// numbers with such a mean and a deviation of 1, by hand: 4.302652729749464 is the quantile at 2
// degrees of freedom.
func studentAt(mean, lo, hi float64) bool {
	factor := math.Exp(4.302652729749464 / math.Sqrt(3) / mean)
	return math.Abs(lo-mean/factor) < 1e-6 && math.Abs(hi-mean*factor) < 1e-6
}

// A table never takes another axis for repetitions: its unit is the seed, its number there the mean
// over racks and restore.
func TestOtherAxesAreNoUnits(t *testing.T) {
	d := crossed(t, "2", "4")
	table, err := Collect(d, rows(d, hours), Layout{X: "load", Series: "policy", Metric: jct(t)})
	if err != nil {
		t.Fatal(err)
	}
	if got := namesOf(table.Averaged); got != "racks (2, 4), costs.restore_s (0, 30)" {
		t.Errorf("averaged over %s", got)
	}
	s := table.Means()
	for i, load := range []float64{10, 20, 30} {
		want := load + 50 + 500 + 2 // racks 0 or 100, restore 0 or 1000, seeds 1 to 3
		if math.Abs(s[0].Y[i]-want) > 1e-9 || !studentAt(want, s[0].Lo[i], s[0].Hi[i]) || s[0].N[i] != 3 {
			t.Errorf("load %d: %v [%v, %v] of %d, want %v of 3 seeds", i, s[0].Y[i], s[0].Lo[i], s[0].Hi[i], s[0].N[i],
				want)
		}
	}
	r, err := table.Relative("dally")
	if err != nil {
		t.Fatal(err)
	}
	if want := 100 * 5 / 562.0; math.Abs(r[1].Y[0]-want) > 1e-9 || r[1].Hi[0]-r[1].Lo[0] > 0.01 {
		t.Errorf("fifo against dally: %v [%v, %v] %%, want %v with seeds alone in the interval", r[1].Y[0], r[1].Lo[0],
			r[1].Hi[0], want)
	}
}

// In a figure they are panels, each with the interval over its seeds, and columns of the data.
func TestOtherAxesAreFacets(t *testing.T) {
	d := crossed(t, "2", "4")
	b := NewBook(d, rows(d, hours))
	b.Means("m", "Means.", "load", "policy", "jct_mean_s", "load")
	b.Relative("r", "Ratios.", "load", "policy", "jct_mean_s", "dally", "load")
	figures, err := b.Figures()
	if err != nil {
		t.Fatal(err)
	}
	f := figures[0]
	if got := strings.Join(f.Header, " "); got != "racks costs.restore_s series x y lo hi n" || len(f.Rows) != 2*2*2*3 {
		t.Fatalf("columns %s, %d rows", got, len(f.Rows))
	}
	for _, r := range f.Rows {
		want := map[string]float64{"2": 0, "4": 100}[r[0]] + map[string]float64{"0": 0, "30": 1000}[r[1]] +
			map[string]float64{"dally": 0, "fifo": 5}[r[2]] +
			map[string]float64{"0.5": 10, "0.7": 20, "0.9": 30}[r[3]] + 2
		if y, lo, hi := parse(t, r[4]), parse(t, r[5]), parse(t, r[6]); math.Abs(y-want) > 1e-9 ||
			!studentAt(want, lo, hi) || r[7] != "3" {
			t.Errorf("row %v, want %v of 3", r, want)
		}
	}
	if want := "Means. Means with Student's 95 % intervals on the logarithm over n=3 seeds. Of so few, intervals of " +
		"skewed numbers hold less than 95 %."; f.Caption != want {
		t.Errorf("caption %q, want %q", f.Caption, want)
	}
	if want := "Ratios. Ratios of means in pairs, Student's 95 % intervals of their logarithms over " +
		"n=3 seeds."; figures[1].Caption != want {
		t.Errorf("caption %q, want %q", figures[1].Caption, want)
	}
	for _, format := range []string{"png", "svg", "pdf"} {
		if _, err := f.Render(format); err != nil {
			t.Errorf("%s: %v", format, err)
		}
	}
}

// Where there would be too many panels a figure averages, and notes it in its caption and its data;
// a unit that lacks a combination is left out.
func TestAverageIsSaid(t *testing.T) {
	many := []string{"2", "4", "8"}
	for i := range 10 {
		many = append(many, fmt.Sprint(10+i))
	}
	d := crossed(t, many...)
	all := slices.DeleteFunc(rows(d, hours), func(r results.Trial) bool {
		return strings.Contains(r.Cell, "load=0.5/racks=8/") && strings.Contains(r.Cell, "seed=3")
	})
	b := NewBook(d, all)
	b.Means("m", "Means.", "load", "policy", "jct_mean_s", "load")
	figures, err := b.Figures()
	if err != nil {
		t.Fatal(err)
	}
	f := figures[0]
	over := strings.Join(many, "|")
	if got := strings.Join(f.Header, " "); got != "averaged_over_racks costs.restore_s series x y lo hi n" ||
		f.Rows[0][0] != over {
		t.Errorf("columns %s, first row %v", got, f.Rows[0])
	}
	if !strings.Contains(f.Caption, "n=2 to 3 seeds. Of so few, intervals of skewed numbers hold less than 95 %. 4 "+
		"seeds without all values of the averaged axes are left out. Averaged over racks="+over+" within each unit; "+
		"--where racks=2 shows one.") {
		t.Errorf("caption %q", f.Caption)
	}
	if r := f.Rows[0]; r[3] != "0.5" || r[7] != "2" {
		t.Errorf("%v, want two complete seeds", r)
	}
}

// So does a table of a page.
func TestPagesSayAverages(t *testing.T) {
	d := crossed(t, "2", "4")
	p := Pages{Book: NewBook(d, rows(d, hours)), X: "load", Series: "policy", Base: "dally"}
	for name, table := range map[string]func() (string, error){
		"means":    func() (string, error) { return p.Means("jct_mean_s", 1) },
		"relative": func() (string, error) { return p.Relative("jct_mean_s") },
		"summary":  func() (string, error) { return p.Summary("jct_mean_s") },
	} {
		text, err := table()
		if err != nil || !strings.HasSuffix(text, "|\n\nAveraged over racks (2, 4), costs.restore_s (0, 30), within "+
			"each unit.\n") {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
	}
}

// A choice leaves one value, and the figure is the smaller sweep's.
func TestWhereChooses(t *testing.T) {
	d := crossed(t, "2", "4")
	if err := d.Where("racks=4", "costs.restore_s=30"); err != nil {
		t.Fatal(err)
	}
	b := NewBook(d, rows(d, hours))
	b.Means("m", "Means.", "load", "policy", "jct_mean_s", "load")
	figures, err := b.Figures()
	if err != nil {
		t.Fatal(err)
	}
	if f := figures[0]; strings.Join(f.Header, " ") != "series x y lo hi n" ||
		math.Abs(parse(t, f.Rows[0][2])-1112) > 1e-9 {
		t.Errorf("%v %v", f.Header, f.Rows[0])
	}
}

// Learning curves are averaged over seeds alone, too.
func TestCurvesOfOtherAxes(t *testing.T) {
	d := crossed(t, "2", "4")
	var all []results.Curve
	for _, r := range rows(d, hours) {
		for step := range 3 {
			all = append(all, results.Curve{Keys: r.Keys, EnvSteps: int64(step), ReturnMean: r.JCTMean / 3600})
		}
	}
	b := NewBook(d, nil)
	b.Curves("c", "Curves.", "policy", "return", all, func(c *sweep.Cell) bool { return c.Axes["load"] == "0.5" },
		func(r *results.Curve) float64 { return r.ReturnMean })
	figures, err := b.Figures()
	if err != nil {
		t.Fatal(err)
	}
	f := figures[0]
	if got := strings.Join(f.Header, " "); got != "racks costs.restore_s series x y lo hi n" {
		t.Fatalf("columns %s", got)
	}
	r := f.Rows[0] // racks 2, restore 0, dally, step 0
	if y, hi := parse(t, r[4]), parse(t, r[6]); y != 12 || math.Abs(hi-12-studentHalf) > 1e-6 || r[7] != "3" {
		t.Errorf("%v, want 12 +- %v of 3 seeds", r, studentHalf)
	}
	if r := f.Rows[3]; r[2] != "dally seed 1" || r[4] != "11" {
		t.Errorf("%v, want the hairline of seed 1", r)
	}
}

func parse(t *testing.T, text string) float64 {
	t.Helper()
	var v float64
	if _, err := fmt.Sscan(text, &v); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return v
}
