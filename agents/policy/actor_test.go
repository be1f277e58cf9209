package policy

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"tarry/agents/nn"
	"tarry/env"
	"tarry/sim/rng"
)

// plain is a policy of two layers with a critic.
func plain() Config { return Config{Hidden: []int{64, 64}, Critic: true} }

func stream(name string) *rand.Rand { return rng.Source{Seed: 3}.Stream(name).Rand }

func policyFor(t *testing.T, cfg Config, action env.Space) *Policy {
	t.Helper()
	p, err := New(cfg, &env.Spec{ID: "t/A-v0", Observation: env.NewBox(-1, 1, 3), Action: action}, stream("convert"))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Actions of every sort go to the environment and back, inside their space.
func TestActionsThereAndBack(t *testing.T) {
	squash := plain()
	squash.Squash = true
	box := env.Box{Low: []float64{-2, 0}, High: []float64{2, 10}}
	for _, c := range []struct {
		name      string
		cfg       Config
		action    env.Space
		raw, want []float64
	}{
		{"discrete", plain(), env.Discrete{N: 5, Start: -1}, []float64{3}, []float64{2}},
		{"multi", plain(), env.MultiDiscrete{N: []int{2, 4}}, []float64{1, 3}, []float64{1, 3}},
		{"box", plain(), box, []float64{0.5, -0.2}, []float64{1, 4}},
		{"tanh", squash, box, []float64{math.Atanh(0.5), math.Atanh(-0.2)}, []float64{1, 4}},
	} {
		p := policyFor(t, c.cfg, c.action)
		got, back := make([]float64, len(c.raw)), make([]float64, len(c.raw))
		p.ToEnv(got, c.raw)
		p.FromEnv(back, got)
		for i := range c.raw {
			if math.Abs(got[i]-c.want[i]) > 1e-12 || math.Abs(back[i]-c.raw[i]) > 1e-12 {
				t.Errorf("%s: %v became %v and back %v, want %v", c.name, c.raw, got, back, c.want)
			}
		}
	}
}

// However far out the Gaussian draws, the action lies in the Box.
func TestActionsAreBounded(t *testing.T) {
	for _, squash := range []bool{false, true} {
		cfg := plain()
		cfg.Squash = squash
		box := env.Box{Low: []float64{-0.1, 3}, High: []float64{0.7, 3.3}}
		p := policyFor(t, cfg, box)
		got, back := make([]float64, 2), make([]float64, 2)
		for _, raw := range []float64{-1e300, -7, -1, 0, 0.3, 1, 7, 1e300} {
			p.ToEnv(got, []float64{raw, raw})
			if !box.Contains(got) {
				t.Errorf("squash %v: %g became %v, outside the space", squash, raw, got)
			}
			if p.FromEnv(back, got); math.IsInf(back[0], 0) || math.IsNaN(back[0]) {
				t.Errorf("squash %v: %v came back as %v", squash, got, back)
			}
		}
	}
}

// The frequencies of drawn actions are the probabilities that are noted.
func TestDrawsFollowTheirProbabilities(t *testing.T) {
	p := policyFor(t, plain(), env.MultiDiscrete{N: []int{2, 3}})
	r := stream("draws")
	for _, w := range p.Params() {
		for i := range w.W {
			w.W[i] += 0.3 * r.NormFloat64()
		}
	}
	const n = 50_000
	x, raw, count := []float64{0.1, -0.4, 0.8}, make([]float64, 2), map[[2]float64]float64{}
	for range n {
		p.Choose(raw, x, nil, r)
		count[[2]float64(raw)]++
	}
	sum := 0.0
	for a := range 2 {
		for b := range 3 {
			pair := [2]float64{float64(a), float64(b)}
			want := math.Exp(p.LogProb(pair[:], x, nil))
			sum += want
			if got := count[pair] / n; math.Abs(got-want) > 5*math.Sqrt(want*(1-want)/n) {
				t.Errorf("%v was drawn with frequency %.4f, probability %.4f", pair, got, want)
			}
		}
	}
	if math.Abs(sum-1) > 1e-12 {
		t.Errorf("the probabilities sum to %g", sum)
	}
}

// The first weights leave the policy almost indifferent and the critic not.
func TestFirstWeights(t *testing.T) {
	p := policyFor(t, plain(), env.Discrete{N: 4})
	x := []float64{0.5, -0.5, 0.2}
	for a := range 4 {
		if got := math.Exp(p.LogProb([]float64{float64(a)}, x, nil)); math.Abs(got-0.25) > 0.02 {
			t.Errorf("action %d has probability %g at the start, expected about 1/4", a, got)
		}
	}
	n := 0
	for _, w := range p.Params() {
		n += len(w.W)
	}
	if n != (3*64+64+64*64+64)*2+64*4+4+64+1 {
		t.Errorf("%d weights", n)
	}
}

// classes is a policy that acts for each of a set of classes by one kernel.
func classes() Config {
	return Config{Hidden: []int{8}, Critic: true, LogStd: -1, Encoder: ByClass,
		Candidates: &Candidates{Global: 2, Features: 3, Each: 2}}
}

// Permuting classes permutes their actions, including actions drawn with the same numbers,
// and leaves the value as it is: a class is given by its features alone.
func TestClassesShareTheirWeights(t *testing.T) {
	const n = 5
	spec := env.Spec{ID: "t/A-v0", Observation: env.NewBox(-1, 1, 2+3*n), Action: env.NewBox(-1, 1, n, 2)}
	r := stream("classes")
	p, err := New(classes(), &spec, r)
	if err != nil {
		t.Fatal(err)
	}
	if got := p.LogStd.Cols; got != 2 {
		t.Fatalf("%d deviations, expected 2 for all classes", got)
	}
	for _, w := range p.Params() {
		for i := range w.W {
			w.W[i] += 0.3 * r.NormFloat64()
		}
	}
	obs, perm := make([]float64, p.Obs), make([]float64, p.Obs)
	a, b := make([]float64, p.Action), make([]float64, p.Action)
	for range 20 {
		for i := range obs {
			obs[i] = r.NormFloat64()
		}
		copy(perm, obs)
		order := r.Perm(n)
		for to, from := range order {
			copy(perm[2+3*to:2+3*to+3], obs[2+3*from:])
		}
		p.Choose(a, obs, nil, nil)
		p.Choose(b, perm, nil, nil)
		raw, rawPerm := make([]float64, p.Action), make([]float64, p.Action)
		for to, from := range order {
			for k := range 2 {
				if math.Abs(b[2*to+k]-a[2*from+k]) > 1e-12 {
					t.Fatalf("an action of a class moved from %g to %g", a[2*from+k], b[2*to+k])
				}
				raw[2*from+k] = a[2*from+k] + 0.1*float64(from+k)
				rawPerm[2*to+k] = raw[2*from+k]
			}
		}
		if x, y := p.LogProb(raw, obs, nil), p.LogProb(rawPerm, perm, nil); math.Abs(x-y) > 1e-9 {
			t.Fatalf("the log-probability moved from %g to %g", x, y)
		}
		if x, y := p.ValueOf(obs, nil), p.ValueOf(perm, nil); math.Abs(x-y) > 1e-12 {
			t.Fatalf("the value moved from %g to %g", x, y)
		}
	}
}

// Weights trained on some classes act for more of them: each as it would among copies of itself.
func TestClassesOfAnotherNumber(t *testing.T) {
	spec := func(n int) *env.Spec {
		return &env.Spec{ID: "t/A-v0", Observation: env.NewBox(-1, 1, 2+3*n), Action: env.NewBox(-1, 1, n, 2)}
	}
	small, err := New(classes(), spec(1), stream("few"))
	if err != nil {
		t.Fatal(err)
	}
	s := &nn.State{}
	if err := small.Save(s); err != nil {
		t.Fatal(err)
	}
	large, err := Load(classes(), spec(1), spec(4), s)
	if err != nil {
		t.Fatal(err)
	}
	one, four := []float64{0.3, -0.2, 0.5, 0.1, -0.9}, []float64{0.3, -0.2}
	for range 4 {
		four = append(four, one[2:]...)
	}
	a, b := make([]float64, 2), make([]float64, 8)
	if err := errors.Join(small.Act(a, one, nil, nil), large.Act(b, four, nil, nil)); err != nil {
		t.Fatal(err)
	}
	for i := range b {
		if math.Abs(b[i]-a[i%2]) > 1e-12 {
			t.Errorf("action %d is %g, alone %g", i, b[i], a[i%2])
		}
	}
}

func TestEncoderFaults(t *testing.T) {
	list, each := &Candidates{Global: 1, Features: 2}, &Candidates{Global: 1, Features: 2, Each: 2}
	for _, c := range []struct {
		encoder string
		list    *Candidates
		want    string
	}{
		{"classes", nil, `encoder is "classes" without candidates, expected what states how observations list them`},
		{"mlp", list, `encoder is "mlp" with candidates, expected none`},
		{"classes", list,
			`candidates: each is 0 with encoder "classes", expected at least 1 with "classes" and 0 with others`},
		{"", each, `candidates: each is 2 with encoder "", expected at least 1 with "classes" and 0 with others`},
		{"classes", &Candidates{Features: 2, Each: 1, Extra: 3},
			`candidates: extra is 3 with encoder "classes", expected 0`},
		{"classes", &Candidates{Features: 2, Each: 1, Choices: 2},
			`candidates: choices are 2 with encoder "classes", expected 0, or at least 1 with "candidates"`},
		{"candidates", &Candidates{Features: 2, Choices: -1},
			`candidates: choices are -1 with encoder "candidates", expected 0, or at least 1 with "candidates"`},
		{"candidates", &Candidates{Features: 2, Choices: 3}, ""},
		{"classes", each, ""}, {"candidates", list, ""}, {"", list, ""}, {"mlp", nil, ""}, {"", nil, ""},
	} {
		cfg := plain()
		cfg.Encoder, cfg.Candidates = c.encoder, c.list
		switch err := cfg.Validate(); {
		case err == nil && c.want != "", err != nil && err.Error() != c.want:
			t.Errorf("encoder %q gives %v, expected %s", c.encoder, err, c.want)
		}
	}
}

func TestClassesMustFit(t *testing.T) {
	for _, s := range []env.Spec{
		{ID: "t/A-v0", Observation: env.NewBox(0, 1, 9), Action: env.NewBox(0, 1, 2, 2)},
		{ID: "t/B-v0", Observation: env.NewBox(0, 1, 8), Action: env.NewBox(0, 1, 3)},
		{ID: "t/C-v0", Observation: env.NewBox(0, 1, 8), Action: env.Discrete{N: 4}},
		{ID: "t/D-v0", Observation: env.NewBox(0, 1, 5), Action: env.Discrete{N: 2}, Masked: true},
	} {
		if _, err := New(classes(), &s, stream("fit")); err == nil ||
			!strings.Contains(err.Error(), "do not fit 2 global entries and classes of 3 features and 2 each") {
			t.Errorf("%s: error is %v", s.ID, err)
		}
	}
}

// limits is a policy that gives each of a list of candidates one of three limits, or none.
func limits() Config {
	return Config{Hidden: []int{8}, Critic: true,
		Candidates: &Candidates{Global: 1, Features: 2, Extra: 1, Choices: 3, Present: true}}
}

// limitsSpec is an environment with such a list.
func limitsSpec(n int) *env.Spec {
	return &env.Spec{ID: "t/L-v0", Observation: env.NewBox(-1, 1, 1+2*n), Action: env.Discrete{N: 1 + 3*n}, Masked: true}
}

// Permuting candidates permutes the probabilities of their choices, block by block, and leaves the value
// as it is; what is illegal has none; and weights serve lists of another length.
func TestSeveralChoicesOfEachCandidate(t *testing.T) {
	const n = 5
	r := stream("limits")
	p, err := New(limits(), limitsSpec(n), r)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range p.Params() {
		for i := range w.W {
			w.W[i] += 0.3 * r.NormFloat64()
		}
	}
	s := &nn.State{}
	if err := p.Save(s); err != nil {
		t.Fatal(err)
	}
	longer, err := Load(limits(), limitsSpec(n), limitsSpec(n+2), s)
	if err != nil {
		t.Fatal(err)
	}
	obs, perm, long := make([]float64, 1+2*n), make([]float64, 1+2*n), make([]float64, 1+2*(n+2))
	mask, maskPerm, maskLong := make([]bool, 1+3*n), make([]bool, 1+3*n), make([]bool, 1+3*(n+2))
	for range 20 {
		order := r.Perm(n)
		obs[0], mask[0], maskPerm[0] = r.NormFloat64(), true, true
		perm[0] = obs[0]
		for to, from := range order {
			obs[1+2*from], obs[2+2*from] = 1, r.NormFloat64()
			copy(perm[1+2*to:3+2*to], obs[1+2*from:])
			for k := range 3 {
				mask[1+3*from+k] = r.IntN(2) == 0
			}
			copy(maskPerm[1+3*to:4+3*to], mask[1+3*from:])
		}
		copy(long, obs)
		copy(maskLong, mask)
		sum := math.Exp(p.LogProb([]float64{0}, obs, mask))
		for to, from := range order {
			for k := range 3 {
				a, b := []float64{float64(1 + 3*from + k)}, []float64{float64(1 + 3*to + k)}
				x, y := p.LogProb(a, obs, mask), p.LogProb(b, perm, maskPerm)
				if math.Abs(x-y) > 1e-9 || !mask[1+3*from+k] && math.Exp(x) > 1e-300 {
					t.Fatalf("the log-probability of a choice moved from %g to %g, legal %v", x, y, mask[1+3*from+k])
				}
				sum += math.Exp(x)
			}
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Fatalf("the probabilities sum to %g", sum)
		}
		if x, y := p.ValueOf(obs, mask), p.ValueOf(perm, maskPerm); math.Abs(x-y) > 1e-12 {
			t.Fatalf("the value moved from %g to %g", x, y)
		}
		got := make([]float64, 1)
		if err := longer.Act(got, long, maskLong, nil); err != nil || !maskLong[int(got[0])] {
			t.Fatalf("with empty places the action is %v, error %v", got, err)
		}
	}
	if _, err := New(limits(), &env.Spec{ID: "t/L-v0", Observation: env.NewBox(-1, 1, 5), Masked: true,
		Action: env.Discrete{N: 3}}, r); err == nil || !strings.Contains(err.Error(), "1 extra choices, 3 choices each") {
		t.Errorf("error %v", err)
	}
}

func TestCandidatesMustFit(t *testing.T) {
	cfg := plain()
	cfg.Candidates = &Candidates{Global: 2, Features: 3}
	for _, s := range []env.Spec{
		{ID: "t/A-v0", Observation: env.NewBox(0, 1, 9), Action: env.Discrete{N: 2}},
		{ID: "t/B-v0", Observation: env.NewBox(0, 1, 8), Action: env.Discrete{N: 3}},
		{ID: "t/C-v0", Observation: env.NewBox(0, 1, 8), Action: env.NewBox(0, 1, 2)},
		{ID: "t/D-v0", Observation: env.NewBox(0, 1, 1), Action: env.Discrete{N: 1}},
	} {
		if _, err := New(cfg, &s, stream("fit")); err == nil || !strings.Contains(err.Error(), "do not fit") {
			t.Errorf("%s: error is %v", s.ID, err)
		}
	}
}
