package measure

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"tarry/internal/stats"
	"tarry/sim"
)

// tenant is what the jobs of one tenant got.
type tenant struct {
	name           string
	jobs, finished int
	gpuS           float64
	// sum, worst and within are of the finish-time fairness of its finished jobs; within counts
	// jobs of at most 1.
	sum, worst float64
	within     int
	tally      tally
	// of its finished jobs, s
	queue, jct []float64
	// held has when it got and gave back GPUs, where it has a quota.
	held     []change
	declines declines
	kWh      float64 // what its jobs drew
}

// change is GPUs more or less from an instant on.
type change struct {
	at   sim.Time
	gpus float64
}

func (t *tenant) done(rho float64, j *sim.Job, r *sim.Record) {
	t.finished++
	t.queue, t.jct = append(t.queue, r.Queue.Seconds()), append(t.jct, (r.End-j.Submit).Seconds())
	t.sum += rho
	t.worst = max(t.worst, rho)
	if rho <= 1+1e-9 { // a job that is alone has 1 but for rounding
		t.within++
	}
}

// rho is the finish-time fairness of a finished job, as Themis defines it (Mahajan et al., NSDI
// 2020): T_shared / T_alone, where T_alone is the time on 1/N of the cluster, and N the mean number
// of jobs in the system from its arrival to its end, itself included. We take it that speed is
// linear in the GPUs up to the most that the job can use, with its share of time on a gang that is
// larger than 1/N of the cluster, and that nothing is communicated.
func (b *Book) rho(j *sim.Job, r *sim.Record, e *sim.Engine) float64 {
	shared := float64(r.End - j.Submit)
	n := areaOf(e).since(b.marks[r.Job]) / shared
	_, most := j.Range()
	width := j.Width() / float64(j.GPUs) * float64(most)
	return shared * min(width, float64(b.gpus)/n) / float64(j.Work)
}

// tenantRows reports what each tenant got, and how equally.
func (b *Book) tenantRows(add Add) {
	all := b.tenants()
	var gpu, rho []float64
	var sum tenant
	total := 0.0
	for _, t := range all {
		gpu, total = append(gpu, t.gpuS), total+t.gpuS
		sum.finished, sum.within, sum.sum, sum.worst = sum.finished+t.finished, sum.within+t.within, sum.sum+t.sum,
			max(sum.worst, t.worst)
		sum.declines.plus(&t.declines)
		if t.finished > 0 {
			rho = append(rho, t.sum/float64(t.finished))
		}
	}
	add("tenants", "", "count", float64(len(all)))
	add("gpu_time_jain", "", "0..1", stats.Jain(gpu))
	add("ftf_jain", "", "0..1", stats.Jain(rho))
	sum.rows("", add)
	for _, t := range all {
		add("gpu_time_frac", t.name, "0..1", share(t.gpuS, total))
		add("tenant_jobs", t.name, "jobs", float64(t.jobs))
		if b.meter != nil {
			add("energy_busy_kwh", t.name, "kWh", t.kWh)
		}
		t.waits(add)
		b.quota(t, add)
		t.rows(t.name, add)
		if b.all.jobs > 0 {
			add("satisfied_frac", t.name, "0..1", t.tally.satisfied())
		}
	}
}

func (t *tenant) rows(of string, add Add) {
	worst := t.worst
	if t.finished == 0 {
		worst = math.NaN()
	}
	add("ftf_mean", of, "ratio", share(t.sum, float64(t.finished)))
	add("ftf_max", of, "ratio", worst)
	add("sharing_incentive_frac", of, "0..1", frac(t.within, t.finished))
	t.declines.rows(of, add)
}

// waits reports how long its finished jobs waited and were there.
func (t *tenant) waits(add Add) {
	slices.Sort(t.queue) // so that a sum does not depend on the order in which jobs end
	slices.Sort(t.jct)
	add("queue_mean_s", t.name, "s", stats.Mean(t.queue))
	add("queue_p95_s", t.name, "s", stats.Quantile(t.queue, 0.95))
	add("jct_mean_s", t.name, "s", stats.Mean(t.jct))
}

// quota reports what it owns, and which part of its GPU-time it held above that: max(0, GPUs held -
// quota) over time, over GPUs held over time.
func (b *Book) quota(t *tenant, add Add) {
	own, ok := b.owners.Quota(t.name)
	if !ok || !b.byVC {
		return
	}
	slices.SortFunc(t.held, func(x, y change) int { return cmp.Compare(x.at, y.at) })
	over, now := 0.0, 0.0
	for i := range t.held {
		if i > 0 {
			over += float64(max(0, now-float64(own)) * (t.held[i].at - t.held[i-1].at).Seconds())
		}
		now += t.held[i].gpus
	}
	add("quota_gpus", t.name, "GPUs", float64(own))
	add("over_quota_frac", t.name, "0..1", share(over, t.gpuS))
}

func share(a, b float64) float64 {
	if b == 0 {
		return math.NaN()
	}
	return a / b
}

// area is the integral of the jobs in the system over time, in job-microseconds.
type area [2]uint64

func areaOf(e *sim.Engine) area {
	jobs, _, _ := e.Areas()
	return jobs
}

// since is what was added after an earlier one.
func (a area) since(o area) float64 {
	lo, borrow := bits.Sub64(a[1], o[1], 0)
	hi, _ := bits.Sub64(a[0], o[0], borrow)
	return float64(float64(hi)*(1<<64)) + float64(lo)
}
