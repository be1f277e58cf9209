package typed

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
)

// byType is a speed model: a rate per GPU for each model and type; a gang runs as its slowest GPU,
// and on several machines half as fast.
type byType struct {
	top   *cluster.Topology
	rates map[string]map[string]float64
}

func (s byType) Speed(q *sim.Query) (sim.Speed, error) {
	least := 0.0
	for i, g := range q.GPUs {
		r := s.rates[q.Job.Model][s.top.Type(s.top.Machine(g))]
		if i == 0 || r < least {
			least = r
		}
	}
	if s.top.LevelOf(q.GPUs) > cluster.LevelMachine {
		least /= 2
	}
	return sim.Speed{Rate: least * float64(len(q.GPUs)), ComputeFrac: 1}, nil
}

// rates are of models that gain much, little and nothing from a new GPU, and of one that gains much
// though it is the slower on it.
func rates() map[string]map[string]float64 {
	return map[string]map[string]float64{"much": {"new": 4, "old": 1}, "little": {"new": 1.5, "old": 1.25},
		"none": {"new": 1, "old": 1}, "fast": {"new": 4.2, "old": 3.5}}
}

// duo has one machine of each type, in an order, with some GPUs.
func duo(t *testing.T, gpus int, types []string, jobs ...sim.Job) sim.Config {
	t.Helper()
	var rack []cluster.Machines
	for _, name := range types {
		rack = append(rack, cluster.Machines{Count: 1, GPUs: gpus, Slots: gpus, Type: name})
	}
	top, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{rack}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range jobs {
		jobs[i].ID, jobs[i].GPUs = fmt.Sprint(i), max(1, jobs[i].GPUs)
		if jobs[i].Work == 0 {
			jobs[i].Work = 100 * sim.Second
		}
	}
	w, err := sim.NewWorkload("duo", jobs)
	if err != nil {
		t.Fatal(err)
	}
	return sim.Config{Workload: w, Topology: top, Speed: byType{top, rates()}, Check: true}
}

// diary writes the decisions of a policy, with types in place of GPUs.
type diary struct {
	sim.Policy
	jobs []sim.Job
	text *strings.Builder
}

func (d diary) Decide(v *sim.View, out []sim.Decision) []sim.Decision {
	n := len(out)
	out = d.Policy.Decide(v, out)
	for _, x := range out[n:] {
		if x.Kind == sim.WakeAt {
			continue
		}
		fmt.Fprintf(d.text, "%v %v %s", v.Now(), x.Kind, d.jobs[x.Job].ID)
		for _, g := range x.GPUs {
			d.text.WriteString(" " + v.Topology().Type(v.Topology().Machine(g)))
		}
		d.text.WriteString("; ")
	}
	return out
}

func play(t *testing.T, cfg sim.Config, settings string) (decisions string, ends map[string]sim.Time) {
	t.Helper()
	p, err := New(param.Parse("policy typed", settings), cluster.BestFit)
	if err != nil {
		t.Fatal(err)
	}
	d := diary{p, cfg.Workload.Jobs, &strings.Builder{}}
	r, err := sim.Run(context.Background(), cfg, d)
	if err != nil {
		t.Fatal(err)
	}
	ends = map[string]sim.Time{}
	for i := range cfg.Workload.Jobs {
		ends[cfg.Workload.Jobs[i].ID] = r.Record(sim.JobID(i)).End
	}
	return d.text.String(), ends
}

// TestTwoJobsTwoTypes: who gets which type, by hand. Laws are the same for all and no job has run,
// so scores differ by speeds and GPUs alone.
func TestTwoJobsTwoTypes(t *testing.T) {
	for _, c := range []struct {
		name, settings string
		jobs           []sim.Job
		want           string
	}{
		// -ln 4 is the least; what is left for the other is old.
		{"the faster first", "price=0", []sim.Job{{Model: "little"}, {Model: "much"}},
			"0s start 1 new; 0s start 0 old; 25s migrate 0 new; "},
		// -ln 4.2 goes before -ln 4 and takes new, though the other loses 4 times as much there.
		{"greedy", "price=0", []sim.Job{{Model: "fast"}, {Model: "much"}},
			"0s start 0 new; 0s start 1 old; 23.809524s migrate 1 new; "},
		// Edges: ln(4.2/3.5) = 0.18 and ln 4 = 1.39.
		{"who loses more first", "price=0,edge=1", []sim.Job{{Model: "fast"}, {Model: "much"}},
			"0s start 1 new; 0s start 0 old; 25s migrate 0 new; "},
		// The price of old is -(0.18 + 1.39)/2 = -0.78: the pair of fast on old comes before the pair on
		// new at price 1 (-1.44 + 0.18 - 0.78 < -1.44), and much keeps new (-1.39 < -1.39 + 1.39 - 0.78).
		{"priced", "price=1", []sim.Job{{Model: "fast"}, {Model: "much"}},
			"0s start 0 old; 0s start 1 new; 25s migrate 0 new; "},
		// Where all types are alike the fastest by the cluster goes first: the first by name here.
		{"alike", "", []sim.Job{{Model: "none"}, {Model: "none"}}, "0s start 0 new; 0s start 1 old; "},
		{"short first when exact", "exact=true", []sim.Job{{Model: "none", Work: 9e6}, {Model: "none", Work: 5e6}},
			"0s start 1 new; 0s start 0 old; 5s migrate 0 new; "},
		// A job that runs moves to new when that is free, unless elsewhere is more than ln 4.
		{"moves", "price=0", []sim.Job{{Model: "much", Work: 50e6}, {Model: "much"}},
			"0s start 0 new; 0s start 1 old; 12.5s migrate 1 new; "},
		{"stays", "price=0,elsewhere=1.4", []sim.Job{{Model: "much", Work: 50e6}, {Model: "much"}},
			"0s start 0 new; 0s start 1 old; "},
		{"not eager", "price=0,eager=false,round=20", []sim.Job{{Model: "much", Work: 50e6}, {Model: "much"}},
			"0s start 0 new; 0s start 1 old; 20s migrate 1 new; "},
		// GPUs asked for weigh as time does; no type has four, so a wide gang has both.
		{"gangs", "price=0", []sim.Job{{Model: "much", GPUs: 4, Work: 400e6}, {Model: "little", GPUs: 2}},
			"0s start 1 new new; 33.333334s start 0 old old new new; "},
	} {
		gpus := 1
		if c.name == "gangs" {
			gpus = 2
		}
		if got, _ := play(t, duo(t, gpus, []string{"old", "new"}, c.jobs...), c.settings); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestOrderOfTheCluster: the order in which a cluster lists its types changes no completion time.
func TestOrderOfTheCluster(t *testing.T) {
	var jobs []sim.Job
	for i := range 40 {
		jobs = append(jobs, sim.Job{Model: []string{"much", "little", "none", "fast"}[i*7%11%4],
			GPUs: int32(1 + i%3), Work: sim.Time(20+i*37%90) * sim.Second, Submit: sim.Time(i*11) * sim.Second})
	}
	for _, settings := range []string{"", "edge=0.4,price=1,round=7", "exact=true", "eager=false,round=30"} {
		_, a := play(t, duo(t, 3, []string{"old", "new"}, jobs...), settings)
		_, b := play(t, duo(t, 3, []string{"new", "old"}, jobs...), settings)
		if !reflect.DeepEqual(a, b) {
			t.Errorf("%q: %v with old first, %v with new first", settings, a, b)
		}
	}
}

// TestGangsComeTogether: a gang that started on two machines moves to one at the first round at which
// that has room. Two machines of one type with two GPUs each: jobs 0 and 1 have the first and 2 one of
// the second; 1 ends at 10 s and 3 takes what is free; 2 ends at 15 s.
func TestGangsComeTogether(t *testing.T) {
	cfg := duo(t, 2, []string{"new", "new"}, sim.Job{Model: "none", Work: 60e6}, sim.Job{Model: "none", Work: 10e6},
		sim.Job{Model: "none", Work: 15e6}, sim.Job{Model: "none", GPUs: 2, Work: 40e6, Submit: 1})
	got, ends := play(t, cfg, "round=20")
	want := "0s start 0 new; 0s start 1 new; 0s start 2 new; 10s start 3 new new; 20s migrate 3 new new; "
	if got != want {
		t.Errorf("%q, want %q", got, want)
	}
	// 10 of its 40 GPU-seconds in the first ten seconds, then two a second.
	if ends["3"] != 35*sim.Second {
		t.Errorf("job 3 ends at %v, want 35 s", ends["3"])
	}
}
