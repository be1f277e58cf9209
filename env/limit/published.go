package limit

import (
	"fmt"

	"tarry/env"
	"tarry/env/layout"
	"tarry/env/limit/spark"
	"tarry/env/model"
	"tarry/sim/param"
	"tarry/sim/rng"
	"tarry/sim/setting"
)

// delayMs is how long an executor travels between jobs, initial how many jobs are there at the start: as
// in the shared reference set.
const (
	delayMs = 2000
	initial = 3
)

// published is Decima's simulator with an agent.
type published struct {
	o    *publishedOptions
	law  spark.Law
	sim  *spark.Sim
	jobs []spark.Job

	rows  []int // stages in the list
	least []int // the least limit of each that is legal; above executors = none is
	err   error
}

// publishedOptions are the settings of protocol=decima.
type publishedOptions struct {
	executors, jobs, stages, places int
	intervalS                       float64
}

// rows are the settings of protocol=decima, with their defaults.
func (o *publishedOptions) rows() []setting.Row {
	*o = publishedOptions{executors: 8, jobs: 25, stages: 1, places: 40}
	const of = "protocol=decima: "
	return []setting.Row{
		{Key: "executors", To: &o.executors, Low: 1, High: 1000, Doc: of + "executors, and limits of a stage"},
		{Key: "list_jobs", To: &o.jobs, Low: 1, High: 10_000, Doc: of + "jobs of an episode, of which 3 are there at " +
			"the start"},
		{Key: "stages", To: &o.stages, Low: 1, High: 4, Doc: of + "stages of a job, 1 or 4: two, then one, then one"},
		{Key: "places", To: &o.places, Low: 1, High: 4096, Doc: of + "stages in the list"},
		{Key: "interval", To: &o.intervalS, High: 1e6, Unit: "s", Doc: of + "mean time between two arrivals; 0 = 9, with " +
			"stages=4 14"},
	}
}

// newPublished makes a model.
func newPublished(o *publishedOptions) *published {
	interval := o.intervalS
	switch {
	case interval > 0:
	case o.stages == 1:
		interval = 9
	default:
		interval = 14
	}
	return &published{o: o, sim: spark.New(o.executors, delayMs), law: spark.Law{Jobs: o.jobs, Stages: o.stages,
		Initial: min(initial, o.jobs), IntervalMs: interval * 1000}}
}

// Start draws the jobs and begins.
func (p *published) Start(r *rng.Stream) error {
	p.jobs, p.err = p.law.Draw(r, p.jobs), nil
	if err := spark.Validate(p.jobs); err != nil {
		return err
	}
	p.sim.Start(p.jobs)
	p.look()
	return nil
}

// look lists the stages with tasks to begin, of the jobs in order of arrival, and reports whether one may
// have executors.
func (p *published) look() (legal bool) {
	p.rows, p.least = p.rows[:0], p.least[:0]
	for _, j := range p.sim.In() {
		for k, to := p.sim.Stages(j); k < to; k++ {
			if p.sim.Unbegun(k) == 0 || len(p.rows) == p.o.places {
				continue
			}
			least := p.o.executors + 1
			if p.sim.May(k) {
				least = p.sim.Held(j) - p.own(j) + 1
				legal = legal || least <= p.o.executors
			}
			p.rows, p.least = append(p.rows, k), append(p.least, least)
		}
	}
	return legal
}

// own is how many of the free executors are a job's.
func (p *published) own(j int) int {
	if p.sim.Source() == j {
		return p.sim.Free()
	}
	return 0
}

// Act gives executors to a stage up to a limit of its job, and goes to the next question with a choice:
// where no stage may have executors, they stand idle without a question, and the reward of that time is
// of the last action.
func (p *published) Act(action []float64) (out model.Outcome) {
	i := int(action[0])
	k, before := p.rows[i/p.o.executors], p.sim.Now()
	j := p.sim.Job(k)
	out.Reward, p.err = p.sim.Step(k, i%p.o.executors+1-p.sim.Held(j)+p.own(j))
	for p.err == nil && !p.sim.Done() && !p.look() {
		var r float64
		r, p.err = p.sim.Step(spark.None, p.sim.Free())
		out.Reward += r
	}
	out.Elapsed = (p.sim.Now() - before) / 1000
	out.Terminated = p.sim.Done()
	out.Truncated = p.err != nil // a legal action has no error
	return out
}

// Metrics writes publishedMetrics.
func (p *published) Metrics(dst []float64) {
	dst[0], dst[1], dst[2] = p.sim.Now()/1000, float64(len(p.sim.In())), float64(p.sim.Free())
}

func publishedMetrics() []string { return []string{"time_s", "jobs_in_system", "free_executors"} }

// Cost is the mean time of the jobs in the system, in seconds.
func (p *published) Cost() float64 {
	sum := 0.0
	for j := range p.jobs {
		sum += p.sim.End(j) - p.sim.Arrive(j)
	}
	return sum / float64(len(p.jobs)) / 1000
}

const publishedRow = 8

// publishedFeatures are the numbers of a stage that Decima reads, then what its graph network would gather.
const publishedFeatures = `
present  0, 1  flag  1 where there is a stage
executors  0..50  executors / 20  executors of its job, and executors that travel or are promised to it
local  -2, 0, 2  number  2 where the free executors are of its job, -2 where not
free  0..50  executors / 20  free executors
work  0..1e4  100 s  its tasks that have not begun
tasks  0..1e3  tasks / 200  its tasks that have not begun
after  0..1e4  100 s  tasks that have not begun of the stages after it
job  0..1e4  100 s  tasks of its job that have not begun`

// Observe writes the list and which limits are legal.
func (p *published) Observe(obs []float64, mask []bool) {
	clear(obs)
	clear(mask)
	for i, k := range p.rows {
		j := p.sim.Job(k)
		local, work := -2.0, float64(p.sim.Unbegun(k))*p.sim.Task(k)
		if p.own(j) > 0 {
			local = 2
		}
		copy(obs[i*publishedRow:], []float64{1, float64(p.sim.Held(j)) / 20, local, float64(p.sim.Free()) / 20,
			work / spark.Scale, float64(p.sim.Unbegun(k)) / 200, p.after(k) / spark.Scale, p.sim.Work(j) / spark.Scale})
		for limit := p.least[i]; limit <= p.o.executors; limit++ {
			mask[i*p.o.executors+limit-1] = true
		}
	}
}

// after is the work that has not begun of the stages after one, by the law of the jobs.
func (p *published) after(k int) (ms float64) {
	from, to := p.sim.Stages(p.sim.Job(k))
	for next := max(k+1, from+2); next < to; next++ {
		ms += float64(p.sim.Unbegun(next)) * p.sim.Task(next)
	}
	return ms
}

// readPublished makes the configuration of protocol=decima.
func readPublished(s *param.Set) model.Config[*published] {
	var o publishedOptions
	s.Enum("protocol", fair, decima)
	setting.Read(s, o.rows())
	if o.stages != 1 && o.stages != 4 {
		s.FaultAt("stages", "stages are %d, expected 1 or 4", o.stages)
	}
	return model.Config[*published]{Settings: model.ReadSettings(s), Spec: o.spec(), CostName: "jct_mean_s",
		New: func() *published { return newPublished(&o) }, Rules: publishedRules()}
}

// spec states spaces and words.
func (o *publishedOptions) spec() env.Spec {
	low, high := make([]float64, 0, o.places*publishedRow), make([]float64, 0, o.places*publishedRow)
	for range o.places {
		low = append(low, 0, 0, -2, 0, 0, 0, 0, 0)
		high = append(high, 1, 50, 2, 50, 1e4, 1e3, 1e4, 1e4)
	}
	return env.Spec{ID: ID, Masked: true, Metrics: publishedMetrics(),
		Observation: env.Box{Low: low, High: high, Shape: []int{o.places, publishedRow}},
		Action:      env.Discrete{N: o.places * o.executors},
		Layout: layout.Observation{Acts: layout.OnOne, Choices: o.executors, Present: true,
			Segments: []layout.Segment{{Name: "stages", Items: o.places, Features: layout.Features(publishedFeatures),
				Doc: "a stage with tasks that have not begun, of the jobs by arrival; 0 where there is none"}}},
		Guide: layout.Guide{Action: layout.Features(fmt.Sprintf("0..%d  %d place + limit - 1: free executors go to the "+
			"stage in that place until its job has so many", o.places*o.executors-1, o.executors)),
			Reward: "-(jobs in the system x seconds) / 100 since the last question: a return is minus the sum of the jobs' " +
				"times in the system / 100 s",
			Ends: "terminated when all jobs have ended"},
		Advice: advice()}
}

// advice is what learners begin from: Decima's entropy falls from 1 to 1e-4; its 50 000 updates of 16
// rollouts are out of reach here.
func advice() env.Advice {
	return env.Advice{
		"reinforce": {"total_steps": 200_000, "sequences": 2, "rollouts": 8, "hidden": []int{32}, "entropy_coef": 0.02,
			"entropy_final": 1e-4, "entropy_share": 0.8},
		"ppo": {"total_steps": 200_000, "envs": 8, "steps": 128, "gamma": 1, "lambda": 0.97, "hidden": []int{32},
			"norm_reward": true, "learning_rate": 1e-3, "entropy_coef": 0.003}}
}
