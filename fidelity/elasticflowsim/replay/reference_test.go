package replay

import (
	"cmp"
	"encoding/csv"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tarry/internal/sharedata"
	"tarry/sim/speed/measured"
)

func table(t testing.TB, file string) []map[string]string {
	t.Helper()
	in, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	rows, err := csv.NewReader(in).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var out []map[string]string
	for _, row := range rows[1:] {
		m := map[string]string{}
		for i, name := range rows[0] {
			m[name] = row[i]
		}
		out = append(out, m)
	}
	return out
}

func number(s string) int64 {
	v, _ := strconv.ParseFloat(s, 64)
	return int64(v)
}

// jobs of a trace in the order of their submits, with these.
func jobs(t testing.TB, trace, gpu, schedule string) (all []*Job, at []int64, ids []string) {
	t.Helper()
	speeds, err := measured.OpenScaling(sharedata.Path(t, "profiles/elasticflow"))
	if err != nil {
		t.Fatal(err)
	}
	rows := table(t, sharedata.Path(t, "traces/elasticflow/"+trace+".csv"))
	submit := func(m map[string]string) int64 { return number(m["submit_time"] + m["submission_time"]) }
	slices.SortStableFunc(rows, func(a, b map[string]string) int { return cmp.Compare(submit(a), submit(b)) })
	for i, m := range rows {
		name := m["model_name"] + " (batch size " + m["batch_size"] + ")"
		var counts []int32
		var rates []float64
		for _, n := range speeds.GPUs() {
			if v, ok := speeds.PerS(name, n, gpu); ok {
				counts, rates = append(counts, int32(n)), append(rates, v)
			}
		}
		batch := int32(number(m["batch_size"]))
		most := min(counts[len(counts)-1], 64, batch)
		if strings.HasPrefix(schedule, "ef") {
			most = Most(gpu, m["model_name"], batch)
		}
		all = append(all, NewJob(int32(i), number(m["ddl"]+m["deadline"]),
			float64(number(m["iteration"]+m["num_iteration"])), counts, rates, most))
		at, ids = append(at, submit(m)), append(ids, m["job_id"])
	}
	return all, at, ids
}

// simulate runs a trace to its end: verdicts by job.
func simulate(t testing.TB, trace, gpu string, cfg Config) (map[string]Verdict, []int64) {
	all, at, ids := jobs(t, trace, gpu, cfg.Schedule)
	r, out := New(cfg), map[string]Verdict{}
	n := 0
	for steps := 0; ; steps++ {
		due, ok := r.Due(n < len(all))
		if n < len(all) && (!ok || at[n] <= due) {
			r.Arrive(at[n], all[n])
			n++
			continue
		}
		if !ok {
			return out, at
		}
		if steps > 1_000_000 {
			t.Fatal("endless")
		}
		for _, v := range r.Step(due) {
			out[ids[v.Job.ID]] = v
		}
	}
}

// The stored runs: every end, and the program's own ratio of accepted jobs. base is the state of
// the program of the authors' published logs, whose mean completion time was 24 306 s.
func TestReference(t *testing.T) {
	const trace = "fig10_100jobs_1500lam"
	for _, c := range []struct {
		name, schedule string
		base           bool
		mean           float64
		met            int
	}{
		{"edf", "edf", false, 63318.75, 92}, {"ElasticFlow", "ef-accessctrl", false, 23806.94, 100},
		{"ElasticFlow, published logs", "ef-accessctrl", true, 24305.52, 100},
	} {
		got, at := simulate(t, trace, "A100", Config{Schedule: c.schedule, SlotS: 240, GPUs: 128, PerNode: 8,
			Most: true, Base: c.base})
		sum, met := 0.0, 0
		for _, v := range got {
			sum += float64(v.End - at[v.Job.ID])
			if v.Met {
				met++
			}
		}
		if math.Abs(sum/float64(len(at))-c.mean) > 0.005 || met != c.met {
			t.Errorf("%s: mean %v, %d deadlines met, want %v and %d", c.name, sum/float64(len(at)), met, c.mean, c.met)
		}
		if c.base {
			continue
		}
		for _, m := range table(t, sharedata.Path(t, "reference/elasticflow/"+trace+"__"+c.schedule+".jobs.csv")) {
			if v := got[m["job_id"]]; v.End != number(m["end_s"]) {
				t.Errorf("%s: job %s ends at %d, want %s", c.name, m["job_id"], v.End, m["end_s"])
			}
		}
	}
}

// The decisions of ef on the stored trace: 617 with 3 372 allocations, together 3 989, as many as
// the program is known to take; twin_test.go has its events as a list. An end that moves takes the
// change of a plan at its second with it; with such changes kept as events of their own there were
// 1 708 decisions, 11 deadlines met and a mean of 112 908 s.
func TestDecisionsOfEF(t *testing.T) {
	all, at, _ := jobs(t, "fig10_100jobs_1500lam", "A100", "ef")
	r := New(Config{Schedule: "ef", SlotS: 240, GPUs: 128, PerNode: 8, Most: true})
	n, decisions, given, met, sum := 0, 0, 0, 0, 0.0
	for decisions < 10_000 {
		due, ok := r.Due(n < len(all))
		if n < len(all) && (!ok || at[n] <= due) {
			r.Arrive(at[n], all[n])
			n++
			continue
		}
		if !ok {
			break
		}
		decisions++
		for _, v := range r.Step(due) {
			sum += float64(v.End - at[v.Job.ID])
			if v.Met {
				met++
			}
		}
		for _, j := range r.Jobs() {
			if j.GPUs() > 0 {
				given++
			}
		}
	}
	if mean := sum / float64(len(all)); decisions != 617 || given != 3372 || met != 97 ||
		math.Abs(mean-24377.76) > 0.005 {
		t.Errorf("%d decisions with %d allocations, %d deadlines met, mean %.2f s, want 617, 3372, 97 and 24377.76",
			decisions, given, met, mean)
	}
}

// A change of a plan goes with the end that it shares its second with, unless something else is
// there.
func TestMoveTakesChangesWithIt(t *testing.T) {
	for name, c := range map[string]struct {
		other, arrives int64
		want           int
	}{"alone": {none, none, 1}, "another end": {100, none, 2}, "an arrival": {none, 100, 2},
		"ends elsewhere": {90, 110, 1}} {
		j, k := NewJob(0, 0, 1, []int32{1}, []float64{1}, 1), NewJob(1, 0, 1, []int32{1}, []float64{1}, 1)
		j.event, k.event = 100, c.other
		r := New(Config{Schedule: "ef", SlotS: 60, GPUs: 8, PerNode: 8})
		r.jobs, r.scale = []*Job{j, k}, []int64{100, 160}
		if c.arrives != none {
			r.Arrive(c.arrives, NewJob(2, 0, 1, []int32{1}, []float64{1}, 1))
		}
		if r.move(j, 100, 104); len(r.scale) != c.want || j.event != 104 {
			t.Errorf("%s: changes at %v, the end at %d", name, r.scale, j.event)
		}
		before := len(r.scale)
		if r.move(j, 104, 104); len(r.scale) != before {
			t.Errorf("%s: an end that stays takes a change away", name)
		}
	}
}

// Every schedule comes to an end, and no job is lost.
func TestEnds(t *testing.T) {
	for _, c := range []struct {
		trace, gpu, schedule string
		nodes                int32
		base                 bool
	}{
		{"fig10_100jobs_1500lam", "A100", "edf-accessctrl", 4, false},
		{"fig10_100jobs_1500lam", "A100", "ef", 16, true}, {"fig10_100jobs_1500lam", "A100", "ef", 2, false},
		{"itp_195job", "A100", "ef", 8, false}, {"elasticVpollux_e", "T4", "ef", 4, false},
		{"elasticVpollux_e", "T4", "ef-accessctrl", 16, false}, {"itp_195job", "A100", "edf-accessctrl", 16, false},
		{"itp_195job", "A100", "ef-accessctrl", 16, false},
	} {
		got, at := simulate(t, c.trace, c.gpu, Config{Schedule: c.schedule, SlotS: 240, GPUs: 8 * c.nodes, PerNode: 8,
			Most: true, Base: c.base})
		if len(got) != len(at) {
			t.Errorf("%+v: %d of %d jobs", c, len(got), len(at))
		}
	}
}
