package synth

import (
	"fmt"
	"strconv"
	"strings"

	"tarry/sim"
	"tarry/sim/origin"
	"tarry/sim/rng"
)

// MeanRate is the arrivals per second that the configuration asks for, on average; 0 for a batch.
// Where jobs recur it is the rate of the site's first templates, or without a site of the law.
func (c *Config) MeanRate() float64 {
	switch {
	case c.Arrivals == "batch":
		return 0
	case c.Rate > 0:
		return c.Rate
	}
	if c.Recur.Templates > 0 && c.Recur.Site > 0 {
		return c.Load * float64(c.GPUs) / newSite(c, rng.Source{}).work
	}
	return c.Load * float64(c.GPUs) / meanWork(c.classes())
}

// Generate draws the workload from the source's streams arrivals, demands, durations,
// models and users; recurring jobs as recur.go states.
func Generate(c Config, src rng.Source) (*sim.Workload, error) {
	jobs := make([]sim.Job, c.Jobs)
	s := Draw(c, src)
	for i := range jobs {
		s.Next(&jobs[i])
	}
	origins := c.recurOrigins
	if c.Recur.Templates == 0 {
		origins = c.origins
	}
	return sim.NewWorkload("synth:"+c.Preset, jobs, origins()...)
}

// Draw gives the jobs of Generate one by one as they are drawn, which is in order of (Submit, ID).
func Draw(c Config, src rng.Source) sim.Stream {
	if c.Recur.Templates > 0 {
		return &drawn{n: c.Jobs, draw: recurring(&c, src)}
	}
	return &drawn{n: c.Jobs, draw: single(&c, src)}
}

// drawn is a stream of so many jobs, the i-th of which draw gives: they are asked for in order.
type drawn struct {
	n, next int
	draw    func(i int) sim.Job
}

// Len implements sim.Stream.
func (d *drawn) Len() int { return d.n }

// Next implements sim.Stream.
func (d *drawn) Next(j *sim.Job) bool {
	if d.next == d.n {
		return false
	}
	*j = d.draw(d.next)
	d.next++
	return true
}

// single draws jobs that have nothing to do with one another.
func single(c *Config, src rng.Source) func(i int) sim.Job {
	classes := c.classes()
	shares := make([]float64, len(classes))
	for i, cl := range classes {
		shares[i] = cl.share
	}
	var (
		submits   = c.process(c.MeanRate())
		arriving  = src.Stream("arrivals")
		demanding = src.Stream("demands")
		running   = src.Stream("durations")
		demand    = rng.NewChoice(shares)
		label     = newLabels(c, src)
	)
	return func(i int) sim.Job {
		k := demand.Pick(demanding)
		cl := &classes[k]
		j := sim.Job{
			ID:     strconv.Itoa(i),
			Submit: submits.next(arriving),
			GPUs:   cl.gpus,
			Work:   runTime(cl.run, running) * sim.Time(cl.gpus),
		}
		label.job(&j, k)
		return j
	}
}

// runTime draws and rounds to a millisecond: far coarser than the last bits of exp and log, in
// which machines may differ, so that they agree on the jobs.
func runTime(l runLaw, s *rng.Stream) sim.Time { return milliseconds(l.draw(s)) }

// milliseconds is a time in seconds, rounded to at least one.
func milliseconds(seconds float64) sim.Time {
	const ms = sim.Second / 1000
	return max(ms, sim.Seconds(seconds)/ms*ms)
}

// process is the arrivals at a mean rate.
func (c *Config) process(rate float64) arrivals {
	switch c.Arrivals {
	case "batch":
		return batch{}
	case "bursty":
		return &bursty{rate: rate, burst: c.Burst, frac: c.BurstFrac, cycle: c.CycleS}
	case "diurnal":
		return &diurnal{rate: rate, amplitude: c.Amplitude}
	}
	return &poisson{rate: rate}
}

// labels names the model and the user of each job.
type labels struct {
	models         []Weighted
	model, user    *rng.Choice
	modelS, userS  *rng.Stream
	users, tenants []string
	dealing        *dealing // nil = users of successive rank share a virtual cluster
}

// perTenant is how many users share a virtual cluster.
const perTenant = 10

// tenant is the virtual cluster of the i-th user.
func tenant(i int) string { return "vc" + strconv.Itoa(i/perTenant+1) }

func newLabels(c *Config, src rng.Source) *labels {
	l := &labels{models: c.Models}
	if len(c.Models) > 0 {
		weights := make([]float64, len(c.Models))
		for i, m := range c.Models {
			weights[i] = m.Weight
		}
		l.model, l.modelS = rng.NewChoice(weights), src.Stream("models")
	}
	if c.Users > 0 {
		weights := make([]float64, c.Users)
		for i := range weights {
			weights[i] = 1 / float64(i+1)
			l.users = append(l.users, "u"+strconv.Itoa(i+1))
			if i%perTenant == 0 {
				l.tenants = append(l.tenants, tenant(i))
			}
		}
		l.user, l.userS = rng.NewChoice(weights), src.Stream("users")
		if c.VCs.Count > 0 {
			l.dealing = newDealing(c.VCs, c.classes(), src)
		}
	}
	return l
}

// job labels a job of a class.
func (l *labels) job(j *sim.Job, class int) {
	if l.model != nil {
		j.Model = l.models[l.model.Pick(l.modelS)].Name
		j.Drawn |= origin.Model
	}
	if l.user != nil {
		k := l.user.Pick(l.userS)
		if j.User, j.VC = l.users[k], l.tenants[k/perTenant]; l.dealing != nil {
			l.dealing.owner(j, class, k, len(l.users))
		}
		j.Drawn |= origin.User | origin.VC
	}
	j.Drawn |= origin.Work | origin.GPUs | origin.Submit
}

func (c *Config) origins() []origin.Origin {
	classes := c.classes()
	submit := "drawn from stream \"arrivals\": " + c.Arrivals
	if rate := c.MeanRate(); rate > 0 {
		submit += fmt.Sprintf(", mean rate %.6g jobs/s", rate)
		if c.Rate == 0 {
			submit += fmt.Sprintf(" = load %g x %d GPUs / %.6g GPU-seconds per job (computed from the law)", c.Load,
				c.GPUs, meanWork(classes))
		}
	}
	list := []origin.Origin{
		{Field: "submit", Source: submit},
		{Field: "gpus", Source: "drawn from stream \"demands\": law " + c.Law},
		{Field: "work", Source: "run time drawn from stream \"durations\" (law " + c.Law + ", per demand) x GPUs"},
	}
	if len(c.Models) > 0 {
		list = append(list, origin.Origin{Field: "model", Source: "drawn from stream \"models\", " + weights(c.Models)})
	}
	switch {
	case c.VCs.Count > 0:
		list = append(list, c.VCs.origins(c.Users)...)
	case c.Users > 0:
		list = append(list,
			origin.Origin{Field: "user", Source: fmt.Sprintf("drawn from stream \"users\": %d users, the k-th with a "+
				"share proportional to 1/k", c.Users)},
			origin.Origin{Field: "vc", Source: fmt.Sprintf("%d users of successive rank share one", perTenant)})
	}
	return list
}

// weights lists models in words.
func weights(models []Weighted) string {
	var names []string
	for _, m := range models {
		names = append(names, fmt.Sprintf("%s %g", m.Name, m.Weight))
	}
	return "by weight: " + strings.Join(names, ", ")
}
