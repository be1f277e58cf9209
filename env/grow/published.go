package grow

import (
	"tarry/env"
	"tarry/env/grow/dl2"
	"tarry/env/layout"
	"tarry/env/model"
	"tarry/sim/param"
	"tarry/sim/rng"
	"tarry/sim/setting"
)

// published is DL2's cluster with an agent.
type published struct {
	o     *publishedOptions
	kinds []dl2.Kind
	world *dl2.World
	jobs  []dl2.Job
	// state is scratch of Observe, scales what its numbers are divided by.
	state, scales []float64

	kept bool // the last action was a task that fits, or the end of the slot
	err  error
}

// publishedOptions are the settings of protocol=dl2.
type publishedOptions struct {
	nodes, jobs, window int
	arrivals            float64
	guard, raw, times   bool
	reward              string
}

// The rewards of protocol=dl2.
const (
	slotReward = "slot"
	jctReward  = "jct"
)

// rows are the settings of protocol=dl2, with their defaults.
func (o *publishedOptions) rows() []setting.Row {
	*o = publishedOptions{nodes: 12, jobs: 20, window: 16, arrivals: 0.4, guard: true}
	const of = "protocol=dl2: "
	return []setting.Row{
		{Key: "nodes", To: &o.nodes, Low: 1, High: 1000, Doc: of + "nodes of 8 CPU and 8 GPU units"},
		{Key: "list_jobs", To: &o.jobs, Low: 1, High: 10_000, Doc: of + "jobs of an episode"},
		{Key: "arrivals", To: &o.arrivals, Low: 1e-3, High: 1000, Unit: "jobs/slot",
			Doc: of + "mean of the Poisson number of jobs that come in a slot"},
		{Key: "window", To: &o.window, Low: 1, High: 1000, Doc: of + "jobs that the agent sees, by arrival"},
		{Key: "raw", To: &o.raw, Doc: of + "true: the published numbers; false: type over 8, stay over 100, workers and " +
			"servers over 16, as its option rescale does"},
		{Key: "times", To: &o.times, Doc: of + "true: a seventh number of each job, the slots that it has left with all " +
			"workers over 100, which rules by time read"},
		{Key: "guard", To: &o.guard, Doc: of + "true: a slot begins with a worker and a server for each job, by number, as " +
			"long as they fit"},
	}
}

// mostSlots is after how many slots an episode is truncated.
const mostSlots = 4000

// setting is the cluster of the options.
func (o *publishedOptions) setting(kinds []dl2.Kind) *dl2.Setting {
	s := &dl2.Setting{Nodes: o.nodes, Units: 8, SlotS: 1200, Most: 16, Window: o.window, Unguarded: !o.guard}
	for _, k := range kinds {
		s.Types = append(s.Types, k.Type)
	}
	return s
}

// newPublished makes a model; a fault is Start's.
func newPublished(o *publishedOptions) *published {
	p := &published{o: o, kinds: dl2.Standard(), state: make([]float64, dl2.Rows*o.window), scales: o.scales()}
	p.world, p.err = dl2.New(o.setting(p.kinds))
	return p
}

// Start draws the jobs and goes to the first slot with a question.
func (p *published) Start(r *rng.Stream) error {
	if p.err != nil {
		return p.err
	}
	p.jobs = dl2.Draw(p.jobs[:0], p.kinds, p.o.jobs, p.o.arrivals, r)
	if err := p.world.Begin(p.jobs); err != nil {
		return err
	}
	p.world.Prepare()
	p.kept = true
	for !p.legal() {
		p.world.End()
	}
	return nil
}

// legal reports whether there is a question: a slot in which no job may have a task ends by itself.
func (p *published) legal() bool { return p.world.Ended() || len(p.world.Window()) > 0 }

// scales is what the numbers of a column are divided by.
func (o *publishedOptions) scales() []float64 {
	out := []float64{8, 100, 1, 1, 16, 16}
	if o.raw {
		out = []float64{1, 1, 1, 1, 1, 1}
	}
	if o.times {
		out = append(out, 100)
	}
	return out
}

// Observe writes the state and the mask.
func (p *published) Observe(obs []float64, mask []bool) {
	p.world.State(p.state)
	n := len(p.scales)
	clear(obs)
	for c, j := range p.world.Window() {
		row := obs[c*n:][:n]
		if copy(row, p.state[c*dl2.Rows:][:dl2.Rows]); p.o.times {
			row[dl2.Rows] = min(mostSlots, p.world.SlotsLeft(j))
		}
		for i := range row {
			row[i] /= p.scales[i]
		}
	}
	p.world.Mask(mask[1:])
	mask[0] = true
}

// Act gives a task or ends the slot.
func (p *published) Act(action []float64) (out model.Outcome) {
	before, a := p.world.Slot, int(action[0])-1
	if a < 0 {
		p.end(&out)
		p.kept = true
	} else if p.kept = p.world.Task(a/dl2.Kinds, a%dl2.Kinds); !p.kept {
		p.end(&out)
	}
	if out.Elapsed > 0 && p.o.reward == slotReward {
		out.Reward = p.world.Reward
	}
	for !p.legal() {
		p.end(&out)
	}
	out.Elapsed = float64(p.world.Slot - before)
	out.Terminated = p.world.Ended()
	out.Truncated = !out.Terminated && p.world.Slot >= mostSlots
	return out
}

// end ends the slot and counts the slots that jobs were in the system in it.
func (p *published) end(out *model.Outcome) {
	in := float64(p.world.In())
	p.world.End()
	out.Elapsed++
	if p.o.reward == jctReward {
		out.Reward -= (in - p.world.Spared) / float64(len(p.jobs))
	}
}

// Metrics writes publishedMetrics.
func (p *published) Metrics(dst []float64) {
	dst[0], dst[1], dst[2] = float64(p.world.Slot), float64(p.world.In()), 0
	if p.kept {
		dst[2] = 1
	}
}

func publishedMetrics() []string { return []string{"slot", "jobs_in_system", "kept"} }

// Cost is the mean of the jobs' times in the system.
func (p *published) Cost() float64 { return p.world.MeanJCT() }

// readPublished makes the configuration of protocol=dl2.
func readPublished(s *param.Set) model.Config[*published] {
	var o publishedOptions
	s.Enum("protocol", fair, dl2Protocol)
	setting.Read(s, o.rows())
	o.reward = s.Enum("reward", slotReward, jctReward)
	return model.Config[*published]{Settings: model.ReadSettings(s), Spec: o.spec(), CostName: "jct_mean_slots",
		New: func() *published { return newPublished(&o) }, Rules: publishedRules()}
}

// publishedRules are the rules in the agent's own actions, the strongest on validation first.
func publishedRules() []model.Rule[*published] {
	var out []model.Rule[*published]
	for _, c := range dl2.Choosers() {
		decide := func(p *published, action []float64) {
			column, kind := c.Choose(p.world)
			action[0] = float64(1 + column*dl2.Kinds + kind)
			if column < 0 {
				action[0] = 0
			}
		}
		out = append(out, model.Rule[*published]{Name: c.Name, Doc: c.Doc,
			Fresh: func(*rng.Stream) func(*published, []float64) { return decide }})
	}
	return out
}

// spec states spaces and words.
func (o *publishedOptions) spec() env.Spec {
	reward := "slot (the option reward): the sum over jobs of the part of their epochs that a slot did, to the action " +
		"that ends it, 0 to the others; all actions of a slot share it: those since the last with an elapsed time above 0"
	if o.reward == jctReward {
		reward = "jct (the option reward): minus the slots that jobs spent in the system, over the jobs of the episode, to " +
			"the action that ends the slot: the sum is minus the mean time in the system"
	}
	segments := []layout.Segment{{Name: "jobs", Items: o.window,
		Doc:      "a job of the window, by arrival, that has fewer than 16 workers or servers; 0 where there is none",
		Features: o.features()}}
	scales, low, high := o.scales(), []float64{}, []float64{}
	for range o.window {
		for i, top := range []float64{8, mostSlots, 1, 1, 16, 16, mostSlots}[:len(scales)] {
			low, high = append(low, 0), append(high, top/scales[i])
		}
	}
	return env.Spec{ID: ID, Masked: true, Metrics: publishedMetrics(),
		Observation: env.Box{Low: low, High: high, Shape: []int{o.window, len(scales)}},
		Action:      env.Discrete{N: 1 + dl2.Kinds*o.window},
		Layout:      layout.Observation{Segments: segments, Acts: layout.OnOne, Choices: dl2.Kinds, Present: true},
		Guide: layout.Guide{Reward: reward,
			Action: layout.Features("0  end the slot\n1 + 3 i  a worker for the job in column i\n2 + 3 i  a server for it\n" +
				"3 + 3 i  both, on one node"),
			Ends: "terminated when all jobs have ended; truncated after 4000 slots. A task goes to the node with the fewest " +
				"used units of CPU and GPU; where it does not fit there the slot ends, the metric kept is 0, and the published " +
				"learner leaves the action out of its samples. A slot in which no job may have a task ends without a question"},
		Advice: env.Advice{"ppo": {"gamma": 1, "lambda": 0.95, "steps": 512}}}
}

// features are the numbers of a column.
func (o *publishedOptions) features() []layout.Feature {
	text := `
type  0..1  share  kind of job, from 1, over 8
stay  0..40  slots / 100  slots since its arrival
left  0..1  share  part of its epochs that is left
share  0..1  share  largest part of the cluster's CPU or GPU that it holds, at the start of a slot with the guard's pair
workers  0..1  workers / 16  workers that it has in this slot
servers  0..1  servers / 16  parameter servers that it has in this slot`
	if o.raw {
		text = `
type  0..8  number  kind of job, from 1
stay  0..4000  slots  slots since its arrival
left  0..1  share  part of its epochs that is left
share  0..1  share  largest part of the cluster's CPU or GPU that it holds, at the start of a slot with the guard's pair
workers  0..16  workers  workers that it has in this slot
servers  0..16  servers  parameter servers that it has in this slot`
	}
	if o.times {
		text += "\ntime  0..40  slots / 100  slots that it has left with all workers"
	}
	return layout.Features(text)
}
