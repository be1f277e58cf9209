package interference

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/stack"
)

// common is a speed model that follows the common rule of package speed, with exposed communication
// that depends on the number of GPUs.
type common struct{}

func (common) Speed(q *sim.Query) (sim.Speed, error) {
	exposed := 0.1 * float64(len(q.GPUs)-1)
	s := float64(q.ShareMilli) / 1000
	return sim.Speed{Rate: float64(len(q.GPUs)) * s * q.Batch / (q.Batch/q.FreqFrac + exposed), ComputeFrac: q.Batch /
		q.FreqFrac / (q.Batch/q.FreqFrac + exposed)}, nil
}

func own() sim.Knobs { return sim.Knobs{ShareMilli: 1000, FreqFrac: 1, Batch: 1} }

// on asks about a job on GPUs, with its own knobs.
func on(j *sim.Job, share int32, gpus ...cluster.GPU) *sim.Query {
	q := &sim.Query{Job: j, GPUs: gpus, Knobs: own()}
	q.ShareMilli = share
	return q
}

// beside adds peers.
func beside(q *sim.Query, peers ...sim.Peer) *sim.Query {
	for _, p := range peers {
		if p.ID == 0 {
			p.ID = sim.JobID(100 + len(q.Peers))
		}
		q.Peers = append(q.Peers, p)
	}
	return q
}

func peer(j *sim.Job, share int32, gpus ...cluster.GPU) sim.Peer {
	p := sim.Peer{Job: j, GPUs: gpus, Knobs: own()}
	p.ShareMilli = share
	return p
}

func job(model string) *sim.Job {
	return &sim.Job{ID: "a", GPUs: 1, Model: model, Work: 1000 * sim.Second}
}

// over puts the layer of a rule over a model.
func over(m sim.SpeedModel, r *Rule) sim.SpeedModel { return stack.New(m, NewLayer(r, nil, nil)) }

func speed(t testing.TB, m sim.SpeedModel, q *sim.Query) sim.Speed {
	t.Helper()
	s, err := m.Speed(q)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// kept is what a job keeps of its speed alone on whole GPUs.
func keeps(t testing.TB, m sim.SpeedModel, q *sim.Query) float64 {
	t.Helper()
	alone := *q
	alone.Peers, alone.ShareMilli = nil, 1000
	return speed(t, m, q).Rate / speed(t, common{}, &alone).Rate
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-12*math.Abs(b) }

// draw makes a query with peers on some of its GPUs, and others on more.
func draw(r *rand.Rand, peers int) *sim.Query {
	gpus := func() (out []cluster.GPU) {
		n := 1 + r.IntN(4)
		for g := range cluster.GPU(8) {
			if len(out) < n && r.IntN(2) == 0 {
				out = append(out, g)
			}
		}
		if out == nil {
			out = append(out, cluster.GPU(r.IntN(8)))
		}
		return out
	}
	one := func() *sim.Job {
		j := job([]string{"vgg16", "bert", "gpt2", ""}[r.IntN(4)])
		j.Priority = r.Int32N(2)
		if r.IntN(3) > 0 {
			j.GPUUtilFrac = 1 - 0.99*r.Float64()
		}
		if r.IntN(2) == 0 {
			j.IterS = 0.1 + r.Float64()
		}
		return j
	}
	q := on(one(), 1+r.Int32N(1000), gpus()...)
	q.FreqFrac, q.Batch = 0.5+r.Float64(), 0.5+r.Float64()
	for len(q.Peers) < peers {
		p := peer(one(), 1+r.Int32N(999), gpus()...)
		if slices.ContainsFunc(p.GPUs, func(g cluster.GPU) bool { return slices.Contains(q.GPUs, g) }) {
			beside(q, p)
		}
	}
	return q
}

// A job that is alone has the speed of the model within on whole GPUs to the last bit, whatever its
// ticket.
func TestAloneIsTheModelWithin(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, spec := range specs(t) {
		m := over(common{}, rule(t, spec))
		for range 100 {
			q := draw(r, 0)
			if spec == "mps:bandwidth=0,limit=always,util=0.2" {
				q.ShareMilli = 1000 // a smaller ticket limits the job
			}
			w := *q
			w.ShareMilli = 1000
			if got, want := speed(t, m, q), speed(t, common{}, &w); got != want {
				t.Fatalf("%s: %+v, within %+v", spec, got, want)
			}
		}
	}
}

// keep is in (0, 1]; the compute fraction is the inner model's; order and names of peers
// change nothing; one more peer never helps.
func TestLaws(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, spec := range specs(t) {
		m := over(common{}, rule(t, spec))
		for range 2000 {
			q := draw(r, 1+r.IntN(5))
			got, keep := speed(t, m, q), keeps(t, m, q)
			if !(keep > 0 && keep <= 1+1e-15) {
				t.Fatalf("%s: keeps %v", spec, keep)
			}
			w := *q
			w.Peers, w.ShareMilli = nil, 1000
			if want := speed(t, common{}, &w); got.ComputeFrac != want.ComputeFrac {
				t.Fatalf("%s: compute fraction %v, within %v", spec, got.ComputeFrac, want.ComputeFrac)
			}
			p := *q
			p.Peers = slices.Clone(q.Peers)
			r.Shuffle(len(p.Peers), func(i, j int) { p.Peers[i], p.Peers[j] = p.Peers[j], p.Peers[i] })
			if again := speed(t, m, &p); again != got {
				t.Fatalf("%s: %+v, in another order %+v", spec, got, again)
			}
			p.Peers = p.Peers[1:]
			if fewer := speed(t, m, &p); fewer.Rate < got.Rate*(1-1e-14) {
				t.Fatalf("%s: %+v, with one peer less %+v", spec, got, fewer)
			}
		}
	}
}

// What sharers of one GPU get together is bounded as each law states.
func TestTogether(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for spec, used := range map[string]func(keep float64, q *sim.Query) float64{
		"slices:quantum_s=1":           func(keep float64, _ *sim.Query) float64 { return keep / 0.9 },
		"slices:by=ticket,quantum_s=1": func(keep float64, _ *sim.Query) float64 { return keep / 0.9 },
		"nway:a=0,util=0.7":            func(keep float64, _ *sim.Query) float64 { return keep * 0.7 },
		"mps:bandwidth=0,util=0.7":     func(keep float64, _ *sim.Query) float64 { return keep * 0.7 },
		"priority:floor=1e-6,util=0.7": func(keep float64, _ *sim.Query) float64 { return keep * 0.7 },
		"crossover": func(keep float64, q *sim.Query) float64 {
			return keep * 1 /
				(1 + 0.1*float64(len(q.GPUs)-1))
		},
		"horus:factor=0,each=true": func(keep float64, q *sim.Query) float64 {
			return keep /
				float64(1+len(q.Peers))
		},
		"priority:class=ticket,floor=1e-6": func(keep float64, _ *sim.Query) float64 { return keep * 0.5 },
	} {
		m := over(common{}, rule(t, spec))
		most := 0.0
		for range 500 {
			n := 2 + r.IntN(4)
			all := make([]sim.Peer, n)
			left := int32(1000)
			for i := range all {
				j := job("vgg16")
				j.Priority, j.IterS = r.Int32N(2), 0.1+r.Float64()
				share := 1 + r.Int32N(left-int32(n-1-i))
				if i == n-1 {
					share = left
				}
				left -= share
				all[i] = peer(j, share, 0, 1)
				all[i].ID = sim.JobID(i)
			}
			sum := 0.0
			for i, me := range all {
				q := on(me.Job, me.ShareMilli, me.GPUs...)
				q.Peers = slices.Delete(slices.Clone(all), i, i+1)
				sum += used(keeps(t, m, q), q)
			}
			if sum > 1+1e-5 {
				t.Fatalf("%s: %d sharers get %v together", spec, n, sum)
			}
			most = max(most, sum)
		}
		if most < 0.8 {
			t.Errorf("%s: sharers never get more than %v, so that the bound says nothing", spec, most)
		}
	}
}

// A gang runs at the pace of its slowest GPU, whichever that is.
func TestGang(t *testing.T) {
	m := over(common{}, rule(t, "nway:a=0.5,util=0.01"))
	j := job("bert")
	for _, c := range []struct {
		peers []sim.Peer
		want  float64
	}{
		{[]sim.Peer{peer(j, 1, 3)}, 1 / 1.5},
		{[]sim.Peer{peer(j, 1, 1, 2, 3)}, 1 / 1.5},
		{[]sim.Peer{peer(j, 1, 0, 1), peer(j, 1, 3, 4)}, 1 / 1.5},
		{[]sim.Peer{peer(j, 1, 0, 1), peer(j, 1, 1, 4)}, 1 / 2.0},
		{[]sim.Peer{peer(j, 1, 0, 1), peer(j, 1, 1, 3), peer(j, 1, 3, 5), peer(j, 1, 2, 3)}, 1 / 2.5},
		{[]sim.Peer{peer(j, 1, 1, 2, 3, 4), peer(j, 1, 1, 2, 3, 4)}, 1 / 2.0},
	} {
		if got := keeps(t, m, beside(on(j, 1, 1, 2, 3, 4), c.peers...)); !near(got, c.want) {
			t.Errorf("%v: keeps %v, expected %v", c.peers, got, c.want)
		}
	}
	// all peers against the peers of each GPU asked alone
	r := rand.New(rand.NewPCG(7, 8))
	for _, spec := range specs(t) {
		if spec == "crossover" {
			continue // iterations depend on the number of GPUs
		}
		m := over(common{}, rule(t, spec))
		for range 300 {
			q := draw(r, 1+r.IntN(4))
			want := 1.0
			for _, g := range q.GPUs {
				one := *q
				one.Peers = slices.DeleteFunc(slices.Clone(q.Peers),
					func(p sim.Peer) bool { return !slices.Contains(p.GPUs, g) })
				for i := range one.Peers {
					one.Peers[i].GPUs = q.GPUs
				}
				want = min(want, keeps(t, m, &one))
			}
			if got := keeps(t, m, q); !near(got, want) {
				t.Fatalf("%s: %+v keeps %v, by GPU %v", spec, q, got, want)
			}
		}
	}
}
