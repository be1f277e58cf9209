package heterogeneity

import (
	"context"
	"math"
	"strconv"

	"tarry/experiments/sweep"
	"tarry/internal/stats"
	rows "tarry/output/results"
)

// times has the completion time of each job by its number in order of arrival, of each trial of the
// sweeps over the load and of the stored traces; NaN = it did not finish.
type times struct {
	of map[rows.Keys][]float64
	// trials are the trials of each stored trace and scheduler, and lasted are makespans in hours.
	trials map[[2]string][]rows.Keys
	lasted map[rows.Keys]float64
	// alone has the same under isolated, by the workload.
	alone map[rows.Keys][]float64
}

// workload is what trials of the same jobs have in common.
func workload(k rows.Keys) rows.Keys {
	k.Cell, k.Policy = "", ""
	return k
}

// readTimes reads the table jobs.
func readTimes(ctx context.Context, d *sweep.Data) (*times, error) {
	t := &times{map[rows.Keys][]float64{}, map[[2]string][]rows.Keys{}, map[rows.Keys]float64{},
		map[rows.Keys][]float64{}}
	err := sweep.Scan(ctx, d, func(part []rows.Job) error {
		for i := range part {
			j := &part[i]
			c, ok := d.Cell(j.Keys)
			n, err := strconv.Atoi(j.ID)
			if !ok || c.Axes["demand"] == "" && !stored(&c) || err != nil || n < 0 {
				continue
			}
			of, there := t.of[j.Keys]
			if stored(&c) && !there {
				key := [2]string{c.Axes["list"], c.Axes["scheduler"]}
				t.trials[key] = append(t.trials[key], j.Keys)
			}
			for len(of) <= n {
				of = append(of, math.NaN())
			}
			of[n] = j.JCT
			t.of[j.Keys] = of
			if c.Axes["scheduler"] == isolated {
				t.alone[workload(j.Keys)] = of
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return t, sweep.Scan(ctx, d, func(part []rows.Trial) error {
		for i := range part {
			t.lasted[part[i].Keys] = part[i].Makespan / 3600
		}
		return nil
	})
}

// traced are the completion times under a scheduler of all jobs of a stored trace, in hours.
func (t *times) traced(name, scheduler string) (out []float64) {
	for _, k := range t.trials[[2]string{name, scheduler}] {
		for _, s := range t.of[k] {
			out = append(out, s/3600)
		}
	}
	return out
}

// makespans are the makespans of a scheduler on a stored trace, in hours.
func (t *times) makespans(name, scheduler string) (out []float64) {
	for _, k := range t.trials[[2]string{name, scheduler}] {
		out = append(out, t.lasted[k])
	}
	return out
}

// interest are the jobs that are looked at: from two thirds to five sixths of all, when the cluster
// is as full as it gets and jobs still come. The paper takes numbers 4000 to 5000 and lets others
// come until these are done.
func interest[T any](of []T) []T { return of[len(of)*2/3 : len(of)*5/6] }

// steady is the mean completion time of a trial's jobs of interest, in hours.
func (t *times) steady(k rows.Keys) float64 {
	return stats.Mean(interest(t.of[k])) / 3600
}

// fairness is the finish-time fairness of a job; NaN = it did not finish, or nothing was isolated.
func (t *times) fairness(j *rows.Job) float64 {
	n, err := strconv.Atoi(j.ID)
	alone := t.alone[workload(j.Keys)]
	if err != nil || n < 0 || n >= len(alone) {
		return math.NaN()
	}
	return j.JCT / alone[n]
}

// unfair is the 95th percentile of the finish-time fairness of a trial's jobs of interest; NaN =
// nothing was isolated.
func (t *times) unfair(k rows.Keys) float64 {
	alone, of := interest(t.alone[workload(k)]), interest(t.of[k])
	if len(alone) == 0 || len(alone) != len(of) {
		return math.NaN()
	}
	out := make([]float64, len(of))
	for i := range of {
		out[i] = of[i] / alone[i]
	}
	return stats.Quantiles(out, 0.95)[0]
}
