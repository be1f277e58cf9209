package multifactor

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/baselines/queueing"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/simtest"
	"tarry/sim/tenant"
)

// stretch is GPUs that a user had.
type stretch struct {
	user     int32
	gpus     float64
	from, to sim.Time // to = Never while it has them
}

// books checks the policy's account of usage at every instant against one of its own: what each
// user had, from beginning to end.
type books struct {
	*Policy
	t    *testing.T
	all  []stretch
	of   map[sim.JobID]int
	most float64 // relative error
}

func (b *books) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	for _, ev := range v.Events() {
		if i, ok := b.of[ev.Job]; ok && ev.Kind == sim.Finish {
			b.all[i].to = v.Now()
		}
	}
	out = b.Policy.Decide(v, out)
	for _, d := range out {
		switch d.Kind {
		case sim.Start:
			b.of[d.Job] = len(b.all)
			b.all = append(b.all, stretch{b.jobs[d.Job].user, float64(len(d.GPUs)), v.Now(), sim.Never})
		case sim.Preempt:
			b.all[b.of[d.Job]].to = v.Now()
		}
	}
	for _, u := range b.users {
		b.compare(v.Now(), u)
	}
	return out
}

// compare holds the usage of a user at an instant against the integral over its history.
func (b *books) compare(now sim.Time, user int32) {
	h := b.cfg.decay.HalfS
	got, want := b.tree.Usage(user)*math.Exp2(-(now-b.tick).Seconds()/h), 0.0
	for _, r := range b.running {
		if b.jobs[r.job].user == user {
			got += r.gpus * h / math.Ln2 * (1 - math.Exp2(-(now-r.from).Seconds()/h))
		}
	}
	for _, s := range b.all {
		if s.user == user {
			want += s.gpus * h / math.Ln2 * (math.Exp2(-(now-min(s.to, now)).Seconds()/h) -
				math.Exp2(-(now-s.from).Seconds()/h))
		}
	}
	if e := math.Abs(got-want) / max(1, want); e > b.most {
		if b.most = e; e > 1e-9 {
			b.t.Errorf("user %d has used %.12g at %v, expected %.12g", user, got, now, want)
		}
	}
}

// stream is jobs of three virtual clusters and six users at drawn times.
func stream(r *rand.Rand, n, gpus int) []sim.Job {
	jobs := make([]sim.Job, n)
	for i := range jobs {
		g := int32(1 + r.IntN(gpus)*r.IntN(2))
		jobs[i] = sim.Job{ID: fmt.Sprint(i), GPUs: g, Submit: sim.Time(r.IntN(4000*n)) * (sim.Second / 1000),
			Work: sim.Time(g) * sim.Time(1+r.IntN(30000)) * (sim.Second / 1000),
			VC:   []string{"a", "b", "c"}[r.IntN(3)], User: []string{"u", "v"}[r.IntN(2)], Priority: int32(r.IntN(3))}
	}
	return jobs
}

func setting(t *testing.T, jobs []sim.Job, machines, gpus int) sim.Config {
	t.Helper()
	w, err := sim.NewWorkload("drawn", jobs)
	if err != nil {
		t.Fatal(err)
	}
	top, err := cluster.New(cluster.Uniform(1, machines, gpus, 1))
	if err != nil {
		t.Fatal(err)
	}
	return sim.Config{Workload: w, Topology: top, Speed: simtest.Counting{}, Check: true}
}

// The decayed usage of every user at every instant is the exponential integral over what it had,
// with and without preemption, whatever the period.
func TestUsageIsTheExponentialIntegral(t *testing.T) {
	most := 0.0
	for seed := range uint64(20) {
		for _, text := range []string{"calc_s=7", "calc_s=300,fairshare=classic", "calc_s=0.5,preempt=qos"} {
			cfg := setting(t, stream(rand.New(rand.NewPCG(seed, 5)), 120, 8), 2, 4)
			b := &books{Policy: policy(t, text+",decay=exact,half_s=100")().(*Policy), t: t, of: map[sim.JobID]int{}}
			if _, err := sim.Run(context.Background(), cfg, b); err != nil {
				t.Fatal(err)
			}
			most = max(most, b.most)
		}
	}
	t.Logf("largest error %.2g", most)
}

// tenants gives a virtual cluster to each weight.
func tenants(t *testing.T, weights []float64) *tenant.Set {
	t.Helper()
	var rows []tenant.Tenant
	for i, w := range weights {
		rows = append(rows, tenant.Tenant{VC: fmt.Sprint(i), Weight: w})
	}
	set, err := tenant.New(rows)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// Where every tenant always has jobs waiting, decayed usage goes by the weights. An account goes
// first only if at the latest period its part was not above its share, and what it then gets until
// the next period, and of jobs that run on, moves its part by at most e = (period + job) x ln 2 /
// half-life. So no part is ever more than e above its share, and none more than e x (tenants - 1)
// below it, once a few half-lives have passed.
func TestSharesFollowWeights(t *testing.T) {
	for _, weights := range [][]float64{{3, 1}, {5, 2, 1}} {
		for _, text := range []string{"fairshare=tree,decay=exact", "fairshare=classic,decay=exact", "fairshare=tree",
			"fairshare=classic"} {
			const hours, half, period, run = 12, 3600.0, 60.0, 120.0
			var jobs []sim.Job
			for i := range weights {
				for n := range hours * 30 * 4 { // as much as the cluster can do
					jobs = append(jobs, sim.Job{ID: fmt.Sprint(len(jobs)), GPUs: 1, Submit: max(0, sim.Time(n-40)) *
						run * sim.Second / 4, Work: run * sim.Second, VC: fmt.Sprint(i), User: "u"})
				}
			}
			cfg := setting(t, jobs, 1, 4)
			cfg.Tenants, cfg.Until, cfg.Check = tenants(t, weights), hours*3600*sim.Second, false
			p := policy(t, text+",backfill=none,half_s=3600,calc_s=60,weight_age=0,weight_size=0,"+
				"weight_fairshare=1000000000")().(*Policy)
			watch := &shares{Policy: p, after: 8 * 3600 * sim.Second, low: 1}
			watch.weights = weights
			if _, err := sim.Run(context.Background(), cfg, watch); err != nil {
				t.Fatal(err)
			}
			e := (period + run) * math.Ln2 / half
			if watch.high > e || watch.low < -e*float64(len(weights)-1) {
				t.Errorf("%v, %s: parts of usage from %.4f to %.4f of the shares, expected %.4f to %.4f", weights,
					text, watch.low, watch.high, -e*float64(len(weights)-1), e)
			}
		}
	}
}

// shares notes how far the parts of usage are from the weights.
type shares struct {
	*Policy
	weights   []float64
	after     sim.Time
	low, high float64
}

func (s *shares) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	out = s.Policy.Decide(v, out)
	if v.Now() < s.after {
		return out
	}
	sum, all := 0.0, s.tree.Usage(0)
	for _, w := range s.weights {
		sum += w
	}
	for i, w := range s.weights {
		d := s.tree.Usage(s.accounts[fmt.Sprint(i)])/all - w/sum
		s.low, s.high = min(s.low, d), max(s.high, d)
	}
	return out
}

// With all weights 0 priorities are equal and jobs go by arrival: without backfilling that is first
// in, first out, with backfill=easy EASY, job by job.
func TestWithoutWeightsItIsTheTextbook(t *testing.T) {
	type maker = func(*param.Set, cluster.Rule) (sim.Policy, error)
	for mode, textbook := range map[string]maker{"none": queueing.NewFIFO, "easy": queueing.NewEASY} {
		for seed := range uint64(150) {
			r := rand.New(rand.NewPCG(seed, 6))
			jobs := stream(r, 60, 8)
			for i := range jobs {
				jobs[i].Submit /= 3
			}
			cfg := setting(t, jobs, 2, 4)
			factor := []float64{0.3, 1, 1, 2.5}
			cfg.Estimate = func(j sim.JobID) sim.Time {
				return max(1, sim.Time(float64(cfg.Workload.Jobs[j].Work)*factor[int(j)*7%4]))
			}
			var got, want simtest.Tape
			if _, err := sim.Run(context.Background(), cfg, policy(t, "weight_age=0,weight_fairshare=0,"+
				"weight_size=0,calc_s=1000000,backfill="+mode)(), &got); err != nil {
				t.Fatal(err)
			}
			if _, err := sim.Run(context.Background(), cfg, simtest.Build(t, "textbook", textbook, "")(),
				&want); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.Lines, want.Lines) {
				t.Fatalf("%s, seed %d:\n%q\nexpected\n%q", mode, seed, got.Lines, want.Lines)
			}
		}
	}
}
