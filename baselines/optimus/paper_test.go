package optimus

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"tarry/baselines/fit"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/loss"
	"tarry/sim/rng"
	"tarry/sim/simtest"
)

// At half of its epochs a job without noise is predicted to converge within an epoch of when it
// does; with noise within a fifth, in most cases.
func TestConvergence(t *testing.T) {
	for _, c := range []struct {
		noise       string
		within, due float64
	}{{"0", 1, 0.95}, {"0.002", 0.2, 0.5}} {
		p := policy(t, "noise="+c.noise+",points=100")().(*Policy)
		good := 0
		const cases = 300
		for range cases {
			epochs := float64(p.fewest + p.draws.IntN(p.most-p.fewest+1))
			l := life{truth: loss.Draw(p.draws, p.half*epochs, p.sigma), epochS: 1}
			l.threshold = l.truth.At(max(epochs-float64(p.window), 0)) - l.truth.At(epochs)
			for e := 0.0; e <= epochs/2; e++ {
				p.note(&l, loss.Point{K: e, Loss: p.noisy(&l, l.truth.At(e))})
				l.epoch = int(e)
			}
			p.converge(&l)
			off := math.Abs(l.converges - epochs)
			if c.noise != "0" {
				off /= epochs
			}
			if off <= c.within {
				good++
			}
		}
		t.Logf("noise %s: %d of %d", c.noise, good, cases)
		if float64(good) < c.due*cases {
			t.Errorf("noise %s: only %d of %d jobs are foreseen within %v", c.noise, good, cases, c.within)
		}
	}
}

// Five exact measurements of a speed of the fitted form give every other; what a job has run at
// stays.
func TestSpeeds(t *testing.T) {
	r := rng.Source{Seed: 5}.Stream("speeds")
	for range 100 {
		p := policy(t, "noise=0")().(*Policy)
		a, b, c := r.Float64(), 0.1*r.Float64(), 0.01*r.Float64()
		l := life{lo: 1, hi: 16 + r.IntN(48), unit: 1}
		l.speed = make([]float64, l.hi+1)
		for n := 1; n <= l.hi; n++ {
			terms := fit.AllReduce.Terms(nil, n, n, 1)
			l.speed[n] = 1 / (a*terms[0] + b*terms[1] + c*terms[2])
		}
		p.measure(&l)
		measured := 0
		distinct := 0
		for n := 1; n <= l.hi; n++ {
			if l.measured[n] > 0 {
				distinct++
			}
			if math.Abs(l.estimate[n]/l.speed[n]-1) > 1e-6 && distinct > 2 {
				measured++
			}
		}
		if distinct > p.trials || measured > 0 {
			t.Fatalf("%d measured, %d estimates of %v are wrong: %v", distinct, measured, l.speed, l.estimate)
		}
		l.had = 3
		p.correct(&l, 7)
		if l.estimate[3] != 7 {
			t.Errorf("a job that runs at 7 on 3 GPUs is taken to run at %v", l.estimate[3])
		}
	}
}

// Three machines of 4, of which one GPU is taken. By hand: 3 GPUs fit on one machine; 6 go 3 and 3
// on the two that are free; 7 go 4 and 3, and 10 as 4, 3 and 3.
func TestEvenly(t *testing.T) {
	top, err := cluster.New(cluster.Uniform(1, 3, 4, 1))
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range map[int32]string{3: "[0 3 0]", 6: "[0 3 3]", 7: "[0 4 3]", 8: "[0 4 4]", 10: "[3 4 3]",
		11: "[3 4 4]"} {
		w, err := sim.NewWorkload("evenly", []sim.Job{{ID: "a", GPUs: 1, Work: 3600 * sim.Second},
			{ID: "b", GPUs: n, Submit: sim.Second, Work: 3600 * sim.Second}})
		if err != nil {
			t.Fatal(err)
		}
		p := policy(t, "every=10,left=work,speed=oracle")().(*Policy)
		got := ""
		peek := &peeking{p, func(v *sim.View) {
			if v.Run(1).State() != sim.Running || got != "" {
				return
			}
			per := make([]int, 3)
			for _, g := range v.Run(1).Held() {
				per[top.Machine(g)]++
			}
			got = fmt.Sprint(per)
		}}
		if _, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{},
			Until: 100 * sim.Second}, peek); err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("%d GPUs: %s, expected %s", n, got, want)
		}
	}
}

// peeking looks at each view before the policy decides.
type peeking struct {
	*Policy
	look func(*sim.View)
}

func (p *peeking) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	p.look(v)
	return p.Policy.Decide(v, out)
}

// Where each GPU more gains less, workers one by one take as much off the sum of the times left as
// the best division does.
func TestGreedyIsBest(t *testing.T) {
	r := rng.Source{Seed: 3}.Stream("greedy")
	for n := range 500 {
		p := policy(t, "left=work,speed=oracle")().(*Policy)
		gpus := 4 + r.IntN(6)
		for i := range 1 + r.IntN(4) {
			l := life{job: sim.JobID(i), lo: 1, unit: 1, hi: 1 + r.IntN(gpus), typ: 0, left: 100 * r.Float64(),
				speed: []float64{0, 1}}
			for k := 2; k <= l.hi; k++ {
				l.speed = append(l.speed, 1/(1/l.speed[k-1]-0.3*r.Float64()/float64(k*k)))
			}
			for k := 2; k < l.hi; k++ { // gains fall
				if g := 1/l.speed[k-1] - 1/l.speed[k]; 1/l.speed[k]-1/l.speed[k+1] > g {
					l.speed[k+1] = 1 / (1/l.speed[k] - g)
				}
			}
			p.book = append(p.book, l)
		}
		p.pool = []int{gpus}
		p.give(nil, func(int) bool { return true })
		sum, used := 0.0, 0
		for i := range p.book {
			l := &p.book[i]
			sum += l.left / l.speed[l.has]
			used += l.has
		}
		if best := p.least(0, gpus); used > gpus || sum > best*(1+1e-9) {
			t.Fatalf("case %d: %d of %d GPUs leave %v, the best division %v", n, used, gpus, sum, best)
		}
	}
}

// least is the smallest sum of times left of the jobs from i on, each with a GPU or more.
func (p *Policy) least(i, gpus int) float64 {
	if i == len(p.book) {
		return 0
	}
	best, l := math.Inf(1), &p.book[i]
	for n := 1; n <= min(gpus, l.hi); n++ {
		best = min(best, l.left/l.speed[n]+p.least(i+1, gpus-n))
	}
	return best
}

func TestSettings(t *testing.T) {
	for text, want := range map[string]string{
		"epochs=9/3": "FEWEST/MOST", "epochs=1/2/3": "FEWEST/MOST",
		"left=guess": "loss", "points=2": "points",
	} {
		if err := parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, expected %q", text, err, want)
		}
	}
	for text, want := range map[string]string{"": "work+speed+progress", "left=estimate": "done+estimate+speed",
		"left=work": "work+speed"} {
		if got := policy(t, text)().Knows().String(); got != want {
			t.Errorf("%s knows %s, expected %s", text, got, want)
		}
	}
}
