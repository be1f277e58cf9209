package variability

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/stack"
)

// lab is 2 machines of 4 GPUs and 1 of 2.
func lab(t testing.TB) *cluster.Topology {
	t.Helper()
	topo, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{{{Count: 2, GPUs: 4}},
		{{Count: 1, GPUs: 2, Type: "k80"}}}})
	if err != nil {
		t.Fatal(err)
	}
	return topo
}

func put(t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "f.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func parse(t testing.TB, spec string) *Factors {
	t.Helper()
	f, err := Parse(spec, lab(t))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

const factors = "gpu,class,factor\n0,A,0.5\n3,A,0.8\n3,B,0.95\n9,A,1.25\n"

func TestFile(t *testing.T) {
	f := parse(t, put(t, factors)+",classes="+put(t, "model,class\nVGG16,B\nresnet-50,A\nLM,B\n"))
	if !slices.Equal(f.Classes(), []string{"A", "B"}) {
		t.Errorf("classes %v", f.Classes())
	}
	if want := []float64{0.5, 1, 1, 0.8, 1, 1, 1, 1, 1, 1.25}; !slices.Equal(f.Factors(0), want) {
		t.Errorf("factors %v, want %v", f.Factors(0), want)
	}
	if want := []float64{1, 1, 1, 0.95, 1, 1, 1, 1, 1, 1}; !slices.Equal(f.Factors(1), want) {
		t.Errorf("factors %v, want %v", f.Factors(1), want)
	}
	for model, want := range map[string]int{"vgg16": 1, "LM (batch size 5)": 1, "ResNet-50 (batch size 64)": 0,
		"unknown": 0, "": 0} {
		if got := f.Class(model); got != want {
			t.Errorf("%q is of class %d, want %d", model, got, want)
		}
	}
	byMachine := parse(t, put(t, "machine,factor\n1,0.5\n"))
	if want := []float64{1, 1, 1, 1, 0.5, 0.5, 0.5, 0.5, 1, 1}; !slices.Equal(byMachine.Factors(0), want) ||
		!slices.Equal(byMachine.Classes(), []string{""}) {
		t.Errorf("factors %v of classes %q, want %v", byMachine.Factors(0), byMachine.Classes(), want)
	}
}

func TestDrawn(t *testing.T) {
	f := parse(t, "drawn:sigma=A:0.2+B:0.1+C:0,seed=7")
	for g := range 10 {
		a, b, c := f.Factors(0)[g], f.Factors(1)[g], f.Factors(2)[g]
		if c != 1 || math.Abs(math.Log(a)-2*math.Log(b)) > 1e-12 || a == 1 {
			t.Errorf("GPU %d has factors %v, %v, %v", g, a, b, c)
		}
	}
	if again := parse(t, "drawn:sigma=0.2,seed=7"); !slices.Equal(again.Factors(0), f.Factors(0)) {
		t.Error("the same seed gives other factors")
	}
	if other := parse(t, "drawn:sigma=0.2,seed=8"); slices.Equal(other.Factors(0), f.Factors(0)) {
		t.Error("another seed gives the same factors")
	}
	m := parse(t, "drawn:sigma=0.2,of=machine").Factors(0)
	if m[0] != m[3] || m[0] == m[4] || m[4] != m[7] || m[8] != m[9] {
		t.Errorf("factors of machines %v", m)
	}
}

// The law: the log of a factor has mean 0 and standard deviation sigma, and a larger cluster begins
// with the same GPUs.
func TestLaw(t *testing.T) {
	large, err := cluster.New(cluster.Uniform(100, 10, 10, 1))
	if err != nil {
		t.Fatal(err)
	}
	f, err := Parse("drawn:sigma=0.3", large)
	if err != nil {
		t.Fatal(err)
	}
	var sum, squares float64
	for _, v := range f.Factors(0) {
		sum += math.Log(v)
		squares += math.Log(v) * math.Log(v)
	}
	n := float64(large.GPUs())
	if mean, sd := sum/n, math.Sqrt(squares/n); math.Abs(mean) > 0.01 || math.Abs(sd-0.3) > 0.01 {
		t.Errorf("mean %v, standard deviation %v", mean, sd)
	}
	if small := parse(t, "drawn:sigma=0.3").Factors(0); !slices.Equal(small, f.Factors(0)[:10]) {
		t.Error("a smaller cluster has other first GPUs")
	}
}

// GPU for GPU the draws stay what they are: runs are repeated by them.
func TestDrawsAreFrozen(t *testing.T) {
	f := parse(t, "drawn:sigma=0.1,seed=1").Factors(0)
	want := []float64{1.0489055818490818, 0.96996471169064435, 0.92227825965528321}
	for g, w := range want {
		if math.Abs(f[g]-w) > 1e-12 {
			t.Errorf("factors begin with %.17g, want %v", f[:3], want)
			break
		}
	}
}

func TestErrors(t *testing.T) {
	good := put(t, factors)
	for _, c := range []struct{ spec, want string }{
		{"drawn", "sigma is missing, expected S or CLASS:S joined by +"},
		{"drawn:sigma=x", `sigma is "x", expected one number in 0..10, or CLASS:NUMBER joined by +`},
		{"drawn:sigma=A:0.1+0.2", "expected one number in 0..10, or CLASS:NUMBER joined by +"},
		{"drawn:sigma=A:0.1+A:0.2", "expected each class once"},
		{"drawn:sigma=0.1,of=rack", `of is "rack", expected gpu, machine`},
		{"drawn:sigma=0.1,file=x", `unknown key "file"`},
		{"drwan:sigma=0.1", "open drwan:sigma=0.1: no such file or directory"},
		{"/no/file.csv", "open /no/file.csv: no such file or directory"},
		{good + ",sigma=1", `unknown key "sigma"`},
		{good + ",classes=/no/file", "open /no/file: no such file or directory"},
		{good + ",classes=" + put(t, "model,class\na,A\nb,D\na,B\n"),
			`f.csv:3: column "class" is "D", expected one of A, B`},
		{good + ",classes=" + put(t, "model,class\na,A\nA,B\n"),
			`f.csv:3: column "model" is "A", expected each model in one class`},
		{put(t, "gpu,machine,factor\n0,0,1\n"), `f.csv:1: expected exactly one of the columns "gpu" and "machine"`},
		{put(t, "factor\n1\n"), `f.csv:1: expected exactly one of the columns "gpu" and "machine"`},
		{put(t, "gpu,factor\n10,1\n"), `f.csv:2: column "gpu" is "10", expected a whole number from 0 to 9`},
		{put(t, "machine,factor\n3,1\n"), `f.csv:2: column "machine" is "3", expected a whole number from 0 to 2`},
		{put(t, "gpu,factor\n1,0\n"), `f.csv:2: column "factor" is "0", expected a number > 0`},
		{put(t, "gpu,factor\n1,1e9\n"), `f.csv:2: column "factor" is "1e9", expected at most 1e6`},
		{put(t, "gpu,factor\n1,1\n1,2\n"), `f.csv:3: gpu 1 has a factor of class "" already`},
		{put(t, "gpu,factor\n"), "f.csv: no rows, expected at least one"},
	} {
		_, err := Parse(c.spec, lab(t))
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "variability ") {
			t.Errorf("%s:\n%v\nwant\n%s", c.spec, err, c.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(factors)
	f.Add("machine,factor\n1,0.5\n")
	f.Add("gpu,factor\n\"1\n")
	topo := lab(f)
	f.Fuzz(func(t *testing.T, text string) {
		got, err := Parse(put(t, text), topo)
		if (got == nil) == (err == nil) {
			t.Fatalf("factors %v and error %v", got, err)
		}
		if err != nil {
			return
		}
		for c := range got.Classes() {
			for g, v := range got.Factors(c) {
				if !(v > 0) || v > 1e6 {
					t.Fatalf("GPU %d of class %d has factor %v", g, c, v)
				}
			}
		}
	})
}

// counting is a speed model for tests.
type counting struct{}

func (counting) Speed(q *sim.Query) (sim.Speed, error) {
	return sim.Speed{Rate: float64(len(q.GPUs)), ComputeFrac: 0.75}, nil
}

func query(model string, gpus ...cluster.GPU) *sim.Query {
	return &sim.Query{Job: &sim.Job{Model: model}, GPUs: gpus}
}

func TestLayer(t *testing.T) {
	f := parse(t, put(t, factors)+",classes="+put(t, "model,class\nVGG16,B\n"))
	m := stack.New(counting{}, NewLayer(f))
	for _, c := range []struct {
		q    *sim.Query
		rate float64
	}{{query("x", 0), 0.5}, {query("x", 1, 2), 2}, {query("x", 1, 2, 3), 2.4}, {query("x", 0, 3), 1},
		{query("VGG16", 0, 3), 1.9}, {query("x", 9), 1.25}} {
		if s, err := m.Speed(c.q); err != nil || math.Abs(s.Rate-c.rate) > 1e-15 || s.ComputeFrac != 0.75 {
			t.Errorf("%s on %v: %+v, %v, want rate %v", c.q.Job.Model, c.q.GPUs, s, err, c.rate)
		}
	}
	if _, coupled := m.(sim.Coupled); coupled {
		t.Error("a model without links is coupled")
	}
	if _, differ := m.(sim.Variability); !differ {
		t.Error("policies cannot read the factors")
	}
	if n := testing.AllocsPerRun(100, func() { _, _ = m.Speed(query("x", 0, 1)) }); n > 3 { // the query itself
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkSpeed(b *testing.B) {
	m, q := stack.New(counting{}, NewLayer(parse(b, "drawn:sigma=0.1"))), query("x", 0, 1, 2, 3)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := m.Speed(q); err != nil {
			b.Fatal(err)
		}
	}
}
