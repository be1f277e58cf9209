package baselines_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tarry/baselines"
	"tarry/catalogue/policies"
	"tarry/catalogue/predictors"
	"tarry/catalogue/schedulers"
	"tarry/internal/effort"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/law"
	"tarry/sim/simtest"
)

// knowing are settings that change what a policy knows, or what it does with it, beside variants
// and the defaults.
func knowing() []string {
	return []string{
		"dally:order=network", "dally:order=fifo", "dally:order=las", "dally:order=srpt", "dally:order=srsf",
		"artist-dally:lease=9,chunk=4",
		"artist-dally:lease=9,order=las,chunk=3", "artist-dally:lease=9,chunk=5,settle=0",
		"artist-dally:chunk=5,preempt=false",
		"dally:lease=9,evict=later,min_run=0.1",
		"dally:lease=9,renew=return", "artist-dally:preempt=false", "dally-nowait:lease=9",
		"artist-dally:lease=9,chunk=4,t_rack=0.3,t_net=1,digits=nine",
		"ranked:lease=9,median_s=5,spread=1,min_run=0.1",
		"ranked:lease=9,median_s=5,spread=1,rollout=4,samples=3,epoch=0.3", "ranked:lease=9,exact=true",
		"ranked:lease=9,rollout=4,epoch=0.3,exact=true",
		"dally:lease=9,order=gittins,evict=later,min_run=0.1,rollout=6,samples=3,epoch=0",
		"dally:lease=9,order=las,evict=later,min_run=0.1,rollout=6,epoch=0,exact=true",
		"cassini:host=\"themis:lease=9\"", "cassini:host=dally",
		"planned:rollout=6,samples=3,epoch=0,hold=0.01",
		"planned:base=las:quantum_s=2,rollout=6,samples=2,epoch=0,hold=0.002", "planned:rollout=6,exact=true,epoch=0",
		"ranked:lease=9,features=rank:1+slowed:2+attained:0.2+age:-0.3+exposed:1+pressure_gpus:0.5",
		"typed:round=9,law_median_s=5,law_spread=1,edge=0.3,attained=0.2,age=-0.2", "typed:exact=true,round=9",
		"allox:alpha=1,cap=0", "allox:cap=3,gangs=hold", "allox:work=estimate",
		"nonintrusive-like:by=work", "lwf:by=estimate", "lwf:by=estimate,admit=count",
		"heet-like:round=6", "pal:round=6,order=srtf",
		"pal:round=0,place=packed,order=srtf,sticky=true",
		"lucid:profile_s=5,step_s=3,sharing=always,keep=0.4/0.3", "lucid:profiler=ideal,profile_s=9",
		"lucid:profiler=off,scores=usage", "horus:most=1,cost=gandiva", "lucid-qssf",
		"artist-tiresias:lease=9,chunk=3", "artist-tiresias:lease=9,chunk=0",
		"deadline-first:preempt=false", "deadline-first:admission=on",
		"genie:by=work", "genie:preempt=true", "genie:order=deadline,reject=false",
		"voda:algorithm=fifo", "voda:algorithm=srjf,interval=1",
		"voda:algorithm=elastic-srjf,work=estimate,interval=1", "voda:algorithm=tiresias,queue=5,check=1,interval=1",
		"voda:algorithm=elastic-tiresias,queue=5,curve=linear,interval=1", "voda:algorithm=ffdl-optimizer,interval=1",
		"voda:algorithm=afs-l,interval=1", "afs-l:work=estimate,share=common", "afs-p:every=2",
		"sjf:block=true", "sjf:by=estimate",
		"dl2:every=5", "dl2:rule=gain", "lyra:slot_s=0,base=least", "lyra:left=work", "sjf-bsbf:by=estimate",
		"sjf-bco:by=estimate", "gadget-like:slot=2",
		"srtf:by=left", "srsf:by=gittins,margin=1",
		"dally:order=psrpt,evict=later,lease=9", "dally:order=psrsf,lease=9",
		"dally:order=gittins,evict=later,lease=9,margin=0.5", "srtf-sim:ties=waiting-first", "srsf-sim:repack=true",
		"srtf-sim:penalty=1/2", "las:service=time,quantum_s=2",
		"tiresias-sim:queues=2/5,promote=2", "tiresias-sim:queues=4,every_s=5,penalty=1/2",
		"tiresias-gittins:queues=4/20,quantum=3,last=index", "crux:host=fifo", "crux:host=srtf", "shift:rule=window",
		"ce-dla-like:slot_s=4,horizon_h=0.01,slack_h=0.002,preempt=true",
		"powercap:host=srtf", "decima-like:rule=gain", "decima-like:rule=work-1.0",
		"rltune-like:rule=f1,front=2", "rltune-like:exact=true",
	}
}

// A policy that does not declare know.Work decides the same when the work that is left changes. One
// that declares it decides otherwise in some case: else it would be marked as clairvoyant without a
// reason. The normal form of the test looks for one such case, and at 8 cases of a policy that does
// not declare it.
func TestWorkThatIsLeftIsHidden(t *testing.T) {
	specs := slices.Concat(variants(), knowing())
	for _, e := range everything() {
		specs = append(specs, e.Name)
	}
	for i, spec := range specs {
		fresh := freshly(t, spec, []cluster.Rule{cluster.BestFit, cluster.FirstFound}[i%2])
		knows, found, o := fresh(nil).Knows(), 0, options(spec)
		seeds, enough := effort.Of(t, 8, 24), effort.Of(t, 1, 3)
		if knows.Clairvoyant() {
			seeds = 24
		}
		if strings.Contains(spec, "lease=9") { // too short for what changes cost
			o.Without |= simtest.Costs
		}
		for seed := range uint64(seeds) {
			what, err := simtest.Foresees(fresh, seed, o)
			switch {
			case err != nil:
				t.Fatalf("%s, seed %d: %v", spec, seed, err)
			case what != "" && !knows.Clairvoyant():
				t.Fatalf("%s knows %v and decides on the work that is left, seed %d: %s", spec, knows, seed, what)
			case what != "":
				found++
			}
			if found == enough {
				break
			}
		}
		// a chunk or a turn is longer than these jobs, and gains of powerflow in order of arrival are parts of the
		// work left
		same := strings.Contains(spec, "artist") && !strings.Contains(spec, "lease=9") || spec == "mixture" ||
			strings.Contains(spec, "powerflow") && strings.Contains(spec, "first=arrival")
		if knows.Clairvoyant() && found == 0 && !same {
			t.Errorf("%s declares that it knows %v, and decides the same with other work that is left in %d cases",
				spec, knows, seeds)
		}
	}
}

// foretellers are predictors that learn.
func foretellers() []string {
	return []string{"global", "user-size", "last2", "ridge", "request", "mix", "stack"}
}

// foretelling gives a predictor by name, fitted on 200 jobs that are not of the run.
func foretelling(t *testing.T, name string) func(*sim.Workload) sim.Predictor {
	t.Helper()
	p, err := predictors.All().Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	past := make([]sim.Job, 200)
	for i := range past {
		n := sim.Time(1 + i%4)
		past[i] = sim.Job{ID: fmt.Sprint(i), GPUs: int32(n), Submit: sim.Time(i) * sim.Second, Work: n *
			sim.Time(1+i*i%37) * sim.Second, User: fmt.Sprint("u", i%3)}
	}
	p.Fit(past)
	return func(*sim.Workload) sim.Predictor { return p }
}

// The answers of predictors that learn during a run show nothing of the work that is left either:
// policies that read predictions decide the same when it changes, whatever the predictor. One that
// is fitted on the jobs of the run itself is found out.
func TestPredictionsHideTheWorkThatIsLeft(t *testing.T) {
	found := 0
	for _, spec := range []string{"sjf:by=estimate", "srtf:by=left", "srsf:by=gittins", "gittins", "qssf", "genie",
		"easy",
		"conservative", "dally:order=gittins,evict=later,lease=9", "ranked:lease=9,predicted=true", "f1",
		"ranked:lease=9,predicted=true,rollout=3,samples=2,epoch=0.3",
		"dally:lease=9,order=gittins,evict=later,min_run=0.1,rollout=6,samples=2,epoch=0",
		"planned:rollout=6,samples=2,epoch=0,hold=0.01", "planned:base=srtf:by=left,rollout=4,samples=2,epoch=0",
		"allox:work=estimate"} {
		for _, name := range foretellers() {
			fresh := freshly(t, spec, cluster.BestFit)
			o := simtest.Options{Predict: foretelling(t, name)}
			if strings.Contains(spec, "lease=9") {
				o.Without = simtest.Costs
			}
			told := o
			told.Predict = func(w *sim.Workload) sim.Predictor {
				p, err := predictors.All().Parse(name)
				if err != nil {
					t.Fatal(err)
				}
				p.Fit(w.Jobs)
				return p
			}
			for seed := range uint64(12) {
				if what, err := simtest.Foresees(fresh, seed, told); err != nil {
					t.Fatal(err)
				} else if what != "" {
					found++
				}
				switch what, err := simtest.Foresees(fresh, seed, o); {
				case err != nil:
					t.Fatalf("%s with %s, seed %d: %v", spec, name, seed, err)
				case what != "" && !fresh(nil).Knows().Clairvoyant():
					t.Fatalf("%s with %s decides on the work that is left, seed %d: %s", spec, name, seed, what)
				}
			}
		}
	}
	if found == 0 {
		t.Error("predictors that were fitted on the jobs of the run are not found out")
	}
}

// A history of earlier jobs shows nothing of the run; the run's own (--history self) does, which
// tables mark.
func TestOwnHistoryShowsTheFuture(t *testing.T) {
	const spec = "tiresias-gittins:queues=4/20,quantum=3,last=index"
	fresh := freshly(t, spec, cluster.BestFit)
	found := 0
	for seed := range uint64(24) {
		for own, count := range map[bool]int{false: 0, true: 1} {
			what, err := simtest.Foresees(fresh, seed, simtest.Options{OwnHistory: own})
			switch {
			case err != nil:
				t.Fatal(err)
			case what != "" && !own:
				t.Fatalf("with a history of other jobs, seed %d: %s", seed, what)
			case what != "":
				found += count
			}
		}
	}
	if found == 0 {
		t.Errorf("%s decides the same whatever the work of the jobs to come in its history", spec)
	}
}

// drifting is a predictor that predicts something else each time, in whatever run it is asked.
type drifting struct{ asked *float64 }

func (d drifting) Predict(sim.JobID, *sim.Job) law.Law {
	*d.asked += 1.7
	return law.Law{LogMedian: math.Mod(*d.asked, 5)}
}
func (drifting) Ended(sim.JobID, *sim.Job, sim.Time) {}
func (d drifting) Clone() sim.Predictor              { return d }

// The suite finds a predictor that is not the same in a run that is repeated, or resumed.
func TestTriesWithPredictorsFindDrift(t *testing.T) {
	_, build, err := schedulers.All().Parse("sjf:by=estimate", cluster.BestFit)
	if err != nil {
		t.Fatal(err)
	}
	fresh := func() sim.Policy {
		p, err := build()
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	found := 0
	for seed := range uint64(20) {
		o := simtest.Options{Predict: func(*sim.Workload) sim.Predictor { return drifting{new(float64)} }}
		if err := simtest.Try(fresh, seed, o); err != nil && strings.Contains(err.Error(), "with a predictor") {
			found++
		}
	}
	if found == 0 {
		t.Error("a predictor that drifts is not found")
	}
}

// everything lists the schedulers and the variants with the habits of other simulators.
func everything() baselines.Catalogue { return append(schedulers.All(), policies.Variants()...) }

// freshly gives a new policy of a specification for each run, whatever its workload.
func freshly(t *testing.T, spec string, rule cluster.Rule) func(*sim.Workload) sim.Policy {
	t.Helper()
	_, build, err := everything().Parse(spec, rule)
	if err != nil {
		t.Fatal(err)
	}
	return func(*sim.Workload) sim.Policy {
		p, err := build()
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
}
