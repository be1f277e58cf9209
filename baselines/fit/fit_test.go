package fit

import (
	"encoding/csv"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/optimize"

	"tarry/internal/sharedata"
	"tarry/sim/goodput"
	"tarry/sim/rng"
)

// table is one of the shared ones.
type table struct {
	at   map[string]int
	rows [][]string
}

// shared reads one; the test is skipped where it is missing.
func shared(t *testing.T, parts ...string) table {
	t.Helper()
	in, err := os.Open(sharedata.Path(t, append([]string{"reference"}, parts...)...))
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	all, err := csv.NewReader(in).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	r := table{map[string]int{}, all[1:]}
	for i, c := range all[0] {
		r.at[c] = i
	}
	return r
}

func (r table) number(row int, column string) float64 {
	x, err := strconv.ParseFloat(r.rows[row][r.at[column]], 64)
	if err != nil {
		return math.NaN()
	}
	return x
}

func observed(r table) map[string][]Observation {
	out := map[string][]Observation{}
	for i := range r.rows {
		c := r.rows[i][r.at["case"]]
		out[c] = append(out[c], Observation{int(r.number(i, "num_nodes")), int(r.number(i, "num_replicas")),
			int(r.number(i, "local_bsz")), r.number(i, "step_time"), r.number(i, "sync_time")})
	}
	return out
}

// The stored fits: the objective is as low as L-BFGS-B's, and belongs to the returned parameters.
func TestSharedFits(t *testing.T) {
	obs, r := observed(shared(t, "pollux-vectors", "fit_observations.csv")),
		shared(t, "pollux-vectors", "fit_results.csv")
	for i, row := range r.rows {
		got, value, err := Throughput(obs[row[0]], goodput.Params{})
		if err != nil {
			t.Fatal(err)
		}
		if want := r.number(i, "objective"); !(value <= 1.001*want) {
			t.Errorf("case %s: objective %v, there %v", row[0], value, want)
		}
		if again := objective(obs[row[0]], got); math.Abs(again-value) > 1e-9*value {
			t.Errorf("case %s: objective %v, that of its parameters is %v", row[0], value, again)
		}
	}
}

// objective is computed from the closed forms alone.
func objective(obs []Observation, p goodput.Params) float64 {
	grads, steps := 0.0, 0.0
	for _, o := range obs {
		grad, _, step := p.StepTimes(o.Nodes, o.Replicas, o.Local)
		grads += math.Pow(math.Log(grad)-math.Log(o.StepS-o.SyncS), 2)
		steps += math.Pow(math.Log(step)-math.Log(o.StepS), 2)
	}
	n := float64(len(obs))
	return math.Sqrt(grads/n) + math.Sqrt(steps/n) + 1e-3*math.Pow(p.Gamma-1, 2) +
		1e-2*(math.Pow(p.BetaN/p.AlphaN, 2)+math.Pow(p.BetaR/p.AlphaR, 2))
}

// draw makes observations of a drawn job, off by a few percent.
func draw(r *rng.Stream, off float64) []Observation {
	p := goodput.Params{AlphaC: 0.2 * r.Float64(), BetaC: 0.01 * r.Float64(), AlphaN: 0.3 * r.Float64(), BetaN: 0.02 *
		r.Float64(), AlphaR: 0.1 * r.Float64(), BetaR: 0.01 * r.Float64(), Gamma: 1 + 3*r.Float64()}
	out := make([]Observation, 1+r.IntN(20))
	for i := range out {
		nodes := 1 + r.IntN(4)
		o := Observation{Nodes: nodes, Replicas: nodes * (1 + r.IntN(4)), Local: 8 << r.IntN(5)}
		grad, _, step := p.StepTimes(o.Nodes, o.Replicas, o.Local)
		grad, step = grad*math.Exp(off*r.NormFloat64()), step*math.Exp(off*r.NormFloat64())
		o.StepS = max(step, grad)
		o.SyncS = o.StepS - grad
		out[i] = o
	}
	return out
}

// No other start, and no optimiser of gonum's from where the fit ends, finds an objective that is
// lower by a hundredth.
func TestFitAgainstGonum(t *testing.T) {
	r := rng.Source{Seed: 1}.Stream("fits")
	for n := range 150 {
		obs := draw(r, 0.05)
		got, value, err := Throughput(obs, goodput.Params{})
		if err != nil {
			t.Fatal(err)
		}
		enough := value - 0.01*value - 1e-5
		for _, g := range []float64{1.5, 4, 9} {
			if _, v, _ := Throughput(obs, goodput.Params{AlphaC: 1, BetaC: 1e-3, AlphaN: 1e-2, BetaN: 1e-3,
				AlphaR: 1e-2, BetaR: 1e-2, Gamma: g}); v < enough {
				t.Errorf("case %d: objective %v, from gamma %v %v", n, value, g, v)
			}
		}
		p, err := newProblem(obs)
		if err != nil {
			t.Fatal(err)
		}
		d := newDescent(p)
		for _, method := range []optimize.Method{&optimize.NelderMead{}, &optimize.BFGS{}} {
			for _, from := range []vector{vectorOf(got), vectorOf(Start())} {
				if v := byGonum(t, d, method, from); v < enough {
					t.Errorf("case %d: objective %v, gonum's %T finds %v from %v", n, value, method, v, from)
				}
			}
		}
	}
}

// byGonum minimises the objective over the logarithms of the free parameters, taken to their
// bounds.
func byGonum(t *testing.T, d *descent, method optimize.Method, from vector) float64 {
	t.Helper()
	var which []int
	var x0 []float64
	for i, free := range d.p.free {
		if free {
			which, x0 = append(which, i), append(x0, math.Log(max(from[i], 1e-7)))
		}
	}
	at := func(x []float64) (s state, m terms) {
		for k, i := range which {
			s.log[i] = min(max(x[k], d.lo[i]), d.hi[i])
		}
		d.p.place(&s)
		d.p.measure(&s, &m)
		return s, m
	}
	problem := optimize.Problem{
		Func: func(x []float64) float64 { _, m := at(x); return m.value() },
		Grad: func(grad, x []float64) {
			_, m := at(x)
			for k, i := range which {
				grad[k] = m.grad.slope[i]/math.Sqrt(m.grad.sum+1e-30) + m.step.slope[i]/math.Sqrt(m.step.sum+1e-30) +
					2*m.prior.slope[i]
			}
		},
	}
	res, err := optimize.Minimize(problem, x0, &optimize.Settings{MajorIterations: 300}, method)
	if res == nil {
		t.Logf("gonum gave up: %v", err)
		return math.Inf(1)
	}
	return res.F
}

// Exact measurements of a job with enough variety are matched, and its times elsewhere are right to
// a few percent.
func TestFitRecovers(t *testing.T) {
	truth := goodput.Params{AlphaC: 0.05, BetaC: 0.002, AlphaN: 0.1, BetaN: 0.004, AlphaR: 0.02, BetaR: 0.001,
		Gamma: 1.6}
	var obs []Observation
	for _, o := range [][3]int{{1, 1, 16}, {1, 2, 16}, {1, 4, 32}, {1, 3, 64}, {2, 4, 32}, {2, 8, 64}, {4, 9, 16},
		{3, 12, 32}} {
		grad, _, step := truth.StepTimes(o[0], o[1], o[2])
		obs = append(obs, Observation{o[0], o[1], o[2], step, step - grad})
	}
	got, _, err := Throughput(obs, goodput.Params{})
	if err != nil {
		t.Fatal(err)
	}
	for k := 2; k <= 32; k += 2 {
		_, _, want := truth.StepTimes(2, k, 48)
		if _, _, have := got.StepTimes(2, k, 48); math.Abs(have/want-1) > 0.03 {
			t.Errorf("%d GPUs: a step of %v, truly %v: %+v", k, have, want, got)
		}
	}
}

// What was never seen costs nothing, so that it is tried.
func TestUnseen(t *testing.T) {
	one := []Observation{{1, 1, 32, 0.5, 0.01}}
	got, _, err := Throughput(one, goodput.Params{})
	if err != nil || got.AlphaC != 0.245 || got.AlphaR != 1e-8 || got.BetaR != 1e-8 ||
		math.Abs(got.AlphaN-1.1e-8) > 1e-20 {
		t.Errorf("%+v, %v", got, err)
	}
	got, _, err = Throughput(append(one, Observation{1, 2, 64, 0.9, 0.2}), goodput.Params{})
	if err != nil || got.BetaR != 1e-8 || !(got.AlphaR > 0.01) || got.AlphaN != 1.1*got.AlphaR {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestSameBits(t *testing.T) {
	r := rng.Source{Seed: 3}.Stream("fits")
	for range 50 {
		obs := draw(r, 0.1)
		a, va, _ := Throughput(obs, goodput.Params{})
		b, vb, _ := Throughput(slices.Clone(obs), Start())
		if a != b || va != vb {
			t.Fatalf("%+v with %v and %+v with %v", a, va, b, vb)
		}
		v := vectorOf(a)
		for i, x := range v {
			if !(x >= least) || i == gamma && !(x >= 1 && x <= most) {
				t.Fatalf("parameter %d is %v", i, x)
			}
		}
	}
}

func TestWrongObservations(t *testing.T) {
	for _, c := range []struct {
		obs  []Observation
		want string
	}{
		{nil, "no observation"},
		{[]Observation{{0, 1, 1, 1, 0}}, "1 GPUs on 0 machines"},
		{[]Observation{{2, 1, 1, 1, 0}}, "no more machines than GPUs"},
		{[]Observation{{1, 1, 1, 1, 1}}, "a step of 1 s of which 1 s synchronise"},
		{[]Observation{{1, 1, 1, math.NaN(), 0}}, "a step of NaN s"},
		{[]Observation{{1, 1, 1, math.Inf(1), 0}}, "a step of +Inf s"},
	} {
		if _, _, err := Throughput(c.obs, goodput.Params{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, expected %q", c.obs, err, c.want)
		}
	}
}

func BenchmarkThroughput(b *testing.B) {
	r := rng.Source{Seed: 4}.Stream("fits")
	var sets [][]Observation
	for range 64 {
		sets = append(sets, draw(r, 0.05))
	}
	for i := range b.N {
		Throughput(sets[i%len(sets)], goodput.Params{})
	}
}
