package picking

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

const sample = `# shortest first, narrow ones before wide
tarry-pick 1
hidden 0

request = 1
share = 2.5e-1
`

func TestParse(t *testing.T) {
	f, err := Parse("f", strings.NewReader(sample))
	if err != nil {
		t.Fatal(err)
	}
	for i, n := range f.Names() {
		if want := map[string]float64{"request": 1, "share": 0.25}[n]; f.Weights()[i] != want {
			t.Errorf("%s is %v, want %v", n, f.Weights()[i], want)
		}
	}
}

func TestParseFaults(t *testing.T) {
	const head = "tarry-pick 1\nhidden 0\n"
	for text, want := range map[string]string{
		"":                            `f:1: the file begins with "", expected "tarry-pick 1"`,
		"tarry-score 1\n":             `f:1: the file begins with "tarry-score 1", expected "tarry-pick 1"`,
		"tarry-pick 1\nrequest = 1\n": `f:2: the line is "request = 1", expected "hidden" and a whole number from 0 to 64`,
		"tarry-pick 1\nhidden 65\n":   "f:2: 65 hidden units, expected 0 to 64",
		head + "request 1":            `f:3: the line is "request 1", expected NAME = VALUE`,
		head + "rank = 1":             `f:3: "rank" is unknown, expected some of request, procs`,
		head + "wait = 1\n\nwait = 2": "f:5: wait is given on line 3 already, expected once",
		head + "wait = x\nprocs = 2e9": `f:3: wait is "x", expected a number from -1e+09 to 1e+09` + "\n" +
			`f:4: procs is "2e9", expected a number`,
		head + "unit1.bias = 3":          `f:3: "unit1.bias" is unknown`,
		head + strings.Repeat("a\n", 40): `f:3: the line is "a"`,
	} {
		f, err := Parse("f", strings.NewReader(text))
		if err == nil || !strings.HasPrefix(err.Error(), want) || f != nil || strings.Count(err.Error(), "\n") > 20 {
			t.Errorf("%q: error %v\nwant %s", text, err, want)
		}
	}
	if _, err := Load("/none/at.all"); err == nil || !strings.HasPrefix(err.Error(), "weights: ") {
		t.Errorf("error %v", err)
	}
}

// What is read is written as text that reads back to the same score.
func FuzzParse(f *testing.F) {
	for _, s := range []string{sample, "tarry-pick 1\nhidden 1\nunit1.out=-3\nunit1.bias = 1e-300\n", "tarry-pick 1\n",
		"", "tarry-pick 1\nhidden 99999999999999999999\n", strings.Repeat("#", 70_000)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := Parse("f", strings.NewReader(text))
		if err != nil {
			if a != nil || !strings.HasPrefix(err.Error(), "f:") {
				t.Errorf("%q: %v, error %v", text, a, err)
			}
			return
		}
		var out bytes.Buffer
		if _, err := a.WriteTo(&out); err != nil {
			t.Fatal(err)
		}
		b, err := Parse("f", &out)
		if err != nil || !slices.Equal(a.Weights(), b.Weights()) {
			t.Errorf("%q reads back as %v, error %v", text, b, err)
		}
	})
}
