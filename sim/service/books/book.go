package books

import (
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/service"
)

// Book is an observer of one run. It grows with the spans of services that have a backlog, with their
// distinct pairs of load and capacity, and with the allocations of parts of GPUs.
type Book struct {
	// Services are in the order of the model.
	Services []Service
	Loans    Loans

	top   *cluster.Topology
	first []sim.JobID // by service: its first replica; behind them the end
	parts parts
}

// New opens the book of a run of so many jobs; m may be nil where only machines are lent.
func New(m *service.Model, top *cluster.Topology, jobs int) *Book {
	b := &Book{top: top, first: []sim.JobID{sim.JobID(jobs)}, Loans: newLoans(m, top)}
	if m != nil {
		for i := range m.Services {
			b.Services = append(b.Services, newService(&m.Services[i], m.Latency))
			b.first = append(b.first, b.first[i]+sim.JobID(m.Services[i].Replicas))
		}
	}
	return b
}

// Serve takes a span of a service.
func (b *Book) Serve(s *service.Span) { b.Services[s.Service].serve(s) }

// Replica takes an allocation of a replica.
func (b *Book) Replica(i *sim.Interval) {
	s := 0
	for s+1 < len(b.Services) && i.Job >= b.first[s+1] {
		s++
	}
	b.Services[s].ReplicaGPUS += gpuS(i.End-i.Start, i)
	b.parts.add(i, true)
}

// Lend takes that a machine is lent or taken back.
func (b *Book) Lend(machine int32, lent bool, at sim.Time) { b.Loans.lend(machine, lent, at) }

// Interval takes an allocation of a job.
func (b *Book) Interval(i *sim.Interval) {
	b.Loans.interval(i)
	b.parts.add(i, false)
}

// Job implements sim.Observer.
func (b *Book) Job(*sim.Record) {}

// Instant implements sim.Observer.
func (b *Book) Instant(*sim.Gauge) {}

// Stretches gives what a service did over time, in stretches of a length that grows with the run. The
// last one ends with the run.
func (b *Book) Stretches(s int) (lengthS float64, of []Stretch) {
	l := &b.Services[s].line
	return float64(l.width()) / 1e6, l.taken
}

// HarvestedGPUS is the GPU-seconds that jobs held of GPUs beside replicas, a share counted as a part.
func (b *Book) HarvestedGPUS() float64 { return b.parts.harvested() }

// gpuS is GPU-seconds of an allocation over a time, a share counted as a part.
func gpuS(t sim.Time, i *sim.Interval) float64 {
	return float64(float64(t.Seconds()*float64(len(i.GPUs)))*float64(i.ShareMilli)) / 1000
}
