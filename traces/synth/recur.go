package synth

import (
	"fmt"
	"math"
	"strconv"

	"tarry/sim"
	"tarry/sim/origin"
	"tarry/sim/param"
	"tarry/sim/rng"
)

// recurring draws the jobs of a site: users come from the stream users, templates and what is
// replaced from templates, the drift of medians from drifts, run times from durations. Jobs come at
// the rate at which the templates of the moment fill the load.
func recurring(c *Config, src rng.Source) func(i int) sim.Job {
	var (
		here    = newSite(c, src)
		submits = c.process(c.Rate)
		gaps    = src.Stream("arrivals")
		users   = src.Stream("users")
		kinds   = src.Stream("templates")
		drifts  = src.Stream("drifts")
		runs    = src.Stream("durations")
		who     = rng.NewChoice(here.userShare)
		which   = rng.NewChoice(here.share)
	)
	between, inside := here.spread()
	return func(i int) sim.Job {
		if c.Rate == 0 {
			submits.pace(c.Load * float64(c.GPUs) / here.work)
		}
		at := submits.next(gaps)
		place := who.Pick(users)
		if happens(c.Recur.Stay, users) {
			here.come(place)
		}
		old := kinds.IntN(c.Recur.Templates)
		if happens(c.Recur.Renew, kinds) {
			here.renew(place, old)
		}
		o := &here.owners[place]
		if next := which.Pick(kinds); happens(c.Recur.Session, kinds) {
			o.last = next
		}
		if c.Recur.Drift > 0 {
			here.move(place, o.last, drifts.NormFloat64())
		}
		t := &o.templates[o.last]
		run := milliseconds(t.class.run(float64(between*t.score) + float64(inside*runs.NormFloat64())))
		return sim.Job{ID: strconv.Itoa(i), Submit: at, GPUs: t.gpus, Work: run * sim.Time(t.gpus), Model: t.model,
			User: o.name, VC: tenant(place), Request: t.asks(run), Drawn: c.drawn()}
	}
}

// happens is true once in mean draws on average, never when mean is 0. It takes one number from the
// stream either way.
func happens(mean float64, s *rng.Stream) bool {
	return float64(s.Float64()*mean) < 1 && mean > 0
}

// drawn is the fields of the jobs that are filled in.
func (c *Config) drawn() origin.Field {
	f := origin.Work | origin.GPUs | origin.Submit | origin.User | origin.VC
	if len(c.Models) > 0 {
		f |= origin.Model
	}
	if c.Recur.Request > 0 {
		f |= origin.Request
	}
	return f
}

// recurOrigins reports where the fields of recurring jobs come from.
func (c *Config) recurOrigins() []origin.Origin {
	submit := "drawn from stream \"arrivals\": " + c.Arrivals
	switch {
	case c.Arrivals == "batch":
	case c.Rate > 0:
		submit += fmt.Sprintf(", mean rate %.6g jobs/s", c.Rate)
	default:
		submit += fmt.Sprintf(", at the rate of load %g x %d GPUs / GPU-seconds per job, computed from the "+
			"templates of the moment", c.Load, c.GPUs)
	}
	list := []origin.Origin{
		{Field: "submit", Source: submit},
		{Field: "gpus", Source: "of the template, drawn from the site's streams: law " + c.Law},
		{Field: "work", Source: "run time drawn from stream \"durations\" around the template's median (law " + c.Law +
			", per demand) x GPUs; " + c.Recur.String()},
		{Field: "user", Source: fmt.Sprintf("drawn from stream \"users\": %d users at a time, the k-th with a share "+
			"proportional to 1/k", c.Users)},
		{Field: "vc", Source: fmt.Sprintf("%d users of successive rank share one", perTenant)},
	}
	if len(c.Models) > 0 {
		list = append(list, origin.Origin{Field: "model", Source: "of the template, " + weights(c.Models)})
	}
	if r := &c.Recur; r.Request > 0 {
		list = append(list, origin.Origin{Field: "request", Source: fmt.Sprintf(
			"of the template: its median run x %g x exp(%g N(0, 1)), at least the run, rounded up to a round time",
			r.Request, r.RequestError)})
	}
	return list
}

// with reads the settings of jobs that recur.
func (r Recur) with(s *param.Set, c *Config) Recur {
	r.Templates = s.Int("templates", r.Templates, 0, 1000)
	for _, key := range []string{"signal", "session", "renew", "drift", "stay", "site", "request", "request_error"} {
		if r.Templates == 0 && s.Has(key) {
			s.Fault("%s is given and templates is 0, expected templates >= 1: the jobs do not recur", key)
		}
	}
	if r.Templates > 0 && c.Users == 0 {
		s.Fault("users is 0 and templates %d, expected users >= 1: templates belong to users", r.Templates)
	}
	if _, ok := c.classes()[0].run.(mixture); r.Templates > 0 && !ok {
		s.Fault("law is %s with templates, expected philly, helios, multi or lognormal", c.Law)
	}
	r.Signal = s.Float("signal", r.Signal, 0, 1)
	r.Session = s.Float("session", r.Session, 1, 1e6)
	r.Request, r.RequestError = s.Float("request", r.Request, 0, 1e6), s.Float("request_error", r.RequestError, 0, 10)
	r.Site = uint64(s.Int("site", int(r.Site), 0, math.MaxInt32))
	for _, p := range []struct {
		key   string
		value *float64
	}{{"renew", &r.Renew}, {"drift", &r.Drift}, {"stay", &r.Stay}} {
		*p.value = s.Float(p.key, *p.value, 0, 1e9)
		if *p.value > 0 && *p.value < 1 {
			s.Fault("%s is %g, expected 0 (never) or a number >= 1", p.key, *p.value)
		}
	}
	return r
}
