package entry

import (
	"slices"
	"strings"

	"tarry/sim/param"
)

// Cost states what the published algorithm of a policy costs by nature. The zero value is a policy
// that costs about as much as a queue.
type Cost struct {
	// JobMs is the processor time of one job, ms: measured on the 82 247 jobs of Philly on 512 GPUs
	// under collective with the default settings, extrapolated from the jobs that ended where the
	// run did not. Other jobs and clusters may cost several times more or less.
	JobMs float64
	// Why states what takes the time: a noun, and how often.
	Why string
	// Bounds lists the settings that lower the cost; a spec that states one has no estimate.
	Bounds []string
}

// Seconds estimates the processor time of some jobs under a spec, NAME or NAME:key=value,...; 0
// where the cost is a queue's or the spec bounds it.
func (c *Cost) Seconds(spec string, jobs int) float64 {
	_, text, _ := strings.Cut(spec, ":")
	if s := param.Parse("", text); slices.ContainsFunc(c.Bounds, s.Has) {
		return 0
	}
	return c.JobMs / 1e3 * float64(jobs)
}
