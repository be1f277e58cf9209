package lucid

import (
	"tarry/sim"
	"tarry/sim/param"
)

// Params describes the settings for the catalogue.
const Params = `profiler          native: jobs run on the profiler's machines first | ideal: what profiling would show is known at once, and jobs that are
                  shorter than profile_s run there, the habit of the simulator | off: no machines, what it would show is known
profile_machines  machines of the profiler, the last ones of the cluster, at most a quarter of them
profile_most      machines to which it may grow
profile_s         how long a job may run there, s
profile_gpus      GPUs per machine of the profiler up to which jobs go there; larger ones start without
grow_queue        a machine more while more jobs wait for the profiler
shrink_queue      a machine less while fewer wait and the forecast is low
scores            pairs: a job's share score by the mean of what it keeps beside others, from the speed model | usage: by utilisation
keep              mean parts of its speed from which a job has score 0 / 1; else 2
busy              utilisations up to which a job has score 0 / 1; else 2
score_sum         two jobs share GPUs if their scores add up to this at most
ratio             and the waiting one's predicted GPU-time is at most so many times the other's
share_gpus        largest jobs that share
prefer            share: a job shares before it gets idle GPUs, as in the simulator | idle: only where there are none
sharing           forecast: only while many jobs are expected | always | never
step_s            time between two forecasts, s
steps             steps that a forecast looks ahead
few               jobs expected in these steps up to which nothing is shared
smooth            weight of the last step in the forecast`

// config has the settings.
type config struct {
	profiler     string
	machines     int
	most         int
	limit        sim.Time
	gpus         int
	grow, shrink int
	usage        bool
	scores       [2]float64 // bounds of scores 0 and 1
	sum          int
	ratio        float64
	shareGPUs    int
	idleFirst    bool
	sharing      string
	step         sim.Time
	steps        float64
	few, smooth  float64
}

func settings(s *param.Set) config {
	c := config{profiler: s.Enum("profiler", "native", "ideal", "off")}
	c.machines = s.Int("profile_machines", 2, 0, 1<<20)
	c.most = max(c.machines, s.Int("profile_most", 4, 0, 1<<20))
	c.limit = sim.Seconds(s.Float("profile_s", 200, 1e-3, 1e9))
	c.gpus = s.Int("profile_gpus", 4, 1, 1<<20)
	c.grow, c.shrink = s.Int("grow_queue", 10, 0, 1<<30), s.Int("shrink_queue", 5, 0, 1<<30)
	c.usage = s.Enum("scores", "pairs", "usage") == "usage"
	keep, busy := bounds(s, "keep", 0.95, 0.85, false), bounds(s, "busy", 0.3, 0.6, true)
	if c.scores = keep; c.usage {
		c.scores = busy
	}
	c.sum = s.Int("score_sum", 2, 0, 4)
	c.ratio = s.Float("ratio", 2, 0, 1e12)
	c.shareGPUs = s.Int("share_gpus", 8, 0, 1<<20)
	c.idleFirst = s.Enum("prefer", "share", "idle") == "idle"
	c.sharing = s.Enum("sharing", "forecast", "always", "never")
	c.step = sim.Seconds(s.Float("step_s", 100, 1e-3, 1e9))
	c.steps = float64(s.Int("steps", 5, 1, 1<<20))
	c.few = s.Float("few", 2, 0, 1e12)
	c.smooth = s.Float("smooth", 0.2, 1e-6, 1)
	return c
}

// bounds reads two parts in [0, 1] that rise or fall.
func bounds(s *param.Set, key string, a, b float64, rise bool) [2]float64 {
	x := s.Floats(key, []float64{a, b}, 0, 1)
	if len(x) != 2 || x[0] != x[1] && (x[0] < x[1]) != rise {
		want := "falling"
		if rise {
			want = "rising"
		}
		s.FaultAt(key, "%s is %v, expected two %s numbers A/B", key, x, want)
		return [2]float64{a, b}
	}
	return [2]float64{x[0], x[1]}
}
