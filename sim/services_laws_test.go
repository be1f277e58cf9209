package sim

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/series"
	"tarry/sim/service"
	"tarry/sim/service/mmc"
)

// eager is a policy that starts each job that waits, by JobID, on the lowest free GPUs.
type eager struct{ seen *[]string }

func (eager) Knows() know.Set { return know.Nothing }

func (p eager) Decide(v *View, out []Decision) []Decision {
	if p.seen != nil {
		*p.seen = append(*p.seen, fmt.Sprint(v.Now(), v.Free().Total(), v.Usable()))
	}
	for id := JobID(0); int(id) < v.NumJobs(); id++ {
		if v.Run(id).State() != Waiting || v.Free().Total() < v.Job(id).GPUs() {
			continue
		}
		var gpus []cluster.GPU
		for g := cluster.GPU(0); len(gpus) < v.Job(id).GPUs(); g++ {
			if v.Free().Has(g) {
				v.Free().Take(g)
				gpus = append(gpus, g)
			}
		}
		out = append(out, Decision{Kind: Start, Job: id, GPUs: gpus})
	}
	return out
}

// some are jobs of 1 to 3 GPUs that arrive within 40 s.
func some(t *testing.T, seed uint64) *Workload {
	r := rand.New(rand.NewPCG(seed, 37))
	js := make([]Job, 20)
	for i := range js {
		js[i] = Job{GPUs: int32(1 + r.IntN(3)), Work: Time(1+r.IntN(20)) * Second, Submit: Time(r.IntN(40)) * Second}
	}
	slices.SortFunc(js, func(a, b Job) int { return int(a.Submit - b.Submit) })
	return jobs(t, js...)
}

// lawful runs some jobs on machines of one GPU each, and gives what became of the jobs and what the
// policy saw free.
func lawful(t *testing.T, cfg Config, machines int, obs ...Observer) (lines, seen []string) {
	t.Helper()
	cfg.Topology, cfg.Speed, cfg.Check = topology(t, 1, machines, 1, 1), counting{}, true
	var tp tape
	if _, err := Run(t.Context(), cfg, eager{&seen}, append(obs, &tp)...); err != nil {
		t.Fatal(err)
	}
	if len(tp.lines) < 2 {
		t.Fatalf("%v, expected more", tp.lines)
	}
	return tp.lines, seen
}

// one is a model of one service.
func one(s service.Spec) *service.Model {
	s.Name = "one"
	return &service.Model{Services: []service.Spec{s}}
}

// A model without services changes nothing. Without load a replica is a reserved GPU: the same as a
// machine that is cordoned. Machines that are never lent are not there, and one that is lent at an
// instant for good is one that is repaired then.
func TestLawsOfPlaces(t *testing.T) {
	take := func(machines ...int32) (out []Decision) {
		for _, m := range machines {
			out = append(out, Decision{Kind: Cordon, Machine: m})
		}
		return out
	}
	for seed := range uint64(5) {
		w := some(t, seed)
		plain, free := lawful(t, Config{Workload: w}, 4)
		empty, sees := lawful(t, Config{Workload: w, Services: &service.Model{}}, 4)
		same(t, "no services", empty, plain...)
		same(t, "no services: seen", sees, free...)

		reserved, sees := lawful(t, Config{Workload: w, Services: one(service.Spec{Replicas: 1, RatePerS: 1}),
			Operator: &duty{plan: map[Time][]Decision{0: {begin(JobID(len(w.Jobs)), 2)}}}}, 5)
		cordoned, held := lawful(t, Config{Workload: w, Operator: &duty{plan: map[Time][]Decision{0: take(2)}}}, 5)
		same(t, "no load", reserved, cordoned...)
		same(t, "no load: seen", sees, held...)

		never, _ := lawful(t, Config{Workload: w, Operator: &duty{plan: map[Time][]Decision{0: take(4, 5)}}}, 6)
		same(t, "never lent", never, plain...)

		lent, _ := lawful(t, Config{Workload: w, Operator: &duty{plan: map[Time][]Decision{0: take(4),
			13 * Second: {{Kind: Uncordon, Machine: 4}}}}}, 5)
		repaired, _ := lawful(t, Config{Workload: w, Outages: Schedule{{Machine: 4, GPU: -1},
			{At: 13 * Second, Machine: 4, GPU: -1, Up: true}}.Source()}, 5)
		same(t, "lent for good", lent, repaired...)
		if slices.Equal(lent, plain) {
			t.Error("a machine more changes nothing")
		}
	}
}

// day is a load that changes every 5 s, k times as slowly and 1/k of it; the last is light.
func day(seed uint64, k int64) *series.Series {
	r := rand.New(rand.NewPCG(seed, 38))
	s := &series.Series{}
	for i := range int64(12) {
		s.Steps = append(s.Steps, series.Step{At: k * i * 5e6, Value: float64(r.IntN(30)) / float64(k)})
	}
	s.Steps[11].Value = 0
	return s
}

// ledgerOf runs a service for k times 60 s and gives its ledger: n replicas from the start on, one of
// them stopped for k times 10 to 20 s where that leaves another.
func ledgerOf(t *testing.T, s service.Spec, lat service.Latency, n int, k Time) (l service.Ledger) {
	t.Helper()
	s.Replicas = 8
	o := &duty{plan: map[Time][]Decision{0: nil}}
	for i := range n {
		o.plan[0] = append(o.plan[0], Decision{Kind: Start, Job: JobID(i), GPUs: on(cluster.GPU(i)),
			Knobs: Knobs{ShareMilli: s.ShareMilli}})
	}
	if s.ShareMilli == 500 { // two on each GPU
		for i := range n {
			o.plan[0][i].GPUs = on(cluster.GPU(i / 2))
		}
	} else if n > 1 {
		o.plan[10*k*Second], o.plan[20*k*Second] = []Decision{{Kind: Preempt}}, []Decision{begin(0, 0)}
	}
	m := one(s)
	m.Latency = lat
	cfg := Config{Workload: jobs(t), Topology: topology(t, 1, 8, 1, 1), Speed: counting{}, Services: m, Operator: o,
		Until: 60 * k * Second, Check: true}
	sum := &summing{spec: &m.Services[0], lat: lat}
	if _, err := Run(t.Context(), cfg, eager{}, sum); err != nil {
		t.Fatal(err)
	}
	return sum.Ledger
}

// summing is the ledger of the spans that observers receive.
type summing struct {
	service.Ledger
	spec *service.Spec
	lat  service.Latency
}

func (*summing) Interval(*Interval)      {}
func (*summing) Job(*Record)             {}
func (*summing) Instant(*Gauge)          {}
func (*summing) Replica(*Interval)       {}
func (*summing) Lend(int32, bool, Time)  {}
func (s *summing) Serve(x *service.Span) { s.Add(s.spec, s.lat, x) }

// numbers are the ledger's, with times k times as short.
func numbers(l service.Ledger, k float64) []float64 {
	return []float64{l.Arrived, l.Served, l.Good, l.Backlog, l.BacklogS / k, l.OverloadedS / k, l.BadS / k}
}

// alike fails where two ledgers differ.
func alike(t *testing.T, what string, got, want []float64) {
	t.Helper()
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-9*(1+math.Abs(want[i])) {
			t.Errorf("%s: %v, expected %v", what, got, want)
			return
		}
	}
}

// A constant load attains what the stationary queue does. Times k times as long at loads and rates of
// 1/k scale all times. Two replicas on halves of a GPU serve as one on all of it. Where no deadline is
// missed all that is served is good. More replicas never give less good requests.
func TestLawsOfRequests(t *testing.T) {
	for seed := range uint64(20) {
		for n := 1; n < 8; n++ {
			s := service.Spec{RatePerS: 4, DeadlineS: 0.7, Target: 0.9, StartS: 2, Load: day(seed, 1)}
			slow := s
			slow.RatePerS, slow.DeadlineS, slow.StartS, slow.Load = 0.5, 5.6, 16, day(seed, 8)
			for _, lat := range []service.Latency{service.Fluid, service.MMC} {
				alike(t, "times 8", numbers(ledgerOf(t, slow, lat, n, 8), 8), numbers(ledgerOf(t, s, lat, n, 1), 1))
			}
			less, more := ledgerOf(t, s, service.Fluid, n, 1), ledgerOf(t, s, service.Fluid, n+1, 1)
			if more.Good < less.Good-1e-9 || more.Backlog > less.Backlog+1e-9 {
				t.Errorf("%d replicas: %+v, one more: %+v", n, less, more)
			}
			s.DeadlineS = 0
			if l := ledgerOf(t, s, service.Fluid, n, 1); math.Abs(l.Good-l.Served) > 1e-9*l.Served {
				t.Errorf("no deadline: %+v, expected all that is served to be good", l)
			}
		}
		late := service.Spec{RatePerS: 4, DeadlineS: 1e9, StartS: 2, Load: day(seed, 1)}
		long := ledgerOf(t, late, service.Fluid, 8, 1)
		if early := 2 * day(seed, 1).At(0); long.Backlog > 0 || math.Abs(long.Served-long.Good-early) > 1e-6 {
			t.Errorf("a long deadline: %+v, expected all to be good but %v of the first 2 s", long, early)
		}
		whole := service.Spec{RatePerS: 4, Load: day(seed, 1)}
		half := whole
		half.ShareMilli = 500
		alike(t, "halves", numbers(ledgerOf(t, half, service.Fluid, 2, 1), 1),
			numbers(ledgerOf(t, whole, service.Fluid, 1, 1), 1))
		load := 0.5 + float64(seed)*0.17
		l := ledgerOf(t, service.Spec{RatePerS: 4, DeadlineS: 0.5, Load: series.Constant(load)}, service.MMC, 1, 1)
		alike(t, "constant load", []float64{l.Attained()}, []float64{mmc.Attained(1, load, 4, 0.5)})
	}
}

// A million changes of loads leave no wrong book: arrived is what the curves bring, all of it is
// served or waits, and the kernel's ledgers are sums over the spans that an observer gets.
func TestMillionShifts(t *testing.T) {
	const shifts, gap = 250_000, 1_300_001 // us: 3.8 days
	r := rand.New(rand.NewPCG(1, 39))
	m, want := &service.Model{Latency: service.MMC}, make([]float64, 4)
	for i := range want {
		l := &series.Series{}
		for k := range int64(shifts) {
			l.Steps = append(l.Steps, series.Step{At: k*gap + int64(i), Value: float64(r.IntN(12)) + r.Float64()})
			if k > 0 {
				want[i] += l.Steps[k-1].Value * gap / 1e6
			}
		}
		l.Steps[0].At = 0
		want[i] += l.Steps[shifts-1].Value*(gap-float64(i))/1e6 + l.Steps[0].Value*float64(i)/1e6
		m.Services = append(m.Services, service.Spec{Name: fmt.Sprint(i), Replicas: 2, RatePerS: 3.7, DeadlineS: 1,
			Target: 0.5, Load: l})
	}
	o := &flipping{sums: make(perService, len(want))}
	cfg := Config{Workload: jobs(t), Topology: topology(t, 1, 8, 1, 1), Speed: counting{}, Services: m, Operator: o,
		Until: shifts * gap}
	for i := range o.sums {
		o.sums[i] = &summing{spec: &m.Services[i], lat: m.Latency}
	}
	if _, err := Run(t.Context(), cfg, eager{}, o.sums); err != nil {
		t.Fatal(err)
	}
	if o.loads < 900_000 || o.wrong > 0 {
		t.Errorf("%d changes were seen, expected a million; at %d the kernel's ledger is another", o.loads, o.wrong)
	}
	for i, s := range o.sums {
		if math.Abs(s.Arrived-want[i]) > 1e-9*want[i] || math.Abs(s.Arrived-s.Served-s.Backlog) > 1e-9*want[i] ||
			s.Good < 0 || s.Good > s.Arrived || s.Backlog < 0 {
			t.Errorf("service %d: %+v, expected %v to arrive", i, s.Ledger, want[i])
		}
	}
}

// perService adds up the spans of each service.
type perService []*summing

func (perService) Interval(*Interval)      {}
func (perService) Job(*Record)             {}
func (perService) Instant(*Gauge)          {}
func (perService) Replica(*Interval)       {}
func (perService) Lend(int32, bool, Time)  {}
func (p perService) Serve(x *service.Span) { p[x.Service].Serve(x) }

// flipping is an operator that starts or stops a replica of a service at every seventh change of its
// load; each has two GPUs of its own.
type flipping struct {
	loads int
	wrong int        // changes at which the kernel's ledger was not the sums'
	sums  perService // what an observer added up
	gpus  [8]cluster.GPU
}

func (*flipping) Knows() know.Set { return know.Nothing }
func (o *flipping) Clone() Policy { return o }

func (o *flipping) Decide(v *View, out []Decision) []Decision {
	s := v.Services()
	for _, ev := range v.Events() {
		if ev.Kind != Load {
			continue
		}
		if s.Ledger(int(ev.Key)) != o.sums[ev.Key].Ledger {
			o.wrong++
		}
		if o.loads++; o.loads%7 == 0 {
			first, _ := s.Replicas(int(ev.Key))
			id := first + JobID(o.loads/7%2)
			if at := int(id) - v.NumJobs(); v.Run(id).State() == Running {
				out = append(out, Decision{Kind: Preempt, Job: id})
			} else {
				o.gpus[at] = cluster.GPU(at)
				out = append(out, Decision{Kind: Start, Job: id, GPUs: o.gpus[at : at+1]})
			}
		}
	}
	return out
}

// Once a run with services is warm, changes of load and of replicas allocate nothing.
func TestNoAllocationWithServices(t *testing.T) {
	const shifts = 40000
	l := &series.Series{}
	for k := range int64(shifts) {
		l.Steps = append(l.Steps, series.Step{At: k * 1e6, Value: float64(k*k%13) + 0.25})
	}
	m := &service.Model{Latency: service.MMC}
	for i := range 4 {
		m.Services = append(m.Services, service.Spec{Name: fmt.Sprint(i), Replicas: 2, RatePerS: 3,
			DeadlineS: 1, Load: l})
	}
	sums := make(perService, 4)
	for i := range sums {
		sums[i] = &summing{spec: &m.Services[i], lat: m.Latency}
	}
	e, err := New(Config{Workload: jobs(t), Topology: topology(t, 1, 8, 1, 1), Speed: counting{}, Services: m,
		Operator: &flipping{sums: sums}, Until: shifts * Second}, sums)
	if err != nil {
		t.Fatal(err)
	}
	step := func() {
		if _, ok, err := e.Next(); !ok || err != nil {
			t.Fatalf("ended early: %v", err)
		}
		if err := e.Apply(nil); err != nil {
			t.Fatal(err)
		}
	}
	for range 5000 {
		step()
	}
	if n := testing.AllocsPerRun(20000, step); n != 0 {
		t.Errorf("%v allocations per instant, want none", n)
	}
}
