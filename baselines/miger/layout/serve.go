package layout

import (
	"tarry/sim/mig"
	"tarry/sim/service/mmc"
)

// Service is a service as one replica serves it: requests per second, the requests per second that the
// whole GPU serves, a bound on their time, the part that should be within it, and the memory it needs.
type Service struct {
	LoadPerS, RatePerS, DeadlineS, Target float64
	MiB                                   int64
}

// Met reports whether an instance alone meets the target: it is a queue M/M/1 at the instance's part of
// the rate.
func (s *Service) Met(p *mig.Profile) bool {
	rate := s.RatePerS * float64(p.Compute) / mig.ComputeSlices
	return int64(p.MiB) >= s.MiB && s.LoadPerS < rate && mmc.Attained(1, s.LoadPerS, rate, s.DeadlineS) >= s.Target
}

// Least is the first profile, the smallest, that meets a service; -1 where none does.
func Least(d *mig.Device, s *Service) int {
	for p := range d.Profiles {
		if s.Met(&d.Profiles[p]) {
			return p
		}
	}
	return -1
}

// Serve gives each service an instance that meets it, and some of the jobs one (all together are at
// most MaxJobs), such that the sum of their speeds is greatest; ok is false where the services are
// not all met. Groups number the services first, then the jobs that have an instance, by their index.
func (s *Shapes) Serve(services []Service, jobs int, speed func(job, profile int) float64) (
	groups []Group, sum float64, ok bool) {
	if len(services)+jobs > MaxJobs {
		return nil, 0, false
	}
	var solver Solver
	profiles := s.Device().Profiles
	for set := range 1 << jobs {
		var some []int
		for j := range jobs {
			if set>>j&1 != 0 {
				some = append(some, j)
			}
		}
		v := Values{Jobs: len(services) + len(some), Alone: func(i, p int) float64 {
			switch {
			case i >= len(services):
				return speed(some[i-len(services)], p)
			case services[i].Met(&profiles[p]):
				return 0
			}
			return -1
		}}
		g, worth, fits := s.Best(&solver, &v, nil)
		if !fits || ok && worth <= sum {
			continue
		}
		for i := range g {
			if at := int(g[i].A) - len(services); at >= 0 {
				g[i].A = int8(len(services) + some[at])
			}
		}
		groups, sum, ok = g, worth, true
	}
	return groups, sum, ok
}
