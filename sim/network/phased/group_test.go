package phased

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// steady settles jobs on whole links, exactly.
func steady(t *testing.T, jobs []Job, links int) []Result {
	t.Helper()
	out := make([]Result, len(jobs))
	g := Group{Exact: true, Events: 60000}
	if !g.Settle(jobs, whole(links), out).Settled {
		t.Fatalf("%+v did not settle", jobs)
	}
	return out
}

func whole(n int) []float64 {
	links := make([]float64, n)
	for l := range links {
		links[l] = 1
	}
	return links
}

// over lists links with a load of 1.
func over(links ...int32) []Crossing {
	var xs []Crossing
	for _, l := range links {
		xs = append(xs, Crossing{Link: l})
	}
	return xs
}

// draw gives jobs on one to three links: quarters of seconds, weights, levels and releases.
func draw(r *rand.Rand) (jobs []Job, links []float64) {
	links = whole(1 + r.IntN(3))
	jobs = make([]Job, 2+r.IntN(3))
	kind := r.IntN(4)
	for i := range jobs {
		jobs[i] = Job{ComputeS: float64(1 + r.IntN(6)), VolumeS: float64(1+r.IntN(8)) / 2, Release: 1,
			OffsetS: float64(r.IntN(9)) / 4}
		switch kind {
		case 1:
			jobs[i].Release = float64(2+r.IntN(3)) / 4
		case 2:
			jobs[i].Weight = float64(1 + r.IntN(3))
		case 3:
			jobs[i].Level = int8(r.IntN(3))
		}
		for l := range links {
			if r.IntN(2) == 0 {
				jobs[i].Links = append(jobs[i].Links, Crossing{Link: int32(l)})
			}
		}
		if len(jobs[i].Links) == 0 {
			jobs[i].Links = over(int32(r.IntN(len(links))))
		}
	}
	return jobs, links
}

func near(a, b, by float64) bool {
	return a == b || math.Abs(a-b) <= by*math.Max(math.Abs(a), math.Abs(b))
}

// differ names the first job whose iteration differs by more than a part; -1 = none.
func differ(a, b []Result, by float64) int {
	for i := range a {
		if !near(a[i].IterationS, b[i].IterationS, by) {
			return i
		}
	}
	return -1
}

// Two equal jobs on a fair link: c + 2v - min(offset, c, v), by the closed form and by events.
func TestTwoEqualJobs(t *testing.T) {
	for _, c := range []float64{1, 3, 5} {
		for _, v := range []float64{1, 2.5, 4} {
			for _, d := range []float64{0, .25, .5, 1, 1.5, 2, 2.75} {
				if d > max(c, v) {
					continue
				}
				job := Job{ComputeS: c, VolumeS: v, Release: 1, Links: over(0)}
				jobs := []Job{job, job}
				jobs[1].OffsetS = d
				want := c + 2*v - min(d, c, v)
				if d+max(c, v) > c+v { // the second is nearer ahead of the first's next iteration
					want = c + 2*v - min(c+v-d, c, v)
				}
				for _, exact := range []bool{false, true} {
					g, out := Group{Exact: exact}, make([]Result, 2)
					if !g.Settle(jobs, whole(1), out).Settled || !near(out[0].IterationS, want, 1e-9) ||
						!near(out[1].IterationS, want, 1e-9) {
						t.Errorf("c %v, v %v, offset %v, exact %v: %v, want %v", c, v, d, exact, out, want)
					}
				}
			}
		}
	}
}

// The closed form of two equal jobs is what events give, and so are the times to the next begins.
func TestTwinsAreWhatEventsGive(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	solved := 0
	for range 500 {
		c := 1 + r.Float64()
		job := Job{ComputeS: c, VolumeS: c * r.Float64(), Release: 1, Links: over(0)}
		jobs := []Job{job, job}
		jobs[r.IntN(2)].OffsetS = 5 * r.Float64()
		var g Group
		g.form.read(jobs, whole(1), false)
		if !g.twins() {
			continue
		}
		solved++
		closed := g.got
		if end := g.play(); !end.Settled {
			t.Fatalf("%+v did not settle", jobs)
		}
		// Both count from a time of their own: only the lag of one job behind the other is compared.
		lag := func(rs [MaxJobs]Result) float64 {
			return math.Mod(rs[1].NextS-rs[0].NextS+2*rs[0].IterationS, rs[0].IterationS)
		}
		if differ(closed[:2], g.got[:2], 1e-9) >= 0 || math.Abs(math.Remainder(lag(closed)-lag(g.got),
			closed[0].IterationS)) > 1e-9 {
			t.Errorf("%+v: closed %v, events %v", jobs, closed[:2], g.got[:2])
		}
	}
	if solved < 400 {
		t.Errorf("the closed form was tried %d times", solved)
	}
}

func TestEqualJobsTogether(t *testing.T) {
	for n := 1; n <= MaxJobs; n++ {
		jobs := slices.Repeat([]Job{{ComputeS: 3, VolumeS: .7, Release: 1, Links: over(0)}}, n)
		for i, r := range steady(t, jobs, 1) {
			if want := 3 + .7*float64(n); !near(r.IterationS, want, 1e-9) {
				t.Errorf("job %d of %d: %v, want %v", i, n, r.IterationS, want)
			}
		}
	}
}

// Fair sharing: no faster than alone, no slower than with an equal part of the worst link in every
// moment; and no link carries more than it can.
func TestBoundsOfFairSharing(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	for range 300 {
		jobs, links := draw(r)
		out := make([]Result, len(jobs))
		new(Group).Settle(jobs, links, out)
		on, used := make([]float64, len(links)), make([]float64, len(links))
		fair := true
		for i, j := range jobs {
			fair = fair && j.Level == 0 && j.Weight == 0
			for _, x := range j.Links {
				on[x.Link]++
				used[x.Link] += j.VolumeS / out[i].IterationS
			}
		}
		for l := range links {
			if used[l] > links[l]+1e-4 {
				t.Fatalf("%+v: link %d carries %v", jobs, l, used[l])
			}
		}
		for i, j := range jobs {
			worst := 0.0
			for _, x := range j.Links {
				worst = max(worst, on[x.Link])
			}
			alone := max(j.ComputeS, j.Release*j.ComputeS+j.VolumeS)
			got := out[i].IterationS
			if got < alone*(1-1e-4) || fair && got > (j.ComputeS+j.VolumeS*worst)*(1+1e-4) {
				t.Fatalf("%+v: job %d takes %v, alone %v, worst link %v", jobs, i, got, alone, worst)
			}
		}
	}
}

// Names of jobs and links, a common shift, and a common factor of the weights change nothing.
func TestNothingChanges(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	var g Cache
	for range 300 {
		jobs, links := draw(r)
		want := make([]Result, len(jobs))
		g.Settle(jobs, links, want)
		shift, factor := float64(r.IntN(64)), math.Exp2(float64(r.IntN(9)-4))
		moved, back, names := make([]Job, len(jobs)), r.Perm(len(jobs)), r.Perm(len(links))
		for i, j := range jobs {
			j.OffsetS += shift
			j.Weight = factor * orOne(j.Weight)
			j.Links = slices.Clone(j.Links)
			for k := range j.Links {
				j.Links[k].Link = int32(names[j.Links[k].Link])
			}
			r.Shuffle(len(j.Links), func(a, b int) { j.Links[a], j.Links[b] = j.Links[b], j.Links[a] })
			moved[back[i]] = j
		}
		got, sorted := make([]Result, len(jobs)), make([]Result, len(jobs))
		g.Settle(moved, links, got)
		for i := range jobs {
			sorted[i] = got[back[i]]
		}
		if i := differ(want, sorted, 1e-9); i >= 0 {
			t.Fatalf("%+v\n%+v: job %d\n%v\n%v", jobs, moved, i, want, sorted)
		}
	}
}

// The top level runs as if the others were not there.
func TestTopLevelRunsAlone(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	for range 200 {
		jobs, links := draw(r)
		top := r.IntN(len(jobs))
		for i := range jobs {
			jobs[i].Level = int8(i % 2)
		}
		jobs[top].Level = 5
		out := make([]Result, len(jobs))
		new(Group).Settle(jobs, links, out)
		if got, want := out[top].IterationS, jobs[top].ComputeS*jobs[top].Release+jobs[top].VolumeS; !near(got,
			max(want, jobs[top].ComputeS), 1e-6) {
			t.Fatalf("%+v: job %d takes %v, alone %v", jobs, top, got, want)
		}
	}
}

// A lower level that is never served is starved; one above it is not.
func TestStarved(t *testing.T) {
	jobs := []Job{{VolumeS: 1, Level: 1, Links: over(0)}, {ComputeS: 1, VolumeS: 1, Release: 1, Links: over(0)}}
	out := steady(t, jobs, 1)
	if out[0].IterationS != 1 || !math.IsInf(out[1].IterationS, 1) || out[1].NextS != 0 {
		t.Errorf("%v, want 1 and never", out)
	}
	jobs[0].Links, jobs[1].Links = over(0, 1), over(0, 1)
	g := Group{}
	if end := g.Settle(jobs, []float64{1, 0}, out); !end.Settled || !math.IsInf(out[0].IterationS, 1) {
		t.Errorf("a dead link: %v %v", out, end)
	}
}

// Slots: where the arcs of a paced pattern do not meet, all run as if alone; where they meet, the
// later one loses a slot.
func TestPace(t *testing.T) {
	for _, c := range []struct {
		why             string
		second          float64
		pace            [2]float64
		want0, want1    float64
		compute, volume float64
	}{
		{"apart", 1, [2]float64{4, 4}, 4, 4, 3, 1},
		{"apart at the very edge", 3, [2]float64{4, 4}, 4, 4, 3, 1},
		{"both meet and lose a slot", 0, [2]float64{4, 4}, 8, 8, 3, 1},
		{"slots wide enough for both", 0, [2]float64{5, 5}, 5, 5, 3, 1},
		{"every second slot is free", 1, [2]float64{4, 8}, 4, 8, 3, 1},
		{"paced slower than it could", 9, [2]float64{12, 12}, 12, 12, 3, 1},
	} {
		a := Job{ComputeS: c.compute, VolumeS: c.volume, Release: 1, PaceS: c.pace[0], Links: over(0)}
		b := a
		b.PaceS, b.OffsetS = c.pace[1], c.second
		out := steady(t, []Job{a, b}, 1)
		if !near(out[0].IterationS, c.want0, 1e-9) || !near(out[1].IterationS, c.want1, 1e-9) {
			t.Errorf("%s: %v, want %v and %v", c.why, out, c.want0, c.want1)
		}
	}
}

// From the phases at the end equal jobs continue with the same iterations: the steady state is steady,
// whenever it is cut.
func TestPhasesAtTheEndContinue(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	met := 0
	for range 300 {
		job := Job{ComputeS: 4, VolumeS: 1 + r.Float64(), Release: 1 - float64(r.IntN(2))/4, Links: over(0)}
		jobs := slices.Repeat([]Job{job}, 2+r.IntN(2))
		for i := range jobs {
			jobs[i].OffsetS = 6 * r.Float64()
		}
		first, again := make([]Result, len(jobs)), make([]Result, len(jobs))
		var g Group
		if end := g.Settle(jobs, whole(1), first); !end.Settled || end.Events > 200 {
			continue // it drifts
		}
		met++
		offsets, periods, cut := make([]float64, len(jobs)), make([]float64, len(jobs)), 20*r.Float64()
		for i := range jobs {
			periods[i] = first[i].IterationS
			offsets[i] = math.Mod(first[i].NextS+5*periods[i]-cut, periods[i])
			if offsets[i] < 0 {
				offsets[i] += periods[i]
			}
		}
		Closest(offsets, periods)
		for i := range jobs {
			jobs[i].OffsetS = offsets[i]
		}
		g.Settle(jobs, whole(1), again)
		if differ(first, again, 1e-5) >= 0 {
			t.Errorf("%+v: %v, from its end %v", jobs, first, again)
		}
	}
	if met < 100 {
		t.Errorf("%d groups met", met)
	}
}

// A link of twice the capacity with twice the loads is the same link; two links with the same jobs
// are the tighter of them.
func TestLoadsAndCapacities(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 1))
	for range 100 {
		jobs, links := draw(r)
		want, got := make([]Result, len(jobs)), make([]Result, len(jobs))
		new(Group).Settle(jobs, links, want)
		wide := append(slices.Clone(links), 3)
		for l := range links {
			wide[l] *= 2
		}
		for i := range jobs {
			jobs[i].Links = slices.Clone(jobs[i].Links)
			for k := range jobs[i].Links {
				jobs[i].Links[k].Load = 2
			}
			if len(jobs) < 4 {
				jobs[i].Links = append(jobs[i].Links, Crossing{Link: int32(len(links))})
			}
		}
		new(Group).Settle(jobs, wide, got)
		if i := differ(want, got, 1e-6); i >= 0 {
			t.Fatalf("%+v: job %d\n%v\n%v", jobs, i, want, got)
		}
	}
}

func TestBadValuesDoNotSettle(t *testing.T) {
	good := Job{ComputeS: 1, VolumeS: 1, Release: 1, Links: over(0)}
	for name, change := range map[string]func(*Job){
		"nothing to do":   func(j *Job) { j.ComputeS, j.VolumeS = 0, 0 },
		"compute":         func(j *Job) { j.ComputeS = math.NaN() },
		"volume":          func(j *Job) { j.VolumeS = -1 },
		"infinite volume": func(j *Job) { j.VolumeS = math.Inf(1) },
		"release":         func(j *Job) { j.Release = 2 },
		"weight":          func(j *Job) { j.Weight = -1 },
		"offset":          func(j *Job) { j.OffsetS = math.NaN() },
		"pace":            func(j *Job) { j.PaceS = -1 },
		"rate":            func(j *Job) { j.MaxRate = -1 },
		"link":            func(j *Job) { j.Links = over(7) },
		"load":            func(j *Job) { j.Links = []Crossing{{Link: 0, Load: -1}} },
	} {
		jobs := []Job{good, good}
		change(&jobs[1])
		out := make([]Result, 2)
		if end := new(Group).Settle(jobs, whole(1), out); end.Settled || !math.IsNaN(out[0].IterationS) {
			t.Errorf("%s: %v %v", name, end, out)
		}
	}
	out := make([]Result, MaxJobs+1)
	if end := new(Group).Settle(slices.Repeat([]Job{good}, MaxJobs+1), whole(1), out); end != (Outcome{}) {
		t.Errorf("%d jobs: %v", MaxJobs+1, end)
	}
	few := Group{Exact: true, Events: 100}
	odd := []Job{good, {ComputeS: math.Sqrt2, VolumeS: 1, Release: 1, Links: over(0)}}
	if end := few.Settle(odd, whole(1), out[:2]); end.Settled || end.Events != 100 || !(out[0].IterationS > 2) {
		t.Errorf("100 events: %+v %v", end, out[:2])
	}
}

// Results with the cache are those without, bit for bit, in any order of groups.
func TestCacheChangesNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	var with Cache
	without := Cache{Off: true}
	for k := range 3000 {
		jobs, links := draw(rand.New(rand.NewPCG(7, uint64(r.IntN(300)))))
		for i := range jobs {
			jobs[i].OffsetS += float64(k%7) + 1e-4*r.Float64()
		}
		a, b := make([]Result, len(jobs)), make([]Result, len(jobs))
		x, y := with.Settle(jobs, links, a), without.Settle(jobs, links, b)
		if fmt.Sprint(x, a) != fmt.Sprint(y, b) {
			t.Fatalf("%+v\nwith    %v %v\nwithout %v %v", jobs, x, a, y, b)
		}
	}
	if with.Hits < 1000 || with.Plays < 100 || without.Hits > 0 || without.Plays != 3000 {
		t.Errorf("%d hits and %d plays with, %d and %d without", with.Hits, with.Plays, without.Hits, without.Plays)
	}
}

// BenchmarkGroup plays groups whose periods have no common divisor up to the bound of events.
func BenchmarkGroup(b *testing.B) {
	for _, n := range []int{2, 4, 8} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			jobs, out := odds(n), make([]Result, n)
			var g Group
			played, links := 0, whole(2)
			g.Settle(jobs, links, out)
			b.ReportAllocs()
			for b.Loop() {
				played += g.Settle(jobs, links, out).Events
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(played), "ns/event")
		})
	}
}

// odds are jobs whose periods have no common divisor, on two links.
func odds(n int) []Job {
	var jobs []Job
	for i := range n {
		jobs = append(jobs, Job{ComputeS: 1 + math.Sqrt(float64(i)), VolumeS: 1 / (1 + float64(i)), Release: 1,
			Links: over(int32(i % 2))})
		if i < 2 {
			jobs[i].Links = over(0, 1)
		}
	}
	return jobs
}

func TestNothingIsAllocated(t *testing.T) {
	jobs, out, links := odds(MaxJobs), make([]Result, MaxJobs), whole(2)
	var g Cache
	k := 0.0
	if n := testing.AllocsPerRun(20, func() {
		k++
		jobs[0].OffsetS = k
		g.Settle(jobs, links, out)
		g.Settle(jobs, links, out)
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
	if g.Hits == 0 || g.Plays == 0 {
		t.Errorf("%d hits, %d plays", g.Hits, g.Plays)
	}
}
