package deeprm

import (
	"fmt"
	"strings"

	"tarry/env"
	"tarry/env/classic/deeprm/slots"
	"tarry/env/layout"
	"tarry/env/model"
	"tarry/env/scenario"
	"tarry/sim/param"
	"tarry/sim/rng"
	"tarry/sim/setting"
)

// ID is the environment's.
const ID = "classic/DeepRM-v0"

// config is what the options state.
type config struct {
	model.Settings
	machine slots.Config
	rate    float64
	image   bool
	masked  bool
}

// protocols are the protocols, the default first.
func protocols() []string { return []string{"fair", "deeprm"} }

// defaults are the settings of a protocol.
func defaults(protocol string) *config {
	c := &config{Settings: model.Defaults(), machine: slots.Published(), rate: 0.7}
	c.machine.AllDone, c.machine.Drops = true, false
	if protocol == "fair" {
		c.machine.Slots, c.machine.Steps, c.machine.Lingers = 10, 200, false
		c.rate, c.masked = 0.4, true
	}
	return c
}

// Rows are all settings of Make, with the defaults of protocol=fair.
func Rows() []setting.Row { return append(defaults("fair").rows(), model.Rows()...) }

func (c *config) rows() []setting.Row {
	shapes := []string{"compact", "image"}
	return []setting.Row{
		{Key: "protocol", Read: func(*param.Set) {}, Show: func() string { return protocols()[0] }, Names: protocols(),
			Doc: "fair | deeprm: deeprm is the published one, with steps=50, slots=5, rate=0.7, no mask and the trap"},
		{Key: "observe", Read: func(s *param.Set) { c.image = s.Enum("observe", shapes...) == "image" },
			Show: func() string { return shapes[0] }, Names: shapes,
			Doc: "compact | image: numbers of the machine and of each slot, or the published cells"},
		{Key: "rate", To: &c.rate, Low: 0, High: 1, Doc: "probability that a job comes in a step"},
		{Key: "steps", To: &c.machine.Steps, Low: 2, High: 1e6, Unit: "steps",
			Doc: "steps in which jobs come, but the first"},
		{Key: "slots", To: &c.machine.Slots, Low: 1, High: 100, Doc: "visible jobs"},
		{Key: "horizon", To: &c.machine.Horizon, Low: longest + 1, High: 1000, Unit: "steps",
			Doc: "steps of the machine in which a job can be placed"},
	}
}

// Make makes the environment with "key=value,..." of Rows.
func Make(_ scenario.Catalogues, options string) (env.Env, error) {
	return model.Make(ID, options, Read)
}

// Read makes a configuration of the settings in Rows.
func Read(s *param.Set) model.Config[*Play] {
	c := defaults(s.Enum("protocol", protocols()...))
	setting.Read(s, c.rows())
	c.Settings = model.ReadSettings(s)
	return model.Config[*Play]{Settings: c.Settings, Spec: c.spec(), New: func() *Play { return newPlay(c) },
		Rules: rules(), CostName: "slowdown_mean"}
}

// rules are the rules of the machine, in the agent's choices.
func rules() (out []model.Rule[*Play]) {
	for _, r := range slots.Rules() {
		out = append(out, model.Rule[*Play]{Name: strings.ToLower(r.Name), Doc: r.Doc,
			Fresh: func(*rng.Stream) func(*Play, []float64) {
				return func(p *Play, action []float64) { action[0] = p.action(r.Choose(p.Machine)) }
			}})
	}
	return out
}

// metrics names what Play.Metrics gives.
func metrics() []string { return []string{"step", "jobs", "backlog", "placed"} }

func (c *config) spec() env.Spec {
	m := &c.machine
	s := env.Spec{ID: ID, Masked: c.masked, Action: env.Discrete{N: m.Slots + 1}, Metrics: metrics(),
		Layout: layout.Observation{Segments: c.compact(), Acts: layout.OnOne},
		Guide: layout.Guide{
			Action: layout.Features(fmt.Sprintf(`
0  a step passes
1..%d  the job in that slot gets its first place in the horizon`, m.Slots)),
			Reward: "0 for a place; for a step minus the sum of 1/length over the jobs in the system, so that the return is " +
				"minus the sum of slowdowns",
			Ends: fmt.Sprintf("terminated when all jobs are done; after %d steps the rule sjf plays the rest", most*m.Steps)},
		Advice: advice()}
	if c.image {
		s.Layout = layout.Observation{Segments: c.cells()}
	}
	if !c.masked {
		s.Guide.Ends += "; a job without a place, and an empty slot, let a step pass"
	}
	if m.Lingers {
		s.Guide.Reward += "; of jobs that end together every second one of a run counts for a step more"
	}
	numbers := 0
	for i := range s.Layout.Segments {
		numbers += s.Layout.Segments[i].Len()
	}
	s.Observation = env.NewBox(0, 1, numbers)
	return s
}

// advice is what is known to work: see docs/results.
func advice() env.Advice {
	return env.Advice{
		"reinforce": {"baseline": "input", "sequences": 4, "rollouts": 8, "hidden": []int{20}, "gamma": 1},
		"ppo":       {"gamma": 1, "lambda": 0.97},
	}
}

// compact are the segments of numbers.
func (c *config) compact() []layout.Segment {
	return []layout.Segment{
		{Name: "machine", Doc: "a step of the horizon, from now on", Items: c.machine.Horizon, Features: layout.Features(`
free_0  0..1  share  units of the first resource that are free
free_1  0..1  share  units of the second resource that are free`)},
		{Name: "queue", Items: 1, Features: layout.Features(`
backlog  0..1  60 jobs  jobs in the backlog, cut at 1
idle  0..1  10 steps  steps since the last arrival, cut at 1
coming  0..1  share  steps in which jobs still come / all of these`)},
		{Name: "slot", Doc: "a slot", Items: c.machine.Slots, Features: layout.Features(`
there  0, 1  flag  1 where a job is in the slot; without one all are 0
length  0..1  horizon  its length
need_0  0..1  share  its units of the first resource
need_1  0..1  share  its units of the second resource
now  0, 1  flag  1 where it fits now for its whole length
start  0..1  horizon  steps until its first place, 1 where it has none
waited  0..1  squashed lengths  steps since its arrival / its length`)},
	}
}

// cells are the segments of the image: a row for each step of the horizon.
func (c *config) cells() []layout.Segment {
	var f []layout.Feature
	add := func(name, doc string) {
		f = append(f, layout.Feature{Name: name, Range: "0, 1", Unit: "flag", Doc: doc})
	}
	for r := range slots.Resources {
		for u := range c.machine.Units {
			add(fmt.Sprintf("machine_%d_%d", r, u), fmt.Sprintf("unit %d of resource %d is in use", u, r))
		}
		for s := range c.machine.Slots {
			for u := range c.machine.Units {
				add(fmt.Sprintf("slot_%d_%d_%d", s+1, r, u),
					fmt.Sprintf("the job in slot %d is so long and needs more than %d units of resource %d", s+1, u, r))
			}
		}
	}
	for len(f) < c.machine.Width()-1 {
		add(fmt.Sprintf("backlog_%d", len(f)), "a job of the backlog")
	}
	f = append(f, layout.Feature{Name: "idle", Range: "0..1", Unit: "10 steps",
		Doc: "steps since the last arrival, cut at 1"})
	return []layout.Segment{{Name: "row", Doc: "a step of the horizon, from now on", Items: c.machine.Horizon,
		Features: f}}
}
