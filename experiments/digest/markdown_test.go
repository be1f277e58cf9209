package digest

import (
	"math"
	"strings"
	"testing"

	"tarry/experiments/sweep"
)

func TestFill(t *testing.T) {
	page := "a\n<!-- table q/x -->\nold\n<!-- end -->\nb <!-- table q/y --><!-- end --> c <!-- table other/x " +
		"-->kept<!-- end -->\n"
	tables := map[string]string{"x": "| 1 |\n", "y": "| 2 |\n"}
	fill := func(page string) (string, error) {
		out, err := Fill([]string{page}, "q", tables, false)
		return strings.Join(out, ""), err
	}
	got, err := fill(page)
	want := "a\n<!-- table q/x -->\n| 1 |\n<!-- end -->\nb <!-- table q/y -->\n| 2 |\n<!-- end --> c <!-- table " +
		"other/x -->kept<!-- end -->\n"
	if err != nil || got != want {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	if again, err := fill(got); err != nil || again != got {
		t.Errorf("filled twice: %q, %v", again, err)
	}
	for page, want := range map[string]string{
		"<!-- table q/x -->\n<!-- end -->": `no page has a place for the table "q/y", expected a line <!-- table q/y --> and one <!-- end -->`,
		"<!-- table q/x -->":               `the table "q/x" has no end, expected <!-- end --> behind it`,
		"<!-- table q/z --><!-- end --> <!-- table q/x --><!-- end --> <!-- table q/y --><!-- end -->": `there is no table "q/z"`,
	} {
		_, err := fill(page)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", page, err, want)
		}
	}
}

// A table may stand on one of several pages, or on more than one.
func TestFillPages(t *testing.T) {
	x, y := "<!-- table q/x --><!-- end -->", "<!-- table q/y --><!-- end -->"
	tables := map[string]string{"x": "| 1 |\n", "y": "| 2 |\n"}
	got, err := Fill([]string{"a " + x, "b " + x + y}, "q", tables, false)
	filled := "<!-- table q/x -->\n| 1 |\n<!-- end -->"
	if err != nil || got[0] != "a "+filled || got[1] != "b "+filled+"<!-- table q/y -->\n| 2 |\n<!-- end -->" {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := Fill([]string{x, x}, "q", tables, false); err == nil {
		t.Error("no error, expected one about y")
	}
	if got, err := Fill([]string{x}, "q", tables, true); err != nil || got[0] != filled {
		t.Errorf("each table is a file as well: %q, %v", got, err)
	}
}

// The best of each unit is taken with hindsight, and what it was taken from is gone.
func TestBestShareAndMarkdown(t *testing.T) {
	d := data(t, "simulate")
	table, err := Collect(d, rows(d, func(c *sweep.Cell) float64 {
		if c.Axes["policy"] == "fifo" {
			return []float64{0, 3, 1, 2}[c.Seed]
		}
		return 2
	}), Layout{X: "load", Series: "policy", Metric: jct(t)})
	if err != nil {
		t.Fatal(err)
	}
	share, err := table.Share("dally")
	if err != nil || share[1].Y[0] != 50 { // one above, one below, one equal
		t.Errorf("share %v, %v, want 50", share[1].Y, err)
	}
	table.Best("both", "other half", func(string) bool { return true })
	s := table.Means()
	if got := s[2].Y[0]; math.Abs(got-5./3) > 1e-12 || !math.IsNaN(s[0].Y[0]) {
		t.Errorf("the best is %v, want 5/3; what it was taken from: %v, want NaN", got, s[0].Y[0])
	}
	// fifo has 3 and 2 on the outer two, dally 2 on the middle one
	if got := s[3].Y[0]; s[3].Name != "other half" || math.Abs(got-7./3) > 1e-12 {
		t.Errorf("%s is %v, want 7/3", s[3].Name, got)
	}
	s = s[:3]
	s[2].Lo[0], s[2].Hi[0], s[2].Lo[1] = 1, 2, math.NaN()
	want := "| policy | 0.5 | 0.9 |\n|---|---:|---:|\n| both | 1.7 [1.0, 2.0] | 1.7 |\n"
	if got := table.Markdown(s, 1); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A page's tables have a row per setting where that is asked for, in which what is not shown has no
// column.
func TestPagesTransposed(t *testing.T) {
	d := data(t, "simulate")
	p := Pages{Book: NewBook(d, rows(d, func(c *sweep.Cell) float64 {
		return map[string]float64{"dally": 10, "fifo": 5}[c.Axes["policy"]]
	})), X: "load", Series: "policy", Base: "dally", Keep: func(s string) bool { return s == "fifo" }, Transpose: true}
	for _, c := range []struct {
		make func() (string, error)
		want string
	}{
		{func() (string, error) { return p.Relative("jct_mean_s") },
			"| load | fifo |\n|---|---:|\n| 0.5 | -50.0 [-50.0, -50.0] |\n| 0.9 | -50.0 [-50.0, -50.0] |\n"},
		{func() (string, error) { return p.Means("jct_mean_s", 0) }, "| load | fifo |\n|---|---:|\n| 0.5 | 5 [5, 5] " +
			"|\n| 0.9 | 5 [5, 5] |\n"},
		{func() (string, error) {
			return p.Against("jct_mean_s", [2]string{"dally", "fifo"}, [2]string{"dally", "none"})
		},
			"| load | dally against fifo |\n|---|---:|\n| 0.5 | 100.0 [100.0, 100.0] |\n| 0.9 | 100.0 [100.0, " +
				"100.0] |\n"},
		{func() (string, error) { return p.Summary("jct_mean_s") },
			"| policy | loads | interval below 0 | and mean <= -5 | and mean <= -10 | mean > +2 | best | worst | " +
				"mean of loads |\n|---|---:|---:|---:|---:|---:|---|---|---:|\n" +
				"| fifo | 2 | 2 | 2 | 2 | 0 | `0.5` -50.0 [-50.0, -50.0] | `0.5` -50.0 [-50.0, -50.0] | -50.0 " +
				"[-50.0, -50.0] |\n"},
	} {
		if got, err := c.make(); err != nil || got != c.want {
			t.Errorf("%v\n%s\nwant\n%s", err, got, c.want)
		}
	}
}

// The mean over settings is of their differences, and its interval is Student's over them.
func TestSummaryOverSettings(t *testing.T) {
	d := data(t, "simulate")
	table, err := Collect(d, rows(d, func(c *sweep.Cell) float64 {
		if c.Axes["policy"] == "dally" {
			return float64(c.Seed)
		}
		return float64(c.Seed) * map[string]float64{"0.5": 0.8, "0.9": 1.4}[c.Axes["load"]]
	}), Layout{X: "load", Series: "policy", Metric: jct(t)})
	if err != nil {
		t.Fatal(err)
	}
	iv := table.overall(1, 0)
	for got, want := range map[float64]float64{iv.Point: 10, iv.Lo: 10 - 30*12.7062047361747, iv.Hi: 10 +
		30*12.7062047361747} {
		if math.Abs(got-want) > 1e-9 {
			t.Errorf("%v [%v, %v], want 10 and Student's interval of -20 and 40", iv.Point, iv.Lo, iv.Hi)
			break
		}
	}
}
