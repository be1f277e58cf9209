package score

import (
	"bytes"
	"math"
	"strings"
	"testing"
)

const sample = `# found on Tuesday
tarry-score 1
predictor ridge:window=7
features rank gpus
hidden 0

margin = 0.5
t_rack = 6
t_net = inf
rank = 1
gpus = -2.5e-1
`

func TestParse(t *testing.T) {
	r, err := Parse("f", strings.NewReader(sample))
	if err != nil {
		t.Fatal(err)
	}
	want := Globals{Margin: 0.5, MinRun: 0.25, Rack: 6, Net: math.Inf(1)}
	if r.Globals != want || r.Law != DefaultLaw() || r.Predictor != "ridge:window=7" || r.Func.Weights()[1] != -0.25 ||
		r.Globals.Auto() {
		t.Errorf("%+v, weights %v", r, r.Func.Weights())
	}
	if r, err = Parse("f", strings.NewReader("tarry-score 1\npredictor none\nfeatures rank\nhidden 0\nt_net = "+
		"auto\nt_rack=auto\nrank = 3")); err != nil || !r.Globals.Auto() || r.Predictor != "" {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestParseFaults(t *testing.T) {
	const head = "tarry-score 1\npredictor none\nfeatures rank gpus\nhidden 0\n"
	for text, want := range map[string]string{
		"":                               `f:1: the file begins with "", expected "tarry-score 1"`,
		"rank = 3\n":                     `f:1: the file begins with "rank = 3", expected "tarry-score 1"`,
		"tarry-score 1\nfeatures rank\n": `f:2: the line is "features rank", expected "predictor" and a value`,
		"tarry-score 1\npredictor none\nfeatures rank age age\nhidden 0\n": "f:3: the feature age is given twice, " +
			"expected once",
		"tarry-score 1\npredictor none\nfeatures rank\nhidden few\n": `f:4: hidden is "few", expected a whole number from 0 to 64`,
		head + "rank = 1\n": "f:5: the weight gpus is missing, expected every weight of the features",
		head + "rank = 1\ngpus = x\nrank = 2\nmargn = 0": `f:6: gpus is "x", expected a number from -1e+09 to 1e+09` +
			"\nf:7: rank is given on line 5 already, expected once\n" +
			`f:8: "margn" is unknown, expected some of rank, gpus, margin`,
		head + "rank = NaN\ngpus = inf\n": `f:5: rank is "NaN", expected a number` +
			" from -1e+09 to 1e+09\n" + `f:6: gpus is "inf", expected`,
		head + "rank = 1\ngpus = 1\nt_rack = 3\n": "f:7: t_rack is 3 and t_net NaN, expected auto for " +
			"both or none",
		head +
			"rank = 1\ngpus = 1\nlaw_median_s = 0\n": `f:7: law_median_s is "0", expected a number from 0.001 to 1e+12`,
		head + "rank 1\ngpus = 1": `f:5: the line is "rank 1", expected NAME = VALUE`,
	} {
		r, err := Parse("f", strings.NewReader(text))
		if err == nil || !strings.HasPrefix(err.Error(), want) || r != nil {
			t.Errorf("%q: error %v\nwant %s", text, err, want)
		}
	}
}

// What is read is written as text that reads back to the same rule.
func FuzzParse(f *testing.F) {
	for _, s := range []string{sample, "tarry-score 1\npredictor none\nfeatures rank wait2\nhidden 1\nrank = " +
		"1\nwait2=2\nunit1.bias=0\nunit1.rank=1\nunit1.pressure=1\nunit1.out=-3\n",
		"tarry-score 1\n", "", "tarry-score 1\npredictor\nfeatures\nhidden 99999999999999999999\n",
		strings.Repeat("#", 70_000)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := Parse("f", strings.NewReader(text))
		if err != nil {
			if r != nil || !strings.HasPrefix(err.Error(), "f:") {
				t.Errorf("%q: %v, error %v", text, r, err)
			}
			return
		}
		var a, b bytes.Buffer
		if _, err := r.WriteTo(&a); err != nil {
			t.Fatal(err)
		}
		again, err := Parse("f", strings.NewReader(a.String()))
		if err != nil {
			t.Fatalf("%q was written as %q: %v", text, a.String(), err)
		}
		if again.WriteTo(&b); a.String() != b.String() {
			t.Errorf("%q, read again %q", a.String(), b.String())
		}
	})
}

// How the least run follows the lull and the doubt stands in a file where it does; other files are as
// they were.
func TestLeastRunInFile(t *testing.T) {
	const head = "tarry-score 1\npredictor none\nfeatures rank\nhidden 0\nrank = 1\nmin_run = 0.5\n"
	r, err := Parse("f", strings.NewReader(head+"doubt_min_run = 2\n"))
	if want := (Gates{Doubt: 2}); err != nil || r.Globals.Least != want || !r.Gated() || r.Func.Gated() {
		t.Fatalf("%+v, %v", r, err)
	}
	var b bytes.Buffer
	if _, err = r.WriteTo(&b); err != nil || !strings.Contains(b.String(), "\nmin_run = 0.5\ndoubt_min_run = 2\nt_rack") {
		t.Errorf("%v, %s", err, b.String())
	}
	g := r.Globals.At(Common{Lull: 1, Doubt: 0.5})
	if want := 0.5 * math.E; math.Abs(g.MinRun-want) > 1e-12 || g.Least != (Gates{}) {
		t.Errorf("at half a doubt %+v, expected a least run of %v", g, want)
	}
	if x := (Gates{Lull: 1, Doubt: -2}).At(Common{Lull: 0.5, Doubt: 0.25}); x != 1 {
		t.Errorf("gates that cancel multiply with %v", x)
	}
	if r, err = Parse("f", strings.NewReader(head)); err != nil || r.Gated() {
		t.Fatalf("%+v, %v", r, err)
	}
	b.Reset()
	_, err = r.WriteTo(&b)
	if text := b.String(); err != nil || strings.Contains(text, "lull") || strings.Contains(text, "doubt") {
		t.Errorf("%v, a rule without gates is written as %s", err, text)
	}
	_, err = Parse("f", strings.NewReader(head+"lull_min_run = 9\n"))
	if want := `f:7: lull_min_run is "9", expected a number from -8 to 8`; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// What is shipped is found by its name, and is the text that WriteTo writes.
func TestShipped(t *testing.T) {
	for _, name := range Shipped() {
		r, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if _, err := r.WriteTo(&b); err != nil || b.String() != string(orderText) {
			t.Errorf("%s: %v, written as\n%s", name, err, b.String())
		}
	}
	if _, err := Load("oder"); err == nil || !strings.Contains(err.Error(), "oder") {
		t.Errorf("a file that is not there: %v", err)
	}
}

// Where weights belong to an order without preemption, or behind reservations, the file notes it;
// other files are as they were.
func TestManner(t *testing.T) {
	const head = "tarry-score 1\npredictor none\nfeatures rank\nhidden 0\nrank = 1\n"
	r, err := Parse("f", strings.NewReader(head+"preempt = false\nbackfill = request\n"))
	if err != nil || !r.NoLease || r.Backfill != "request" {
		t.Fatalf("%+v, %v", r, err)
	}
	var b bytes.Buffer
	if _, err := r.WriteTo(&b); err != nil || !strings.Contains(b.String(), "\npreempt = false\nbackfill = request\n") {
		t.Errorf("%v, %s", err, b.String())
	}
	if again, err := Parse("f", &b); err != nil || !again.NoLease || again.Backfill != "request" {
		t.Errorf("%+v, %v", again, err)
	}
	if r, err = Parse("f", strings.NewReader(head+"preempt = true\nbackfill = none\n")); err != nil || r.NoLease ||
		r.Backfill != "" {
		t.Fatalf("%+v, %v", r, err)
	}
	b.Reset()
	_, err = r.WriteTo(&b)
	if text := b.String(); err != nil || strings.Contains(text, "preempt =") || strings.Contains(text, "backfill") {
		t.Errorf("a rule with leases is written as %s", text)
	}
	_, err = Parse("f", strings.NewReader(head+"preempt = no\nbackfill = easy\n"))
	if want := "f:6: preempt is \"no\", expected one of true, false\nf:7: backfill is \"easy\", expected one of " +
		"none, request, predicted"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}
