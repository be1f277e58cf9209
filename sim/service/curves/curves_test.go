package curves

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarry/internal/sharedata"
	"tarry/sim/series"
	"tarry/sim/tabular"
)

func parse(t *testing.T, text string) *series.Series {
	t.Helper()
	s, err := Parse("online", text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func file(t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "load.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

const hourUs = 3600e6

// Without noise a law is its formula: written out for the peak, the lowest hour of a full swing, and a
// weekend.
func TestFormula(t *testing.T) {
	s := parse(t, "day-night:base=100,swing=0.8,noise=0,weekend=0.5,peak_h=15,days=14")
	for _, c := range []struct{ hour, want float64 }{
		{15, 100 * (1 + 0.8 + 0.2)}, {3, 100 * (1 - 0.8 + 0.2)}, {9, 100 * (1 - 0.2)}, {21, 80},
		{5*24 + 15, 100}, {6*24 + 23.99, 0.5 * s.At(int64(23.99*hourUs))}, {7*24 + 15, 200}, {14*24 + 15, 200},
	} {
		if got := s.At(int64(c.hour * hourUs)); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("hour %v: %v requests per second, expected %v", c.hour, got, c.want)
		}
	}
	if s.Every != 14*24*hourUs {
		t.Errorf("it repeats after %v us", s.Every)
	}
	turned := parse(t, "day-night:base=100,swing=0.8,noise=0,weekend=0.5,peak_h=15,days=14,start_h=130")
	for h := range int64(400) {
		if got, want := turned.At(h*hourUs), s.At((h+130)*hourUs); got != want {
			t.Fatalf("from hour 130 on, hour %d has %v, expected %v", h, got, want)
		}
	}
}

// The curves that were drawn for us by the same law have its shape: the logs of their loads relative
// to the law are an AR(1) of 0.9 whose steps have the deviation of the setting.
func TestOwnCurves(t *testing.T) {
	dir := sharedata.Path(t, "traces", "services", "diurnal-own")
	for _, l := range Laws() {
		s := parse(t, filepath.Join(dir, l.Name+".csv"))
		check(t, "diurnal-own "+l.Name, &l, s, 0.1)
	}
}

func check(t *testing.T, what string, l *Law, s *series.Series, slack float64) {
	t.Helper()
	var was, squares, sum float64
	for i, p := range s.Steps {
		x := math.Log(p.Value / l.at(i))
		if sum += x; i > 0 {
			squares += (x - 0.9*was) * (x - 0.9*was)
		}
		was = x
	}
	n := float64(len(s.Steps))
	mean, sd := sum/n, math.Sqrt(squares/(n-1))
	// the mean of an AR(1) of n steps has about the deviation 10 noise/sqrt n
	if math.Abs(sd/l.Noise-1) > slack || math.Abs(mean) > 4*10*l.Noise/math.Sqrt(n) {
		t.Errorf("%s: steps of log loads have the deviation %v, expected %v; their mean is %v", what, sd, l.Noise, mean)
	}
}

// Drawn loads are the law with noise of the deviation that is asked for; each seed and service has
// draws of its own, and bursts add their mean.
func TestDraws(t *testing.T) {
	for _, l := range Laws() {
		s := parse(t, l.Name+":bursts=0,days=28")
		check(t, l.Name, &l, s, 0.03)
		if again := parse(t, l.Name+":bursts=0,days=28"); again.Steps[100] != s.Steps[100] {
			t.Errorf("%s: drawn twice: %v, %v", l.Name, s.Steps[100], again.Steps[100])
		}
		other, _ := Parse("batch", l.Name+":bursts=0,days=28")
		if seed := parse(t, l.Name+":bursts=0,days=28,seed=1"); seed.Steps[100] == s.Steps[100] ||
			other.Steps[100] == s.Steps[100] {
			t.Errorf("%s: another seed or service has the same load %v", l.Name, s.Steps[100])
		}
	}
	mean := func(s *series.Series) (sum float64) {
		for _, p := range s.Steps {
			sum += p.Value / float64(len(s.Steps))
		}
		return sum
	}
	// Four bursts a day, of mean height 10 and 1/(1 - e^(-1/6)) steps each
	with, without := parse(t, "steady:base=10,days=700,bursts=4"), parse(t, "steady:base=10,days=700")
	want := 4.0 / 288 * 10 / (1 - math.Exp(-1.0/6))
	if got := mean(with) - mean(without); math.Abs(got/want-1) > 0.1 {
		t.Errorf("bursts add %v requests per second on average, expected %v", got, want)
	}
}

// A file has rates, or counts that are divided by the time to the next row.
func TestFiles(t *testing.T) {
	counts := file(t, "start_s,requests,type1\n0,20,10\n10,40,0\n30,8,4\n")
	for options, want := range map[string][3]float64{
		"": {2, 2, 0.4}, ",column=type1": {1, 0, 0.2}, ",scale=3": {6, 6, 1.2}, ",peak=10": {10, 10, 2},
	} {
		s := parse(t, counts+options)
		if s.At(0) != want[0] || s.At(10e6) != want[1] || math.Abs(s.At(30e6)-want[2]) > 1e-12 || s.At(29e6) != want[1] {
			t.Errorf("%q: %+v", options, s)
		}
	}
	rates := file(t, "start_s,requests_per_s\n100,3\n200,6\n")
	if s := parse(t, rates); s.At(0) != 3 || s.At(100e6) != 6 {
		t.Errorf("rates are %+v", s)
	}
	// 200 s are stretched to two days: the second row comes after one; the run begins in its middle
	s := parse(t, rates+",days=2,start=150,every_s=172800")
	if s.At(0) != 3 || s.At(12*hourUs) != 6 || s.At(36*hourUs) != 3 || s.Every != 48*hourUs {
		t.Errorf("stretched it is %+v", s)
	}
	if s := parse(t, "7"); s.At(5) != 7 {
		t.Errorf("a number gives %+v", s)
	}
	if s, err := Parse("", ""); s != nil || err != nil {
		t.Errorf("nothing gives %+v, %v", s, err)
	}
}

// The curves that come with the project's data keep their requests: the integral of the rates is the
// sum of the counts.
func TestShared(t *testing.T) {
	dir := sharedata.Path(t, "traces", "services")
	for _, c := range []struct {
		file, column string
		binS         float64
	}{
		{"azure-llm-2023/code_10s.csv", "requests", 10}, {"kais-requests/task1_600s.csv", "requests", 600},
		{"kais-requests/task1_600s.csv", "type1", 600},
	} {
		path, sum, rows := filepath.Join(dir, c.file), 0.0, 0
		if err := tabular.Each(path, nil, func(r *tabular.Row) {
			sum, rows = sum+r.Float(c.column, 0, false), rows+1
		}); err != nil {
			t.Fatal(err)
		}
		s, got := parse(t, path+",column="+c.column), 0.0
		for _, p := range s.Steps {
			got += p.Value * c.binS
		}
		if math.Abs(got/sum-1) > 1e-9 || len(s.Steps) != rows {
			t.Errorf("%s of %s: %v requests of %v, %d rows of %d", c.column, c.file, got, sum, len(s.Steps), rows)
		}
	}
}

// What is wrong is named with its line, value and what was expected.
func TestFaults(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"stedy", `load is "stedy", expected requests per second, steady, day-night or bursty`},
		{"stedy", `did you mean "steady"?`},
		{"-1", `load is "-1", expected requests per second in 0..1e+12`},
		{"steady:swing=2", `swing is "2", expected a number in 0..1`},
		{"steady:swong=1", `unknown key "swong"`},
		{"bursty:noise=10,base=1e9", "expected at most 1e+12"},
		{"none.csv", "no such file"},
		{file(t, "start_s,rate\n0,1\n"), ":1: expected one of the columns start_s, time_s, hour and time, and one of " +
			"requests_per_s and requests"},
		{file(t, "start_s,requests\n0,1\n"), "one row of column \"requests\", expected several"},
		{file(t, "start_s,requests\n0,1\n5,-1\n"), `:3: column "requests" is "-1", expected a number >= 0`},
		{file(t, "start_s,requests\n5,1\n5,1\n"), `:3: column "start_s" is "5", expected a time after the row before`},
		{file(t, "start_s,requests\n0,1\n5,1\n") + ",column=type1", "and one of type1"},
		{file(t, "start_s,requests\n0,0\n5,0\n") + ",peak=3", "peak is 3, but all values are 0"},
		{file(t, "start_s,requests\n0,0\n1,0\n1e9,0\n") + ",days=1e-10", "days is 1e-10, expected more"},
	} {
		if _, err := Parse("online", c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, expected %s", c.text, err, c.want)
		}
	}
}

// FuzzParse: a text is refused or gives a valid load.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"1", "day-night:base=2,swing=0.5,start_h=3", "bursty:days=1,bursts=288,noise=10", "x.csv"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !strings.Contains(text, ".csv") && !strings.Contains(text, ".tsv") && !strings.Contains(text, "days") {
			valid(t, text)
		}
	})
}

// FuzzFile: so is a file.
func FuzzFile(f *testing.F) {
	f.Add("start_s,requests_per_s\n0,1\n5,2\n", "every_s=6,start=3")
	f.Add("start_s,requests,type1\n0,1,2\n5,2,4\n6,3,1\n", "column=type1,peak=3,days=2,start=1")
	f.Fuzz(func(t *testing.T, text, options string) { valid(t, file(t, text)+","+options) })
}

func valid(t *testing.T, text string) {
	s, err := Parse("online", text)
	if err != nil || s == nil {
		return
	}
	if err := s.Validate(); err != nil {
		t.Errorf("%q: %v", text, err)
	}
	for i, p := range s.Steps {
		if !(p.Value >= 0 && p.Value <= most) {
			t.Errorf("%q: step %d has %v requests per second", text, i, p.Value)
		}
	}
}
