package sim

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/series"
	"tarry/sim/service"
)

// duty is an operator with a plan.
type duty struct {
	plan map[Time][]Decision
}

func (d *duty) Knows() know.Set { return know.Series }
func (d *duty) Clone() Policy   { return d }

func (d *duty) Decide(v *View, out []Decision) []Decision {
	out = append(out, d.plan[v.Now()]...)
	next := Never
	for at := range d.plan {
		if at > v.Now() {
			next = min(next, at)
		}
	}
	if next != Never {
		out = append(out, Decision{Kind: WakeAt, At: next})
	}
	return out
}

// observing keeps what observers receive about services.
type observing struct {
	lines []string
	spans []service.Span
}

func (w *observing) Interval(i *Interval) {
	w.lines = append(w.lines, fmt.Sprintf("job %d on %v %v-%v %v", i.Job, i.GPUs, i.Start, i.End, i.Reason))
}
func (w *observing) Job(*Record)           {}
func (w *observing) Instant(*Gauge)        {}
func (w *observing) Serve(s *service.Span) { w.spans = append(w.spans, *s) }
func (w *observing) Replica(i *Interval) {
	w.lines = append(w.lines, fmt.Sprintf("replica %d on %v %v-%v %v", i.Job, i.GPUs, i.Start, i.End, i.Reason))
}
func (w *observing) Lend(m int32, lent bool, at Time) {
	w.lines = append(w.lines, fmt.Sprintf("machine %d lent %v at %v", m, lent, at))
}

// web is two services with loads that change.
func web() *service.Model {
	return &service.Model{Services: []service.Spec{
		{Name: "web", Replicas: 2, RatePerS: 10, DeadlineS: 0.5, Target: 0.9, StartS: 2,
			Load: &series.Series{Steps: steps(5, 10, 25)}},
		{Name: "chat", Replicas: 3, RatePerS: 4, UtilFrac: 0.5, Load: series.Constant(2)},
	}}
}

// A machine that is lent and taken back, replicas that start, stop and fail: jobs and policy see GPUs
// that fail and come back, and observers receive all of it.
func TestServices(t *testing.T) {
	kind := func(k DecisionKind, m int32) Decision { return Decision{Kind: k, Machine: m} }
	o := &duty{plan: map[Time][]Decision{
		0:           {kind(Cordon, 1), begin(1, 2), begin(3, 3)},
		6 * Second:  {{Kind: Preempt, Job: 3}, begin(3, 1), {Kind: Preempt, Job: 1}, kind(Uncordon, 1)},
		12 * Second: {{Kind: Preempt, Job: 0}, kind(Cordon, 1), begin(1, 3), begin(2, 2)},
	}}
	var seen []string
	p := play{cfg: Config{Topology: topology(t, 1, 2, 2, 1), Services: web(), Operator: o, Check: true,
		Costs: Costs{Restore: Cost{FixedS: 1}}},
		plan: map[Time][]Decision{6 * Second: {begin(0, 2)}, 20 * Second: {begin(0, 0)}}}
	p.look = func(v *View) {
		s := v.Services()
		seen = append(seen, fmt.Sprintf("%v %v free %d of %d, load %v, capacity %v, ready %d, backlog %v", v.Now(),
			v.Events(), v.Free().Total(), v.Usable(), s.Load(0), s.Capacity(0), s.Ready(0), s.Backlog(0)))
	}
	p.cfg.Outages = Schedule{{At: 20 * Second, Machine: 1, GPU: 0}}.Source()
	p.cfg.Workload, p.cfg.Speed = jobs(t, Job{GPUs: 1, Work: 20 * Second, Submit: 3 * Second}), counting{}
	var w observing
	if _, err := Run(t.Context(), p.cfg, p, &w); err != nil {
		t.Fatal(err)
	}
	same(t, "view", seen,
		"0s [{fail -1 0}] free 2 of 2, load 5, capacity 0, ready 0, backlog 0",
		"3s [{arrive 0 0}] free 2 of 2, load 5, capacity 10, ready 1, backlog 5",
		"6s [{timer -1 1024} {fail -1 0} {repair -1 0}] free 3 of 3, load 5, capacity 0, ready 0, backlog 0",
		"10s [{load -1 0}] free 2 of 3, load 25, capacity 0, ready 0, backlog 20",
		"12s [{fail 0 0} {fail -1 0}] free 1 of 1, load 25, capacity 0, ready 0, backlog 70",
		"20s [{timer -1 1024} {fail -1 0}] free 1 of 1, load 25, capacity 10, ready 1, backlog 150",
		"35s [{finish 0 0}] free 1 of 1, load 25, capacity 10, ready 1, backlog 375")
	same(t, "told", w.lines,
		"machine 1 lent false at 0s",
		"replica 3 on [3] 0s-6s preempt",
		"replica 1 on [2] 0s-6s preempt",
		"machine 1 lent true at 6s",
		"job 0 on [2] 6s-12s preempt",
		"machine 1 lent false at 12s",
		"replica 2 on [2] 12s-20s fault",
		"job 0 on [0] 20s-35s finish",
		"replica 3 on [1] 6s-35s horizon",
		"replica 1 on [3] 12s-35s horizon")
	want := []service.Span{
		{Service: 0, To: 2e6, LoadPerS: 5},
		{Service: 1, To: 6e6, LoadPerS: 2, CapacityPerS: 4, Replicas: 1},
		{Service: 0, From: 2e6, To: 6e6, LoadPerS: 5, CapacityPerS: 10, Replicas: 1, Backlog: 10},
		{Service: 0, From: 6e6, To: 10e6, LoadPerS: 5},
		{Service: 0, From: 10e6, To: 14e6, LoadPerS: 25, Backlog: 20},
		{Service: 0, From: 14e6, To: 20e6, LoadPerS: 25, CapacityPerS: 20, Replicas: 2, Backlog: 120},
		{Service: 0, From: 20e6, To: 35e6, LoadPerS: 25, CapacityPerS: 10, Replicas: 1, Backlog: 150},
		{Service: 1, From: 6e6, To: 35e6, LoadPerS: 2, CapacityPerS: 4, Replicas: 1},
	}
	if !slices.Equal(w.spans, want) {
		t.Errorf("spans %+v, expected %+v", w.spans, want)
	}
}

// What the operator, and a policy, may not do ends the run with the reason.
func TestServiceRefusals(t *testing.T) {
	for want, ds := range map[string][2][]Decision{
		"expected a preempt, migrate or resize of the job":                        {0: {{Kind: Cordon}}, 1: {begin(0, 0)}},
		"operator's decision 0, start of job \"0\": expected a preempt or resize": {0: {begin(0, 0)}},
		"of which a policy can only tune knobs":                                   {1: {begin(1, 0)}},
		"the machine is lent: true, expected otherwise":                           {0: {{Kind: Uncordon}}},
		"expected a start, preempt, migrate or tune of a replica":                 {0: {begin(1, 0), {Kind: Reject, Job: 1}}},
		"no such job, expected 0..5":                                              {0: {begin(6, 0)}},
		"GPU 0 has 1000 thousandths in use":                                       {0: {begin(1, 0), begin(2, 0)}},
	} {
		p := play{cfg: Config{Topology: topology(t, 1, 2, 2, 1), Services: web(),
			Operator: &duty{plan: map[Time][]Decision{2 * Second: ds[0]}}, Check: true},
			plan: map[Time][]Decision{Second: ds[1]}}
		p.cfg.Workload, p.cfg.Speed = jobs(t, Job{GPUs: 1, Work: 20 * Second, Submit: Second}), counting{}
		if len(ds[1]) == 0 {
			p.plan[Second] = []Decision{begin(0, 3)}
		}
		if _, err := Run(t.Context(), p.cfg, p); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, expected %q", err, want)
		}
	}
}

// A run with an end lasts until then without jobs, and from a snapshot in the middle of it the same follows.
func TestServicesUntil(t *testing.T) {
	o := &duty{plan: map[Time][]Decision{0: {begin(1, 2)}, 12 * Second: {begin(2, 3), {Kind: Cordon, Machine: 0}},
		30 * Second: {{Kind: Preempt, Job: 1}}}}
	p := play{cfg: Config{Topology: topology(t, 1, 2, 2, 1), Services: web(), Operator: o, Check: true,
		Until: 40 * Second}}
	p.cfg.Services.Latency = service.MMC
	p.cfg.Workload, p.cfg.Speed = jobs(t, Job{GPUs: 1, Work: Second}), counting{}
	p.plan = map[Time][]Decision{0: {begin(0, 0)}}
	var w observing
	e, err := Run(t.Context(), p.cfg, p, &w)
	if err != nil || e.Now() != 40*Second {
		t.Fatalf("ended at %v (%v), expected 40 s", e.Now(), err)
	}
	var half observing
	first, err := New(p.cfg)
	if err != nil {
		t.Fatal(err)
	}
	err = first.Drive(t.Context(), p, func(v *View) (bool, error) { return v.Now() < 12*Second, nil })
	if err != nil {
		t.Fatal(err)
	}
	then, err := New(p.cfg, &half)
	if err != nil {
		t.Fatal(err)
	}
	if err := then.Restore(first.Snapshot()); err != nil {
		t.Fatal(err)
	}
	if err := then.Drive(t.Context(), p, nil); err != nil {
		t.Fatal(err)
	}
	if n := len(w.spans) - len(half.spans); n < 1 || !slices.Equal(w.spans[n:], half.spans) {
		t.Errorf("spans %+v after the snapshot, expected the last of %+v", half.spans, w.spans)
	}
}

// busyPeers slows a job down by how busy the GPUs are beside it.
type busyPeers struct{ counting }

func (m busyPeers) Speed(q *Query) (Speed, error) {
	s, err := m.counting.Speed(q)
	for _, p := range q.Peers {
		s.Rate *= 1 - p.Job.GPUUtilFrac/2
	}
	return s, err
}

// A job beside a replica is slowed down by its load, from each change of the load on; a policy sees
// the job alone on the GPU, and may tune the replica.
func TestBesideReplica(t *testing.T) {
	m := web()
	m.Services[0].ShareMilli, m.Services[0].StartS, m.Services[0].RatePerS = 400, 0, 20
	var speeds []string
	p := play{cfg: Config{Topology: topology(t, 1, 1, 2, 1), Services: m,
		Operator: &duty{plan: map[Time][]Decision{0: {begin(1, 0)}}}}}
	p.plan = map[Time][]Decision{
		Second:     {{Kind: Start, Job: 0, GPUs: []cluster.GPU{0}, Knobs: Knobs{ShareMilli: 500}}},
		5 * Second: {{Kind: Tune, Job: 1, Knobs: Knobs{ShareMilli: 500}}}, 6 * Second: nil, 11 * Second: nil}
	p.look = func(v *View) {
		s := v.Services()
		speeds = append(speeds, fmt.Sprintf("%v %v use %v, room %d, on %v owner %d sharers %d up %v", v.Now(),
			v.Run(0).Speed().Rate, s.Use(0), s.Room(0), v.On(0), v.Owner(0), v.Sharers(0), v.Up(0)))
	}
	p.cfg.Speed = busyPeers{}
	o, err := p.run(t, 2, Job{GPUs: 1, Work: 10 * Second})
	if err != nil {
		t.Fatal(err)
	}
	same(t, "view", speeds,
		"0s 0 use 0.625, room 600, on [] owner -1 sharers 0 up false",
		"1s 0 use 0.625, room 600, on [] owner -1 sharers 0 up false",
		"5s 0.34375 use 0.625, room 100, on [0] owner 0 sharers 1 up false",
		"6s 0.375 use 0.5, room 0, on [0] owner 0 sharers 1 up false",
		"10s 0.25 use 1, room 0, on [0] owner 0 sharers 1 up false",
		"11s 0.25 use 1, room 0, on [0] owner 0 sharers 1 up false",
		"37s 0.25 use 1, room 500, on [] owner -1 sharers 0 up false")
	if at := o.e.Now(); at <= 20*Second {
		t.Errorf("ended at %v, expected more than twice the time alone", at)
	}
}

// A job beside one replica is as fast as the use of all replicas lets it be, also where another
// replica's share changes that use at the same instant.
func TestUseOfOtherReplicas(t *testing.T) {
	m := &service.Model{Services: []service.Spec{{Name: "web", Replicas: 2, RatePerS: 10, ShareMilli: 400,
		Load: series.Constant(4)}}}
	p := play{cfg: Config{Topology: topology(t, 1, 1, 2, 1), Services: m, Speed: busyPeers{},
		Operator: &duty{plan: map[Time][]Decision{0: {begin(1, 0), begin(2, 1)}}}}}
	p.plan = map[Time][]Decision{Second: {{Kind: Start, Job: 0, GPUs: []cluster.GPU{0}, Knobs: Knobs{ShareMilli: 500}}},
		2 * Second: {{Kind: Tune, Job: 2, Knobs: Knobs{ShareMilli: 100}}}, 3 * Second: nil}
	var rates []string
	p.look = func(v *View) {
		rates = append(rates, fmt.Sprintf("%v use %v rate %v", v.Now(), v.Services().Use(0), v.Run(0).Speed().Rate))
	}
	if _, err := p.run(t, 2, Job{GPUs: 1, Work: Second}); err != nil {
		t.Fatal(err)
	}
	// use 4/8, then 4/5: the job's rate is 0.5 (1 - use/2)
	same(t, "rates", rates[:4], "0s use 0.5 rate 0", "1s use 0.5 rate 0", "2s use 0.5 rate 0.375",
		"3s use 0.8 rate 0.3")
}
