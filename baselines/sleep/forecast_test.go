package sleep

import (
	"math"
	"math/rand/v2"
	"testing"

	"tarry/sim"
)

// feed gives a model and a series all notes of a law.
func feed(n, machines int, future int, law func(i int) float64) (*model, *series) {
	c := &config{forecast: "fitted", trend: Rule{Future: future}, tick: 600 * sim.Second, ridge: 0.01}
	m, s := &model{}, &series{}
	m.start(c, machines)
	s.start(0, m.reach(), c.tick)
	for i := range n {
		s.add(law(i))
		m.learn(s)
	}
	return m, s
}

// A constant series is forecast exactly, to the last bit.
func TestConstant(t *testing.T) {
	for _, c := range []float64{0, 1, 37, 99} {
		m, s := feed(3000, 99, 18, func(int) float64 { return c })
		if !m.ready() {
			t.Fatal("not fitted")
		}
		for target := range targets {
			if got := m.value(target, s.at(s.n-1)); got != c {
				t.Errorf("target %d of a constant %v is %v", target, c, got)
			}
		}
		if m.errors.n == 0 || m.errors.sum != (forecasts{}) {
			t.Errorf("errors of a constant: %+v", m.errors.sum)
		}
	}
}

// A series of a daily and a weekly period is learned: after six weeks the forecasts are its values
// to 0.3 machines of 100, where the last note is off by far more.
func TestPeriodic(t *testing.T) {
	law := func(i int) float64 {
		x := 50 + 20*math.Sin(2*math.Pi*float64(i)/144+1)
		if i/144%7 >= 5 { // the weekend
			x -= 15
		}
		return math.Round(x)
	}
	const n, future = 144 * 7 * 6, 18
	m, s := feed(n, 100, future, law)
	want := [targets]float64{point: law(n - 1 + future)}
	for k := 1; k <= 2*future; k++ {
		if k <= future {
			want[near] += law(n-1+k) / future
		}
		want[far] += law(n-1+k) / (2 * future)
	}
	for target := range targets {
		if got := m.value(target, s.at(n-1)); math.Abs(got-want[target]) > 0.3 {
			t.Errorf("target %d is %v, want %v", target, got, want[target])
		}
	}
	// The errors hold the first weeks too, in which the week is not known.
	if e := m.errors; e.sum.fitted > 0.25*e.sum.last || e.sum.fitted > e.sum.day {
		t.Errorf("SMAPE fitted %v, last %v, day %v", e.sum.fitted/e.n, e.sum.last/e.n, e.sum.day/e.n)
	}
}

// On a walk without pattern the last note is the best forecast there is; what the regression takes
// for a pattern costs it less than a quarter.
func TestWalk(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	x := 200.0
	m, _ := feed(144*40, 400, 18, func(int) float64 {
		x = min(max(40, x+float64(r.IntN(3)-1)), 400)
		return x
	})
	if e := m.errors; e.sum.fitted > 1.25*e.sum.last {
		t.Errorf("SMAPE fitted %v, last %v", e.sum.fitted/e.n, e.sum.last/e.n)
	}
}

// The weights solve the normal equations, as plain elimination does that sees all pairs at once.
func TestNormalEquations(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var m model
	m.ridge = 0.3
	var a [targets][inputs][inputs + 1]float64
	for range 60 {
		var x [inputs]float64
		var y [targets]float64
		for c := range inputs {
			x[c] = r.NormFloat64() * float64(1+c)
		}
		x[3] = 0 // an input that states nothing
		for k := range targets {
			y[k] = r.NormFloat64() + x[k] - 2*x[9]
		}
		m.pair(&x, &y)
		for k := range targets {
			for c := range inputs {
				for d := range inputs {
					a[k][c][d] += x[c] * x[d]
				}
				a[k][c][inputs] += x[c] * y[k]
			}
		}
	}
	m.solve()
	for k := range targets {
		for c := range inputs {
			a[k][c][c] += 0.3
		}
		for c := range inputs { // Gauss and Jordan
			for d := range inputs {
				if f := a[k][d][c] / a[k][c][c]; d != c {
					for e := c; e <= inputs; e++ {
						a[k][d][e] -= f * a[k][c][e]
					}
				}
			}
		}
		for c := range inputs {
			if want := a[k][c][inputs] / a[k][c][c]; math.Abs(m.weight[k][c]-want) > 1e-9 {
				t.Errorf("target %d: weight %d is %v, want %v", k, c, m.weight[k][c], want)
			}
		}
	}
}

// program is the loop of the authors' programs over a recorded series; step gives the machines
// awake after note i.
type program struct {
	history, future int
	his, fut, de    float64
	buffer, keep    float64
	stable          float64
	active          float64
}

func (p *program) step(i int, used []float64, total float64, predicted func(from, n int) float64) {
	if i < 6 {
		p.active = used[i] + p.buffer
		return
	}
	if p.active < used[i] {
		p.active = used[i] + p.buffer
		p.stable = float64(i) + p.keep
	}
	p.active = min(p.active, total)
	sum := 0.0
	for _, x := range used[i-p.history : i] {
		sum += x
	}
	soon := predicted(i, p.future)
	if sum/float64(p.history)-used[i] >= p.his && used[i]-soon >= p.fut {
		if float64(i) < p.stable || soon < predicted(i, 2*p.future) {
			return
		}
		if d := p.active - min(p.active, used[i]+p.buffer); d >= p.de {
			p.active -= d
		}
	}
}

// On recorded series of machines in use, and with a forecast that both have, machines fall asleep
// at the notes at which the authors' loop lets them.
func TestProgram(t *testing.T) {
	fell := 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 9))
		site := sites()[seed%5]
		c := config{rule: ByForecast, forecast: "day", tick: 600 * sim.Second, trend: site.trend}
		const n, total, buffer = 800, 90, 4
		c.trend.Buffer = buffer
		p := &Policy{cfg: c}
		p.model.start(&c, total)
		p.series.start(0, p.model.reach(), c.tick)
		prog := program{history: c.trend.History, future: c.trend.Future, his: c.trend.FellBy, fut: c.trend.FallBy,
			de: c.trend.Least, buffer: buffer, keep: float64(c.trend.Keep)}
		active, used := 0.0, []float64{}
		for i := range n {
			used = append(used, float64(30+r.IntN(4)+int(20*math.Sin(float64(i)/30)+15*math.Sin(float64(i)/7))))
			u := used[i]
			// a day ago: the mean of the notes after the present one
			prog.step(i, used, total, func(from, k int) float64 {
				if from < 144 {
					return used[from]
				}
				sum := 0.0
				for x := from + 1; x <= from+k; x++ {
					sum += used[x-144]
				}
				return sum / float64(k)
			})
			p.series.add(u)
			switch { // what wake and sleep do with machines
			case i < Warm:
				active = u + buffer
				continue
			case active < u:
				active = min(u+buffer, total)
				p.series.stable = i + c.trend.Keep
			}
			if d := c.trend.Excess(i, p.series.stable, active, p.trend(i)); d > 0 {
				active -= d
				fell++
			}
			if active != prog.active {
				t.Fatalf("seed %d, note %d: %v machines awake, the program has %v", seed, i, active, prog.active)
			}
		}
	}
	if fell < 100 {
		t.Errorf("machines fell asleep %d times", fell)
	}
}
