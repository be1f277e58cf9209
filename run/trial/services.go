package trial

import (
	"slices"

	"tarry/output/results"
	"tarry/run/measure"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/service"
	"tarry/sim/service/books"
)

// serving is what services and loans did in a run; a measure.Measurer.
type serving struct {
	specs []service.Spec
	book  *books.Book
	now   sim.Time
}

// newServing opens the book of a run with services or an operator, which is to observe it.
func newServing(m *service.Model, top *cluster.Topology, jobs int) *serving {
	s := &serving{book: books.New(m, top, jobs)}
	if m != nil {
		s.specs = m.Services
	}
	return s
}

// Measures reports the services together, where there are several each by its name too, and loans.
func (s *serving) Measures(add func(name, of, unit string, value float64)) {
	b := s.book
	if len(b.Services) > 0 {
		s.service(add, "", b.Services)
		add("harvested_gpu_s", "", "GPU s", b.HarvestedGPUS())
	}
	if len(b.Services) > 1 {
		for i := range b.Services {
			s.service(add, s.specs[i].Name, b.Services[i:i+1])
		}
	}
	s.tenants(add)
	if b.Loans.Any() {
		add("lent_gpu_s", "", "GPU s", b.Loans.LentGPUS(s.now))
		add("lent_used_gpu_s", "", "GPU s", b.Loans.UsedGPUS)
		add("reclaims", "", "events", float64(b.Loans.Reclaims))
		add("preempted_by_reclaim", "", "jobs", float64(b.Loans.Preempted))
		add("late_returns_gpu_s", "", "GPU s", b.Loans.LateGPUS)
	}
}

// service reports services as if they were one: requests count alike.
func (s *serving) service(add measure.Add, name string, of []books.Service) {
	var all service.Ledger
	held, meanS := 0.0, 0.0
	for i := range of {
		all.Arrived += of[i].Arrived
		all.Good += of[i].Good
		all.BadS += of[i].BadS
		all.OverloadedS += of[i].OverloadedS
		held += of[i].ReplicaGPUS
		if of[i].Arrived > 0 {
			meanS += float64(of[i].MeanS() * of[i].Arrived)
		}
	}
	add("slo_attained_frac", name, "0..1", all.Attained())
	add("good_per_s", name, "1/s", all.Good/s.now.Seconds())
	add("slo_bad_s", name, "s", all.BadS)
	add("overloaded_s", name, "s", all.OverloadedS)
	add("latency_mean_s", name, "s", meanS/all.Arrived)
	add("latency_p50_s", name, "s", books.QuantileS(of, 0.5))
	add("latency_p95_s", name, "s", books.QuantileS(of, 0.95))
	add("latency_p99_s", name, "s", books.QuantileS(of, 0.99))
	add("replica_gpu_s", name, "GPU s", held)
}

// tenants reports what the replicas of each tenant held, and what its services attained.
func (s *serving) tenants(add measure.Add) {
	type owned struct {
		gpuS float64
		all  service.Ledger
	}
	by := map[string]*owned{}
	var names []string
	for i := range s.specs {
		name := s.specs[i].Tenant
		if name == "" {
			continue
		}
		if by[name] == nil {
			names, by[name] = append(names, name), &owned{}
		}
		o, x := by[name], &s.book.Services[i]
		o.gpuS += x.ReplicaGPUS
		o.all.Arrived, o.all.Good = o.all.Arrived+x.Arrived, o.all.Good+x.Good
	}
	slices.Sort(names)
	for _, name := range names {
		add("tenant_replica_gpu_s", name, "GPU s", by[name].gpuS)
		add("tenant_attained_frac", name, "0..1", by[name].all.Attained())
	}
}

// rows gives the rows of the table services.
func (s *serving) rows(keys results.Keys) []results.ServiceSample {
	var rows []results.ServiceSample
	for i := range s.specs {
		length, all := s.book.Stretches(i)
		for k := range all {
			x := &all[k]
			row := results.ServiceSample{Keys: keys, Service: s.specs[i].Name, Time: float64(float64(k) * length),
				Load: x.Arrived / x.Seconds, Capacity: x.Capacity / x.Seconds, Replicas: x.ReplicaS / x.Seconds,
				Backlog: x.BacklogS / x.Seconds, Attained: 1,
				Lent: s.book.Loans.MeanLent(float64(k)*length, float64(k)*length+x.Seconds)}
			if x.Arrived > 0 {
				row.Attained = min(1, x.Good/x.Arrived) // without a deadline also requests that came before
			}
			rows = append(rows, row)
		}
	}
	return rows
}
