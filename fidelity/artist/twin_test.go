package artist

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/param"
	"tarry/sim/simtest/hand"
)

// original is the authors' simulator written down plainly from its published semantics: a clock in
// floating point, an event per chunk, lists instead of indices. artist-dally and artist-tiresias
// must give the same starts and ends.
type original struct {
	top      *cluster.Topology
	free     *cluster.Free
	speed    func(gpus []cluster.GPU) float64
	lease    float64
	tiresias bool
	// settle and never are the other settings of early; meant and sensitive the settings of
	// artist-tiresias.
	settle, never, meant, sensitive bool
	// rack and net are manual timers in leases; history > 0 tunes them.
	rack, net, history float64
	waits              map[[2]int][][2]float64 // demand, level -> time and wait in leases
	jobs               []*originalJob
	events             []originalEvent
	now                float64
}

type originalJob struct {
	id                                  string
	g, name                             int
	model                               string
	t                                   float64
	total, left                         int
	submit, run, service, last, over, f float64
	start, end                          float64
	here, waiting                       bool
	gpus                                []cluster.GPU
}

// originalEvent: of those at one time arrivals come first, then ends of chunks, then contests.
type originalEvent struct {
	at   float64
	kind int
	job  *originalJob
}

const (
	arrival = iota
	endOfChunk
	contestDue
)

func (o *original) simulate() {
	for _, j := range o.jobs {
		j.left, j.start, j.end = j.total, math.NaN(), math.NaN()
		o.events = append(o.events, originalEvent{j.submit, arrival, j})
	}
	for len(o.events) > 0 {
		i := 0
		for k, e := range o.events {
			if b := o.events[i]; e.at < b.at || e.at == b.at && e.kind < b.kind {
				i = k
			}
		}
		e := o.events[i]
		o.events = slices.Delete(o.events, i, i+1)
		o.now = e.at
		switch e.kind {
		case arrival:
			e.job.here, e.job.waiting, e.job.last = true, true, o.now
			o.events = append(o.events, originalEvent{o.now, contestDue, nil})
		case endOfChunk:
			o.endOfChunk(e.job)
		case contestDue:
			o.contest()
		}
	}
}

func (o *original) endOfChunk(j *originalJob) {
	j.run += j.t / j.f * 1000
	j.service += float64(j.g) * (j.t / j.f) * 1000
	j.left = max(0, j.left-1000*j.g)
	delay := float64(j.g)
	switch {
	case j.left == 0:
		j.here, j.end = false, o.now
	case o.now >= j.over:
		j.waiting, j.last = true, o.now
	case !o.never && o.now+j.t*1000/j.f/float64(j.g) > j.over: // given up early, and contested at once
		j.waiting, j.last = true, o.now
		if !o.settle {
			delay = 0
		}
	default:
		o.events = append(o.events, originalEvent{o.now + j.t/j.f*1000, endOfChunk, j})
		return
	}
	for _, g := range j.gpus {
		o.free.Release(g)
	}
	o.events = append(o.events, originalEvent{o.now + delay, contestDue, nil})
}

func (o *original) key(j *originalJob) float64 {
	switch {
	case o.tiresias:
		return j.service
	case j.run == 0:
		return 0
	}
	return (1 - float64(j.left)/float64(j.total)) / (j.run / (j.t * float64(j.total) / float64(j.g)))
}

func (o *original) contest() {
	var line []*originalJob
	for _, j := range o.jobs {
		if j.here && j.waiting {
			line = append(line, j)
		}
	}
	slices.SortFunc(line, func(a, b *originalJob) int {
		return cmp.Or(cmp.Compare(o.key(a), o.key(b)), cmp.Compare(a.last, b.last), cmp.Compare(a.name, b.name))
	})
	for _, j := range line {
		gpus, ok := o.place(j)
		if !ok {
			continue
		}
		for _, g := range gpus {
			o.free.Take(g)
		}
		j.gpus, j.waiting, j.last, j.over, j.f = gpus, false, o.now, o.now+o.lease, o.speed(gpus)
		if math.IsNaN(j.start) {
			j.start = o.now
		}
		o.events = append(o.events, originalEvent{o.now + j.t/j.f*1000, endOfChunk, j})
	}
}

func (o *original) place(j *originalJob) ([]cluster.GPU, bool) {
	at := func(l cluster.Level) ([]cluster.GPU, bool) { return o.free.At(nil, j.g, l, cluster.FirstFound) }
	machine, rack := o.top.Capacity(cluster.LevelMachine), o.top.Capacity(cluster.LevelRack)
	wait := o.now - j.last
	if o.tiresias {
		if gpus, ok := at(cluster.LevelMachine); ok {
			return gpus, ok
		}
		any := slices.Contains([]string{"ResNet50", "ResNet18", "BERT"}, j.model) && !o.sensitive
		if any || !o.meant && o.free.Total() >= machine || o.meant && j.g > machine {
			if gpus, ok := at(cluster.LevelRack); ok {
				return gpus, ok
			}
		}
		if any || j.g > rack {
			return at(cluster.LevelCluster)
		}
		return nil, false
	}
	for _, l := range []cluster.Level{cluster.LevelSlot, cluster.LevelMachine} {
		if gpus, ok := at(l); ok {
			o.record(j.g, cluster.LevelMachine, wait/o.lease)
			return gpus, true
		}
	}
	tr, tn := o.rack, o.net
	if h := o.history; h > 0 {
		tr = math.Min(math.Ceil(0.8*h), math.Max(6, math.Ceil(o.estimate(j.g, cluster.LevelMachine))))
		tn = math.Min(h, math.Max(12, math.Ceil(o.estimate(j.g, cluster.LevelRack))))
	}
	if wait >= o.lease*tr || j.g > machine {
		if gpus, ok := at(cluster.LevelRack); ok {
			o.record(j.g, cluster.LevelRack, wait/o.lease)
			return gpus, true
		}
	}
	if wait >= o.lease*tn || j.g > rack {
		return at(cluster.LevelCluster)
	}
	return nil, false
}

// record keeps a wait, and only then forgets: the scan passes over what follows each that it
// removes.
func (o *original) record(g int, l cluster.Level, wait float64) {
	if wait < 1 {
		return
	}
	k := [2]int{g, int(l)}
	list := append(o.waits[k], [2]float64{o.now, wait})
	for i := 0; i < len(list); i++ {
		if list[i][0] < o.now-o.lease*o.history {
			list = slices.Delete(list, i, i+1)
		}
	}
	o.waits[k] = list
}

func (o *original) estimate(g int, l cluster.Level) float64 {
	list := o.waits[[2]int{g, int(l)}]
	if len(list) == 0 {
		return 1
	}
	sum, sq := 0.0, 0.0
	for _, w := range list {
		sum += w[1]
	}
	mean := sum / float64(len(list))
	for _, w := range list {
		sq += (w[1] - mean) * (w[1] - mean)
	}
	return mean + 2*math.Sqrt(sq/float64(len(list)))
}

// TestArtistEqualsOriginal runs drawn workloads, with twins that are equal on paper and ids against
// the order of submits, on clusters where jobs are larger than machines and racks.
func TestArtistEqualsOriginal(t *testing.T) {
	policies := []struct {
		spec               string
		lease              float64
		rack, net, history float64
	}{
		{"history=12", 3600, 0, 0, 12},
		{"history=168,lease=1200", 1200, 0, 0, 168},
		{"t_rack=0,t_net=0", 3600, 0, 0, 0},
		{"t_rack=inf,t_net=inf", 3600, math.Inf(1), math.Inf(1), 0},
		{"t_rack=0.5,t_net=3,lease=1200", 1200, 0.5, 3, 0},
		{"early=settle", 3600, 0, 0, 12},
		{"early=never", 3600, 0, 0, 12},
		{"tiresias,relax=large,insensitive=false", 3600, 0, 0, 0},
		{"tiresias", 3600, 0, 0, 0},
		{"tiresias,lease=1200", 1200, 0, 0, 0},
	}
	for seed := range uint64(8) {
		r := rand.New(rand.NewPCG(seed, 77))
		dims := [][3]int{{4, 4, 8}, {2, 8, 8}, {2, 2, 8}, {3, 2, 4}}[seed%4]
		top := hand.Topology(t, dims[0], dims[1], dims[2], 2)
		w := drawnChunks(t, r, 90, top.GPUs())
		for _, c := range policies {
			t.Run(fmt.Sprintf("%v/%s", dims, c.spec), func(t *testing.T) {
				o := &original{top: top, free: cluster.NewFree(top), lease: c.lease, rack: c.rack, net: c.net,
					history: c.history,
					waits:   map[[2]int][][2]float64{}, tiresias: strings.HasPrefix(c.spec, "tiresias"),
					settle: strings.Contains(c.spec, "early=settle"), never: strings.Contains(c.spec, "early=never"),
					meant:     strings.Contains(c.spec, "relax=large"),
					sensitive: strings.Contains(c.spec, "insensitive=false")}
				o.speed = func(gpus []cluster.GPU) float64 {
					s, _ := hand.ByLevel{Top: top}.Speed(&sim.Query{GPUs: gpus})
					return s.ComputeFrac
				}
				for i := range w.Jobs {
					j := &w.Jobs[i]
					var name int
					fmt.Sscan(j.ID, &name)
					o.jobs = append(o.jobs, &originalJob{id: j.ID, name: name, g: int(j.GPUs), model: j.Model,
						t: j.IterS, total: int(j.Iterations), submit: j.Submit.Seconds()})
				}
				o.simulate()
				build, text := maker(NewDally), c.spec
				if o.tiresias {
					build, text = NewTiresias, strings.TrimPrefix(strings.TrimPrefix(c.spec, "tiresias"), ",")
				}
				p, err := build(param.Parse("policy", text), cluster.FirstFound)
				if err != nil {
					t.Fatal(err)
				}
				for i, rec := range hand.Records(t, sim.Config{Workload: w, Topology: top,
					Speed: hand.ByLevel{Top: top}}, p) {
					if j := o.jobs[i]; !(math.Abs(rec.Start.Seconds()-j.start) <= 2e-3) ||
						!(math.Abs(rec.End.Seconds()-j.end) <= 2e-3) {
						t.Fatalf("job %s of %d GPUs: %.6f to %.6f s, expected %.6f to %.6f s", j.id, j.g,
							rec.Start.Seconds(), rec.End.Seconds(), j.start, j.end)
					}
				}
			})
		}
	}
}

// drawnChunks makes n jobs whose work is rounded up to whole chunks of 1000 iterations per GPU, as
// the preset does.
func drawnChunks(t *testing.T, r *rand.Rand, n, gpus int) *sim.Workload {
	t.Helper()
	iters := []float64{0.18, 0.0313, 0.2171, 0.9, 1.3} // few, so that many jobs are equal on paper
	ids := r.Perm(n)
	jobs := make([]sim.Job, n)
	for i := range jobs {
		g := []int{1, 2, 3, 4, 4, 8, 8, 12, 16, 24, gpus / 2, gpus * 3 / 4}[r.IntN(12)]
		total := 1 + r.IntN(200_000*g)
		j := sim.Job{ID: fmt.Sprint(100 + ids[i]), GPUs: int32(g), Submit: sim.Time(r.IntN(4)*900) * sim.Second,
			Iterations: int64(total), IterS: iters[r.IntN(len(iters))]}
		j.Model = []string{"BERT", "VGG"}[r.IntN(2)]
		whole := math.Ceil(float64(total)/float64(1000*g)) * float64(1000*g)
		j.Work = sim.Seconds(whole * j.IterS)
		jobs[i] = j
	}
	w, err := sim.NewWorkload("drawn", jobs)
	if err != nil {
		t.Fatal(err)
	}
	return w
}
