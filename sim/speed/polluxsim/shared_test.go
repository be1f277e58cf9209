package polluxsim

import (
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"tarry/internal/sharedata"
	"tarry/sim"
	"tarry/sim/cluster"
)

// shared gives the folder of the authors' profiles; the test is skipped where it is absent.
func shared(t testing.TB) string {
	t.Helper()
	return sharedata.Path(t, "profiles", "pollux-sim")
}

// Every look-up that the simulator's Tiresias and Optimus make, exact to 1e-12.
func TestLookups(t *testing.T) {
	dir := shared(t)
	table, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	in, err := os.Open(filepath.Join(dir, "lookups.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	rows, err := csv.NewReader(in).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	number := func(s string) float64 {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	worst := 0.0
	for _, r := range rows[1:] {
		var ring []int
		for _, d := range strings.Split(r[1], "-") {
			ring = append(ring, int(number(d)))
		}
		local := int(number(r[4]))
		for turn := range ring { // wherever the ring starts
			step, sync, err := table.Lookup(r[0], append(append([]int(nil), ring[turn:]...), ring[:turn]...), local)
			if err != nil {
				t.Fatalf("%v: %v", r, err)
			}
			for _, c := range [][2]float64{{step, number(r[5])}, {sync, number(r[6])}} {
				d := math.Abs(c[0]-c[1]) / c[1]
				if worst = max(worst, d); d > 1e-12 {
					t.Errorf("%v: step %v, sync %v", r, step, sync)
				}
			}
		}
	}
	t.Logf("%d look-ups, worst relative difference %.1e", len(rows)-1, worst)
}

// The work of a job of the authors' traces covers all epochs, whatever its batch size: what it
// does at a mark is what the epoch has.
func TestSharedEpochs(t *testing.T) {
	table, err := Open(shared(t))
	if err != nil {
		t.Fatal(err)
	}
	topo, err := cluster.New(cluster.Spec{Racks: [][]cluster.Machines{{{Count: 16, GPUs: 4}}}})
	if err != nil {
		t.Fatal(err)
	}
	m, err := New(table, topo, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range table.Applications() {
		q := &sim.Query{Job: &sim.Job{ID: "j", Model: name}, GPUs: []cluster.GPU{0}}
		epochs := 0
		for ; ; epochs++ {
			next := m.Mark(q)
			if math.IsInf(next, 1) {
				break
			}
			if !(next > q.Done) || epochs > 1000 {
				t.Fatalf("%s: the mark after %v is %v", name, q.Done, next)
			}
			q.Done = next
		}
		var tele sim.Telemetry
		if !m.Telemetry(q, &tele) || int(tele.Epoch) != epochs || tele.Epochs != tele.Epoch+1 || tele.ItersLeft != 1 {
			t.Errorf("%s: after %d marks %+v", name, epochs, tele)
		}
	}
}
