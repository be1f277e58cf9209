package simtest

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/end"
	"tarry/sim/know"
	"tarry/sim/plan"
	"tarry/sim/power"
	"tarry/sim/series"
	"tarry/sim/service"
)

// order is a small correct policy: it starts whatever fits, first come first.
type order struct {
	q     plan.Queue
	p     *plan.Placer
	quirk func(v *sim.View, out []sim.Decision) []sim.Decision
}

func newOrder() *order { return &order{p: plan.NewPlacer(cluster.BestFit)} }

func (o *order) Knows() know.Set { return know.Nothing }

func (o *order) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	o.q.Follow(v, func(*sim.View, sim.JobID) float64 { return 0 }, nil)
	out = plan.Fill(v, &o.q, o.p, nil, out)
	if o.quirk != nil {
		out = o.quirk(v, out)
	}
	return out
}

// scan is a policy without state of its own, so it can be cloned; a lossy clone forgets every
// second job.
type scan struct{ lossy, forgets bool }

func (s scan) Knows() know.Set   { return know.Nothing }
func (s scan) Clone() sim.Policy { return scan{forgets: s.lossy} }

func (s scan) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	for j := range sim.JobID(v.NumJobs()) {
		if v.Run(j).State() != sim.Waiting || s.forgets && j%2 == 0 {
			continue
		}
		if g, ok := v.Free().Of("").At(nil, v.Job(j).GPUs(), cluster.LevelCluster, cluster.FirstFound); ok {
			for _, x := range g {
				v.Free().Take(x)
			}
			out = append(out, sim.Decision{Kind: sim.Start, Job: j, GPUs: g})
		}
	}
	return out
}

func TestGoodPoliciesPass(t *testing.T) {
	Policy(t, func() sim.Policy { return newOrder() }, Options{Laws: AllLaws})
	Policy(t, func() sim.Policy { return scan{} }, Options{Laws: AllLaws, Allocates: true,
		Without: Sharing | Types | Hosts | Elastic})
}

// Every kind of misconduct is found, and named.
func TestBadPoliciesFail(t *testing.T) {
	all := Sharing | Types | Hosts | Elastic | Faults | Costs | Slowdowns | Estimates | Horizon
	runs := 0
	for want, c := range map[string]func() sim.Policy{
		"when nothing can happen any more": func() sim.Policy { // forgets the arrivals of a full cluster
			o := newOrder()
			o.quirk = func(v *sim.View, out []sim.Decision) []sim.Decision {
				if j := o.q.Best(); j != sim.NoJob {
					o.q.Remove(j)
				}
				return out
			}
			return o
		},
		"the policy keeps itself busy": func() sim.Policy {
			o := newOrder()
			o.quirk = func(v *sim.View, out []sim.Decision) []sim.Decision {
				return append(out, sim.Decision{Kind: sim.WakeAt, At: v.Now() + 1})
			}
			return o
		},
		"expected waiting": func() sim.Policy {
			o := newOrder()
			o.quirk = func(v *sim.View, out []sim.Decision) []sim.Decision {
				if len(out) > 0 {
					return append(out, out[0])
				}
				return out
			}
			return o
		},
		"the second run differs": func() sim.Policy {
			runs++
			o := newOrder()
			at := sim.Time(runs)
			o.quirk = func(v *sim.View, out []sim.Decision) []sim.Decision {
				if v.Now() < sim.Second && at > 0 {
					out = append(out, sim.Decision{Kind: sim.WakeAt, At: v.Now() + at})
					at = 0
				}
				return out
			}
			return o
		},
		"resumed after": func() sim.Policy { return scan{lossy: true} },
	} {
		found := error(nil)
		for seed := uint64(0); seed < 50 && found == nil; seed++ {
			found = tryCase(c, seed, Options{Without: all, MayStarve: strings.HasPrefix(want, "the") ||
				strings.HasPrefix(want, "resumed")}, 0)
		}
		if found == nil || !strings.Contains(found.Error(), want) {
			t.Errorf("error %v, expected one with %q", found, want)
		}
	}
}

// The audit finds false accounts.
func TestAuditFindsLies(t *testing.T) {
	web := &service.Model{Services: []service.Spec{{Name: "web", Replicas: 1, RatePerS: 1, Load: series.Constant(3)}}}
	w, err := sim.NewWorkload("", []sim.Job{{ID: "a", GPUs: 1, Submit: 5, Work: 10}})
	if err != nil {
		t.Fatal(err)
	}
	top, _ := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{{{Count: 1, GPUs: 2, Slots: 1, CPUMilli: 600,
		MemMiB: 100, GPUMiB: 50}, {Count: 1, GPUs: 2, MIG: "a100-40gb"}}}})
	done := sim.Record{State: sim.Done, Start: 5, End: 15, Run: 10}
	gpu := func(start, end sim.Time, work float64) sim.Interval {
		return sim.Interval{GPUs: []cluster.GPU{0}, Start: start, End: end, Run: end - start, Work: work, Done: work,
			Knobs: sim.Knobs{ShareMilli: 1000}}
	}
	inside := func(i sim.Interval, instance uint8, share int32) sim.Interval {
		i.GPUs, i.Instance, i.ShareMilli = []cluster.GPU{2}, instance, share
		return i
	}
	for want, lie := range map[string]func(a *Audit){
		"I2: job \"a\" has copies of which a part of 0.5 counts, on 500 thousandths": func(a *Audit) {
			i := gpu(5, 15, 10)
			i.CopyFrac, i.ShareMilli = .5, 500
			a.Interval(&i)
		},
		"I1: at 0s 1 busy + 0 free + 0 down": func(a *Audit) { a.Instant(&sim.Gauge{Busy: 1}) },
		"I3: the clock went from 4e-06s to 4e-06s": func(a *Audit) {
			a.Instant(&sim.Gauge{Now: 4, Free: 4})
			a.Instant(&sim.Gauge{Now: 4, Free: 4})
		},
		"I2: GPU 0 has 2000 thousandths": func(a *Audit) {
			x, y := gpu(5, 9, 4), gpu(8, 9, 1)
			a.Interval(&x)
			a.Interval(&y)
		},
		"I4: job \"a\" was reported 2 times":   func(a *Audit) { a.Job(&done); a.Job(&done) },
		"I5: job \"a\" holds GPUs from 4e-06s": func(a *Audit) { x := gpu(4, 14, 10); a.Interval(&x) },
		"I6: job \"a\" did 40 of 10": func(a *Audit) {
			x := gpu(5, 15,
				40)
			a.Interval(&x)
			a.Job(&done)
		},
		"I6: job \"a\" is done with 1 of 10": func(a *Audit) {
			x := gpu(5, 6,
				1)
			a.Interval(&x)
			a.Job(&done)
		},
		"I7: GPU-time is 10e-06s by GPU": func(a *Audit) {
			x := gpu(5, 15,
				10)
			a.Interval(&x)
			a.Job(&done)
		},
		"I8: job \"a\" was 1.5e-05s in the system":             func(a *Audit) { r := done; r.End = 20; a.Job(&r) },
		"I8: job \"a\" ran 1e-05s, and faults and kills undid": func(a *Audit) { r := done; r.LostRun = 11; a.Job(&r) },
		"I11: machine 0 has 700 thousandths of CPU and 90 MiB in use at 8e-06s, of 600 and 100": func(a *Audit) {
			x, y := gpu(5, 9, 4), gpu(8, 9, 1)
			y.GPUs = []cluster.GPU{1}
			x.CPUMilli, y.CPUMilli, x.MemMiB, y.MemMiB = 300, 400, 30, 60
			a.Interval(&x)
			a.Interval(&y)
		},
		"I15: GPU 0 has 60 MiB in use at 8e-06s, of 50, with job \"a\"": func(a *Audit) {
			x, y := gpu(5, 9, 4), gpu(8, 9, 1)
			x.ShareMilli, y.ShareMilli, x.GPUMiB, y.GPUMiB = 500, 500, 20, 40
			a.Interval(&x)
			a.Interval(&y)
		},
		"I15: job \"a\" ran out of memory at 8e-06s, and its GPUs had enough": func(a *Audit) {
			x, y := gpu(5, 9, 4), gpu(8, 9, 0)
			x.ShareMilli, y.ShareMilli, x.GPUMiB, y.GPUMiB, y.Reason = 500, 500, 20, 30, end.OutOfMemory
			a.Interval(&x)
			a.Interval(&y)
		},
		"I15: job \"a\" ran out of memory 1 times, its record states 0": func(a *Audit) {
			x, y, r := gpu(5, 7, 0), gpu(7, 17, 10), done
			x.Run, x.GPUMiB, x.Reason, r.End, r.Overhead = 0, 60, end.OutOfMemory, 17, 2
			a.Interval(&x)
			a.Interval(&y)
			a.Job(&r)
		},
		"I12: job \"a\" got 2 GPUs, asked 1..1 in workers of 1": func(a *Audit) {
			x := gpu(5, 15, 10)
			x.GPUs = []cluster.GPU{0, 1}
			a.Interval(&x)
		},
		"I10: job \"a\" held GPUs for 1e-05s and ran 1e-05s of it, " +
			"its record states run 8e-06s and overhead 2e-06s": func(a *Audit) {
			x, r := gpu(5, 15, 10), done
			r.Run, r.Overhead = 8, 2
			a.Interval(&x)
			a.Job(&r)
		},
		"I13: job \"a\" was rejected at 1e-05s and held GPUs 1e-05s-1.1e-05s, reported later": func(a *Audit) {
			x := gpu(10, 11, 1)
			a.Job(&sim.Record{State: sim.Rejected, Start: sim.Never, End: 10, Queue: 5})
			a.Interval(&x)
		},
		"I13: job \"a\" was rejected at 2e-05s, expected from 5e-06s to 0s": func(a *Audit) {
			a.Job(&sim.Record{State: sim.Rejected, Start: sim.Never, End: 20, Queue: 15})
		},
		"I9: job \"a\" gave its GPUs up for others at 9e-06s and got them at 1e-05s": func(a *Audit) {
			x, y := gpu(5, 9, 4), gpu(10, 15, 6)
			x.Reason = end.Migrate
			a.Interval(&x)
			a.Interval(&y)
		},
		"I9: job \"a\" gave its GPUs up for others at 1.5e-05s and never": func(a *Audit) {
			x := gpu(5, 15, 10)
			x.Reason = end.Resize
			a.Interval(&x)
			a.Job(&done)
		},
		"I14: job \"a\" resumes at 9e-06s from 0 of its work, 4 were done": func(a *Audit) { // a mark that loses work
			x, y := gpu(5, 9, 4), gpu(9, 15, 6)
			x.Reason = end.Mark
			a.Interval(&x)
			a.Interval(&y)
		},
		"I14: job \"a\" did 11 at 5e-06s-1.5e-05s and has done 11 of 10": func(a *Audit) {
			x := gpu(5, 15,
				11)
			a.Interval(&x)
		},
		"I14: job \"a\" is done with 10 of 10 and fell back by 4, its record states 1": func(a *Audit) {
			x, y, r := gpu(5, 9, 4), gpu(9, 19, 10), done
			x.Reason, r.Lost, r.LostRun, r.End, r.Run = end.Fault, 1, 1, 19, 14
			a.Interval(&x)
			a.Interval(&y)
			a.work[0] -= 3 // a lie that I6 does not see
			a.Job(&r)
		},
		"I16: GPU 2 has 3g.20gb at 0:4, 4g.20gb at 0:4 in use at 8e-06s, which cannot exist together": func(a *Audit) {
			x, y := inside(gpu(5, 9, 4), 15, 400), inside(gpu(8, 9, 1), 17, 500)
			a.Interval(&x)
			a.Interval(&y)
		},
		"I16: GPU 2 has 4g.20gb at 0:4 in use at 8e-06s beside job \"a\", which has no instance": func(a *Audit) {
			x, y := inside(gpu(5, 9, 4), 17, 400), inside(gpu(8, 9, 1), 0, 500)
			a.Interval(&x)
			a.Interval(&y)
		},
		"I16: GPU 2 has 4g.20gb at 0:4 with 600 of 571 thousandths and 20000 of 19968 MiB in use at 8e-06s": func(a *Audit) {
			x, y := inside(gpu(5, 9, 4), 17, 300), inside(gpu(8, 9, 1), 17, 300)
			x.GPUMiB, y.GPUMiB = 19000, 1000
			a.Interval(&x)
			a.Interval(&y)
		},
		"I16: job \"a\" has instance 17 of GPU 0, which it does not have": func(a *Audit) {
			x := inside(gpu(5, 9, 4), 17, 300)
			x.GPUs[0] = 0
			a.Interval(&x)
		},
		"I16: job \"a\" has an instance of 2 GPUs": func(a *Audit) {
			x := inside(gpu(5, 9, 4), 17, 300)
			x.GPUs = []cluster.GPU{2, 3}
			a.Interval(&x)
		},
		"I17: job \"a\" lost 4e-06s of its running time, 4e-06s of it by kills, and fell back by 0 after 1 preemptions": func(
			a *Audit) { // preemptions of this run save
			x, y, r := gpu(5, 9, 4), gpu(9, 19, 10), done
			x.Reason, r.Preemptions, r.Lost, r.LostRun, r.KilledRun, r.End, r.Run = end.Fault, 1, 4, 4, 4, 19, 14
			a.Interval(&x)
			a.Interval(&y)
			a.Job(&r)
		},
		"I17: job \"a\" lost 4e-06s of its running time, 0s of it by kills, and fell back by 4 after 1 preemptions": func(
			a *Audit) { // what a kill undid is not in the record
			x, y, r := gpu(5, 9, 4), gpu(9, 19, 10), done
			x.Reason, r.Preemptions, r.Lost, r.LostRun, r.End, r.Run = end.Preempt, 1, 4, 4, 19, 14
			a.Kills(true)
			a.Interval(&x)
			a.Interval(&y)
			a.Job(&r)
		},
		"I18: machine 0 is not on at 3e-06s-7e-06s, and job \"a\" holds GPU": func(a *Audit) {
			a.Machine(0, power.Off, 3)
			a.Machine(0, power.On, 7)
			x := gpu(5, 9, 4)
			a.Interval(&x)
		},
		"I18: machine 0 is on at 3e-06s, and was on before": func(a *Audit) { a.Machine(0, power.On, 3) },
		"I19: job \"a\" draws at use 2":                     func(a *Audit) { a.Draw(0, []cluster.GPU{2}, 2, 1, 5) },
		"I19: job \"a\" used GPUs for 0 by its draws, 4e+06 by its intervals": func(a *Audit) {
			x := gpu(5, 5+4e6, 4)
			x.Run = 4e6
			a.Interval(&x)
		},
		"I20: service \"web\" has {Service:0 From:0 To:5 LoadPerS:4": func(a *Audit) {
			a.Serves(web).Serve(&service.Span{To: 5, LoadPerS: 4})
		},
		"I20: service \"web\" has {Service:0 From:5 To:9 LoadPerS:3": func(a *Audit) { // a backlog that vanishes
			a.Serves(web).Serve(&service.Span{To: 5, LoadPerS: 3})
			a.Serve(&service.Span{From: 5, To: 9, LoadPerS: 3})
		},
		"expected it from 0 us, load 3, 1 replicas": func(a *Audit) {
			x := gpu(5, 9, 4)
			x.Job, x.Start, x.Run = sim.JobID(len(w.Jobs)), 0, 9
			a.Serves(web).Replica(&x)
			a.Serve(&service.Span{To: 9, LoadPerS: 3})
		},
		"I20: the books of service \"web\" end at 5 us, the run at 0s": func(a *Audit) {
			a.Serves(web).Serve(&service.Span{To: 5, LoadPerS: 3})
		},
		"I21: machine 0 is not lent at 3e-06s-7e-06s, and job \"a\" holds GPU": func(a *Audit) {
			a.Serves(web).Lend(0, false, 3)
			a.Lend(0, true, 7)
			x := gpu(5, 9, 4)
			a.Interval(&x)
		},
		"I21: machine 0 is lent: true at 3e-06s, and was before": func(a *Audit) { a.Serves(web).Lend(0, true, 3) },
		"Little: the area under jobs":                            func(a *Audit) { a.Job(&done) },
	} {
		a := NewAudit(w, top)
		lie(a)
		e, err := sim.New(sim.Config{Workload: w, Topology: top, Speed: Counting{}})
		if err != nil {
			t.Fatal(err)
		}
		if err := a.Close(e); err == nil || !strings.Contains(err.Error(),
			strings.Replace(want, "10e-06s", "1e-05s", 1)) {
			t.Errorf("error %v, expected %q", err, want)
		}
	}
}

// rewrite is -update: the transcripts of testdata are written anew.
var rewrite = flag.Bool("update", false, "write the transcripts of testdata anew")

func TestScriptsOfTheKernel(t *testing.T) {
	Scripts(t, "testdata", *rewrite, func(string, string) (sim.Policy, error) { return newOrder(), nil })
}

func TestWrongScriptsAreNamed(t *testing.T) {
	policies := func(name, params string) (sim.Policy, error) {
		if name != "order" {
			return nil, errors.New("no policy " + name)
		}
		return newOrder(), nil
	}
	for text, want := range map[string]string{
		"cluster 1x1":       "f.txt:1: cluster \"1x1\": expected RxMxG",
		"\nclustr 1x1x1":    `f.txt:2: "clustr 1x1x1": expected cluster, cost, job`,
		"job a gpus=x":      `f.txt:1: gpus is "x", expected a number`,
		"job a gpu=1":       `f.txt:1: "gpu=1": expected submit=, gpus=, run=, share=, estimate=, deadline=, min=, max=, worker=`,
		"run none":          "f.txt:1: no policy none",
		"until soon":        `invalid syntax`,
		"epochs 10 fast":    `f.txt:1: epochs has "fast", expected numbers > 0`,
		"epochs 0 1":        `f.txt:1: epochs has "0", expected numbers > 0`,
		"epochs 10":         `f.txt:1: "epochs 10": expected cluster, cost, job, fail, repair, at, epochs, marks, until or run`,
		"job a\nrun order":  "expected > 0",
		"fail when=3":       `f.txt:1: "when=3": expected at=, machine=, gpu=`,
		"cost start=1 x=2":  `f.txt:1: "x=2": expected start=, checkpoint=, restore=, migrate=, rescale=, renew=`,
		"run order a=1 b=2": "expected cluster, cost, job",
		"at 5 grow a":       `f.txt:1: "grow": expected resize, migrate, lift or preempt`,
		"at 5 resize a":     `resize of "a" with 0 lists of GPUs, expected one`,
		"at 5 lift a 1":     `lift of "a" with 1 lists of GPUs, expected none`,
		"at 5 resize a 3-1": `GPUs "3-1": expected numbers and ranges such as 0-3,6`,
		"at soon lift a":    `at is "soon", expected a number`,
		"at 5 lift":         `expected at SECONDS resize|migrate|lift|preempt JOB [GPUS]`,
		"cluster 1x1x2\njob a run=3\nat 5 lift a\nrun order": `f.txt:4: the run ended before 5s, when lift of "a" was to be decided`,
		"cluster 1x1x2\njob a run=3\nat 1 lift b\nrun order": "job number -1",
	} {
		if _, err := runScript("f.txt", text, policies); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, expected %q", text, err, want)
		}
	}
}

func ExampleAudit() {
	w, _ := sim.NewWorkload("", []sim.Job{{ID: "a", GPUs: 2, Work: 4 * sim.Second}})
	top, _ := cluster.New(cluster.Uniform(1, 1, 2, 1))
	a := NewAudit(w, top)
	e, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: Counting{}}, newOrder(), a)
	fmt.Println(err, a.Close(e), e.Record(0).End)
	// Output: <nil> <nil> 2s
}
