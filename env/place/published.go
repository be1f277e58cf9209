package place

import (
	"fmt"

	"tarry/env"
	"tarry/env/layout"
	"tarry/env/model"
	"tarry/env/place/deepshare"
	"tarry/env/trait"
	"tarry/sim/param"
	"tarry/sim/rng"
	"tarry/sim/setting"
	table "tarry/sim/speed/deepshare"
)

// settings are the settings of protocol=deepshare.
type settings struct {
	Tables, Acts     string
	Measure          string
	Length           int // jobs
	Slips, Mask      bool
	Contention, Used float64
}

// How often an agent acts in a round.
const (
	asPublished = "published"
	actsOne     = "one"
	actsMany    = "many"
)

func (c *settings) publishedRows() []setting.Row {
	*c = settings{Tables: "own", Acts: asPublished, Measure: byTrained, Length: 256, Slips: true, Mask: true,
		Contention: 0.8, Used: 0.2}
	return []setting.Row{
		{Key: "tables", To: &c.Tables, Doc: "own | a folder with isolated.csv and pair_ratio.csv, whose jobs take 12 " +
			"rounds alone: throughputs and ratios (protocol=deepshare)"},
		{Key: "acts", To: &c.Acts, Names: []string{asPublished, actsOne, actsMany}, Doc: "actions in a round: published: " +
			"one in part train, many in others | one: ratios return to 1 at its start | many: until one places no job " +
			"(protocol=deepshare)"},
		{Key: "jobs", To: &c.Length, Low: 1, High: 100_000, Doc: "jobs of an episode, all there at 0 (protocol=deepshare)"},
		{Key: "slips", To: &c.Slips, Doc: "false: without the two slips of the published program (protocol=deepshare)"},
		{Key: "mask", To: &c.Mask, Doc: "false: actions that place no job are legal, as published (protocol=deepshare)"},
		{Key: "cost", To: &c.Measure, Names: []string{byTrained, byJCT}, Doc: "trained: mean time in which a job " +
			"progressed, as published | jct: mean time from the start of the run to a job's end (protocol=deepshare)"},
		{Key: "w1", To: &c.Contention, High: 1000, Doc: "weight of the jobs' loss of speed in the " +
			"reward (protocol=deepshare)"},
		{Key: "w2", To: &c.Used, High: 1000, Doc: "weight of the GPUs in use in the reward (protocol=deepshare)"},
	}
}

// makePublished makes the environment of protocol=deepshare.
func makePublished(options string) (env.Env, error) {
	return model.Make(ID, options, func(s *param.Set) model.Config[*rounds] {
		var o struct {
			Protocol string
			settings
		}
		setting.Read(s, []setting.Row{{Key: "protocol", To: &o.Protocol, Names: []string{published}}})
		setting.Read(s, o.publishedRows())
		shared := model.ReadSettings(s)
		tables := deepshare.Own()
		if o.Tables != "own" {
			read, err := table.Open(o.Tables)
			if err == nil {
				tables, err = deepshare.From(read)
			}
			if err != nil {
				s.Fault("tables: %v", err)
			}
		}
		return model.Config[*rounds]{Settings: shared, Spec: o.spec(tables), CostName: costNames()[o.Measure],
			Rules: publishedRules(), New: func() *rounds {
				return &rounds{settings: o.settings, tables: tables, World: deepshare.New(tables, o.Slips)}
			}}
	})
}

// rounds is the problem of protocol=deepshare.
type rounds struct {
	settings
	*deepshare.World
	many   bool
	tables *deepshare.Tables
	list   []deepshare.Job
}

// On sets how often the agent acts in a round.
func (m *rounds) On(p trait.Part) {
	m.many = m.Acts == actsMany || m.Acts == asPublished && p != trait.Train
}

// Start draws the jobs as the authors do: how often a model and a demand occur is drawn in hundredths.
func (m *rounds) Start(r *rng.Stream) error {
	parts := func(n int) *rng.Choice {
		weights := make([]float64, n)
		for range 100 {
			weights[r.IntN(n)]++
		}
		return rng.NewChoice(weights)
	}
	models, demands := parts(len(m.tables.Models)), parts(deepshare.Demands)
	m.list = m.list[:0]
	for range m.Length {
		kind := models.Pick(r)*deepshare.Demands + demands.Pick(r)
		m.list = append(m.list, deepshare.Job{Type: kind, Samples: m.tables.Samples[kind]})
	}
	m.Reset(m.list)
	return nil
}

// Observe writes the observation, and which actions place a job; the last always may be taken.
func (m *rounds) Observe(obs []float64, mask []bool) {
	n := 0
	for i := range m.Cells {
		for _, c := range m.Cells[i] {
			obs[n] = float64(c)
			n++
		}
	}
	for i := range mask {
		mask[i] = i == deepshare.Stop || m.Chosen(i) >= 0
	}
}

// Act plays an action, and what is left of its round if that ends with it.
func (m *rounds) Act(action []float64) model.Outcome {
	at, from := int(action[0]), m.Round
	if !m.many {
		reward := m.Train(at, m.Contention, m.Used)
		return m.outcome(reward, from)
	}
	if m.World.Act(at) {
		if m.Look(); len(m.Queue) > 0 {
			return model.Outcome{}
		}
	}
	m.Share()
	reward := m.Reward(m.Contention, m.Used)
	for m.Close(false); len(m.Queue) == 0 && m.Live(); {
		m.Close(false)
	}
	m.Look()
	return m.outcome(reward, from)
}

// longest is after how many rounds for each of its jobs an episode ends: one job after another takes
// fewer.
const longest = 16

// outcome is what rounds since one led to.
func (m *rounds) outcome(reward float64, from int) model.Outcome {
	return model.Outcome{Reward: reward, Elapsed: float64(m.Round - from), Terminated: !m.Live(),
		Truncated: m.Live() && m.Round >= longest*m.Length}
}

// Metrics writes how things stand.
func (m *rounds) Metrics(dst []float64) {
	x := m.Means()
	copy(dst, []float64{float64(m.Round), float64(len(m.Queue)), float64(x.Ended), x.TrainedS, x.P99S, x.JCTS, x.Used,
		x.Ratio})
}

func publishedMetrics() []string {
	return []string{"rounds", "waiting", "ended", "trained_s_mean", "trained_s_p99", "jct_s_mean", "used_frac",
		"kept_frac"}
}

// What costs are.
const (
	byTrained = "trained"
	byJCT     = "jct"
)

func costNames() map[string]string {
	return map[string]string{byTrained: "trained_s_mean", byJCT: "jct_s_mean"}
}

// Cost is the mean time in which a job progressed, which the authors report as completion time and which
// leaves out the time in the queue, or the mean completion time; of a job that has not ended it is the
// time of the episode.
func (m *rounds) Cost() float64 {
	x, left := m.Means(), len(m.Jobs)-m.Means().Ended
	mean := x.TrainedS
	if m.Measure == byJCT {
		mean = x.JCTS
	}
	return (float64(mean*float64(x.Ended)) + float64(left*m.Round*deepshare.RoundS)) / float64(len(m.Jobs))
}

func publishedRules() (out []model.Rule[*rounds]) {
	for _, r := range []struct {
		name, doc string
		choose    func(*deepshare.World) int
	}{{"first", "the lowest action that places a job", deepshare.First},
		{"spread", "the nodes with the fewest GPUs in use", deepshare.Spread},
		{"pack", "the nodes with the most GPUs in use", deepshare.Pack}} {
		out = append(out, model.Rule[*rounds]{Name: r.name, Doc: r.doc,
			Fresh: func(*rng.Stream) func(*rounds, []float64) {
				return func(m *rounds, action []float64) { action[0] = float64(r.choose(m.World)) }
			}})
	}
	return out
}

// spec describes the environment.
func (c *settings) spec(t *deepshare.Tables) env.Spec {
	shape := fmt.Sprintf("0..%d  type  ", t.Types())
	var features []layout.Feature
	for i := range deepshare.NodeGPUs {
		features = append(features, layout.Features(fmt.Sprintf("gpu%d  %stype of the job on the GPU, 0 where none is or "+
			"the job is about to end", i, shape))...)
	}
	for i := range deepshare.NodeGPUs {
		features = append(features, layout.Features(fmt.Sprintf("shape%d  %stype of the candidate that may have %d GPUs "+
			"of each of as many nodes as the number of this node", i+1, shape, i+1))...)
	}
	return env.Spec{ID: ID, Masked: c.Mask, Action: env.Discrete{N: deepshare.Actions}, Metrics: publishedMetrics(),
		Layout: layout.Observation{Segments: []layout.Segment{{Name: "node", Doc: "a node; the number of the first is 1",
			Features: features, Items: deepshare.Nodes}}},
		Observation: env.NewBox(0, float64(t.Types()), deepshare.Nodes*deepshare.Columns),
		Guide: layout.Guide{Action: layout.Features(`
0..5  place the first candidate (of 2, 4, 8 GPUs) that may be split over nodes 1 and 2, 1 3, 1 4, 2 3, 2 4, 3 4, and fits
6  place the first candidate that may be split over all nodes, and fits
7  place none`),
			Reward: fmt.Sprintf("of a round: -%v mean(1 - ratio) over the running jobs + %v x the moving average (span 10) "+
				"of the GPUs in use in the rounds before; 0 with nothing placed, and for actions that do not end a round",
				c.Contention, c.Used),
			Ends: fmt.Sprintf("terminated when all jobs have ended, truncated after %d rounds for each job", longest)},
		// The defaults of the library with which the authors trained.
		Advice: env.Advice{"ppo": {"envs": 1, "steps": 2048, "minibatches": 32, "epochs": 10, "learning_rate": 3e-4,
			"gamma": 0.99, "lambda": 0.95, "clip": 0.2, "hidden": []int{64, 64}, "entropy_coef": 0.0,
			"anneal": false, "clip_value": false}}}
}
