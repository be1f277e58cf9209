package baselines_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"tarry/catalogue/schedulers"
	"tarry/internal/effort"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/simtest"
)

// Every entry is as described: named once, described, with every key of its Params accepted.
func TestEntries(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range everything() {
		if e.Name == "" || seen[e.Name] || e.Doc == "" || e.Paper == "" {
			t.Errorf("entry %+v is not named once and described", e)
		}
		seen[e.Name] = true
		_, err := e.New(param.Parse(e.Name, "no_such_key=1"), cluster.BestFit)
		for line := range strings.Lines(e.Params) {
			if line[0] == ' ' {
				continue // belongs to the line before
			}
			key := strings.Fields(line)[0]
			if err == nil || !strings.Contains(err.Error(), key) {
				t.Errorf("%s: the catalogue describes %q, the policy does not know it: %v", e.Name, key, err)
			}
		}
	}
}

// What each policy declares, with its defaults and with settings that change it.
func TestKnows(t *testing.T) {
	want := map[string]string{"ones": "progress", "pollux": "progress", "deepboot": "progress",
		"voda": "nothing", "afs-l": "work+speed", "afs-p": "speed", "edl": "speed",
		"fifo": "nothing", "fifo-fit": "nothing", "sjf": "work", "srtf": "work", "srsf": "work", "las": "nothing",
		"deadline-first": "nothing", "easy": "estimate", "gittins": "done+estimate", "qssf": "estimate",
		"qssf-ces": "estimate", "genie": "done+estimate", "sleep": "done", "picked": "nothing", "inspected": "estimate",
		"conservative": "estimate", "tiresias": "nothing", "tiresias-gittins": "history", "delay": "nothing",
		"gandiva": "nothing", "gandiva-fair": "speed", "hadar": "work+speed", "consolidate": "nothing",
		"scatter": "nothing", "dally": "done", "dally-manual": "done", "dally-nowait": "done",
		"dally-consolidated": "done", "dally-evict": "done", "dally-elastic": "done",
		"dally-shared": "done+speed+profile", "dally-tenants": "done",
		"dally-links": "done", "ranked": "done", "typed": "done+speed",
		"artist-tiresias": "work+speed",
		"allox":           "work+speed", "gavel": "done+speed", "pal": "speed", "similarity-like": "nothing",
		"network-like": "nothing", "lwf": "work+speed", "heet-like": "speed", "elasticflow": "work+speed", "ffdl": "nothing",
		"philly": "nothing", "hadare-like": "work+speed", "themis": "work+speed", "slaq": "done+speed+progress",
		"optimus": "work+speed+progress", "nonintrusive-like": "done+estimate+speed",
	}
	want["slurm"], want["drf"] = "estimate", "nothing"
	want["powerflow"], want["lyra"] = "work+speed", "done+estimate+speed"
	want["shockwave"] = "work+speed+progress"
	want["muxflow"] = "profile"
	want["lucid"], want["horus"] = "estimate+speed", "profile"
	want["crossover-like"] = "speed+progress+profile"
	want["muri"] = "work+speed+progress+profile"
	want["sia"] = "speed+progress"
	want["antman"], want["schedtune"], want["iadeep"] = "speed+profile", "speed+profile", "speed+profile"
	want["sjf-bsbf"], want["sjf-ffs"] = "work+speed+profile", "work+speed+profile"
	want["hived"], want["recorded"] = "nothing", "record"
	want["miger-like"] = "speed+profile"
	want["synergy"], want["planned"] = "speed", "nothing"
	want["cassini"] = want["themis"]
	want["a-srpt"] = "estimate+speed"
	want["sjf-bco"], want["gadget-like"] = "work+speed", "done+speed"
	want["ce-dla-like"], want["shift"] = "estimate+series", "series"
	want["dl2"] = "done+estimate+speed"
	want["reclaim-aware"], want["mixture"] = "done+estimate+speed", "work"
	want["deepshare"], want["harmony-like"] = "nothing", "nothing"
	want["decima-like"], want["aset-like"] = "done+estimate+speed", "done"
	want["marl-like"] = "nothing"
	want["decima-like"], want["rltune-like"] = "done+estimate+speed", "estimate"
	want["crux"], want["vclos"] = "done+speed", "nothing"
	want["powercap"], want["cd-gpc-like"], want["pwr"] = "speed", "done+estimate", "nothing"
	for _, name := range []string{"wfp3", "unicep", "f1", "f2", "f3", "f4"} {
		want[name] = "estimate"
	}
	for _, e := range schedulers.All() {
		if got := e.Knows().String(); got != want[e.Name] {
			t.Errorf("%s knows %s, want %q", e.Name, got, want[e.Name])
		}
	}
	for spec, what := range map[string]string{"crux:host=fifo": "speed", "crux:host=srtf": "work+speed",
		"shift:rule=window": "estimate+series", "shift:host=srtf": "work+series",
		"powercap:cost=left": "work+speed", "reclaim-aware:by=work": "work+speed",
		"powercap:late=1": "done+estimate+speed", "pwr:by=energy": "speed", "marl-like:rule=fastest": "speed",
		"lucid:profiler=ideal,scores=usage": "estimate+work+profile",
		"lucid:profiler=off":                "estimate+speed+profile", "lucid:scores=usage": "estimate",
		"slaq:loss=drawn": "done+speed", "ones:speed=known": "speed+progress",
		"a-srpt:heavy=inf": "estimate", "f2:by=request,backfill=easy": "nothing",
		"easy:order=sjf,by=request": "nothing", "picked:order=f3,by=request": "nothing",
		"dally:order=srpt": "work", "dally:order=srsf,lease=60": "work", "dally:order=las": "nothing",
		"dally:order=fifo": "nothing",
		"artist-dally":     "done+work+speed", "artist-dally:order=las": "work+speed",
		"artist-dally:chunk=5,preempt=false": "done", "artist-tiresias:chunk=0": "nothing",
		"synergy:order=las": "speed", "synergy:order=srtf": "work+speed",
		"srtf-sim": "work", "qssf-ces:host=fifo": "nothing", "sleep:host=sjf": "work",
		"deadline-first:admission=on": "work",
		"genie:by=work":               "work", "genie:order=arrival,reject=false": "nothing",
		"sjf:by=estimate":      "estimate",
		"sjf-bsbf:by=estimate": "done+estimate+speed+profile", "gavel:packing=true": "done+speed+profile",
		"srtf:by=left": "done+estimate", "dally:order=psrpt": "done+estimate",
		"dally:order=gittins,evict=later,margin=1": "done+estimate", "picked:order=sjf": "estimate",
		"picked:backfill=fcfs": "estimate", "ranked:features=gpus:1+age:-1": "nothing",
		"ranked:predicted=true": "done+estimate",
		"allox:work=estimate":   "done+estimate+speed", "optimus:left=estimate": "done+estimate+speed",
		"optimus:left=work": "work+speed", "sjf-bco:by=estimate": "done+estimate+speed", "voda:algorithm=srjf": "work",
		"voda:algorithm=afs-l,work=estimate": "done+estimate+speed", "voda:algorithm=elastic-tiresias": "speed",
		"voda:algorithm=ffdl-optimizer,curve=linear": "nothing", "pal:order=srtf": "work+speed",
		"pal:place=packed": "nothing", "pal:place=packed,order=srtf": "work"} {
		if got, err := everything().Knows(spec); err != nil || got.String() != what {
			t.Errorf("%s knows %v, want %s (error %v)", spec, got, what, err)
		}
	}
	if _, err := schedulers.All().Knows("fif"); err == nil {
		t.Error("an unknown policy has no error")
	}
}

func TestParse(t *testing.T) {
	e, build, err := schedulers.All().Parse("tiresias:queues=5/10,promote=2", cluster.BestFit)
	if err != nil || e.Name != "tiresias" {
		t.Fatalf("%+v, %v", e, err)
	}
	a, err := build()
	b, err2 := build()
	if err != nil || err2 != nil || a == b {
		t.Errorf("the factory gives %p and %p, errors %v, %v: want two policies", a, b, err, err2)
	}
	var names []string
	for _, e := range schedulers.All() {
		names = append(names, e.Name)
	}
	for spec, want := range map[string]string{
		"dally,fifo": `policy "dally,fifo": a comma separates the settings of one policy, expected each policy by itself: --policy dally --policy fifo (in a file a list: [dally, fifo])`,
		"dally:lease=600,min_run=1, fifo,las:starve_s=5": `policy "dally:lease=600,min_run=1, fifo,las:starve_s=5": a comma separates the settings of one policy, expected each policy by itself: --policy dally:lease=600,min_run=1 --policy fifo --policy las:starve_s=5 (in a file a list: [dally:lease=600,min_run=1, fifo, las:starve_s=5])`,
		"tiresia": `policy "tiresia": unknown, expected one of ` + strings.Join(names, ", ") +
			`; did you mean "tiresias"?`,
		"fifo:":             `policy "fifo:": nothing after the colon, expected key=value,...`,
		"scatter:x=1":       `policy scatter: unknown key "x", expected one of label`,
		"delay:wait_rak=3":  `policy delay: unknown key "wait_rak", expected one of clock, form, label, order, skips, wait_machine, wait_rack; did you mean "wait_rack"?`,
		"delay:skips=3":     `policy delay: skips belongs to form=count, and form is time`,
		"gandiva:quantum=0": `policy gandiva: quantum is "0", expected a number >= 0.001 (inf allowed)`,
		"tiresias:queues=9/3,packlimit=x": `policy tiresias: queues are 3 after 9 GPU-seconds, expected ascending` +
			"\n" +
			`policy tiresias: packlimit is "x", expected a number >= 0 (inf allowed) or fit`,
		"scatter:a": `policy scatter: "a": expected key=value`,
	} {
		if _, _, err := schedulers.All().Parse(spec, cluster.BestFit); err == nil || err.Error() != want {
			t.Errorf("%s: error %v\nwant %s", spec, err, want)
		}
	}
}

// TestConformance: every policy of the catalogue as it stands there. The packages of most have a
// test with many more cases and settings; here their long form repeats these with best fit.
func TestConformance(t *testing.T) {
	for _, e := range everything() {
		t.Run(e.Name, func(t *testing.T) {
			fresh := func() sim.Policy {
				p, err := e.New(param.Parse(e.Name, ""), cluster.BestFit)
				if err != nil {
					t.Fatal(err)
				}
				return p
			}
			o := options(e.Name)
			o.Seeds, o.Allocates = effort.Of(t, 6, 100), true
			simtest.Policy(t, fresh, o)
		})
	}
}

var update = flag.Bool("update", false, "rewrite testdata/golden.txt")

// hashes writes down the records of a run, one line per job, and gives their hash.
type hashes struct{ b strings.Builder }

func (h *hashes) Interval(i *sim.Interval) {
	fmt.Fprintf(&h.b, "%d %v %v %v\n", i.Job, i.GPUs, i.Start, i.End)
}

// Job leaves out fields that came later and are 0 without faults and where no cluster states
// memory: the hashes stay the hashes of what happened.
func (h *hashes) Job(r *sim.Record) {
	fmt.Fprintln(&h.b, strings.NewReplacer(" LostRun:0s", "", " KilledRun:0s", "", " OutOfMemory:0", "").Replace(
		fmt.Sprintf("%+v", *r)))
}
func (h *hashes) Instant(*sim.Gauge) {}

// slower slows jobs down by how far they are spread.
type slower struct{ top *cluster.Topology }

func (s slower) Speed(q *sim.Query) (sim.Speed, error) {
	f := [...]float64{1, 1, .9375, .625, .25}[s.top.LevelOf(q.GPUs)]
	return sim.Speed{Rate: float64(float64(len(q.GPUs)) * f), ComputeFrac: f}, nil
}

// goldenRun runs a policy on a fixed congested workload: 300 jobs on 2 racks of 4 machines of 4
// GPUs.
func goldenRun(t *testing.T, build func() (sim.Policy, error)) string {
	t.Helper()
	r := rand.New(rand.NewPCG(20, 24))
	models := []string{"vgg16", "resnet50", "bert", ""}
	var jobs []sim.Job
	at := sim.Time(0)
	for i := range 300 {
		at += sim.Time(r.IntN(600)) * sim.Second
		g := []int32{1, 1, 1, 2, 2, 4, 4, 8, 16}[r.IntN(9)]
		jobs = append(jobs, sim.Job{ID: fmt.Sprint(i), Submit: at, GPUs: g, Model: models[r.IntN(4)],
			User: string('a' + rune(r.IntN(5))),
			Work: sim.Time(g) * sim.Time(60+r.IntN(60)*r.IntN(120)) * sim.Second, Iterations: 1e6})
	}
	w, err := sim.NewWorkload("golden", jobs)
	if err != nil {
		t.Fatal(err)
	}
	top, err := cluster.New(cluster.Uniform(2, 4, 4, 2))
	if err != nil {
		t.Fatal(err)
	}
	p, err := build()
	if err != nil {
		t.Fatal(err)
	}
	var history []sim.Time
	for i := range 50 {
		history = append(history, sim.Time(1+i*i)*40*sim.Second)
	}
	var h hashes
	costs := sim.Costs{Checkpoint: sim.Cost{PerGPUS: 1}, Restore: sim.Cost{FixedS: 5}, Migrate: sim.Cost{FixedS: 2}}
	if _, err := sim.Run(context.Background(), sim.Config{Workload: w, Topology: top, Speed: slower{top}, Costs: costs,
		History: history, Check: true}, p, &h); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte(h.b.String()))
	return hex.EncodeToString(sum[:8])
}

// A change of any of these moves numbers: rewrite with -update and record it.
func TestGolden(t *testing.T) {
	const file = "testdata/golden.txt"
	// Timers that matter within a run of two days.
	quick := map[string]string{"qssf-ces": ":forecast=day,site=philly,tick_s=1200,buffer=0",
		"sleep":    ":idle_s=300",
		"deepboot": ":interval=300",
		"pollux":   ":interval=300,population=12,generations=6", "delay": ":wait_machine=900,wait_rack=900",
		"dally":        ":lease=300,min_rack=1,min_net=3",
		"dally-manual": ":lease=300,t_rack=2,t_net=5"}
	var b strings.Builder
	for _, e := range schedulers.All() {
		for _, rule := range []cluster.Rule{cluster.BestFit, cluster.FirstFound} {
			spec := e.Name + quick[e.Name]
			_, build, err := schedulers.All().Parse(spec, rule)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, "%s %v %v\n", goldenRun(t, build), spec, rule)
		}
	}
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got := b.String(); got != string(want) {
		t.Errorf("the records have changed; if they should, rewrite with -update\ngot:\n%swant:\n%s", got, want)
	}
}

// Policies that are published as limits of one another are: the same records, job by job.
func TestLimits(t *testing.T) {
	for _, c := range []struct{ a, b string }{
		{"delay:wait_machine=0,wait_rack=0", "fifo-fit"},
		{"delay:form=count,skips=0", "fifo-fit"},
		{"delay:wait_machine=inf,wait_rack=inf", "consolidate"},
		{"delay:wait_machine=inf,wait_rack=inf,clock=offer", "consolidate"},
		{"delay:form=count,skips=inf", "delay:wait_machine=inf,wait_rack=0"},
		{"tiresias:place=skew,packlimit=0,queues=1e12", "fifo-fit"},
		{"dally-nowait:order=fifo,preempt=false", "fifo-fit"},
		{"dally-consolidated:order=fifo,preempt=false", "consolidate"},
		{"dally:order=network,evict=later,min_run=10000", "dally"},
		{"ranked:features=rank:0,ties=submit,margin=inf", "dally:order=fifo,ties=submit"},
		{"dally-evict:order=las,lease=600", "dally:evict=later,order=las,lease=600"},
		{"dally-evict:evict=none,backfill=request", "dally:backfill=request"},
		{"dally-shared:share=0.5,share_at=rack", "dally:share=0.5,share_at=rack"},
		{"dally-tenants:lease=300,min_rack=1", "dally:lease=300,min_rack=1,timers_by=vc,fair=vc"},
	} {
		_, a, err := schedulers.All().Parse(c.a, cluster.BestFit)
		if err != nil {
			t.Fatal(err)
		}
		_, b, err := schedulers.All().Parse(c.b, cluster.BestFit)
		if err != nil {
			t.Fatal(err)
		}
		if x, y := goldenRun(t, a), goldenRun(t, b); x != y {
			t.Errorf("%s and %s differ: %s, %s", c.a, c.b, x, y)
		}
	}
}

// TestSettingsAreThoseOfTheHelp: each policy's help has a line for each setting that its code
// reads, in words, and no other, and the code reads all of them whatever their values.
func TestSettingsAreThoseOfTheHelp(t *testing.T) {
	for _, e := range everything() {
		var want []string
		for line := range strings.SplitSeq(e.Params, "\n") {
			if line != "" && line[0] != ' ' { // not the continuation of a line
				key, _, _ := strings.Cut(line, " ")
				want = append(want, key)
			}
		}
		var got []string
		for _, s := range e.Settings() {
			got = append(got, s.Key)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s reads %q, its help has %q", e.Name, got, want)
		}
	}
}
