package sim

import (
	"slices"
	"testing"

	"tarry/sim/cluster"
	"tarry/sim/know"
	"tarry/sim/network"
)

// meet is a coupled model of one link that every job crosses.
type meet struct {
	ids []JobID
	now Knobs
}

func (m *meet) Speed(q *Query) (Speed, error) {
	return Speed{Rate: float64(len(q.GPUs)), ComputeFrac: 1}, nil
}
func (m *meet) Place(q *Query) error {
	m.ids, m.now = append(m.ids, q.ID), q.Knobs
	return nil
}
func (m *meet) Remove(id JobID) {
	m.ids = slices.DeleteFunc(m.ids, func(x JobID) bool { return x == id })
}
func (m *meet) Touched(dst []JobID) []JobID { return dst }
func (m *meet) Reset()                      { m.ids = m.ids[:0] }
func (m *meet) Links() int                  { return 1 }
func (m *meet) Paths() int                  { return 3 }
func (m *meet) LinkJobs(int32) []JobID      { return m.ids }
func (m *meet) LinkUse(int32) float64       { return 0.25 * float64(len(m.ids)) }
func (m *meet) Crosses(dst []int32, _ JobID, _ []cluster.GPU, path uint64) []int32 {
	return append(dst, int32(path))
}
func (m *meet) Period(q *Query) (network.Period, error) {
	return network.Period{ComputeS: float64(len(q.GPUs)), TransferS: float64(q.ID)}, nil
}

// A view gives what the model states of its links, and of periods only where a policy may know speeds;
// the knobs of links reach the model by a Start and by a Tune, and stay where they are not set.
func TestLinksOfAView(t *testing.T) {
	m, knobs := &meet{}, Knobs{LinkLevel: 3, Path: 6, Pace: Second}
	run := func(knows know.Set, model SpeedModel, look func(v *View)) {
		w, err := NewWorkload("w", []Job{{ID: "0", GPUs: 1, Work: 4 * Second}})
		if err != nil {
			t.Fatal(err)
		}
		top, err := cluster.New(cluster.Uniform(1, 1, 2, 1))
		if err != nil {
			t.Fatal(err)
		}
		e, err := New(Config{Workload: w, Topology: top, Speed: model, Check: true})
		if err != nil {
			t.Fatal(err)
		}
		e.Permit(knows)
		for _, out := range [][]Decision{{{Kind: Start, GPUs: []cluster.GPU{0}, Knobs: knobs}, {Kind: WakeAt, At: Second}},
			{{Kind: Tune, Knobs: Knobs{LinkLevel: 4}}, {Kind: WakeAt, At: 2 * Second}}, nil} {
			v, ok, err := e.Next()
			if err != nil || !ok {
				t.Fatal(ok, err)
			}
			if look(v); e.Apply(out) != nil {
				t.Fatal(e.err)
			}
		}
	}
	asked := 0
	run(know.Speed, m, func(v *View) {
		if asked++; asked < 3 {
			return
		}
		want := Knobs{ShareMilli: 1000, FreqFrac: 1, Batch: 1, LinkWeight: 1, LinkLevel: 4, Path: 6, Pace: Second}
		l := v.Links()
		p, ok := l.Period(0, Placement{GPUs: []cluster.GPU{0, 1}})
		if m.now != want || v.Run(0).Knobs() != want || l.Count() != 1 || l.Paths() != 3 ||
			!slices.Equal(l.Jobs(0), []JobID{0}) || l.Use(0) != 0.25 ||
			!slices.Equal(l.Crosses(nil, 0, nil, 9), []int32{9}) || !ok ||
			p != (network.Period{ComputeS: 2, TransferS: float64(NoJob)}) {
			t.Errorf("knobs %+v, links %d, paths %d, jobs %v, use %v, period %+v (%v)", m.now, l.Count(), l.Paths(),
				l.Jobs(0), l.Use(0), p, ok)
		}
	})
	run(know.Nothing, &meet{}, func(v *View) {
		if _, ok := v.Links().Period(0, Placement{GPUs: []cluster.GPU{0}}); ok {
			t.Error("a period without know.Speed")
		}
	})
	run(know.Speed, counting{}, func(v *View) {
		l := v.Links()
		if _, ok := l.Period(0, Placement{GPUs: []cluster.GPU{0}}); ok || l.Count() != 0 || l.Paths() != 0 ||
			len(l.Crosses(nil, 0, nil, 1)) != 0 {
			t.Error("a model without links has some")
		}
	})
}
