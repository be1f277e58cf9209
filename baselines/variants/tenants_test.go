package variants

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tarry/baselines/contest"
	"tarry/baselines/dally"
	"tarry/baselines/variants/tenants"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/plan"
	"tarry/sim/simtest/hand"
	"tarry/sim/tenant"
)

// owned gives the jobs of a drawn workload owners: so many virtual clusters of three users each.
func owned(t testing.TB, w *sim.Workload, r *rand.Rand, vcs int) *sim.Workload {
	t.Helper()
	jobs := slices.Clone(w.Jobs)
	for i := range jobs {
		jobs[i].VC, jobs[i].User = fmt.Sprint("vc", r.IntN(vcs)), fmt.Sprint("u", r.IntN(3))
	}
	return reread(t, jobs)
}

func reread(t testing.TB, jobs []sim.Job) *sim.Workload {
	t.Helper()
	w, err := sim.NewWorkload("owned", jobs)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func tenantsOf(t testing.TB, rows ...tenant.Tenant) *tenant.Set {
	t.Helper()
	set, err := tenant.New(rows)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// With one tenant the settings change nothing.
func TestOneTenantIsNone(t *testing.T) {
	top := hand.Topology(t, 2, 2, 4, 2)
	for _, text := range []string{"lease=5,history=6,min_rack=1,min_net=2", "lease=5,order=las,renew=return",
		"lease=5,t_rack=1,t_net=2", "lease=5,preempt=false,backfill=request,min_rack=0"} {
		for seed := range uint64(25) {
			jobs := slices.Clone(drawn(t, rand.New(rand.NewPCG(seed, 5)), 20, 10).Jobs)
			for i := range jobs {
				jobs[i].VC, jobs[i].User = "only", "one"
			}
			cfg := sim.Config{Workload: reread(t, jobs), Topology: top, Speed: hand.ByLevel{Top: top}, Check: true}
			want := hand.Records(t, cfg, build(t, makeAuto, text)())
			for _, more := range []string{"timers_by=vc", "timers_by=user", "fair=vc", "fair=user",
				"timers_by=user,fair=vc"} {
				if got := hand.Records(t, cfg, build(t, makeAuto, text+","+more)()); !reflect.DeepEqual(got, want) {
					t.Fatalf("%s, seed %d: %s changes the run of one tenant", text, seed, more)
				}
			}
		}
	}
}

// Other names of tenants change nothing.
func TestNamesOfTenants(t *testing.T) {
	top := hand.Topology(t, 2, 2, 4, 2)
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 9))
		cfg := sim.Config{Workload: owned(t, drawn(t, r, 24, 10), r, 3), Topology: top,
			Speed: hand.ByLevel{Top: top},
			Check: true}
		cfg.Tenants = tenantsOf(t, tenant.Tenant{VC: "vc0", GPUs: 4}, tenant.Tenant{VC: "vc1", GPUs: 12})
		jobs := slices.Clone(cfg.Workload.Jobs)
		for i := range jobs {
			jobs[i].VC, jobs[i].User = map[string]string{"vc0": "z", "vc1": "a", "vc2": "m"}[jobs[i].VC],
				"x"+jobs[i].User
		}
		other := cfg
		other.Workload = reread(t, jobs)
		other.Tenants = tenantsOf(t, tenant.Tenant{VC: "z", GPUs: 4}, tenant.Tenant{VC: "a", GPUs: 12})
		for _, text := range []string{"timers_by=vc", "timers_by=user", "fair=vc", "fair=user",
			"timers_by=vc,fair=user"} {
			text += ",lease=5,history=6,min_rack=1,min_net=2"
			if got, want := hand.Records(t, other, build(t, makeAuto, text)()),
				hand.Records(t, cfg, build(t, makeAuto, text)()); !reflect.DeepEqual(got, want) {
				t.Fatalf("seed %d, %s: the names of tenants change the run", seed, text)
			}
		}
	}
}

// spread leaves one GPU free on each of the four machines of two GPUs, from a second after at on.
func spread(vc string, at sim.Time) (jobs []sim.Job) {
	for range 4 {
		jobs = append(jobs, sim.Job{GPUs: 1, Work: 1000 * s, Submit: at, VC: vc},
			sim.Job{GPUs: 1, Work: 1 * s, Submit: at, VC: vc})
	}
	return jobs
}

// Timers that are stated for tenants: T_rack is 2 leases of 10 s for a, 4 for b, and 3 for all
// others.
func TestStatedTimersOfTenants(t *testing.T) {
	top := hand.Topology(t, 2, 2, 2, 1)
	jobs := append(spread("c", 0), sim.Job{GPUs: 2, Work: 1000 * s, Submit: 2 * s, VC: "a"},
		sim.Job{GPUs: 2, Work: 1000 * s, Submit: 2 * s, VC: "b"})
	for text, want := range map[string][]string{
		"timers_by=vc,timers_of=a:2:5+b:4:5": {"22s job 8 on [1 3]", "42s job 9 on [5 7]"},
		"timers_by=vc,timers_of=a:2:5":       {"22s job 8 on [1 3]", "32s job 9 on [5 7]"},
		"timers_by=vc,timers_of=b:0:0":       {"2s job 9 on [1 3]", "32s job 8 on [5 7]"},
		"timers_by=vc":                       {"32s job 8 on [1 3]", "32s job 9 on [5 7]"},
		"timers_by=vc,timers_of=d:1:1":       {"32s job 8 on [1 3]", "32s job 9 on [5 7]"},
		// no user has these names
		"timers_by=user,timers_of=a:1:1+b:1:1": {"32s job 8 on [1 3]", "32s job 9 on [5 7]"},
		// b takes no rack, ever
		"timers_by=vc,timers_of=b:inf:inf+a:0.5:5e-1": {"7s job 8 on [1 3]", "1000s job 9 on [4 5]"},
	} {
		got := play(t, sim.Config{Topology: top, Speed: hand.ByLevel{Top: top}, Workload: hand.Numbered(t,
			jobs...)}, makeManual,
			"lease=10,t_rack=3,t_net=6,preempt=false,"+text)
		for _, line := range want {
			if !strings.Contains(got, line) {
				t.Errorf("%s: got\n%s\nwithout %q", text, got, line)
			}
		}
	}
}

// The job of a waits 5 leases of 10 s for a machine; from then on the tuner gives T_rack = 5
// leases. Of b, which never waited, it has the floor of 1. Together they have 5.
func TestTunedTimersOfTenants(t *testing.T) {
	top := hand.Topology(t, 2, 2, 2, 1)
	// eight GPUs over the network have a rate of 1
	jobs := []sim.Job{{GPUs: 8, Work: 50 * s, VC: "b"}, {GPUs: 2, Work: 2 * s, VC: "a"}}
	jobs = append(jobs, spread("b", 52*s)...)
	jobs = append(jobs, sim.Job{GPUs: 2, Work: 1000 * s, Submit: 54 * s, VC: "a"},
		sim.Job{GPUs: 2, Work: 1000 * s, Submit: 54 * s, VC: "b"})
	for text, want := range map[string][]string{
		"timers_by=vc":   {"50s job 1 on", "64s job 11 on [1 3]", "104s job 10 on [5 7]"},
		"timers_by=none": {"50s job 1 on", "104s job 10 on [1 3]", "104s job 11 on [5 7]"},
	} {
		got := play(t, sim.Config{Topology: top, Speed: hand.ByLevel{Top: top}, Workload: hand.Numbered(t,
			jobs...)}, makeAuto,
			"lease=10,min_rack=1,min_net=12,preempt=false,"+text)
		for _, line := range want {
			if !strings.Contains(got, line) {
				t.Errorf("%s: got\n%s\nwithout %q", text, got, line)
			}
		}
	}
}

// Five GPUs: a holds two and b one, and at 10 s the two of c come free, for which jobs of a, b and
// a contest, in this order of arrival.
func TestFairOrder(t *testing.T) {
	top := hand.Topology(t, 1, 1, 5, 1)
	jobs := []sim.Job{{GPUs: 2, Work: 2000 * s, VC: "a", User: "u"}, {GPUs: 1, Work: 1000 * s, VC: "b", User: "v"},
		{GPUs: 2, Work: 18 * s, VC: "c"},
		{GPUs: 2, Work: 200 * s, Submit: 1 * s, VC: "a", User: "w"},
		{GPUs: 2, Work: 200 * s, Submit: 2 * s, VC: "b", User: "v"},
		{GPUs: 2, Work: 200 * s, Submit: 3 * s, VC: "a", User: "u"}}
	for _, c := range []struct {
		text  string
		rows  []tenant.Tenant
		first int
	}{
		{"fair=none", nil, 3},
		{"fair=vc", nil, 4}, // 2 > 1
		{"fair=vc", []tenant.Tenant{{VC: "a", GPUs: 3}, {VC: "b", GPUs: 1}}, 3},            // 2/3 < 1/1
		{"fair=vc", []tenant.Tenant{{VC: "a", GPUs: 3}, {VC: "b", GPUs: 2}}, 4},            // 2/3 > 1/2
		{"fair=vc", []tenant.Tenant{{VC: "a", Weight: 3}}, 3},                              // 2/3 < 1/1
		{"fair=vc", []tenant.Tenant{{VC: "a", GPUs: 2, Weight: 3}, {VC: "b", GPUs: 2}}, 3}, // 2/6 < 1/2
		// b has no quota, and comes after
		{"fair=vc", []tenant.Tenant{{VC: "a", GPUs: 1}}, 3},
		{"fair=user", nil, 4}, // b before a, as among virtual clusters
		{"fair=user", []tenant.Tenant{{VC: "a", GPUs: 4}}, 3},
		{"fair=user,ties=submit,order=las", []tenant.Tenant{{VC: "a", GPUs: 4}}, 3}, // w holds nothing, u two
	} {
		cfg := sim.Config{Topology: top, Speed: hand.ByLevel{Top: top}, Workload: hand.Numbered(t, jobs...),
			Tenants: tenantsOf(t, c.rows...)}
		if got, want := play(t, cfg, makeAuto, "preempt=false,"+c.text),
			fmt.Sprintf("10s job %d on [3 4]", c.first); !strings.Contains(got, want) {
			t.Errorf("%s with %v: got\n%s\nwithout %q", c.text, c.rows, got, want)
		}
	}
	// Of the two users of a the user that holds less goes first, although the other has waited
	// longer.
	jobs[3].User, jobs[5].User = "u", "w"
	cfg := sim.Config{Topology: top, Speed: hand.ByLevel{Top: top}, Workload: hand.Numbered(t, jobs...),
		Tenants: tenantsOf(t, tenant.Tenant{VC: "a", GPUs: 4})}
	for text, first := range map[string]int{"fair=vc": 3, "fair=user": 5} {
		if got, want := play(t, cfg, makeAuto, "preempt=false,"+text),
			fmt.Sprintf("10s job %d on [3 4]", first); !strings.Contains(got, want) {
			t.Errorf("%s: got\n%s\nwithout %q", text, got, want)
		}
	}
}

// Two tenants whose jobs use GPUs of different types meet nowhere but in the tuner. With timers
// apart each has the run that it has alone with Dally's one tuner: its windows are of its own
// history.
func TestTunersOfTenantsAreThoseOfEachAlone(t *testing.T) {
	var racks [][]cluster.Machines
	for _, typ := range []string{"x", "x", "y", "y"} {
		racks = append(racks, []cluster.Machines{{Count: 2, GPUs: 4, Slots: 1, Type: typ}})
	}
	top, err := cluster.New(cluster.Spec{Racks: racks})
	if err != nil {
		t.Fatal(err)
	}
	differ := 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 11))
		jobs := slices.Clone(drawn(t, r, 40, 7).Jobs)
		for i := range jobs {
			jobs[i].VC, jobs[i].GPUType = "a", "x"
			if r.IntN(2) == 0 {
				jobs[i].VC, jobs[i].GPUType = "b", "y"
				jobs[i].Work *= 3
			}
		}
		all := sim.Config{Workload: reread(t, jobs), Topology: top, Speed: hand.ByLevel{Top: top}, Check: true}
		text := "lease=4,history=20,min_rack=0,min_net=0"
		got, mixed := hand.Records(t, all, build(t, makeAuto, text+",timers_by=vc")()), hand.Records(t, all,
			build(t, makeAuto, text)())
		if !reflect.DeepEqual(got, mixed) {
			differ++
		}
		for _, vc := range []string{"a", "b"} {
			alone := all
			alone.Workload = reread(t, slices.DeleteFunc(slices.Clone(jobs),
				func(j sim.Job) bool { return j.VC != vc }))
			for i, want := range hand.Records(t, alone, build(t, makeAuto, text)()) {
				k := slices.IndexFunc(all.Workload.Jobs,
					func(j sim.Job) bool { return j.ID == alone.Workload.Jobs[i].ID })
				if want.Job = sim.JobID(k); !reflect.DeepEqual(got[k], want) {
					t.Fatalf("seed %d, job %s of %s: with others\n%+v\nalone\n%+v", seed, alone.Workload.Jobs[i].ID,
						vc, got[k], want)
				}
			}
		}
	}
	if differ < 20 {
		t.Errorf("timers apart change %d runs of 60: the case shows nothing", differ)
	}
}

// tenantScan is Dally with tenants written down plainly: it asks the jobs without GPUs one by one,
// in an order that it makes anew after each start.
type tenantScan struct {
	scan
	rows    *tenant.Set
	rules   tenants.Rules
	sources map[string]plan.TimerSource
	held    map[string]int
}

func (s *tenantScan) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	clear(s.held)
	for _, j := range v.Running() {
		if !slices.ContainsFunc(v.Events(), func(ev sim.Event) bool { return ev.Kind == sim.Expire && ev.Job == j }) {
			s.holds(v, j)
		}
	}
	for _, ev := range v.Events() {
		switch ev.Kind {
		case sim.Expire:
			out = append(out, sim.Decision{Kind: sim.Preempt, Job: ev.Job})
			v.Free().ReleaseAll(v.Run(ev.Job).Held())
			fallthrough
		case sim.Arrive:
			s.since[ev.Job] = v.Now()
			s.waiting = append(s.waiting, ev.Job)
		}
	}
	for started := true; started; {
		started = false
		slices.SortFunc(s.waiting, func(a, b sim.JobID) int { return s.order(v, a, b) })
		for i, j := range s.waiting {
			s.timers = s.source(v, j)
			if gpus, ok := s.place(v, j); ok {
				v.Free().TakeAll(gpus)
				s.holds(v, j)
				out = append(out, sim.Decision{Kind: sim.Start, Job: j, GPUs: gpus, Lease: s.lease()})
				s.waiting = slices.Delete(s.waiting, i, i+1)
				started = true
				break
			}
		}
	}
	at := sim.Never
	for _, j := range s.waiting {
		rack, net, until := s.source(v, j).Timers(v.Job(j).GPUs(), v.Now())
		for _, t := range []sim.Time{rack, net} {
			if t != sim.Never && s.since[j]+t > v.Now() {
				at = min(at, s.since[j]+t)
			}
		}
		at = min(at, until)
	}
	if at != sim.Never {
		out = append(out, sim.Decision{Kind: sim.WakeAt, At: at})
	}
	return out
}

func (s *tenantScan) holds(v *sim.View, j sim.JobID) {
	s.held[v.Job(j).VC()] += v.Job(j).GPUs()
	s.held[v.Job(j).VC()+"/"+v.Job(j).User()] += v.Job(j).GPUs()
}

func (s *tenantScan) source(v *sim.View, j sim.JobID) plan.TimerSource {
	name := [...]string{"", v.Job(j).VC(), v.Job(j).VC() + "/" + v.Job(j).User()}[s.rules.TimersBy]
	if s.sources[name] == nil {
		s.sources[name] = s.cfg.Timers()
	}
	return s.sources[name]
}

func (s *tenantScan) order(v *sim.View, a, b sim.JobID) int {
	share := func(j sim.JobID) float64 {
		w := s.rows.Weight(v.Job(j).VC())
		if q, ok := s.rows.Quota(v.Job(j).VC()); ok {
			return float64(s.held[v.Job(j).VC()]) / (w * float64(q))
		}
		if s.rows.GPUs() > 0 {
			return 1e6 + float64(s.held[v.Job(j).VC()])/w
		}
		return float64(s.held[v.Job(j).VC()]) / w
	}
	own := func(j sim.JobID) float64 {
		return float64(s.held[v.Job(j).VC()+"/"+v.Job(j).User()]) / s.rows.UserWeight(v.Job(j).VC(), v.Job(j).User())
	}
	d := 0
	if s.rules.Fair != tenants.None {
		d = cmp.Compare(share(a), share(b))
	}
	if d == 0 && s.rules.Fair == tenants.ByUser {
		d = cmp.Compare(own(a), own(b))
	}
	key := s.cfg.Order.Key
	return cmp.Or(d, cmp.Compare(key(v, a), key(v, b)), cmp.Compare(s.since[a], s.since[b]), cmp.Compare(a, b))
}

func TestTenantsAgainstScan(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 13))
		top := hand.Topology(t, 2, 2, 4, 1+r.IntN(2))
		c := dally.Default()
		c.LeaseS, c.Return, c.Order, c.Auto = float64(2+r.IntN(6)), true, dally.Orders()[r.IntN(5)], r.IntN(3) > 0
		c.History, c.MinRack, c.MinNet = float64(2+r.IntN(8)), float64(r.IntN(3)), float64(r.IntN(5))
		c.RackLeases, c.NetLeases = float64(r.IntN(4)), float64(r.IntN(7))
		by := tenants.Rules{TimersBy: tenants.Whose(r.IntN(3)), Fair: tenants.Whose(r.IntN(3))}
		if r.IntN(8) == 0 {
			c.NetLeases = math.Inf(1)
		}
		cfg := sim.Config{Workload: owned(t, drawn(t, r, 18, 10), r, 3), Topology: top,
			Speed: hand.ByLevel{Top: top},
			Check: true}
		cfg.Tenants = tenantsOf(t, [][]tenant.Tenant{nil, {{VC: "vc0", GPUs: 6}, {VC: "vc1", GPUs: 10, Weight: 0.5}},
			{{VC: "vc0", Weight: 3}, {VC: "vc1", User: "u1", Weight: 2.5}}}[r.IntN(3)]...)
		plain := &tenantScan{scan: scan{cfg: c, since: map[sim.JobID]sim.Time{}}, rows: cfg.Tenants, rules: by,
			sources: map[string]plan.TimerSource{}, held: map[string]int{}}
		want := hand.Records(t, cfg, plain)
		if got := hand.Records(t, cfg, (&rules{Config: c, tenants: by}).contest()); !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d, %+v:\nindexed %+v\nscan    %+v", seed, c, got, want)
		}
	}
}

func TestFaultsOfTenants(t *testing.T) {
	for text, want := range map[string]string{
		"timers_of=a:1:2":               "expected timers_by=vc or user",
		"timers_by=vc,timers_of=a:1":    "expected NAME:T_RACK:T_NET",
		"timers_by=vc,timers_of=a:1:-2": "expected NAME:T_RACK:T_NET",
		"timers_by=vc,timers_of=a:x:2":  "expected NAME:T_RACK:T_NET",
		"fair=vc,evict=later":           "fair is vc with evict or elastic rules",
		"fair=user,grow=idle":           "fair is user with evict or elastic rules",
		"timers_by=tenant":              "expected none, vc, user",
	} {
		if _, err := makeAuto(param.Parse("policy dally", text), cluster.BestFit); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, expected it to say %q", text, err, want)
		}
	}
}

// A policy with timers per tenant has no single source that could be steered.
func TestTimersApartAreNotSteered(t *testing.T) {
	top := hand.Topology(t, 1, 2, 4, 1)
	for text, apart := range map[string]bool{"timers_by=vc": true, "timers_by=user,fair=vc": true, "fair=vc": false,
		"": false} {
		p := build(t, makeAuto, text)().(*contest.Policy)
		if got := p.OwnTimers(top) == nil; got != apart {
			t.Errorf("dally:%s has no timers that could be steered: %v, expected %v", text, got, apart)
		}
	}
}
