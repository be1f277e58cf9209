package sim

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// Whatever happens at one instant is reported in the order of EventKind, however it came about;
// timers by key, a failure job by job before the unit, and a failure before the repair that the
// source names after it.
func TestOrderWithinAnInstant(t *testing.T) {
	// Two machines of 3 GPUs. All happens at 10 s: job 0 ends (10 s of work on one GPU); job 1,
	// preempted at 8 s, has written its checkpoint of 2 s; job 2's lease ends; job 3 has run 10 s;
	// job 4's machine fails and is repaired.
	p := play{
		cfg: Config{Topology: topology(t, 1, 2, 3, 1), Costs: Costs{Checkpoint: Cost{FixedS: 2}},
			Outages: Schedule{{At: 10 * Second, Machine: 1, GPU: 2},
				{At: 10 * Second, Machine: 1, GPU: 2, Up: true}}.Source()},
		plan: map[Time][]Decision{
			0: {begin(4, 5), begin(3, 3), {Kind: Watch, Job: 3, Counter: RunTime, Bound: 10 * Second},
				{Kind: Start, Job: 2, GPUs: on(2), Lease: 10 * Second},
				begin(1, 1), begin(0, 0), {Kind: WakeAt, At: 10 * Second, Key: 7},
				{Kind: WakeAt, At: 10 * Second, Key: 2}},
			8 * Second: {{Kind: Preempt, Job: 1}},
		}}
	long := Job{GPUs: 1, Work: 20 * Second}
	o, err := p.run(t, 0, Job{GPUs: 1, Work: 10 * Second}, long, long, long, long,
		Job{GPUs: 1, Work: Second, Submit: 10 * Second})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, ev := range o.events {
		if ev[:3] == "10s" {
			got = append(got, ev[4:])
		}
	}
	same(t, "at 10 s", got, "finish 0", "drained 1", "expire 2", "cross 3", "timer key 2", "timer key 7", "fail 4",
		"fail", "repair", "arrive 5")
}

// Events of one kind and one instant come in the order in which they were scheduled; a job has one
// event at a time.
func TestTiesAndDoubles(t *testing.T) {
	for _, c := range []struct {
		name   string
		first  []Decision
		work   [2]Time
		events []string
	}{
		{"jobs that end together, in the order of their starts", []Decision{begin(1, 1), begin(0, 0)},
			[2]Time{9 * Second, 9 * Second},
			[]string{"9s finish 1", "9s finish 0"}},
		{"a job that ends with its lease has ended", []Decision{{Kind: Start, GPUs: on(0), Lease: 9 * Second},
			begin(1, 1)}, [2]Time{9 * Second, 9 * Second},
			[]string{"9s finish 0", "9s finish 1"}},
		{"a job that ends at its bound has ended", []Decision{begin(0, 0),
			{Kind: Watch, Counter: RunTime, Bound: 9 * Second}, begin(1, 1)}, [2]Time{9 * Second, 9 * Second},
			[]string{"9s finish 0", "9s finish 1"}},
		{"a lease and a bound are reported at one instant, the lease first",
			[]Decision{{Kind: Start, GPUs: on(0), Lease: 4 * Second},
				{Kind: Watch, Counter: RunTime, Bound: 4 * Second}, begin(1, 1)}, [2]Time{9 * Second, 9 * Second},
			[]string{"4s expire 0", "4s cross 0", "9s finish 1", "9s finish 0"}}, // job 0 was scheduled anew at 4 s
	} {
		t.Run(c.name, func(t *testing.T) {
			o := play{plan: map[Time][]Decision{0: c.first}}.mustRun(t, 2, Job{GPUs: 1, Work: c.work[0]},
				Job{GPUs: 1, Work: c.work[1]})
			same(t, "events", o.events, append([]string{"0s arrive 0", "0s arrive 1"}, c.events...)...)
		})
	}
}

// The event queue is its twin: a table that is searched for the earliest time, then kind, then the
// item that was put first.
func TestQueueIsATable(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const n = 40
	q := queue{pos: make([]int32, n)}
	type entry struct {
		at   Time
		kind EventKind
		seq  uint64
		row  int32
	}
	table := map[int32]entry{}
	seq := uint64(0)
	for range 20_000 {
		row, at, kind := int32(r.IntN(n)), Time(r.IntN(12)), EventKind(r.IntN(4)+r.IntN(2)*int(atMark))
		if r.IntN(4) == 0 {
			at = Never
		}
		q.put(row, at, kind)
		old, had := table[row]
		switch {
		case at == Never:
			delete(table, row)
		case !had || old.at != at || old.kind != kind: // an item that does not change keeps its place among equals
			seq++
			table[row] = entry{at: at, kind: kind, seq: seq, row: row}
		}
		var want []entry
		for _, it := range table {
			want = append(want, it)
		}
		if len(want) == 0 {
			if q.next() != Never {
				t.Fatalf("next of an empty queue is %v", q.next())
			}
			continue
		}
		first := slices.MinFunc(want, func(a, b entry) int {
			return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.kind, b.kind), cmp.Compare(a.seq, b.seq))
		})
		for i := range q.heap {
			if p := (i - 1) / 2; i > 0 && q.heap[i].before(&q.heap[p]) || int(q.pos[q.heap[i].row]) != i+1 {
				t.Fatalf("item %d, %+v, is before %+v above it, or not where it is looked for: %d", i, q.heap[i],
					q.heap[p], q.pos[q.heap[i].row])
			}
		}
		it := &q.heap[0]
		if got := (entry{it.at, it.kind(), it.order & (1<<56 - 1), it.row}); q.next() != first.at || got != first ||
			len(q.heap) != len(want) {
			t.Fatalf("first of %d is %+v, expected %+v of %d", len(q.heap), q.heap[0], first, len(want))
		}
	}
}

// Timers wake a cluster that is empty between two jobs, and keep no run alive after its last job.
func TestTimersAndTheEndOfARun(t *testing.T) {
	p := play{plan: map[Time][]Decision{
		0: {begin(0, 0), {Kind: WakeAt, Key: 1, At: 5 * Second}, {Kind: WakeAt, Key: 2, At: 100 * Second},
			{Kind: WakeAt, Key: 3, At: 6 * Second}},
		4 * Second:  {{Kind: WakeAt, Key: 3, At: Never}},
		10 * Second: {begin(1, 0)},
	}}
	o := p.mustRun(t, 1, Job{GPUs: 1, Work: 2 * Second}, Job{GPUs: 1, Work: 3 * Second, Submit: 10 * Second})
	same(t, "events", o.events, "0s arrive 0", "2s finish 0", "5s timer key 1", "10s arrive 1", "13s finish 1")
	if o.e.Now() != 13*Second {
		t.Errorf("the run ended at %v, expected with its last job at 13 s", o.e.Now())
	}
	// the five and the two by which the play wakes itself up, at 4 s and (with the arrival) at 10 s
	if n := o.e.Events(); n != 7 {
		t.Errorf("%d events, expected 7", n)
	}
}

// A run that is cut short settles what runs and waits; what happens exactly at its end still
// happens.
func TestUntil(t *testing.T) {
	p := play{cfg: Config{Until: 10 * Second}, plan: map[Time][]Decision{0: {begin(0, 0), begin(1, 1)}}}
	// Job 0 ends at 10 s; job 1 needs 30 s and has 20 left; job 2 waits from 4 s; job 3 is yet to
	// come.
	one := func(work, submit Time) Job { return Job{GPUs: 1, Work: work * Second, Submit: submit * Second} }
	o := p.mustRun(t, 2, one(10, 0), one(30, 0), one(5, 4), one(5, 11))
	same(t, "tape", o.tape,
		"job 0 on [0] 0s-10s run 10s finish", "job 0 done start 0s end 10s queue 0s run 10s overhead 0s lost 0s",
		"job 1 on [1] 0s-10s run 10s horizon", "job 1 running start 0s end never queue 0s run 10s overhead 0s lost 0s",
		"job 2 waiting start never end never queue 6s run 0s overhead 0s lost 0s")
	jobs, waiting, busy := o.e.Areas() // 2 jobs over 10 s and 1 over 6 s; 2 GPUs over 10 s
	if jobs[1] != uint64(26*Second) || waiting[1] != uint64(6*Second) || busy != 20*Second || o.e.Now() != 10*Second {
		t.Errorf("areas %v %v %v at %v", jobs, waiting, busy, o.e.Now())
	}
	// Between two events too: at 10 s nothing happens, so the integrals must be carried there.
	o = play{cfg: Config{Until: 10 * Second}, plan: map[Time][]Decision{0: {begin(0, 0)}}}.mustRun(t, 1, one(30, 0))
	if _, _, busy := o.e.Areas(); busy != 10*Second || o.e.Record(0).Run != 10*Second {
		t.Errorf("busy for %v, job 0 ran %v, expected 10 s each", busy, o.e.Record(0).Run)
	}
}
