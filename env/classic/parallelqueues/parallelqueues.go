package parallelqueues

import (
	"fmt"

	"tarry/env"
	"tarry/env/classic/parallelqueues/queues"
	"tarry/env/layout"
	"tarry/env/model"
	"tarry/env/scenario"
	"tarry/sim/param"
	"tarry/sim/rng"
	"tarry/sim/setting"
)

// ID is the environment's.
const ID = "classic/ParallelQueues-v0"

// What is observed.
const (
	acksAlone = "acks"
	openToo   = "open"
	lengths   = "lengths"
)

// The laws of service times.
const (
	exponential = "exponential"
	gamma       = "gamma"
	pareto      = "pareto"
)

// config is what the options state.
type config struct {
	model.Settings
	queues.Config
	queues, jobs     int
	load             float64
	observe, service string
	published        bool
}

// protocols are the protocols, the default first.
func protocols() []string { return []string{"fair", "published"} }

// defaults are the settings of a protocol.
func defaults(protocol string) *config {
	c := &config{Settings: model.Defaults(), queues: 8, jobs: 500, load: 0.9, observe: acksAlone, service: exponential}
	c.Buffer, c.Penalty, c.Acknowledged = 10, 100, 0.6
	if protocol != protocols()[0] {
		c.queues, c.Penalty, c.published = 50, 1e6, true
	}
	return c
}

// Rows are all settings of Make, with the defaults of protocol=fair.
func Rows() []setting.Row { return append(defaults(protocols()[0]).rows(), model.Rows()...) }

func (c *config) rows() []setting.Row {
	return []setting.Row{
		{Key: "protocol", Read: func(*param.Set) {}, Show: func() string { return protocols()[0] }, Names: protocols(),
			Doc: "fair | published: published has 50 queues, penalty=1e6 and acknowledgements alone"},
		choice("observe", "acks | open | lengths: what is seen: acknowledgements, open jobs beside them, or the queues",
			&c.observe, acksAlone, openToo, lengths),
		{Key: "queues", To: &c.queues, Low: 1, High: 1000, Doc: "how many queues, half of them with 0.2 jobs/s, half 0.1"},
		{Key: "buffer", To: &c.Buffer, Low: 1, High: 1000, Unit: "jobs", Doc: "what a queue holds"},
		{Key: "load", To: &c.load, Low: 0.01, High: 10, Doc: "arrivals per second / sum of the rates"},
		{Key: "ack", To: &c.Acknowledged, Low: 0, High: 1,
			Doc: "probability with which an acknowledgement arrives with a job"},
		{Key: "penalty", To: &c.Penalty, Low: 0, High: 1e9, Doc: "what it costs that the picked queue is full then"},
		choice("service", "exponential | gamma | pareto: the law of service times", &c.service, exponential, gamma, pareto),
		{Key: "jobs", To: &c.jobs, Low: 1, High: 1e6, Unit: "jobs", Doc: "jobs of an episode"},
	}
}

// choice is the row of a setting with names, the default first.
func choice(key, doc string, to *string, names ...string) setting.Row {
	return setting.Row{Key: key, Doc: doc, Names: names, Show: func() string { return names[0] },
		Read: func(s *param.Set) { *to = s.Enum(key, names...) }}
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
	c.RatesPerS = nil
	for i := range max(1, c.queues) {
		rate := fast
		if i >= (c.queues+1)/2 {
			rate = slow
		}
		c.RatesPerS = append(c.RatesPerS, rate)
	}
	if err := c.Validate(); err != nil {
		s.Fault("%v", err)
	}
	return model.Config[*Play]{Settings: c.Settings, Spec: c.spec(), New: func() *Play { return newPlay(c) },
		Rules: rules(), CostName: "cost_per_job"}
}

// rules are the rules of the queues.
func rules() (out []model.Rule[*Play]) {
	for _, r := range queues.Rules() {
		doc := r.Doc
		if r.Sees {
			doc += "; it sees the queues"
		}
		out = append(out, model.Rule[*Play]{Name: r.Name, Doc: doc, Fresh: func(draws *rng.Stream) func(*Play, []float64) {
			return func(p *Play, action []float64) { action[0] = float64(r.Pick(p.System, draws.Float64)) }
		}})
	}
	return out
}

// metrics names what Play.Metrics gives.
func metrics() []string { return []string{"job", "jobs", "lost", "response_mean_s"} }

func (c *config) spec() env.Spec {
	n := len(c.RatesPerS)
	s := env.Spec{ID: ID, Action: env.Discrete{N: n}, Metrics: metrics(),
		Layout: layout.Observation{Acts: layout.OnOne, Segments: []layout.Segment{{Name: "queue", Doc: "a queue", Items: n,
			Features: c.features()}}},
		Guide: layout.Guide{Action: layout.Features(fmt.Sprintf("0..%d  the next job goes to that queue", n-1)),
			Reward: fmt.Sprintf("minus the jobs in all queues after the job, less %v if the picked queue is full then",
				c.Penalty),
			Ends: fmt.Sprintf("terminated after %d jobs", c.jobs)},
		Advice: env.Advice{"ppo": {"gamma": 0.99, "norm_reward": true}}}
	s.Observation = env.NewBox(0, 1, n*len(c.features()))
	return s
}

// features are the numbers of a queue.
func (c *config) features() []layout.Feature {
	f := layout.Features("acks  0..1  buffers  acknowledgements that arrived with the last job")
	if !c.published {
		f = append(f, layout.Features(`
rate  0..1  share  its rate / the largest
since  0..1  squashed turns  jobs since it was picked / number of queues`)...)
	}
	switch c.observe {
	case openToo:
		f = append(f, layout.Features("open  0..1  2 buffers  jobs that were taken and are not acknowledged, cut at 1")...)
	case lengths:
		f = append(f, layout.Features("length  0..1  buffers  its jobs")...)
	}
	return f
}
