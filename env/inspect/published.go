package inspect

import (
	"fmt"
	"slices"

	"tarry/baselines/inspected"
	"tarry/env"
	"tarry/env/inspect/schedinspector"
	"tarry/env/layout"
	"tarry/env/model"
	"tarry/env/schedenv"
	"tarry/sim"
	"tarry/sim/param"
	"tarry/sim/rng"
)

// Published is the environment under protocol=schedinspector.
type Published struct {
	*model.Env[*Loop]
	cfg Config
}

// NewPublished makes the environment under protocol=schedinspector.
func NewPublished(c Config, options string) (*Published, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	base, err := schedinspector.RuleOf(c.Protocol.Base)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", ID, err)
	}
	l := &instances{cfg: &c, base: base}
	if l.longest, err = l.most(); err != nil {
		return nil, fmt.Errorf("%s: %w", ID, err)
	}
	inner, err := model.New(model.Config[*Loop]{Spec: c.publishedSpec(), CostName: "bsld_mean", Rules: rules(),
		Settings: model.Settings{Part: c.Part, Windows: c.Scenario.Cuts.Windows, DataSeed: c.Scenario.Cuts.DataSeed},
		New:      func() *Loop { return &Loop{of: l} }}, options)
	if err != nil {
		return nil, err
	}
	return &Published{inner, c}, nil
}

// Another makes a fresh environment on a part.
func (p *Published) Another(part schedenv.Part) (env.Env, error) {
	c := p.cfg
	c.Part = part
	return NewPublished(c, p.Spec().Options)
}

// rules are the fixed inspectors.
func rules() (out []model.Rule[*Loop]) {
	for _, i := range inspected.Inspectors() {
		out = append(out, model.Rule[*Loop]{Name: i.Name, Doc: i.Doc, Fresh: func(*rng.Stream) func(*Loop, []float64) {
			return func(m *Loop, action []float64) {
				if action[0] = 0; i.Refuses(&m.World) {
					action[0] = 1
				}
			}
		}})
	}
	return out
}

// instances is where episodes are drawn from: it never changes.
type instances struct {
	cfg     *Config
	base    schedinspector.Rule
	longest float64 // request of the part for training
}

// whole is the jobs of a part in one row, where its windows are cut out of one; nil = they are not.
func (l *instances) whole(p schedenv.Part) []sim.Job {
	row, ok := l.cfg.Source.(interface {
		Jobs(schedenv.Part) *sim.Workload
	})
	if !ok || len(l.cfg.Scenario.Cuts.TestStarts) > 0 {
		return nil
	}
	return row.Jobs(p).Jobs
}

// fewWindows is in how many windows the longest request is looked for where there is no row.
const fewWindows = 64

// most is the longest request.
func (l *instances) most() (longest float64, err error) {
	jobs := l.whole(schedenv.Train)
	for i := 0; jobs == nil && i < min(fewWindows, l.cfg.Source.Windows(schedenv.Train)); i++ {
		w, err := l.cfg.Source.Window(schedenv.Train, i)
		if err != nil {
			return 0, err
		}
		longest = max(longest, l.log(w.Jobs).Longest)
	}
	return max(longest, l.log(jobs).Longest), nil
}

// log is jobs as the published loop has them: the request is the run time, unless by is given.
func (l *instances) log(jobs []sim.Job) *schedinspector.Log {
	out := &schedinspector.Log{Procs: l.cfg.Topology.GPUs(), Longest: l.longest}
	for i := range jobs {
		j := &jobs[i]
		one := schedinspector.Job{Submit: j.Submit.Seconds(), Run: j.RunTime().Seconds(), Procs: int(j.GPUs)}
		if one.Request = one.Run; l.cfg.Protocol.By && j.Request > 0 {
			one.Request = j.Request.Seconds()
		}
		out.Jobs = append(out.Jobs, one)
		if l.longest == 0 {
			out.Longest = max(out.Longest, one.Request)
		}
	}
	return out
}

// draw draws the jobs of an episode, with a next one behind them where there is one.
func (l *instances) draw(r *rng.Stream) (*schedinspector.Log, int, error) {
	n := l.cfg.Scenario.Cuts.WindowJobs
	if jobs := l.whole(l.cfg.Part); len(jobs) > n {
		first := r.IntN(len(jobs) - n)
		log := l.log(jobs[first : first+n+1])
		return log, n, log.Validate()
	}
	w, err := l.cfg.Source.Window(l.cfg.Part, r.IntN(l.cfg.Source.Windows(l.cfg.Part)))
	if err != nil {
		return nil, 0, err
	}
	log := l.log(w.Jobs)
	return log, len(log.Jobs), log.Validate()
}

// Loop is the published loop as a model.
type Loop struct {
	schedinspector.World
	of     *instances
	base   float64 // the score of the base rule
	limit  int     // decisions
	ending bool
}

// perJob bounds the decisions of an episode, which an inspector could refuse to end.
const perJob = 400

// Start implements model.Model.
func (l *Loop) Start(r *rng.Stream) error {
	log, n, err := l.of.draw(r)
	if err != nil {
		return err
	}
	set := schedinspector.Setting{Jobs: n, Base: l.of.base, Backfill: l.of.cfg.Protocol.Fill == "fcfs"}
	if err := l.Begin(log, set); err != nil {
		return err
	}
	for ended := false; !ended; {
		ended = l.World.Act(false)
	}
	l.base, l.limit, l.ending = l.Slowdown(), perJob*n, false
	return l.Begin(log, set)
}

// Observe implements model.Model.
func (l *Loop) Observe(obs []float64, _ []bool) { l.World.Observe(obs) }

// Act implements model.Model.
func (l *Loop) Act(action []float64) model.Outcome {
	l.ending = l.World.Act(action[0] == 1)
	if l.ending {
		own := l.Slowdown()
		return model.Outcome{Reward: (l.base - own) / max(l.base, own, 1), Elapsed: 1, Terminated: true}
	}
	if _, decisions := l.Counts(); decisions >= l.limit {
		return model.Outcome{Reward: -1, Elapsed: 1, Truncated: true}
	}
	return model.Outcome{Elapsed: 1}
}

// Metrics implements model.Model.
func (l *Loop) Metrics(dst []float64) {
	refusals, decisions := l.Counts()
	dst[0], dst[1], dst[2], dst[3] = l.Slowdown(), l.base, float64(refusals), float64(decisions)
}

// Cost implements model.Model: an episode that was cut off counts as if the base rule had ended it at
// its worst.
func (l *Loop) Cost() float64 {
	if !l.ending {
		return 2 * max(l.base, l.Slowdown())
	}
	return l.Slowdown()
}

// publishedSpec describes the loop.
func (c *Config) publishedSpec() env.Spec {
	features := layout.Features(`
wait  0..0.99999  half a day  time since its submit, at most so long
request  0..0.99999  share  run time that is expected / the longest of the jobs for training
processors  0..0.99999  share  processors that it asks for / all
free  0..0.99999  share  free processors / all
can_run  0..0.99999  flag  0.99999 where it can run now, else 0.00001
skipped  0..1  half a day  refused time: 600 s for each refusal so far
queue_cost  0..0.99999  share  sum over the queue of 600 s / max(request, 10 s), / (60 x 128)`)
	return env.Spec{ID: ID, Action: env.Discrete{N: 2}, Observation: env.NewBox(0, 1, len(features)),
		Metrics: []string{"bsld", "base_bsld", "refusals", "decisions"},
		Layout: layout.Observation{Segments: []layout.Segment{{Name: "job", Doc: "the job that the rule picked", Items: 1,
			Features: features}}},
		Guide: layout.Guide{Action: answers(), Reward: "(b - s) / max(b, s, 1) at the end of the episode, and 0 " +
			"before: s its mean bounded slowdown (10 s), b the base rule's on the same jobs",
			Ends: fmt.Sprintf("terminated when the last job has started; truncated, with the reward -1, after %d decisions "+
				"for each job", perJob)},
		Advice: advice()}
}

// unused reports settings that protocol=schedinspector has no use for.
func unused(s *param.Set) {
	for _, r := range Rows() {
		if s.Has(r.Key) && !slices.Contains(publishedKeys(), r.Key) {
			s.FaultAt(r.Key, "%s is given with protocol=%s, which reads %v", r.Key, protocolPublished, publishedKeys())
		}
	}
}

// publishedKeys lists what protocol=schedinspector reads.
func publishedKeys() []string {
	return []string{"protocol", "base", "backfill", "by", "cluster", "trace", "trace_columns", "workload", "load", "part",
		"windows", "data_seed", "shares", "rate", "thin", "window_jobs", "test_starts", "test_jobs", "scenario"}
}
