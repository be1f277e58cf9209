package replicas

import (
	"context"
	"fmt"
	"math"
	"slices"

	"tarry/baselines/operate"
	"tarry/env/model"
	"tarry/sim"
	"tarry/sim/rng"
	"tarry/sim/service"
)

// Model is an episode: a run that stands at an epoch while the agent answers for each service.
type Model struct {
	cfg    *Config
	desk   operate.Desk
	engine *sim.Engine
	jobs   *sim.Workload
	loads  *service.Model
	policy sim.Policy
	view   *sim.View
	out    []sim.Decision
	end    sim.Time
	most   float64 // GPUs of all replicas of all services
	err    error

	asked  int // the service that is asked
	epochs int
	good   float64 // sum over the epochs of the mean good part
	gpus   float64 // sum over the epochs of the part of all replicas' GPUs
	done   int     // jobs
}

// Start draws jobs and loads, and runs to the first epoch.
func (m *Model) Start(r *rng.Stream) error {
	c := m.cfg
	jobs := c.jobs
	jobs.Seed = r.Uint64()
	var err error
	if m.jobs, err = jobs.Window(c.Part, 0); err != nil {
		return err
	}
	m.loads, err = m.services(int(r.Uint64() % math.MaxInt32))
	if err != nil {
		return err
	}
	speed, err := c.setup.Speed()
	if err != nil {
		return err
	}
	m.desk = operate.Desk{Readings: m.desk.Readings[:0], Answers: m.desk.Answers[:0]}
	operator, err := c.operator(&m.desk)
	if err != nil {
		return err
	}
	if m.policy, err = c.policy(); err != nil {
		return err
	}
	m.end = sim.Seconds(c.Hours * 3600)
	m.engine, err = sim.New(sim.Config{Workload: m.jobs, Topology: c.setup.Topology, Speed: speed, Costs: c.setup.Costs(),
		MarkEvery: c.setup.MarkEvery(), ModelBytes: c.setup.Bytes(), Services: m.loads, Operator: operator,
		Until: m.end + sim.Seconds(1e6)})
	if err != nil {
		return err
	}
	m.engine.Permit(m.policy.Knows())
	m.asked, m.epochs, m.good, m.gpus, m.done, m.err = 0, 0, 0, 0, 0, nil
	return m.toEpoch()
}

// services are the services of a window.
func (m *Model) services(seed int) (*service.Model, error) {
	rule, err := m.cfg.roster(seed)
	if err != nil {
		return nil, err
	}
	s, err := rule.Model(m.cfg.setup.Topology)
	if err != nil {
		return nil, err
	}
	m.most = 0
	for i := range s.Services {
		m.most += float64(s.Services[i].Replicas * max(1, s.Services[i].GPUs))
	}
	return s, nil
}

// toEpoch runs to the next epoch; the decision of that instant is pending.
func (m *Model) toEpoch() error {
	m.view = nil
	err := m.engine.Drive(context.Background(), m.policy, func(v *sim.View) (bool, error) {
		for _, ev := range v.Events() {
			if ev.Kind == sim.Finish {
				m.done++
			}
		}
		if m.desk.Asked {
			m.view = v
		}
		return !m.desk.Asked, nil
	})
	if err == nil && m.view == nil {
		err = fmt.Errorf("the run ended before the episode, expected an epoch")
	}
	m.desk.Asked, m.asked = false, 0
	return err
}

// Observe writes what the operator reads of the service that is asked.
func (m *Model) Observe(obs []float64, mask []bool) {
	r := &m.desk.Readings[m.asked]
	r.Write(obs)
	r.Mask(mask)
}

// Act answers for a service, and after the last one runs to the next epoch.
func (m *Model) Act(action []float64) model.Outcome {
	m.desk.Answers[m.asked] = int(action[0])
	if m.asked++; m.asked < len(m.desk.Answers) {
		return model.Outcome{}
	}
	m.out = m.policy.Decide(m.view, m.out[:0])
	if m.err = m.engine.Apply(m.out); m.err == nil {
		m.err = m.toEpoch()
	}
	if m.err != nil {
		return model.Outcome{Reward: math.NaN(), Elapsed: 1, Terminated: true}
	}
	good, gpus := m.epoch()
	m.epochs++
	m.good, m.gpus = m.good+good, m.gpus+gpus
	return model.Outcome{Reward: good - float64(m.cfg.Price*gpus), Elapsed: 1, Truncated: m.view.Now() >= m.end}
}

// epoch is the mean good part of the requests of the epoch that ended, and the part of all replicas'
// GPUs in use.
func (m *Model) epoch() (good, gpus float64) {
	for i := range m.desk.Readings {
		r := &m.desk.Readings[i]
		good += r.Attained / float64(len(m.desk.Readings))
		gpus += float64(r.Held*r.GPUs()) / m.most
	}
	return good, gpus
}

// metricNames are what Metrics writes.
func metricNames() []string {
	return []string{"now_h", "attained_frac", "replica_gpus_frac", "jobs_done", "jobs_waiting"}
}

// Metrics writes the hour, means over the epochs so far of the good part and of the GPUs, and how many
// jobs ended and wait.
func (m *Model) Metrics(dst []float64) {
	n := float64(max(1, m.epochs))
	now, waiting := 0.0, 0
	if m.view != nil {
		now, waiting = m.view.Now().Seconds()/3600, m.view.Waiting()
	}
	copy(dst, []float64{now, m.good / n, m.gpus / n, float64(m.done), float64(waiting)})
}

// Cost is the mean over the epochs of the part of the requests that were not good + price x the part of
// all GPUs held.
func (m *Model) Cost() float64 {
	n := float64(max(1, m.epochs))
	return max(1e-9, 1-m.good/n+float64(m.cfg.Price*m.gpus/n))
}

// rules are the rules of the operator.
func rules() (out []model.Rule[*Model]) {
	for _, r := range operate.ScaleRules() {
		out = append(out, model.Rule[*Model]{Name: r.Name, Doc: r.Doc, Fresh: func(*rng.Stream) func(*Model, []float64) {
			var calm []int
			return func(m *Model, action []float64) {
				calm = slices.Grow(calm, max(0, m.asked+1-len(calm)))[:max(len(calm), m.asked+1)]
				action[0] = float64(r.Choose(&m.desk.Readings[m.asked], &calm[m.asked]))
			}
		}})
	}
	return out
}
