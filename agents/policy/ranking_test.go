package policy

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tarry/agents/nn"
	"tarry/env"
)

// ranker is a policy over lists of five items with two features each, after one number about all.
func ranker(t *testing.T, change func(*Config)) *Policy {
	t.Helper()
	cfg := Config{Hidden: []int{6}, Critic: true, Encoder: ByRank,
		Candidates: &Candidates{Global: 1, Features: 2, Each: 1}, Places: 2, Temperature: 0.5}
	if change != nil {
		change(&cfg)
	}
	p, err := New(cfg, &env.Spec{ID: "t/R-v0", Observation: env.NewBox(-9, 9, 11), Action: env.NewBox(-3, 3, 5)},
		stream("ranker"))
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range p.Actor.Params() { // scores that differ
		for i := range w.W {
			w.W[i] += 0.4 * math.Sin(float64(3*i+len(w.Name)))
		}
	}
	return p
}

// Of the third place there is no item.
func listed() []float64 { return []float64{0.3, 1, -0.5, 1, 2, 0, 5, 1, 0.1, 1, 1.2} }

// What a policy draws has the probability that it states, by enumeration of who is first and
// second, and these sum to 1; a place without an item is sent 0 and is never in an order.
func TestRankingsAreDrawnFromTheirLaw(t *testing.T) {
	p, r := ranker(t, nil), stream("draws")
	obs, raw := listed(), make([]float64, 5)
	const draws = 100_000
	count, prob := map[string]float64{}, map[string]float64{}
	for range draws {
		logp := p.Choose(raw, obs, nil, r)
		if raw[2] != 0 {
			t.Fatalf("nobody was sent %v", raw[2])
		}
		if got := p.LogProb(raw, obs, nil); got != logp {
			t.Fatalf("log-probability %v when drawn, %v afterwards", logp, got)
		}
		name := fmt.Sprint(p.ranking.order[:2])
		count[name]++
		prob[name] = math.Exp(logp)
	}
	chi, total := 0.0, 0.0
	for name, got := range count {
		chi += (got - draws*prob[name]) * (got - draws*prob[name]) / (draws * prob[name])
		total += prob[name]
	}
	if len(count) != 12 || math.Abs(total-1) > 1e-12 || chi > 31.3 {
		t.Errorf("%d orders of two out of four, probabilities of %v together, chi-squared %.1f, expected 12, 1 and "+
			"at most 31.3", len(count), total, chi)
	}
}

// The most likely action is the score itself, in the environment's unit and within its bounds;
// places and their items may be permuted.
func TestRankingsAreScores(t *testing.T) {
	p := ranker(t, nil)
	obs, a, b := listed(), make([]float64, 5), make([]float64, 5)
	if err := p.Act(a, obs, nil, nil); err != nil {
		t.Fatal(err)
	}
	p.Actor.Forward(b, obs, nil)
	if !slices.Equal(a, b) || a[0] == a[1] {
		t.Errorf("actions %v, expected the scores %v", a, b)
	}
	swapped := slices.Clone(obs)
	copy(swapped[1:3], obs[9:11])
	copy(swapped[9:11], obs[1:3])
	if err := p.Act(b, swapped, nil, nil); err != nil {
		t.Fatal(err)
	}
	for i, j := range []int{4, 1, 2, 3, 0} {
		if math.Abs(a[i]-b[j]) > 1e-12 {
			t.Errorf("item %d is scored %v, and %v at place %d", i, a[i], b[j], j)
		}
	}
	p.ToEnv(a, []float64{-7, 2, 0, 3.5, math.Inf(-1)})
	if want := []float64{-3, 2, 0, 3, -3}; !slices.Equal(a, want) {
		t.Errorf("%v is sent, expected %v", a, want)
	}
}

// More noise makes all orders alike, less leaves one.
func TestTemperature(t *testing.T) {
	obs, raw := listed(), make([]float64, 5)
	for temperature, want := range map[float64]float64{100: math.Log(12), 1e-3: 0} {
		p := ranker(t, func(c *Config) { c.Temperature = temperature })
		p.Choose(raw, obs, nil, stream("t"))
		if got := p.Entropy(); math.Abs(got-want) > 0.01 {
			t.Errorf("temperature %v: entropy %v, expected %v", temperature, got, want)
		}
	}
	p := ranker(t, func(c *Config) { c.Places, c.Temperature = 0, 0 })
	if p.ranking.places != DefaultPlaces || p.ranking.temperature != DefaultTemperature || !p.Ranked() {
		t.Errorf("by default %d places and temperature %v", p.ranking.places, p.ranking.temperature)
	}
}

func TestRankingFaults(t *testing.T) {
	list := &Candidates{Global: 1, Features: 2, Each: 1}
	for want, cfg := range map[string]Config{
		`start is given with encoder "classes", expected encoder "ranking`: {Hidden: []int{4}, Encoder: ByClass,
			Candidates: list, Start: []float64{1}},
		"start[1] is NaN, expected a finite number": {Hidden: []int{4}, Encoder: ByRank,
			Candidates: list, Start: []float64{1, math.NaN()}},
		`candidates: each is 2 with encoder "ranking", expected 1`: {Hidden: []int{4}, Encoder: ByRank,
			Candidates: &Candidates{Features: 1, Each: 2}},
	} {
		if err := cfg.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, expected %q", err, want)
		}
	}
	cfg := Config{Hidden: []int{4}, Encoder: ByRank, Candidates: &Candidates{Features: 3, Each: 1}}
	_, err := New(cfg, &env.Spec{ID: "t/S-v0", Observation: env.NewBox(-1, 1, 3), Action: env.Discrete{N: 1}},
		stream("x"))
	if err == nil || !strings.Contains(err.Error(), "expected a Box with a number for each item") {
		t.Errorf("choices: %v", err)
	}
	p := ranker(t, func(c *Config) { c.Start = []float64{1} })
	if err := p.Act(make([]float64, 5), listed(), nil, nil); err == nil ||
		!strings.Contains(err.Error(), "expected Bind") {
		t.Errorf("a start that is not bound: %v", err)
	}
}

// An empty list, or a list of one, has one order.
func TestEmptyRankings(t *testing.T) {
	p, raw := ranker(t, nil), make([]float64, 5)
	for n := range 2 {
		obs := make([]float64, 11)
		if n > 0 {
			obs[1], obs[2] = 1, 3
		}
		if logp := p.Choose(raw, obs, nil, stream("e")); logp != 0 || p.Entropy() != 0 ||
			math.IsNaN(p.Value(obs, nil)) {
			t.Errorf("%d items: log-probability %v, entropy %v, value %v", n, logp, p.Entropy(), p.Value(obs, nil))
		}
		tape := nn.NewTape(1)
		l := p.Likelihood(tape)
		tape.Watch(l.LogProb)
		m, err := tape.Compile(tape.Sum(l.Entropy))
		if err != nil {
			t.Fatal(err)
		}
		l.Fill(0, obs, nil, raw)
		if h, err := m.Run(); err != nil || h != 0 || m.Series(0)[0] != 0 {
			t.Errorf("%d items on a graph: entropy %v, log-probability %v, error %v", n, h, m.Series(0), err)
		}
	}
}
