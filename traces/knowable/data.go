package knowable

import (
	"math"
	"slices"

	"tarry/sim"
	"tarry/sim/rng"
)

// data is a workload as columns, in the order of submits. The first fit jobs are the fitted part,
// those from test on the measured one.
type data struct {
	jobs      []sim.Job
	y         []float64 // log run time in seconds
	byVC      bool      // no job has a user
	fit, test int
}

func newData(w *sim.Workload) *data {
	n := len(w.Jobs)
	d := &data{jobs: w.Jobs, y: make([]float64, n)}
	first, last := w.Span()
	if first == last {
		d.jobs = slices.Clone(w.Jobs)
		rng.Source{}.Stream("knowable").Shuffle(n, func(i, k int) { d.jobs[i], d.jobs[k] = d.jobs[k], d.jobs[i] })
	}
	d.byVC = !slices.ContainsFunc(d.jobs, func(j sim.Job) bool { return j.User != "" })
	for i := range d.jobs {
		d.y[i] = math.Log(runOf(&d.jobs[i]))
	}
	if d.bySpan(first, last); d.fit < Least || n-d.test < Least {
		d.fit, d.test = int(float64(fitShare*float64(n))), n-int(float64(testShare*float64(n)))
	}
	return d
}

// bySpan cuts the parts by submits.
func (d *data) bySpan(first, last sim.Time) {
	n := len(d.jobs)
	d.fit, d.test = n, n
	if first == last {
		return
	}
	span := float64(last - first)
	for i := n - 1; i >= 0; i-- {
		at := float64(d.jobs[i].Submit-first) / span
		if at >= fitShare {
			d.fit = i
		}
		if at >= 1-testShare {
			d.test = i
		}
	}
}

// runOf is a job's run time in seconds, > 0.
func runOf(j *sim.Job) float64 { return j.Work.Seconds() / j.Width() }

// owner is whose job it is: the user, or the virtual cluster in a workload without users.
func (d *data) owner(j *sim.Job) string {
	if d.byVC {
		return j.VC
	}
	return j.User
}

// kind is an owner and a size.
type kind struct {
	owner       string
	gpus, share int32
}

func (d *data) kind(j *sim.Job) kind { return kind{d.owner(j), j.GPUs, j.ShareMilli} }

// newUsers is the share of measured jobs whose user has none in the fitted part.
func (d *data) newUsers() float64 {
	seen := map[string]bool{"": true}
	for i := range d.fit {
		seen[d.jobs[i].User] = true
	}
	unseen := 0
	for i := d.test; i < len(d.jobs); i++ {
		if !seen[d.jobs[i].User] {
			unseen++
		}
	}
	return float64(unseen) / float64(len(d.jobs)-d.test)
}

// source is a name and what it looks at.
type source struct {
	name    string
	columns []column
}

// sources lists what the jobs have. A field of which all jobs have the same value is left out.
func (d *data) sources() []source {
	var list []source
	var fields []column
	for _, f := range []struct {
		name   string
		column column
	}{
		{"size", category(d.jobs, func(j *sim.Job) kind { return kind{"", j.GPUs, j.ShareMilli} })},
		{"user", category(d.jobs, func(j *sim.Job) string { return j.User })},
		{"group", category(d.jobs, func(j *sim.Job) string { return j.Group })},
		{"vc", category(d.jobs, func(j *sim.Job) string { return j.VC })},
		{"model", category(d.jobs, func(j *sim.Job) string { return j.Model })},
	} {
		if f.column.values > 1 {
			fields = append(fields, f.column)
			list = append(list, source{f.name, []column{f.column}})
		}
	}
	all := fields
	if len(fields) > 1 {
		type product struct {
			kind
			vc, model string
		}
		all = append(fields, category(d.jobs, d.kind),
			category(d.jobs, func(j *sim.Job) product { return product{d.kind(j), j.VC, j.Model} }))
		list = append(list, source{"all of these and their products", all})
	}
	past, asked := d.past(), d.asked()
	list = append(list, source{"history", past})
	if asked != nil {
		list = append(list, source{"request", asked}, source{"history, request", slices.Concat(past, asked)})
	}
	if len(all) > 0 {
		list = append(list, source{"everything", slices.Concat(all, past, asked)})
	}
	return list
}

// category numbers the values of a field in the order in which they come.
func category[K comparable](jobs []sim.Job, value func(*sim.Job) K) column {
	c := column{index: make([]int32, len(jobs))}
	seen := map[K]int32{}
	for i := range jobs {
		v := value(&jobs[i])
		k, ok := seen[v]
		if !ok {
			k = int32(len(seen))
			seen[v] = k
		}
		c.index[i] = k
	}
	c.values = len(seen)
	return c
}

// asked is the log of the request and whether there is one; nil when no job has one, or all the
// same.
func (d *data) asked() []column {
	log, none := make([]float64, len(d.jobs)), make([]float64, len(d.jobs))
	varied := false
	for i := range d.jobs {
		if r := d.jobs[i].Request; r > 0 {
			log[i] = math.Log(r.Seconds())
		} else {
			none[i] = 1
		}
		varied = varied || d.jobs[i].Request != d.jobs[0].Request
	}
	if !varied {
		return nil
	}
	return []column{{number: log}, {number: none}}
}
