package replicas

import (
	"fmt"

	"tarry/baselines/operate"
	"tarry/env"
	"tarry/env/model"
	"tarry/env/scenario"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/service/roster"
	"tarry/sim/setting"
)

// ID is the environment's.
const ID = "tarry/Replicas-v0"

// Config is what the environment is made from.
type Config struct {
	model.Settings
	// Hours is the length of an episode, Price what all GPUs of all replicas cost in rewards.
	Hours, Price float64
	// Services are as in the setting services: one with a drawn load.
	Services string
	// setup has the cluster, speeds and costs, jobs the law of the jobs.
	setup  *scenario.Setup
	jobs   scenario.Synthetic
	policy func() (sim.Policy, error)
	// operator makes the operator of an agent at a desk.
	operator func(d *operate.Desk) (sim.Operator, error)
}

// options are settings in the words in which they are given.
type options struct {
	cluster, speed, workload, policy, lend string
	load, everyS                           float64
	least                                  int
}

// Rows are all settings of Make.
func Rows() []setting.Row {
	var c Config
	return append(c.rows(new(options)), model.Rows()...)
}

func (c *Config) rows(o *options) []setting.Row {
	c.Hours, c.Price, c.Services = 24, 0.2, "bursty:own=4"
	*o = options{cluster: "2x4x4", speed: "collective", workload: "philly", policy: "dally", lend: "all", load: 0.4,
		everyS: 600, least: 1}
	return []setting.Row{
		{Key: "cluster", To: &o.cluster, Doc: "cluster, RACKSxMACHINESxGPUS or a preset"},
		{Key: "services", To: &c.Services, Doc: "steady, day-night or bursty, each with [:gpus=2,own=4,...]; each window " +
			"has a seed of its own"},
		{Key: "every_s", To: &o.everyS, Low: 1, High: 1e6, Unit: "s", Doc: "time from one choice to the next"},
		{Key: "least", To: &o.least, High: 1 << 20, Doc: "replicas of each service at least"},
		{Key: "price", To: &c.Price, High: 1e6, Doc: "reward that the GPUs of all replicas cost in an epoch"},
		{Key: "lend", To: &o.lend, Names: []string{"all", "none"}, Doc: "all | none: the services' machines without " +
			"replicas are lent to jobs"},
		{Key: "policy", To: &o.policy, Doc: "scheduler of the jobs, NAME or NAME:key=value,..."},
		{Key: "speed", To: &o.speed, Doc: "speed model of jobs and replicas"},
		{Key: "workload", To: &o.workload, Doc: "law of the jobs, as in other environments"},
		{Key: "load", To: &o.load, Low: 1e-9, High: 100, Doc: "load of the jobs, a part of the whole cluster"},
		{Key: "hours", To: &c.Hours, Low: 1e-3, High: 1e5, Unit: "h", Doc: "length of an episode"},
	}
}

// Read makes a Config of the settings in Rows, whose names are looked up in from.
func Read(s *param.Set, from scenario.Catalogues) Config {
	var c Config
	var o options
	setting.Read(s, c.rows(&o))
	c.Settings = model.ReadSettings(s)
	if _, err := c.roster(0); err != nil {
		s.FaultAt("services", "%w", err)
	}
	sc := scenario.Default()
	sc.Cluster, sc.Speed, sc.Cuts.Part = o.cluster, o.speed, scenario.Train
	sc.Cuts.Workload, sc.Cuts.Load, sc.Cuts.Warm, sc.Cuts.Horizon = o.workload, o.load, 0, c.Hours*3600/sc.Cuts.LeaseS
	setup, err := sc.Build(from)
	scenario.Report(s, err)
	if err == nil {
		c.setup = setup
		c.jobs, _ = setup.Windows.(scenario.Synthetic)
	}
	_, c.policy, err = from.Policies.Parse(o.policy, cluster.BestFit)
	if err != nil {
		s.FaultAt("policy", "%w", err)
	}
	place := fmt.Sprintf("every_s=%g,least=%d,lend=%s", o.everyS, o.least, o.lend)
	c.operator = func(d *operate.Desk) (sim.Operator, error) {
		return operate.NewAsking(param.Parse("operator", place), d)
	}
	return c
}

// roster reads the services with the seed of a window.
func (c *Config) roster(seed int) (*roster.Rule, error) {
	sep := ":"
	for _, r := range c.Services {
		if r == ':' {
			sep = ","
		}
	}
	r, err := roster.Parse(c.Services + sep + fmt.Sprintf("seed=%d", seed))
	if err == nil && r == nil {
		err = fmt.Errorf("services is %q, expected steady, day-night or bursty", c.Services)
	}
	return r, err
}

// Make makes tarry/Replicas-v0 with "key=value,..." of Rows.
func Make(from scenario.Catalogues, options string) (env.Env, error) {
	return model.Make(ID, options, func(s *param.Set) model.Config[*Model] {
		c := Read(s, from)
		return c.model()
	})
}
