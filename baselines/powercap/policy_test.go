package powercap

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"tarry/baselines/over"
	"tarry/baselines/queueing"
	"tarry/internal/effort"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/models"
	"tarry/sim/param"
	"tarry/sim/power"
	"tarry/sim/preset"
	"tarry/sim/series"
	"tarry/sim/simtest"
	"tarry/sim/speed"
)

// hosts parses the hosts of these tests.
func hosts(spec string, rule cluster.Rule) (sim.Policy, error) {
	name, text, _ := strings.Cut(spec, ":")
	of := map[string]func(*param.Set, cluster.Rule) (sim.Policy, error){"fifo": queueing.NewFIFO,
		"fifo-fit": queueing.NewFitFirst, "las": queueing.NewLAS, "srtf": queueing.NewSRTF, "restless": newRestless}[name]
	if of == nil {
		return nil, fmt.Errorf("policy %q: unknown", name)
	}
	return of(param.Parse("policy", text), rule)
}

// restless is a host that stops a job and starts it elsewhere at one instant, where another one has its
// GPUs then.
type restless struct{ over.Cloner }

func newRestless(s *param.Set, rule cluster.Rule) (sim.Policy, error) {
	p, err := queueing.NewFIFO(s, rule)
	return &restless{p.(over.Cloner)}, err
}

func (p *restless) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	first := len(out)
	if out = p.Cloner.Decide(v, out); len(out) > first {
		return out
	}
	jobs := v.Running()
	for i := 1; i < len(jobs); i++ {
		a, b := v.Run(jobs[i-1]), v.Run(jobs[i])
		if len(a.Held()) == len(b.Held()) && a.CheckpointTime()+b.CheckpointTime() == 0 {
			return append(out, sim.Decision{Kind: sim.Preempt, Job: jobs[i-1]}, sim.Decision{Kind: sim.Preempt, Job: jobs[i]},
				sim.Decision{Kind: sim.Start, Job: jobs[i-1], GPUs: b.Held()},
				sim.Decision{Kind: sim.Start, Job: jobs[i], GPUs: a.Held()})
		}
	}
	return out
}

func (p *restless) Clone() sim.Policy { return &restless{p.Cloner.Clone().(over.Cloner)} }

// makers are the two policies by name.
func makers(name string) func(*param.Set, cluster.Rule) (sim.Policy, error) {
	if name == "learned" {
		return NewLearned(hosts)
	}
	return New(hosts)
}

func build(t testing.TB, name, text string) sim.Policy {
	t.Helper()
	return simtest.Build(t, name, makers(name), text)()
}

func TestConformance(t *testing.T) {
	o := simtest.Options{Seeds: 60, Laws: simtest.PermuteIDs | simtest.NullJob}
	simtest.Conform(t, "powercap", New(hosts), o.Settings("host=fifo", "host=las,rule=wait"))
	simtest.Conform(t, "cd-gpc-like", NewLearned(hosts), o.Settings("host=srtf"))
}

func TestFaults(t *testing.T) {
	for _, text := range []string{"host=none", "rule=none", "clocks=0", "lowest=0", "cost=x", "late=-1", "fill=2"} {
		if _, err := New(hosts)(param.Parse("policy powercap", text), cluster.BestFit); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
	for text, want := range map[string]know.Set{"host=fifo": know.Speed, "host=fifo,cost=left": know.Speed | know.Work,
		"host=fifo,late=1": know.Speed | know.Estimate | know.Done} {
		if got := build(t, "powercap", text).Knows(); got != want {
			t.Errorf("%q knows %v, expected %v", text, got, want)
		}
	}
	if got := build(t, "learned", "host=fifo").Knows(); got != know.Estimate|know.Done {
		t.Errorf("the learned one knows %v", got)
	}
}

// meters is an own account of watts, from what observers receive alone.
type meters struct {
	model  *power.Model
	top    *cluster.Topology
	states []power.State
	jobs   map[sim.JobID][2]float64 // now, and what begins later
	ends   []string
}

func (m *meters) Interval(i *sim.Interval) {
	m.ends = append(m.ends, fmt.Sprintf("%d%v%v-%v %v", i.Job, i.GPUs, i.Start, i.End, i.FreqFrac))
}
func (m *meters) Job(r *sim.Record)  {}
func (m *meters) Instant(*sim.Gauge) {}
func (m *meters) Machine(machine int32, s power.State, _ sim.Time) {
	m.states[machine] = s
}
func (m *meters) Draw(j sim.JobID, gpus []cluster.GPU, util, freq float64, from sim.Time) {
	w := 0.0
	for _, g := range gpus {
		w += util * m.model.Spec(m.top.Machine(g)).BusyW(freq)
	}
	if was := m.jobs[j]; util == 0 { // a pause, or the end
		m.jobs[j] = [2]float64{0, was[1]}
		if len(gpus) == 0 {
			delete(m.jobs, j)
		}
		return
	}
	m.jobs[j] = [2]float64{w, w}
}

// watts is what machines and running jobs draw at most until the next decision.
func (m *meters) watts(v *sim.View) (sum float64) {
	for i, s := range m.states {
		lo, hi := m.top.MachineGPUs(i)
		switch spec := m.model.Spec(i); s {
		case power.Off:
			sum += spec.OffW
		case power.Booting:
			sum += spec.BootW
		default:
			sum += spec.OnW(int(hi - lo))
		}
	}
	for j, w := range m.jobs {
		if v.Run(j).State() == sim.Running {
			sum += max(w[0], w[1])
		}
	}
	return sum
}

// world is a drawn run: two types of machines, slow links, jobs and costs, and a cap that changes.
func world(t testing.TB, seed uint64, high float64) (sim.Config, *power.Model) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 5))
	top, err := cluster.New(cluster.Uniform(2, 2, 4, 1))
	if err != nil {
		t.Fatal(err)
	}
	m := &power.Model{Specs: []power.Spec{{IdleW: 100, GPUIdleW: 20, LinearW: 40, CubicW: 160},
		{IdleW: 200, GPUIdleW: 50, Curve: []power.Point{{FreqFrac: 0.5, Watts: 90}, {FreqFrac: 1, Watts: 300}}}},
		Of: []int32{0, 0, 1, 1}}
	idle, most := 0.0, 0.0
	for i := range m.Of {
		idle, most = idle+m.Spec(i).OnW(4), most+m.Spec(i).MaxW(4)
	}
	m.Cap = &series.Series{Every: 4000e6}
	for i := range int64(4) {
		part := r.Float64() * high
		if i == 3 {
			part = max(part, 0.6) // every job can run at some time
		}
		m.Cap.Steps = append(m.Cap.Steps, series.Step{At: i * 1000e6, Value: idle + part*(most-idle) + float64(i)})
	}
	var jobs []sim.Job
	for i := range 40 {
		jobs = append(jobs, sim.Job{ID: fmt.Sprint(i), GPUs: int32(1 + r.IntN(6)),
			Model:  []string{"vgg16", "resnet50"}[r.IntN(2)],
			Submit: sim.Time(r.IntN(4000)) * sim.Second, Work: sim.Time(1+r.IntN(3000)) * sim.Second,
			Deadline: sim.Time(r.IntN(2)*(4000+r.IntN(9000))) * sim.Second})
	}
	w, err := sim.NewWorkload("drawn", jobs)
	if err != nil {
		t.Fatal(err)
	}
	fast, err := speed.NewContended(top, preset.NVLinkFabric(), models.NewSet(models.Catalogue()...), "",
		speed.Contention{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	cfg := sim.Config{Workload: w, Topology: top, Speed: fast, Check: true, Power: m}
	if seed%2 == 1 {
		cfg.Costs = sim.Costs{Start: sim.Cost{FixedS: 7}, Restore: sim.Cost{FixedS: 9}, Checkpoint: sim.Cost{FixedS: 30}}
	}
	return cfg, m
}

// play runs a policy and gives its account, the watts by instant less the cap, and how many jobs ended.
func play(t testing.TB, cfg sim.Config, p sim.Policy, look func(v *sim.View, over float64)) (m *meters, done int) {
	t.Helper()
	m = &meters{model: cfg.Power, top: cfg.Topology, states: make([]power.State, cfg.Topology.Machines()),
		jobs: map[sim.JobID][2]float64{}}
	a := simtest.NewAudit(cfg.Workload, cfg.Topology)
	e, err := sim.New(cfg, m, a)
	if err != nil {
		t.Fatal(err)
	}
	e.Permit(p.Knows())
	for {
		v, ok, err := e.Next()
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			break
		}
		if err := e.Apply(p.Decide(v, nil)); err != nil {
			t.Fatal(err)
		}
		if look != nil {
			look(v, m.watts(v)-cfg.Power.Cap.At(int64(v.Now())))
		}
	}
	if err := a.Close(e); err != nil {
		t.Fatal(err)
	}
	for j := range cfg.Workload.Jobs {
		if e.Record(sim.JobID(j)).State == sim.Done {
			done++
		}
	}
	return m, done
}

// The cap holds at each instant until the next one, by an own account, under each rule and several
// hosts, and every job ends.
func TestCapHolds(t *testing.T) {
	for _, host := range []string{"fifo", "fifo-fit", "srtf", `"las:quantum_s=300"`, "restless"} {
		for _, rule := range []string{"price", "price,cost=left", "price,cost=gpus,fill=false,late=5", "uniform", "even",
			"newest", "longest", "wait", "wait,pass=true"} {
			lowered, stopped := 0, 0
			for seed := range uint64(effort.Of(t, 4, 40)) {
				cfg, _ := world(t, seed, 0.9)
				text := "host=" + host + ",rule=" + rule
				m, done := play(t, cfg, build(t, "powercap", text), func(v *sim.View, over float64) {
					if over > 1e-6 {
						t.Fatalf("%s, seed %d: %v W beyond the cap at %v", text, seed, over, v.Now())
					}
				})
				if done != len(cfg.Workload.Jobs) {
					t.Errorf("%s, seed %d: %d of %d jobs ended", text, seed, done, len(cfg.Workload.Jobs))
				}
				for _, line := range m.ends {
					if !strings.HasSuffix(line, " 1") {
						lowered++
					}
				}
				stopped += len(m.ends)
			}
			if (lowered > 0) != !strings.HasPrefix(rule, "wait") {
				t.Errorf("%s under %s: %d of %d intervals at low clocks", host, rule, lowered, stopped)
			}
		}
	}
}

// A cap that all GPUs at full clocks keep changes nothing; nor does none.
func TestHighCapIsTheHost(t *testing.T) {
	for seed := range uint64(6) {
		cfg, m := world(t, seed, 0.9)
		cfg.Power = &power.Model{Specs: m.Specs, Of: m.Of, Cap: series.Constant(1e6)}
		for _, name := range []string{"powercap", "learned"} {
			for _, host := range []string{"fifo", "srtf"} {
				text := "host=" + host
				want, _ := play(t, cfg, build(t, name, text).(*Policy).host.Cloner, nil)
				got, _ := play(t, cfg, build(t, name, text), nil)
				if fmt.Sprint(got.ends) != fmt.Sprint(want.ends) {
					t.Errorf("seed %d, %s over %s: not as the host", seed, name, host)
				}
			}
		}
	}
}

// The learned policy is beyond the cap for a short time alone, and what it expects of measured jobs is
// near what it then measures.
func TestLearns(t *testing.T) {
	over, all, errs, n := 0.0, 0.0, 0.0, 0
	for seed := range uint64(effort.Of(t, 6, 40)) {
		cfg, _ := world(t, seed, 0.9)
		p := build(t, "learned", "host=fifo").(*Policy)
		last, beyond := sim.Time(0), 0.0
		_, done := play(t, cfg, p, func(v *sim.View, o float64) {
			over += beyond * (v.Now() - last).Seconds()
			all += (v.Now() - last).Seconds() * cfg.Power.Cap.At(int64(last))
			last, beyond = v.Now(), math.Max(0, o-1e-6)
		})
		if done != len(cfg.Workload.Jobs) {
			t.Errorf("seed %d: %d of %d jobs ended", seed, done, len(cfg.Workload.Jobs))
		}
		errs, n = errs+p.learn.error, n+p.learn.count
	}
	t.Logf("beyond the cap by %.3g %% of its energy; expected watts off by %.2f %% in the mean of %d", 100*over/all,
		100*errs/float64(n), n)
	if over > 0.01*all || errs > 0.05*float64(n) || n == 0 {
		t.Errorf("beyond the cap by %v of its energy, off by %v of %d", over/all, errs, n)
	}
}
