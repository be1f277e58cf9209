package evaluate

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	agents "tarry/agents/registry"
	"tarry/catalogue/shipped"
	"tarry/env"
	"tarry/env/layout"
	"tarry/env/model"
	"tarry/env/registry"
	"tarry/env/scenario"
	"tarry/env/trait"
	"tarry/output/results"
	"tarry/run/parts"
	"tarry/run/train"
	"tarry/sim/param"
	"tarry/sim/rng"
	"tarry/sim/setting"
)

// lights is an environment outside the simulator: of three lights one is on, and an action names it.
type lights struct {
	r           *rng.Stream
	on          int
	steps, miss float64
}

func (l *lights) Start(r *rng.Stream) error {
	*l = lights{r: r, on: r.IntN(3)}
	return nil
}

func (l *lights) Observe(obs []float64, _ []bool) {
	clear(obs)
	obs[l.on] = 1
}

func (l *lights) Act(a []float64) model.Outcome {
	hit := 0.0
	if int(a[0]) == l.on {
		hit = 1
	}
	l.miss += 1 - hit
	l.steps++
	l.on = l.r.IntN(3)
	return model.Outcome{Reward: hit, Elapsed: 1, Terminated: l.steps == 16}
}

func (l *lights) Metrics([]float64) {}
func (l *lights) Cost() float64     { return 0.5 + l.miss }

const lightsID = "tarry/Lights-v0"

func withLights() *parts.Catalogues {
	at := func(k int) func(*rng.Stream) func(*lights, []float64) {
		return func(*rng.Stream) func(*lights, []float64) {
			return func(l *lights, a []float64) { a[0] = float64((l.on + k) % 3) }
		}
	}
	read := func(s *param.Set) model.Config[*lights] {
		return model.Config[*lights]{Settings: model.ReadSettings(s), CostName: "misses_count",
			New: func() *lights { return new(lights) },
			Spec: env.Spec{ID: lightsID, Action: env.Discrete{N: 3}, Observation: env.NewBox(0, 1, 3),
				Layout: layout.Observation{Segments: []layout.Segment{{Name: "light", Items: 3,
					Features: layout.Features("on  0, 1  flag  it is on")}}},
				Guide: layout.Guide{Action: layout.Features("0..2  the light"), Reward: "1 for the light", Ends: "after 16"}},
			Rules: []model.Rule[*lights]{{Name: "on", Doc: "the light that is on", Fresh: at(0)},
				{Name: "next", Doc: "the one behind it", Fresh: at(1)}}}
	}
	c := shipped.All()
	c.Envs = append(c.Envs, registry.Entry{ID: lightsID, Doc: "name the light",
		Rows: func() []setting.Row { return model.Rows() },
		New:  func(_ scenario.Catalogues, o string) (env.Env, error) { return model.Make(lightsID, o, read) },
		Read: func(_ scenario.Catalogues, s *param.Set) { read(s) }})
	return c
}

// trained makes a short run in a folder.
func trainedLights(t *testing.T, from *parts.Catalogues, seed uint64, more ...agents.Setting) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), fmt.Sprint(seed))
	c, err := train.Resolve(from, lightsID+":windows=20", "ppo", seed, append([]agents.Setting{
		{Key: "total_steps", Value: "8192"}, {Key: "hidden", Value: "16"}, {Key: "learning_rate", Value: "0.01"},
		{Key: "validate_episodes", Value: "4"}}, more...))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := train.Run(context.Background(), c, train.Options{Out: dir, Workers: 1, Version: "test"}); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Agents, their untrained twins and the rules of an environment outside the simulator are compared
// by its costs, on windows that training did not see; the number of workers changes nothing.
func TestScores(t *testing.T) {
	from := withLights()
	request := Request{Checkpoints: []string{trainedLights(t, from, 1), trainedLights(t, from, 2)}, Which: "best",
		Untrained: true, Baselines: []string{"on", "next"}, Part: trait.Test, Windows: 10}
	score := func(workers int) []Row {
		s, err := Build(from, request)
		if err != nil {
			t.Fatal(err)
		}
		if !s.Scored() || len(s.Trials) > 0 {
			t.Fatal("it is not scored")
		}
		rows, err := s.Score(context.Background(), workers, func(k *results.Keys) { k.Experiment = "x" })
		if err != nil {
			t.Fatal(err)
		}
		return rows
	}
	rows := score(1)
	if more := score(4); !reflect.DeepEqual(rows[0], more[0]) || len(more) != len(rows) {
		t.Error("4 workers give other rows")
	}
	by := map[string]Row{}
	for _, r := range rows {
		by[r.Policy] = r
	}
	mean := func(name string) float64 {
		sum := 0.0
		for _, c := range by[name].JCT {
			sum += c
		}
		return sum / float64(len(by[name].JCT))
	}
	if mean("on") != 0.5 || mean("next") != 16.5 || mean("ppo (2 seeds)") != 0.5 || mean("untrained:ppo-1") < 5 {
		t.Errorf("costs %v %v %v %v", mean("on"), mean("next"), mean("ppo (2 seeds)"), mean("untrained:ppo-1"))
	}
	if d := by["next"].Diff; d.Point != 16 || by["next"].Improvement.Point != 1 {
		t.Errorf("difference %v", d)
	}
	request.Draw = true
	for i, r := range score(3) { // drawn actions miss now and then, alike for any number of workers
		if again := score(1)[i]; !reflect.DeepEqual(r.JCT, again.JCT) {
			t.Errorf("%s: drawn costs %v and %v", r.Policy, r.JCT, again.JCT)
		}
		if differs := !reflect.DeepEqual(r.JCT, rows[i].JCT); differs != (r.Agent != "") {
			t.Errorf("%s: drawing changes its costs: %v", r.Policy, differs)
		}
	}
	evals := Evals(rows)
	if len(evals) != 6*10 || evals[0].CostName != "misses_count" || evals[0].Cost != 0.5 || evals[0].Experiment != "x" ||
		!math.IsNaN(evals[0].JCTMean) || evals[0].TrainSeed != 1 || evals[59].Agent != "" || evals[59].Replicate != 9 {
		t.Errorf("%d rows, the first is %+v", len(evals), evals[0])
	}
	if cells := Cells(rows[0]); cells[len(cells)-1].Name != "improvement_hi" {
		t.Errorf("cells %v", cells)
	}
}

func TestScoreFaults(t *testing.T) {
	from := withLights()
	dir := trainedLights(t, from, 3, agents.Setting{Key: "imitate", Value: "on"})
	for _, c := range []struct {
		change func(r *Request)
		want   string
	}{
		{func(r *Request) { r.Baselines = []string{"dally"} }, `rule "dally": unknown, expected one of on, next`},
		{func(r *Request) { r.Baselines = []string{"on", "on"} }, `rule "on" is given twice`},
		{func(r *Request) { r.Part = trait.Train }, "is training window 0"},
		{func(r *Request) { r.Part = trait.Validation }, "is validation window 0"},
		{func(r *Request) { r.Windows = 21 }, "windows are 21, expected 1..20"},
		{func(r *Request) { r.Bounds = true }, "expected neither tuned schedulers, bounds nor a trace"},
		{func(r *Request) { r.Options = []string{"windos=3"} }, "windos"},
		{func(r *Request) { r.Which = "lst" }, `which is "lst", expected best or last; did you mean "last"?`},
	} {
		r := Request{Checkpoints: []string{dir}, Which: "best", Part: trait.Test, Windows: 2}
		c.change(&r)
		if _, err := Build(from, r); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, expected %q", err, c.want)
		}
	}
}

// Costs of two environments are not compared, and the error names both.
func TestCostsOfTwoEnvironments(t *testing.T) {
	from := withLights()
	a, b := trainedLights(t, from, 3), filepath.Join(t.TempDir(), "b")
	c, err := train.Resolve(from, "classic/ParallelQueues-v0:windows=20", "ppo", 1, []agents.Setting{
		{Key: "total_steps", Value: "512"}, {Key: "envs", Value: "1"}, {Key: "steps", Value: "512"},
		{Key: "validate_episodes", Value: "1"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := train.Run(context.Background(), c, train.Options{Out: b, Workers: 1, Version: "test"}); err != nil {
		t.Fatal(err)
	}
	want := b + " acts in classic/ParallelQueues-v0 and " + a + " in " + lightsID
	r := Request{Checkpoints: []string{a, b}, Which: "best", Part: trait.Test, Windows: 2}
	if _, err := Build(from, r); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, expected %s", err, want)
	}
}

// An actor from elsewhere is scored as an agent is.
func TestScoredActor(t *testing.T) {
	on := func(a, obs []float64, _ []bool) error {
		a[0] = float64(slices.Index(obs, 1))
		return nil
	}
	s, err := Build(withLights(), Request{Actors: []Actor{actor("mine", lightsID+":windows=20", on)},
		Baselines: []string{"next"}, Part: trait.Test, Windows: 3})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := s.Score(context.Background(), 1, nil)
	if err != nil || len(rows) != 2 || !slices.Equal(rows[0].JCT, []float64{0.5, 0.5, 0.5}) {
		t.Errorf("%v, error %v", rows, err)
	}
}
