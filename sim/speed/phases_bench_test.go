package speed

import (
	"testing"

	"tarry/sim"
	"tarry/sim/cluster"
)

// busy is a model with seven jobs, and an eighth that comes and goes.
func busy(t testing.TB, cfg Contention) (*Contended, func()) {
	m := contended(t, cfg)
	for id := range sim.JobID(7) {
		q := query([]string{"resnet50", "bert-large", "vgg16"}[id%3], cluster.GPU(id), cluster.GPU(8+id))
		q.ID = id
		place(t, m, beginning(q, sim.Time(id)*12345))
	}
	now := sim.Time(0)
	q := query("bert-large", 7, 15)
	q.ID = 7
	var touched []sim.JobID
	return m, func() {
		now += 1234567
		q.Now = now
		if err := m.Place(q); err != nil {
			t.Fatal(err)
		}
		touched = m.Touched(touched[:0])
		m.Remove(7)
		touched = m.Touched(touched[:0])
	}
}

func TestNoAllocationInPhase(t *testing.T) {
	_, step := busy(t, slowLinks(ShareFair))
	for range 50 {
		step()
	}
	if n := testing.AllocsPerRun(100, step); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// BenchmarkChange is a job that comes and goes beside seven others, each on two machines.
func BenchmarkChange(b *testing.B) {
	for name, cfg := range map[string]Contention{"fair": {Rack: 0.9}, "turns": {Share: ShareTurns, Rack: 0.9},
		"phases": slowLinks(ShareFair)} {
		b.Run(name, func(b *testing.B) {
			_, step := busy(b, cfg)
			b.ReportAllocs()
			for b.Loop() {
				step()
			}
		})
	}
}
