package progress

import (
	"math"
	"testing"

	"tarry/sim/rng"
)

func TestDigamma(t *testing.T) {
	const euler = 0.5772156649015329
	for _, c := range []struct{ x, want float64 }{{1, -euler}, {2, 1 - euler}, {0.5, -euler - 2*math.Ln2},
		{10, 2.251752589066721}, {1000, 6.907255195648812}} {
		if got := digamma(c.x); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("digamma(%v) is %v, expected %v", c.x, got, c.want)
		}
	}
}

// Draws have the mean b/(a-1) and the variance b(a+b-1)/((a-2)(a-1)^2) of the law of (1-p)/p.
func TestLeft(t *testing.T) {
	r := rng.Source{Seed: 1}.Stream("left")
	const n = 200000
	for _, c := range []struct{ a, b float64 }{{6, 1}, {5, 0.5}, {20, 30}, {9, 400}} {
		sum, square := 0.0, 0.0
		for range n {
			x := Left(r, c.a, c.b)
			sum += x
			square += x * x
		}
		mean := sum / n
		variance := c.b * (c.a + c.b - 1) / ((c.a - 2) * (c.a - 1) * (c.a - 1))
		if math.Abs(mean-Expected(c.a, c.b)) > 4*math.Sqrt(variance/n) {
			t.Errorf("Beta(%v, %v): mean %v, expected %v", c.a, c.b, mean, Expected(c.a, c.b))
		}
		if got := square/n - mean*mean; math.Abs(got/variance-1) > 0.15 {
			t.Errorf("Beta(%v, %v): variance %v, expected %v", c.a, c.b, got, variance)
		}
	}
	if !math.IsInf(Expected(1, 3), 1) {
		t.Error("the mean at a = 1 is finite")
	}
}

// rows gives epochs of jobs of two kinds: of 20 and of 200 epochs, distinguished by the first
// feature.
func rows(r *rng.Stream, jobs int) []Row {
	var out []Row
	for range jobs {
		kind := float64(r.IntN(2))
		all := 20 * math.Pow(10, kind)
		for e := 1.0; e < all; e++ {
			out = append(out, Row{X: Features{kind + 0.1*r.NormFloat64(), 3, math.Log(1 + e)}, Epochs: e, Part: e /
				all, Left: all - e})
		}
	}
	return out
}

// logDensity is the logarithm of the Beta density.
func logDensity(p, a, b float64) float64 {
	ab, _ := math.Lgamma(a + b)
	la, _ := math.Lgamma(a)
	lb, _ := math.Lgamma(b)
	return float64((a-1)*math.Log(p)) + float64((b-1)*math.Log(1-p)) + ab - la - lb
}

// The gradient is the likelihood's, by finite differences.
func TestGradient(t *testing.T) {
	r := rng.Source{Seed: 2}.Stream("net")
	data := rows(r, 2)[:20]
	n := newNet(7, r)
	n.fit(data)
	n.scale = 9
	n.room(batch)
	var some []int32
	for i := range data {
		some = append(some, int32(i))
	}
	cost := func() float64 {
		sum := 0.0
		for i := range data {
			sum -= logDensity(data[i].Part, data[i].Epochs, n.b(&data[i].X)) / float64(len(data))
		}
		return sum
	}
	n.gradient(data, some)
	grad := append([]float64(nil), n.grad...)
	for i := range n.weights {
		const h = 1e-6
		w := n.weights[i]
		n.weights[i] = w + h
		up := cost()
		n.weights[i] = w - h
		down := cost()
		n.weights[i] = w
		if want := (up - down) / (2 * h); math.Abs(grad[i]-want) > 1e-5*(1+math.Abs(want)) {
			t.Errorf("weight %d: gradient %v, by differences %v", i, grad[i], want)
		}
	}
}

// Jobs of 20 and of 200 epochs differ in a feature: the epochs left are right to 25 % in the middle
// of a job; the mean alone is not.
func TestLearns(t *testing.T) {
	r := rng.Source{Seed: 3}.Stream("rows")
	m := New(Config{Hidden: 64, Passes: 60, Rows: 1000, Rate: 0.01}, rng.Source{Seed: 3}.Stream("net"))
	mean := New(Config{Kind: Mean, Rows: 1000}, nil)
	if b := m.B(&Features{}, 7); b != 7 {
		t.Errorf("b is %v before there is a row, expected 7", b)
	}
	for _, x := range rows(r, 20) {
		m.Add(x)
		mean.Add(x)
	}
	m.Train()
	c := m.Clone()
	c.Train()
	m.Train()
	mean.Train()
	for kind, all := range []float64{20, 200} {
		x := Features{float64(kind), 3, math.Log(1 + all/2)}
		got := m.B(&x, all/2)
		if math.Abs(got-all/2) > 0.25*all/2 {
			t.Errorf("half of %v epochs: b is %v", all, got)
		}
		if c.B(&x, all/2) != got {
			t.Errorf("a clone gives %v, expected %v", c.B(&x, all/2), got)
		}
		if b := mean.B(&x, all/2); b < 40 || b > 110 {
			t.Errorf("the mean of the epochs left is %v", b)
		}
	}
	if b := New(Config{Kind: Lindy}, nil).B(&Features{}, 0); b != 1 {
		t.Errorf("b is %v at the start, expected 1", b)
	}
}

// Rows beyond the kept ones push the oldest out, and rows of which the law states nothing are
// left out.
func TestRows(t *testing.T) {
	m := New(Config{Kind: Mean, Rows: 3}, nil)
	for i := range 5 {
		m.Add(Row{Epochs: 1, Part: 0.5, Left: float64(i)})
	}
	m.Add(Row{Epochs: 1, Part: 1, Left: 100})
	m.Add(Row{Epochs: 0, Part: 0.5, Left: 100})
	m.Train()
	if b := m.B(&Features{}, 1); b != 4 {
		t.Errorf("b is %v, expected 1 + the mean of 2, 3 and 4", b)
	}
}

func BenchmarkTrain(b *testing.B) {
	m := New(Config{Hidden: 64, Passes: 60, Rows: 1000, Rate: 0.01}, rng.Source{Seed: 3}.Stream("net"))
	for _, x := range rows(rng.Source{Seed: 3}.Stream("rows"), 30) {
		m.Add(x)
	}
	for b.Loop() {
		m.Train()
	}
}
