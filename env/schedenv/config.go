package schedenv

import (
	"errors"
	"fmt"
	"math"

	"tarry/baselines/dally"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/preset"
	"tarry/sim/speed"
	"tarry/traces/synth"
)

// Config is everything the cluster environments share. Parse makes one from text; a program may also
// fill one in, for a trace or a cluster of its own.
type Config struct {
	// Topology is the cluster; required.
	Topology *cluster.Topology
	// Speed makes a speed model; required. It is called for each window if the model is sim.Coupled.
	Speed func() (sim.SpeedModel, error)
	// Costs of starting, preempting and so on; the zero value makes them free.
	Costs sim.Costs
	// ModelBytes is as in sim.Config.
	ModelBytes func(model string) int64
	// Outages is the source of failures, from each window's start; nil = none.
	Outages sim.Outages
	// HideWork keeps the features left and done from the agent: what only an oracle knows where jobs do
	// not tell how long they will run. Dally's own order still reads them.
	HideWork bool
	// Hide names groups of features that are held at 0 in observations, whose shape stays; each environment
	// has its own. nil = nothing is hidden.
	Hide []string
	// Source gives the jobs, Part says which of its three parts; both required.
	Source Source
	Part   Part
	// TraceSHA256 is the hash of all jobs of the trace that Source was cut from, as sim.Workload.Hash gives it; "" where
	// it was made from something else. It moves nothing.
	TraceSHA256 string
	// Warm is how long the base policy runs before an episode begins; 0 = the cluster is empty then.
	Warm sim.Time
	// Horizon is the length of an episode: it is truncated at the first question at or after it.
	// 0 = it ends with the last job.
	Horizon sim.Time
	// Reward is what the agent is paid for.
	Reward Reward
	// Dally is the policy that is steered; its leases are the unit of time.
	Dally dally.Config
	// Keep is how many windows stay in memory with their warm state; 0 = 4.
	Keep int
}

// Validate reports every fault.
func (c *Config) Validate() error {
	errs := []error{c.Reward.Validate(), c.Costs.Validate()}
	need := func(ok bool, format string, args ...any) {
		if !ok {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	need(c.Topology != nil, "no topology, expected a cluster")
	need(c.Speed != nil, "no speed model, expected a function that makes one")
	need(c.Source != nil, "no source, expected one of workloads")
	need(c.Part == Train || c.Part == Validation || c.Part == Test, "part is %q, expected %s, %s or %s", c.Part, Train, Validation, Test)
	need(c.Warm >= 0 && c.Warm <= maxTime, "warm is %v, expected 0..%v", c.Warm, maxTime)
	need(c.Horizon >= 0 && c.Horizon <= maxTime, "horizon is %v, expected 0..%v", c.Horizon, maxTime)
	need(c.Dally.LeaseS > 0 && !math.IsInf(c.Dally.LeaseS, 1), "lease is %v s, expected a finite number > 0: it is the unit of time", c.Dally.LeaseS)
	need(c.Dally.SettleS == 0, "settle is %v s, expected 0: an agent is asked once per instant", c.Dally.SettleS)
	need(c.Keep >= 0, "keep is %d windows, expected >= 0", c.Keep)
	return errors.Join(errs...)
}

// maxTime bounds warm-up and horizon (about a century), so that areas stay in range.
const maxTime = 1e9 * sim.Second

// run is the configuration of a simulator over some jobs.
func (c *Config) run(w *sim.Workload, m sim.SpeedModel) sim.Config {
	return sim.Config{Workload: w, Topology: c.Topology, Speed: m, Costs: c.Costs, ModelBytes: c.ModelBytes, Outages: c.Outages}
}

// Lease is the unit of time of observations, rewards and Info.Elapsed.
func (c *Config) Lease() sim.Time { return sim.Seconds(c.Dally.LeaseS) }

// Options describes what Parse reads, for catalogues: key, meaning, default.
const Options = `cluster       a named cluster or RxMxG, racks x machines x GPUs (4x4x8)
workload      a synthetic law: demo, philly, helios, poisson, bursty, diurnal, ... (poisson)
load          its load; the rate of arrivals follows (0.9)
windows       windows in each part (1000)
data_seed     root of the windows' seeds (0)
trace         FORMAT:PATH instead (or FILE, tarry's own CSV): split by time into the parts and cut into windows; a
              list whose jobs all come at once is dealt out to the parts. With commas: "FORMAT:PATH"
shares        train, validation and test, in proportion: of a trace's time, or of the jobs where these are dealt out (70:15:15)
gap           time after each cut whose jobs are in no part, leases (24)
rate          jobs of a trace come so many times as fast: submits divided by it, before the split (1)
thin          each job goes by data_seed into one of so many classes, and a window has jobs of one alone (1)
batch_jobs    jobs of a window, drawn from a part: the trace is dealt out, jobs that come one after another keep their
              times; 0 = windows are cut, or the whole part where jobs all come at once (0)
copies        a job may be drawn so many times; the k-th copy comes k/copies of the trace's time later, around its end (1)
part          train | validation | test (train)
speed         counting, tiers, collective or contended (tiers)
checkpoint_s  time that a preempted job holds its GPUs, s (0)
restore_s     time before a preempted job makes progress again, s (0)
lease_s       lease: the unit of time, s (3600)
hide_work     true: observations do not tell how much work a job has left (false)
warm          warm-up under the base policy, leases (24)
horizon       length of an episode, leases; 0 = to the last job (72)
reward        jct | slowdown | weighted | makespan | comm | relative (jct)
gamma         discount of the cost within a step, per lease (1)
average       window of the average-reward correction, leases; 0 = none (0)`

// maxWindowJobs bounds the jobs of one window.
const maxWindowJobs = 1_000_000

// Read makes a Config of the settings in Options; the caller may read more keys of its own and
// then asks s.Err for all faults.
func Read(s *param.Set) Config {
	c := Config{Dally: dally.Default(), Reward: Reward{Kind: s.Enum("reward", Rewards()...)}}
	c.Dally.LeaseS = s.Float("lease_s", c.Dally.LeaseS, 1, 1e8)
	lease := float64(c.Lease())
	c.Warm = sim.Time(float64(s.Float("warm", 24, 0, 1e5) * lease))
	c.Horizon = sim.Time(float64(s.Float("horizon", 72, 0, 1e5) * lease))
	c.HideWork = s.Bool("hide_work", false)
	c.Reward.Gamma = s.Float("gamma", 1, 1e-9, 1)
	c.Reward.AverageLeases = s.Float("average", 0, 0, 1e9)
	c.Part = Part(s.Enum("part", string(Train), string(Validation), string(Test)))
	c.Costs.Checkpoint.FixedS = s.Float("checkpoint_s", 0, 0, 1e6)
	c.Costs.Restore.FixedS = s.Float("restore_s", 0, 0, 1e6)
	hw, err := preset.Lookup(s.Text("cluster", "4x4x8"))
	if err == nil {
		c.Topology, err = cluster.New(hw.Spec)
	}
	if err != nil {
		s.Fault("%v", err)
		return c
	}
	kind := s.Text("speed", "tiers")
	c.Speed = func() (sim.SpeedModel, error) {
		return speed.Parse(kind, speed.Env{Topology: c.Topology, Fabric: hw.Fabric, DefaultModel: "ResNet50"})
	}
	if _, err := c.Speed(); err != nil {
		s.Fault("%v", err)
	}
	if path := s.Text("trace", ""); path != "" {
		c.Source = traced(s, &c, path)
	} else {
		c.Source = synthetic(s, &c)
	}
	return c
}

// length is that of a window: warm-up, horizon and a lease more.
func (c *Config) length() sim.Time { return c.Warm + c.Horizon + c.Lease() }

// synthetic is the source of the workload settings: a window has as many jobs as arrive in its
// length on average.
func synthetic(s *param.Set, c *Config) Source {
	law, err := synth.Parse(fmt.Sprintf("%s,load=%g", s.Text("workload", "poisson"), s.Float("load", 0.9, 1e-3, 100)))
	if err == nil {
		law, err = onCluster(law, c.Topology.GPUs())
	}
	src := Synthetic{Config: law, Count: s.Int("windows", 1000, 1, 1<<30), Seed: uint64(s.Int("data_seed", 0, 0, math.MaxInt64))}
	if err != nil {
		s.Fault("%v", err)
		return src
	}
	if rate := law.MeanRate(); rate > 0 && c.Horizon > 0 {
		n := math.Ceil(float64(rate * c.length().Seconds()))
		if n > maxWindowJobs {
			s.Fault("a window of warm-up and horizon has %.0f jobs, expected at most %d", n, maxWindowJobs)
			return src
		}
		src.Config.Jobs = int(n)
	}
	return src
}

// onCluster gives the law for a cluster of so many GPUs. An environment's load is that of its cluster alone.
func onCluster(law synth.Config, gpus int) (synth.Config, error) {
	law, note := law.For(gpus)
	if note != "" {
		return law, statedGPUs("synth:"+law.Preset, law.GPUs, gpus)
	}
	return law, nil
}

func statedGPUs(what string, stated, gpus int) error {
	return fmt.Errorf("%s: gpus is %d, expected the %d GPUs of the cluster, or no gpus: the load of an environment is that of its cluster", what, stated, gpus)
}
