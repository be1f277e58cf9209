package measure

import (
	"math"
	"math/bits"

	"tarry/internal/stats"
	"tarry/sim"
)

// tenant is what the jobs of one tenant got.
type tenant struct {
	name           string
	jobs, finished int
	gpuS           float64
	// sum, worst and within are of the finish-time fairness of its finished jobs; within counts those of at most 1.
	sum, worst float64
	within     int
	tally      tally
}

func (t *tenant) done(rho float64) {
	t.finished++
	t.sum += rho
	t.worst = max(t.worst, rho)
	if rho <= 1+1e-9 { // a job that is alone has 1 but for rounding
		t.within++
	}
}

// rho is the finish-time fairness of a finished job, as Themis defines it (Mahajan et al., NSDI 2020): T_shared / T_alone, where T_alone is the
// time on 1/N of the cluster, and N the mean number of jobs in the system from its arrival to its end, itself included. We take it that speed is
// linear in the GPUs up to the most that the job can use, with its share of time on a gang that is larger than 1/N of the cluster, and that
// nothing is communicated.
func (b *Book) rho(j *sim.Job, r *sim.Record, e *sim.Engine) float64 {
	shared := float64(r.End - j.Submit)
	n := areaOf(e).since(b.marks[r.Job]) / shared
	_, most := j.Range()
	width := j.Width() / float64(j.GPUs) * float64(most)
	return shared * min(width, float64(b.gpus)/n) / float64(j.Work)
}

// tenantRows says what each tenant got, and how equally.
func (b *Book) tenantRows(add Add) {
	all := b.tenants()
	var gpu, rho []float64
	var sum tenant
	total := 0.0
	for _, t := range all {
		gpu, total = append(gpu, t.gpuS), total+t.gpuS
		sum.finished, sum.within, sum.sum, sum.worst = sum.finished+t.finished, sum.within+t.within, sum.sum+t.sum, max(sum.worst, t.worst)
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
