package cassini

import (
	"tarry/baselines/cassini/circle"
	"tarry/sim/param"
)

// Params describes the settings for the catalogue.
const Params = `host       the scheduler that decides who gets how many GPUs: themis | dally | tiresias | fifo-fit, with its settings
           "NAME:key=value,..."
candidates places that are compared for the jobs that the host starts or moves at once, the host's own among them;
           1 = these alone
shift      running jobs are held until the iterations of jobs on a link begin at the best times
pace       iterations are held to these times where no two transfers then meet
angles     of a circle
laps       longest common perimeter of jobs that share links, in the longest of their iterations
stretch    largest part by which an iteration is lengthened for a common perimeter
drift      largest part of an iteration by which a job may be off its time without being held`

// config are the settings beside the host.
type config struct {
	candidates, angles int
	shift, pace        bool
	drift              float64
	limits             circle.Limits
}

func newConfig(s *param.Set) config {
	c := config{candidates: int(s.Int64("candidates", 10, 1, 1000)), shift: s.Bool("shift", true),
		pace: s.Bool("pace", true), angles: int(s.Int64("angles", 72, 1, 3600))}
	c.limits.Laps = s.Int64("laps", 10, 1, 1000)
	c.limits.Stretch = s.Float("stretch", 0.05, 0, 1)
	c.drift = s.Float("drift", 0.05, 0, 0.5)
	return c
}
