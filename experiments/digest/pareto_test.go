package digest

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tarry/experiments/sweep"
	"tarry/internal/stats"
	"tarry/output/results"
)

// costed is a book of load x policy x seed: fifo takes twice the time of dally for half the energy,
// which at load 0.9 is not less.
func costed(t *testing.T) *Book {
	t.Helper()
	d := data(t, "simulate")
	all := rows(d, func(c *sweep.Cell) float64 {
		return map[string]float64{"dally": 1, "fifo": 2}[c.Axes["policy"]] * float64(c.Seed)
	})
	return NewBook(d, all).Adding("energy_kwh", "energy (kWh)", func(k results.Keys) float64 {
		c, _ := d.Cell(k)
		v := 10 * float64(c.Seed*c.Seed)
		if c.Axes["policy"] == "fifo" && c.Axes["load"] == "0.5" {
			v /= 2
		}
		return v
	}).Adding("boots", "boots", func(k results.Keys) float64 {
		if k.Policy == "dally" {
			return 0
		}
		return 7
	})
}

// Points are means of both metrics; a point of several values of x has its value as name.
func TestParetoMeans(t *testing.T) {
	b := costed(t)
	b.Pareto("front", "A front.", "load", "policy", "energy_kwh", "jct_mean_s", Base{})
	figures, err := b.Figures()
	if err != nil || len(figures) != 1 {
		t.Fatal(err)
	}
	f := figures[0].Figure
	if want := []string{"series", "point", "x", "x_lo", "x_hi", "y", "lo", "hi", "front", "n"}; !slices.Equal(f.Header,
		want) {
		t.Fatalf("%q", f.Header)
	}
	var got []string
	for _, r := range f.Rows {
		got = append(got, strings.Join([]string{r[0], r[1], r[5], r[8], r[9]}, " "))
	}
	want := []string{"dally 0.5 2 true 3", "dally 0.9 2 true 3", "fifo 0.5 4 true 3", "fifo 0.9 4 false 3"}
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	iv := stats.Amounts([]float64{10, 40, 90})
	for i, v := range []float64{iv.Point, iv.Lo, iv.Hi} {
		if text := f.Rows[0][2+i]; math.Abs(number64(t, text)-v) > 1e-9 {
			t.Errorf("column %s of dally: %s, want %v", f.Header[2+i], text, v)
		}
	}
}

// With a base points are ratios in pairs: seeds that differ by the same factor have no width.
func TestParetoRatios(t *testing.T) {
	b := costed(t)
	b.Pareto("front", "A front.", "", "policy", "energy_kwh", "jct_mean_s", Base{Series: "dally"})
	figures, err := b.Figures()
	if err != nil || len(figures) != 1 {
		t.Fatal(err)
	}
	f := figures[0].Figure // a panel per load
	if len(f.Rows) != 4 || f.Header[0] != "load" {
		t.Fatalf("%q %q", f.Header, f.Rows)
	}
	for _, r := range f.Rows {
		at := r[0] + " " + r[1]
		want := map[string][2]float64{"0.5 dally": {1, 1}, "0.9 dally": {1, 1}, "0.5 fifo": {0.5, 2}, "0.9 fifo": {1, 2}}[at]
		if x, y := number64(t, r[3]), number64(t, r[6]); math.Abs(x-want[0]) > 1e-9 || math.Abs(y-want[1]) > 1e-9 {
			t.Errorf("%s: %v and %v, want %v", at, x, y, want)
		}
		if front := map[string]string{"0.9 fifo": "false"}[at]; (front == "false") == (r[9] == "true") {
			t.Errorf("%s: front %s", at, r[9])
		}
	}
}

// The table has differences to the base, amounts, and which rows are the front.
func TestFrontTable(t *testing.T) {
	b := costed(t).Where(func(c *sweep.Cell) bool { return c.Axes["load"] == "0.5" })
	p := Pages{Book: b, Series: "policy", Base: "dally"}
	got, err := p.Front([]string{"energy_kwh", "jct_mean_s"}, []string{"boots"}, 1)
	want := "| policy | energy (%) | mean completion time (%) | boots | front |\n|---|---:|---:|---:|:---:|\n" +
		"| dally | 0.0 | 0.0 | 0.0 [0.0, 0.0] | yes |\n" +
		"| fifo | -50.0 [-50.0, -50.0] | 100.0 [100.0, 100.0] | 7.0 [7.0, 7.0] | yes |\n"
	if err != nil || got != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
	p = Pages{Book: costed(t), X: "load", Series: "policy"}
	if got, err = p.Front([]string{"energy_kwh", "jct_mean_s"}, nil, 1); err != nil ||
		!strings.Contains(got, "| fifo, 0.9 | 46.7") || strings.Count(got, "yes") != 3 {
		t.Errorf("%v\n%s", err, got)
	}
	p.Base, p.At = "dally", "0.5" // fifo takes a half there, as much at 0.9
	if got, err = p.Front([]string{"energy_kwh", "jct_mean_s"}, nil, 0); err != nil ||
		!strings.Contains(got, "| fifo, 0.5 | -50 [-50, -50] | 100 [100, 100] | yes |\n| fifo, 0.9 | 0 [0, 0] | 100") ||
		!strings.Contains(got, "| dally, 0.5 | 0 | 0 | yes |\n| dally, 0.9 | 0 [0, 0] | 0 [0, 0] | yes |") {
		t.Errorf("%v\n%s", err, got)
	}
	p.At = "0.7"
	if _, err := p.Front([]string{"energy_kwh", "jct_mean_s"}, nil, 0); err == nil ||
		!strings.Contains(err.Error(), "load has no value 0.7") {
		t.Errorf("%v", err)
	}
	if _, err := p.Front([]string{"energy_kw", "jct_mean_s"}, nil, 1); err == nil {
		t.Error("no error for a metric that there is not")
	}
}

func number64(t *testing.T, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
