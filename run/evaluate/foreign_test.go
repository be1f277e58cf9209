package evaluate

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	agents "tarry/agents/registry"
	"tarry/catalogue/shipped"
	"tarry/env"
	"tarry/env/layout"
	"tarry/env/registry"
	"tarry/env/scenario"
	"tarry/env/schedenv"
	"tarry/env/trait"
	"tarry/run/parts"
	"tarry/run/train"
	"tarry/run/trial"
	"tarry/run/tune"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/param"
)

// queue is a scheduler from outside: jobs go in order of arrival, and the agent is asked at
// each instant whether jobs that ask for the fewest GPUs go first instead.
type queue struct {
	waiting      []sim.JobID
	asked, small bool
}

func (q *queue) Knows() know.Set { return know.Nothing }

func (q *queue) Begin(v *sim.View, out []sim.Decision) []sim.Decision {
	q.asked, q.small = false, false
	for _, ev := range v.Events() {
		if ev.Kind == sim.Arrive {
			q.waiting = append(q.waiting, ev.Job)
		}
	}
	return out
}

func (q *queue) Ask(*sim.View) bool { return !q.asked && len(q.waiting) > 1 }

func (q *queue) Observe(v *sim.View, obs []float64, _ []bool) {
	obs[0], obs[1] = float64(v.Free().Total())/float64(v.Topology().GPUs()), schedenv.Squash(float64(len(q.waiting)))
}

func (q *queue) Answer(_ *sim.View, action []float64) {
	q.asked, q.small = true, action != nil && action[0] == 1
}

func (q *queue) Finish(v *sim.View, out []sim.Decision) []sim.Decision {
	order := slices.Clone(q.waiting)
	if q.small {
		slices.SortStableFunc(order, func(a, b sim.JobID) int { return v.Job(a).GPUs() - v.Job(b).GPUs() })
	}
	for _, j := range order {
		if v.Free().Total() < v.Job(j).GPUs() {
			break
		}
		gpus, _ := v.Free().At(nil, v.Job(j).GPUs(), cluster.LevelCluster, cluster.BestFit)
		for _, g := range gpus {
			v.Free().Take(g)
		}
		out = append(out, sim.Decision{Kind: sim.Start, Job: j, GPUs: gpus})
		q.waiting = slices.DeleteFunc(q.waiting, func(k sim.JobID) bool { return k == j })
	}
	return out
}

func (q *queue) Clone() schedenv.Scheduler {
	c := new(queue)
	c.CopyFrom(q)
	return c
}

func (q *queue) CopyFrom(other schedenv.Scheduler) {
	o := other.(*queue)
	q.waiting, q.asked, q.small = append(q.waiting[:0], o.waiting...), o.asked, o.small
}

// mine is an environment around it with a reward, windows and a demonstrator of its own: its reward
// is larger for an empty queue, has only every second window, and shows the actions of a rule
// that always takes the smallest.
type mine struct {
	*schedenv.Env
	next    uint64
	follows bool
}

func (m *mine) paid(s env.Step) env.Step {
	if s.Obs != nil {
		s.Reward = 1 - s.Obs[1]
	}
	return s
}

func (m *mine) Reset(seed *uint64, options string) ([]float64, env.Info, error) {
	set := param.Parse("mine", options)
	if m.next++; seed != nil {
		m.next = *seed
	}
	n := m.Windows(m.Part())
	i := set.Int("window", int(m.next%uint64(n)), 0, n-1)
	if err := set.Err(); err != nil {
		return nil, env.Info{}, err
	}
	return m.Env.Reset(seed, fmt.Sprintf("window=%d", 2*i))
}

func (m *mine) Step(action []float64) (env.Step, error) {
	s, err := m.Env.Step(action)
	return m.paid(s), err
}

func (m *mine) Windows(p trait.Part) int { return m.Env.Windows(p) / 2 }

func (m *mine) WindowHash(p trait.Part, i int) (string, error) { return m.Env.WindowHash(p, 2*i) }

func (m *mine) Another(p trait.Part) (env.Env, error) {
	e, err := m.Env.Another(p)
	if err != nil {
		return nil, err
	}
	return &mine{Env: e.(*schedenv.Env)}, nil
}

func (m *mine) Base() string { return "arrival" }

func (m *mine) Follow(policy string) error {
	if m.follows = policy == "smallest"; !m.follows {
		return fmt.Errorf("mine follows %q, expected smallest", policy)
	}
	return nil
}

func (m *mine) Demonstrate(action []float64) error {
	action[0] = 1
	return nil
}

// withMine is what tarry ships and the environment.
func withMine() *parts.Catalogues {
	all := shipped.All()
	all.Envs = append(all.Envs, registry.Entry{ID: "mine/Env-v0", Doc: "first or smallest",
		New: func(from scenario.Catalogues, options string) (env.Env, error) {
			s := param.Parse("mine/Env-v0", options)
			c := schedenv.Read(s, from)
			if err := s.Err(); err != nil {
				return nil, err
			}
			e, err := schedenv.New(c, env.Spec{ID: "mine/Env-v0", Options: options, Observation: env.NewBox(0, 1, 2),
				Action: env.Discrete{N: 2},
				Layout: layout.Observation{Segments: []layout.Segment{{Name: "queue",
					Features: layout.Features("free  free GPUs\nwaiting  jobs that wait"), Items: 1}}},
				Advice: env.Advice{"ppo": {"hidden": []int{5}, "total_steps": 64, "envs": 2, "steps": 16,
					"minibatches": 2}}},
				func() schedenv.Scheduler { return new(queue) })
			if err != nil {
				return nil, err
			}
			return &mine{Env: e}, nil
		}})
	return all
}

const mineText = "mine/Env-v0:cluster=2x2x4,windows=6,warm=2,horizon=12,load=1.5"

// An environment that no package names is trained by imitation, compared with schedulers, and
// schedulers are tuned on its windows.
func TestForeignEnvironment(t *testing.T) {
	from, dir := withMine(), t.TempDir()
	cfg, err := train.Resolve(from, mineText, "ppo", 1, []agents.Setting{{Key: "imitate", Value: "smallest"},
		{Key: "imitate_episodes", Value: "2"},
		{Key: "imitate_epochs", Value: "2"}, {Key: "validate_episodes", Value: "2"}})
	if err != nil {
		t.Fatal(err)
	}
	text, err := cfg.JSON()
	if err != nil || !strings.Contains(string(text), `"hidden": [`) || cfg.Steps() != 64 {
		t.Fatalf("the environment's advice is not taken: %s, error %v", text, err)
	}
	got, err := train.Run(context.Background(), cfg, train.Options{Out: dir})
	if err != nil || got.Updates != 2 || !(got.Best > 0) {
		t.Fatalf("%+v, error %v; its own reward is above 0", got, err)
	}
	if name, mean, err := cfg.Reference(); err != nil || name != "smallest" || !(mean > 0) {
		t.Errorf("the reference is %s with %v, error %v", name, mean, err)
	}
	windows(t, from, dir)
	s, err := Build(from, Request{Checkpoints: []string{dir}, Which: "last", Baselines: []string{"fifo"},
		Part: trait.Test, Windows: 3})
	if err != nil {
		t.Fatal(err)
	}
	done, err := trial.Run(context.Background(), s.Trials, trial.Options{})
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	if err != nil || len(done) != 6 || done[0].Row.Unfinished != 0 || math.IsNaN(done[0].Row.JCTMean) {
		t.Fatalf("%d trials, error %v", len(done), err)
	}
	if n, _ := s.Agents[0].Latency(); n < 20 {
		t.Errorf("the agent is asked %d times, expected more", n)
	}
	best, err := tune.Run(context.Background(), from, tune.Config{Env: mineText, Policy: "dally-manual",
		Params: []string{"t_rack=0:6"}, Optimiser: "random", Metric: "jct_mean",
		Budget: 2, Windows: 2, Validation: 1, Candidates: 1, Seed: 1}, tune.Options{Out: t.TempDir()})
	if err != nil || best.Simulations == 0 {
		t.Errorf("tuning gives %+v, error %v", best, err)
	}
}

// windows holds windows.json to what the environment states of its windows.
func windows(t *testing.T, from *parts.Catalogues, dir string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "windows.json"))
	if err != nil {
		t.Fatal(err)
	}
	var seen struct{ Train, Validation []string }
	if err := json.Unmarshal(data, &seen); err != nil {
		t.Fatal(err)
	}
	e, err := from.Envs.Make(from.Catalogues, mineText)
	if err != nil {
		t.Fatal(err)
	}
	on, ok := env.Find[trait.Windowed](e)
	if !ok || len(seen.Train) != 3 || len(seen.Validation) != 2 {
		t.Fatalf("%d windows of training and %d of validation, expected 3 and 2", len(seen.Train), len(seen.Validation))
	}
	for i, sum := range seen.Train {
		if want, err := on.WindowHash(trait.Train, i); err != nil || sum != want {
			t.Errorf("window %d is %s, expected %s, error %v", i, sum, want, err)
		}
	}
}

// Errors have the words of the environment.
func TestForeignFaults(t *testing.T) {
	_, err := train.Resolve(withMine(), mineText, "ppo", 1, []agents.Setting{{Key: "imitate", Value: "largest"}})
	if err == nil || !strings.Contains(err.Error(), `imitate is largest: mine follows "largest", expected smallest`) {
		t.Errorf("imitating nobody gives %v", err)
	}
	_, err = train.Resolve(withMine(), mineText+",part=test", "ppo", 1, nil)
	if err == nil || !strings.Contains(err.Error(), "part is test, expected train") {
		t.Errorf("training on the test part gives %v", err)
	}
}
