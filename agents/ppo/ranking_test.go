package ppo_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"tarry/agents/agenttest"
	"tarry/agents/policy"
	"tarry/agents/ppo"
	"tarry/catalogue/simulation"
	"tarry/env"
	"tarry/env/order"
	"tarry/sim/rng"
)

// sorter lists up to six items with two features. The reward of an order is minus the mean over its
// items of place x weight, where the weight is a - 2b: items with the largest weight belong first.
// Items last for the four steps of an episode, in which their places are shuffled.
type sorter struct {
	spec   env.Spec
	stream *rng.Stream
	ab     [6][2]float64
	at     []int // item by place
	obs    []float64
	step   int
}

func newSorter(int) (env.Env, error) {
	return &sorter{spec: env.Spec{ID: "test/Sorter-v0", Observation: env.NewBox(-4, 4, 19),
		Action: env.NewBox(-50, 50, 6)}, obs: make([]float64, 19)}, nil
}

func (s *sorter) Spec() *env.Spec { return &s.spec }
func (s *sorter) Close() error    { return nil }

func (s *sorter) Reset(seed *uint64, _ string) ([]float64, env.Info, error) {
	if seed != nil {
		s.stream = rng.Source{Seed: *seed}.Stream("sorter")
	}
	for i := range s.ab {
		s.ab[i] = [2]float64{4*s.stream.Float64() - 2, 2*s.stream.Float64() - 1}
	}
	s.at, s.step = s.stream.Perm(6)[:3+s.stream.IntN(4)], 0
	return s.show(), env.Info{}, nil
}

func (s *sorter) show() []float64 {
	s.stream.Shuffle(len(s.at), func(i, j int) { s.at[i], s.at[j] = s.at[j], s.at[i] })
	clear(s.obs)
	for place, item := range s.at {
		copy(s.obs[1+3*place:], []float64{1, s.ab[item][0], s.ab[item][1]})
	}
	return s.obs
}

// weights returns the items' weights by place.
func (s *sorter) weights() []float64 {
	var out []float64
	for _, item := range s.at {
		out = append(out, s.ab[item][0]-2*s.ab[item][1])
	}
	return out
}

// sorted gives places in the order of some numbers, the least first.
func sorted(x []float64) []int {
	var out []int
	for i := range x {
		out = append(out, i)
	}
	slices.SortFunc(out, func(a, b int) int { return int(math.Copysign(1, x[a]-x[b])) })
	return out
}

func (s *sorter) Step(action []float64) (env.Step, error) {
	w, reward := s.weights(), 0.0
	for place, i := range sorted(action[:len(w)]) {
		reward -= float64(place) * w[i] / float64(len(w))
	}
	s.step++
	done := s.step == 4
	return env.Step{Obs: s.show(), Reward: reward, Terminated: done, Info: env.Info{Elapsed: 1}}, nil
}

// Items implements trait.Itemised.
func (s *sorter) Items(dst []int) []int {
	for place := range 6 {
		item := -1
		if place < len(s.at) {
			item = s.at[place]
		}
		dst = append(dst, item)
	}
	return dst
}

// agreement is the part of pairs of items that a policy puts in the right order, over some lists.
func agreement(t *testing.T, p agenttest.Actor) float64 {
	t.Helper()
	e, _ := newSorter(0)
	s, action := e.(*sorter), make([]float64, 6)
	right, pairs := 0.0, 0.0
	for seed := range uint64(200) {
		obs, _, _ := s.Reset(&seed, "")
		if err := p.Act(action, obs, nil, nil); err != nil {
			t.Fatal(err)
		}
		w := s.weights()
		for i := range w {
			for j := range i {
				pairs++
				if (w[i] > w[j]) == (action[i] < action[j]) {
					right++
				}
			}
		}
	}
	return right / pairs
}

// PPO learns a known order, with either noise, and with nothing but rewards to compare with.
func TestLearnsAnOrder(t *testing.T) {
	for name, change := range map[string]func(*ppo.Config){
		"step":    func(*ppo.Config) {},
		"episode": func(c *ppo.Config) { c.Noise = ppo.EachEpisode },
		"none":    func(c *ppo.Config) { c.Baseline, c.ValuesFirst, c.Lambda = ppo.ByNothing, 2, 0 },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := quick()
			cfg.TotalSteps, cfg.Encoder, cfg.Candidates = 12_800, policy.ByRank,
				&ppo.Candidates{Global: 1, Features: 3, Each: 1}
			cfg.Temperature, cfg.Places = 0.5, 5
			change(&cfg)
			l, _ := train(t, cfg, 1, newSorter)
			defer l.Close()
			if got := agreement(t, l.Policy()); got < 0.95 {
				t.Errorf("%.3f of the pairs are in order, expected 0.95", got)
			}
		})
	}
}

// Before its first update a policy that starts from parameters acts as they do, to the bit, and
// afterwards no longer.
func TestStartsFromParameters(t *testing.T) {
	for _, options := range []string{"", ",hidden=2", ",features=rank+gpus+pressure_gpus"} {
		options = "cluster=2x2x4,windows=4,warm=8,horizon=60,load=1.1,jobs=24,globals=false,reward=relative" + options
		made, err := order.Make(simulation.All(), options)
		if err != nil {
			t.Fatal(err)
		}
		e := made.(*order.Env)
		cfg := quick()
		cfg.Encoder, cfg.Candidates = policy.ByRank, &ppo.Candidates{Global: 13, Features: 12, Each: 1}
		for i, x := range e.Parameters() {
			cfg.Start = append(cfg.Start, x.Start+0.3*math.Sin(float64(i*i)))
		}
		l, err := ppo.New(cfg, 1, func(int) (env.Env, error) { return order.Make(simulation.All(), options) })
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		differ := func() (n int) {
			got, want := make([]float64, 24), make([]float64, 24)
			obs, _, err := e.Reset(nil, "window=1")
			for done := false; err == nil && !done; {
				if err = e.Answer(want, obs, cfg.Start); err != nil {
					break
				}
				if err = l.Policy().Act(got, obs, nil, nil); err != nil {
					break
				}
				if !slices.Equal(got, want) {
					n++
				}
				var s env.Step
				s, err = e.Step(want)
				obs, done = s.Obs, s.Done()
			}
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		if n := differ(); n != 0 {
			t.Errorf("%s: %d actions differ from those of the parameters", options, n)
		}
		if _, err := l.Update(); err != nil {
			t.Fatal(err)
		}
		if differ() == 0 {
			t.Errorf("%s: an update changed no action", options)
		}
	}
}

func TestRankingRunsThatCannotBe(t *testing.T) {
	ranked := quick()
	ranked.Encoder, ranked.Candidates = policy.ByRank, &ppo.Candidates{Global: 1, Features: 3, Each: 1}
	for want, change := range map[string]func(*ppo.Config){
		"start: test/Sorter-v0 has no parameters, expected none": func(c *ppo.Config) { c.Start = []float64{1} },
		`noise is "ever", expected one of step, episode`:         func(c *ppo.Config) { c.Noise = "ever" },
		`baseline is "critics", expected one of critic, none`:    func(c *ppo.Config) { c.Baseline = "critics" },
		`noise is "episode" with encoder "mlp"`: func(c *ppo.Config) {
			c.Noise, c.Encoder,
				c.Candidates = ppo.EachEpisode, "mlp", nil
		},
	} {
		cfg := ranked
		change(&cfg)
		l, err := ppo.New(cfg, 1, newSorter)
		if err == nil {
			l.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, expected %q", err, want)
		}
	}
	cfg := ranked
	cfg.Noise = ppo.EachEpisode
	_, err := ppo.New(cfg, 1, func(int) (env.Env, error) { return plainSorter(), nil })
	if err == nil || !strings.Contains(err.Error(), "does not number the items") {
		t.Errorf("items without numbers: %v", err)
	}
	cfg = ranked
	cfg.Candidates, cfg.Start = &ppo.Candidates{Global: 13, Features: 12, Each: 1}, []float64{1, 2}
	_, err = ppo.New(cfg, 1, ranking)
	if err == nil || !strings.Contains(err.Error(), "start has 2 numbers, expected one for each of the 19 parameters") {
		t.Errorf("a short start: %v", err)
	}
}

// plainSorter is a sorter that does not number its items.
func plainSorter() env.Env {
	e, _ := newSorter(0)
	return struct{ env.Env }{e}
}
