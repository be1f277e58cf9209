package synth

import (
	"fmt"
	"strconv"
	"strings"

	"tarry/sim"
	"tarry/sim/rng"
)

// MeanRate is the arrivals per second that the configuration asks for, on average; 0
// for a batch.
func (c *Config) MeanRate() float64 {
	switch {
	case c.Arrivals == "batch":
		return 0
	case c.Rate > 0:
		return c.Rate
	}
	return c.Load * float64(c.GPUs) / meanWork(c.classes())
}

// Generate draws the workload from the source's streams arrivals, demands, durations,
// models and users.
func Generate(c Config, src rng.Source) (*sim.Workload, error) {
	classes := c.classes()
	shares := make([]float64, len(classes))
	for i, cl := range classes {
		shares[i] = cl.share
	}
	var (
		submits   = c.process()
		arriving  = src.Stream("arrivals")
		demanding = src.Stream("demands")
		running   = src.Stream("durations")
		demand    = rng.NewChoice(shares)
		label     = newLabels(&c, src)
	)
	jobs := make([]sim.Job, c.Jobs)
	for i := range jobs {
		cl := &classes[demand.Pick(demanding)]
		jobs[i] = sim.Job{
			ID:     strconv.Itoa(i),
			Submit: submits.next(arriving),
			GPUs:   cl.gpus,
			Work:   runTime(cl.run, running) * sim.Time(cl.gpus),
		}
		label.job(&jobs[i])
	}
	return sim.NewWorkload("synth:"+c.Preset, jobs, c.origins(classes)...)
}

// runTime rounds to a millisecond: far coarser than the last bits of exp and log, in
// which machines may differ, so that they agree on the jobs.
func runTime(l runLaw, s *rng.Stream) sim.Time {
	const ms = sim.Second / 1000
	return max(ms, sim.Seconds(l.draw(s))/ms*ms)
}

func (c *Config) process() arrivals {
	rate := c.MeanRate()
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
}

// perTenant is how many users share a virtual cluster.
const perTenant = 10

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
				l.tenants = append(l.tenants, "vc"+strconv.Itoa(i/perTenant+1))
			}
		}
		l.user, l.userS = rng.NewChoice(weights), src.Stream("users")
	}
	return l
}

func (l *labels) job(j *sim.Job) {
	if l.model != nil {
		j.Model = l.models[l.model.Pick(l.modelS)].Name
		j.Drawn |= sim.FieldModel
	}
	if l.user != nil {
		k := l.user.Pick(l.userS)
		j.User, j.VC = l.users[k], l.tenants[k/perTenant]
		j.Drawn |= sim.FieldUser | sim.FieldVC
	}
	j.Drawn |= sim.FieldWork | sim.FieldGPUs | sim.FieldSubmit
}

func (c *Config) origins(classes []class) []sim.Origin {
	submit := "drawn from stream \"arrivals\": " + c.Arrivals
	if rate := c.MeanRate(); rate > 0 {
		submit += fmt.Sprintf(", mean rate %.6g jobs/s", rate)
		if c.Rate == 0 {
			submit += fmt.Sprintf(" = load %g x %d GPUs / %.6g GPU-seconds per job (computed from the law)", c.Load, c.GPUs, meanWork(classes))
		}
	}
	list := []sim.Origin{
		{Field: "submit", Source: submit},
		{Field: "gpus", Source: "drawn from stream \"demands\": law " + c.Law},
		{Field: "work", Source: "run time drawn from stream \"durations\" (law " + c.Law + ", per demand) x GPUs"},
	}
	if len(c.Models) > 0 {
		var names []string
		for _, m := range c.Models {
			names = append(names, fmt.Sprintf("%s %g", m.Name, m.Weight))
		}
		list = append(list, sim.Origin{Field: "model", Source: "drawn from stream \"models\", by weight: " + strings.Join(names, ", ")})
	}
	if c.Users > 0 {
		list = append(list,
			sim.Origin{Field: "user", Source: fmt.Sprintf("drawn from stream \"users\": %d users, the k-th with a share proportional to 1/k", c.Users)},
			sim.Origin{Field: "vc", Source: fmt.Sprintf("%d users of successive rank share one", perTenant)})
	}
	return list
}
