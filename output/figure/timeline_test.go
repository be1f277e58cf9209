package figure

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tarry/output/results"
	"tarry/sim/cluster"
)

func each(rows []results.Interval) iter.Seq2[results.Interval, error] {
	return func(yield func(results.Interval, error) bool) {
		for _, r := range rows {
			if !yield(r, nil) {
				return
			}
		}
	}
}

func topology(t *testing.T) *cluster.Topology {
	t.Helper()
	topo, err := cluster.New(cluster.Uniform(2, 2, 4, 1))
	if err != nil {
		t.Fatal(err)
	}
	return topo
}

// packed fills the cluster at random: up to share jobs per GPU at once, starts ascending,
// an end often equal to the next start.
func packed(seed uint64, gpus, share, n int) []results.Interval {
	r := rand.New(rand.NewPCG(seed, 7))
	free := make([][]float64, gpus) // GPU -> when each share is free
	for g := range free {
		free[g] = make([]float64, share)
	}
	var rows []results.Interval
	at := 0.0
	for i := range n {
		at += float64(r.IntN(3)) / 10
		row := results.Interval{Job: fmt.Sprint(i), Start: at, End: at + float64(1+r.IntN(40))/10, Tier: "rack",
			Rate: r.Float64(), ShareMilli: 1000 / int64(share), Reason: "finish"}
		var list []cluster.GPU
		for g := range free {
			k := slices.IndexFunc(free[g], func(end float64) bool { return end <= at })
			if k >= 0 && r.IntN(3) == 0 {
				free[g][k] = row.End
				list = append(list, cluster.GPU(g))
			}
		}
		row.GPUs, row.GPUList = int64(len(list)), results.FormatGPUs(list)
		rows = append(rows, row)
	}
	return rows
}

type parsed struct {
	TraceEvents []struct {
		Name, Ph string
		Ts, Dur  int64
		Pid, Tid int
		Args     map[string]any
	}
}

func timelineOf(t *testing.T, rows []results.Interval) (parsed, []byte) {
	t.Helper()
	var buf bytes.Buffer
	jobs := map[string]JobLabel{"0": {Model: "gpt2", User: `quote " and é`}}
	if err := Timeline(&buf, topology(t), jobs, each(rows)); err != nil {
		t.Fatal(err)
	}
	var p parsed
	if err := json.Unmarshal(buf.Bytes(), &p); err != nil {
		t.Fatalf("invalid JSON: %v\n%s", err, buf.Bytes())
	}
	return p, buf.Bytes()
}

// No two slices of a row overlap; every GPU-second of the rows is there; without
// sharing there is one row per GPU.
func TestTimelineRows(t *testing.T) {
	for share := 1; share <= 3; share++ {
		for seed := range uint64(20) {
			rows := packed(seed, 16, share, 200)
			p, data := timelineOf(t, rows)
			if _, again := timelineOf(t, rows); !bytes.Equal(data, again) {
				t.Fatal("two writings differ")
			}
			last, named := map[int]int64{}, map[int]bool{}
			got, want, most := int64(0), int64(0), 0
			for _, e := range p.TraceEvents {
				switch {
				case e.Name == "thread_name":
					named[e.Tid] = true
				case e.Ph == "X":
					if end, ok := last[e.Tid]; ok && e.Ts < end {
						t.Fatalf("share %d: row %d has a slice at %d before the end of another at %d", share, e.Tid,
							e.Ts, end)
					}
					last[e.Tid] = e.Ts + e.Dur
					gpu := (e.Tid - 1) / maxLanes
					most = max(most, (e.Tid-1)%maxLanes+1)
					if e.Pid != pid(topology(t).Machine(cluster.GPU(gpu))) || !named[e.Tid] {
						t.Fatalf("slice of GPU %d in process %d, named %v", gpu, e.Pid, named[e.Tid])
					}
					got += e.Dur
				}
			}
			for _, r := range rows {
				want += (micros(r.End) - micros(r.Start)) * r.GPUs
			}
			if got != want || most > share {
				t.Errorf("share %d: %d GPU-microseconds, want %d; up to %d rows per GPU", share, got, want, most)
			}
		}
	}
}

func TestTimelineContent(t *testing.T) {
	p, _ := timelineOf(t, []results.Interval{
		{Job: "0", Start: 1.5, End: 2, Tier: "cluster", GPUs: 2, GPUList: "3-4", Rate: 0.5, ShareMilli: 1000,
			Reason: "preempt"},
		{Job: "1", Start: 2, End: 2, Rate: math.NaN(), GPUs: 1, GPUList: "3"},
	})
	count, names := map[string]int{}, map[string]bool{}
	for _, e := range p.TraceEvents {
		count[e.Name]++
		if n, ok := e.Args["name"].(string); ok {
			names[n] = true
		}
		if e.Name == "job 0" && (e.Ts != 1_500_000 || e.Dur != 500_000 || e.Args["model"] != "gpt2" ||
			e.Args["user"] != `quote " and é` ||
			e.Args["rate"] != 0.5 || e.Args["tier"] != "cluster" || e.Args["end"] != "preempt" ||
			e.Args["gpus"] != 2.0) {
			t.Errorf("slice %+v", e)
		}
		if v, ok := e.Args["rate"]; e.Name == "job 1" && (!ok || v != nil) {
			t.Errorf("an unknown rate became %v", v)
		}
	}
	if count["process_name"] != 4 || count["thread_name"] != 16 || count["job 0"] != 2 || count["job 1"] != 1 {
		t.Errorf("events %v", count)
	}
	if !names["rack 1 machine 3"] || !names["GPU 15"] {
		t.Errorf("names %v", names)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestTimelineErrors(t *testing.T) {
	good := results.Interval{Job: "a", Start: 5, End: 6, GPUList: "0"}
	for _, c := range []struct {
		row  results.Interval
		want string
	}{
		{results.Interval{Job: "b", Start: 4, End: 6}, `row 1, job "b": start 4 s comes after`},
		{results.Interval{Job: "b", Start: 7, End: 6}, "interval from 7 s to 6 s"},
		{results.Interval{Job: "b", Start: math.NaN(), End: 6}, "interval from NaN s"},
		{results.Interval{Job: "b", Start: 6, End: math.Inf(1)}, "to +Inf s"},
		{results.Interval{Job: "b", Start: 6, End: 7, GPUList: "1,x"}, `"x" is not a number`},
		{results.Interval{Job: "b", Start: 6, End: 7, GPUList: "15-16"}, "GPU 16, the cluster has 16"},
	} {
		err := Timeline(io.Discard, topology(t), nil, each([]results.Interval{good, c.row}))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v does not say %q", err, c.want)
		}
	}
	if err := Timeline(full{}, topology(t), nil, each(nil)); err == nil ||
		!strings.Contains(err.Error(), "no space left") {
		t.Errorf("a full disk gave %v", err)
	}
	cause := errors.New("cause")
	err := Timeline(io.Discard, topology(t), nil, func(yield func(results.Interval,
		error) bool) {
		yield(results.Interval{}, cause)
	})
	if err != cause {
		t.Errorf("an error of the rows became %v", err)
	}
}

func BenchmarkTimeline(b *testing.B) {
	topo, err := cluster.New(cluster.Uniform(2, 2, 4, 1))
	if err != nil {
		b.Fatal(err)
	}
	rows := packed(1, 16, 1, 10_000)
	for b.Loop() {
		if err := Timeline(io.Discard, topo, nil, each(rows)); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(rows)*b.N)/b.Elapsed().Seconds(), "rows/s")
}

// A resize is an instant on the first of the new GPUs, and what follows states how many there were
// before; runs without one are as they were.
func TestTimelineShowsResizes(t *testing.T) {
	row := func(job string, start, end float64, reason string, gpus ...cluster.GPU) results.Interval {
		return results.Interval{Job: job, Start: start, End: end, Rate: 1, ShareMilli: 1000, Reason: reason,
			GPUs: int64(len(gpus)), GPUList: results.FormatGPUs(gpus)}
	}
	p, text := timelineOf(t, []results.Interval{row("a", 0, 2, "resize", 0, 1), row("b", 1, 2, "migrate", 6),
		row("a", 2, 3, "resize", 1, 2, 3, 4), row("b", 2, 9, "finish", 7), row("a", 3, 8, "finish", 3)})
	var got []string
	for _, e := range p.TraceEvents {
		switch e.Ph {
		case "i":
			got = append(got, fmt.Sprintf("%d %s on %d", e.Ts, e.Name, e.Tid/maxLanes))
		case "X":
			if n, ok := e.Args["gpus_before"]; ok != (e.Name == "job a" && e.Ts > 0) || ok &&
				n != float64(map[int64]int{2e6: 2, 3e6: 4}[e.Ts]) {
				t.Errorf("%s at %d says %v GPUs before", e.Name, e.Ts, n)
			}
		}
	}
	if want := []string{"2000000 job a: 2 to 4 GPUs on 1", "3000000 job a: 4 to 1 GPUs on 3"}; !slices.Equal(got,
		want) {
		t.Errorf("instants %q, expected %q", got, want)
	}
	if _, plain := timelineOf(t, []results.Interval{row("a", 0, 2, "migrate", 0, 1),
		row("a", 2, 3, "finish", 1, 2)}); bytes.Contains(plain, []byte("gpus_before")) ||
		!bytes.Contains(text, []byte(`"s":"t"`)) {
		t.Error("a run without a resize names one")
	}
}
