package harmony

import (
	"math"
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/simtest"
)

func TestConformance(t *testing.T) {
	o := simtest.Options{Seeds: 100, Laws: simtest.NullJob}
	simtest.Conform(t, "harmony-like", New, o.Settings("", "prior=5,others=0.5", "block=true,others=0"))
}

// A pair that was never seen keeps all; a mean of observations draws towards what was seen.
func TestTable(t *testing.T) {
	x := table{prior: 1, models: map[string]int32{}, best: map[kind]float64{}}
	a, b := x.model("a"), x.model("b")
	if x.model("a") != a || x.keeps(a, b) != 1 {
		t.Errorf("model %d again %d, keeps %v", a, x.model("a"), x.keeps(a, b))
	}
	k := kind{a, 4, cluster.LevelRack}
	for _, rate := range []float64{4, 2} {
		x.note(a, b, x.kept(k, rate))
	}
	if got := x.keeps(a, b); math.Abs(got-(1+1+0.5)/3) > 1e-12 || x.keeps(b, a) != 1 {
		t.Errorf("keeps %v and %v, expected 2.5/3 and 1", got, x.keeps(b, a))
	}
	if c := x.clone(); c.keeps(a, b) != x.keeps(a, b) {
		t.Error("a clone differs")
	} else if c.note(a, b, 0); c.keeps(a, b) == x.keeps(a, b) {
		t.Error("a clone shares its table")
	}
}

// noisy slows jobs of model "soft" to a quarter beside jobs of model "loud" on a machine.
type noisy struct {
	top *cluster.Topology
	on  []map[sim.JobID]bool // loud jobs of machines
}

func (n *noisy) Speed(q *sim.Query) (sim.Speed, error) {
	rate := float64(len(q.GPUs))
	for _, g := range q.GPUs {
		if q.Job.Model == "soft" && len(n.on[n.top.Machine(g)]) > 0 {
			return sim.Speed{Rate: rate / 4, ComputeFrac: 1}, nil
		}
	}
	return sim.Speed{Rate: rate, ComputeFrac: 1}, nil
}

func (n *noisy) Place(q *sim.Query) error {
	n.Remove(q.ID)
	for _, g := range q.GPUs {
		if q.Job.Model == "loud" {
			n.on[n.top.Machine(g)][q.ID] = true
		}
	}
	return nil
}

func (n *noisy) Remove(id sim.JobID) {
	for _, on := range n.on {
		delete(on, id)
	}
}

func (n *noisy) Touched(dst []sim.JobID) []sim.JobID { return dst }

func (n *noisy) Reset() {
	for _, on := range n.on {
		clear(on)
	}
}

// Best fit puts a soft job on the machine that a loud one has half of. Once that has been seen to cost
// three quarters of its speed, soft jobs go to the empty machine.
func TestAvoidsNeighbours(t *testing.T) {
	top, err := cluster.New(cluster.Uniform(1, 2, 4, 1))
	if err != nil {
		t.Fatal(err)
	}
	jobs := []sim.Job{{ID: "loud", Model: "loud", GPUs: 2, Work: 4000 * sim.Second}}
	for i := range 6 {
		jobs = append(jobs, sim.Job{ID: string(rune('a' + i)), Model: "soft", GPUs: 2,
			Submit: sim.Time(10+100*i) * sim.Second, Work: 20 * sim.Second})
	}
	// one soft job that runs alone shows what the best speed is
	jobs[1].Submit, jobs[1].GPUs = sim.Second, 2
	w, err := sim.NewWorkload("hand", jobs)
	if err != nil {
		t.Fatal(err)
	}
	model := &noisy{top: top}
	for range top.Machines() {
		model.on = append(model.on, map[sim.JobID]bool{})
	}
	e, err := sim.New(sim.Config{Workload: w, Topology: top, Speed: model, Check: true})
	if err != nil {
		t.Fatal(err)
	}
	p := simtest.Build(t, "harmony-like", New, "")().(*Policy)
	soft, loud := p.table.model("soft"), p.table.model("loud")
	p.table.kept(kind{soft, 2, cluster.LevelMachine}, 2) // as seen alone
	e.Permit(p.Knows())
	var machines []int
	for {
		v, ok, err := e.Next()
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			break
		}
		out := p.Decide(v, nil)
		for _, d := range out {
			machines = append(machines, top.Machine(d.GPUs[0]))
		}
		if err := e.Apply(out); err != nil {
			t.Fatal(err)
		}
	}
	if len(machines) != 7 || machines[1] != machines[0] {
		t.Fatalf("machines %v, expected the first soft job beside the loud one", machines)
	}
	for i, m := range machines[3:] {
		if m == machines[0] {
			t.Errorf("soft job %d goes to machine %d, beside the loud one: %v", i+3, m, machines)
		}
	}
	if got := p.table.keeps(soft, loud); got > 0.9 {
		t.Errorf("soft is expected to keep %v beside loud", got)
	}
}
