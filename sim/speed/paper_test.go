package speed

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"

	"tarry/internal/sharedata"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/models"
	"tarry/sim/network"
	"tarry/sim/preset"
)

// paper builds the preset's topology and the collective model over the paper's six workloads.
func paper(t testing.TB) (*cluster.Topology, *Collective) {
	t.Helper()
	c, err := preset.Lookup("paper")
	if err != nil {
		t.Fatal(err)
	}
	topo, err := cluster.New(c.Spec)
	if err != nil {
		t.Fatal(err)
	}
	ps, err := models.LoadPaper(sharedata.Path(t, "profiles/astra-sim"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := NewCollective(topo, c.Fabric, models.NewSet(ps...), "", nil)
	if err != nil {
		t.Fatal(err)
	}
	return topo, m
}

// Every row of the published table of compute fractions, computed from layers and links.
// Exposed communication within 5 %, without an exception; the worst row is one whose exposed
// communication is 0.2 microseconds of 53.
func TestCollectiveGivesThePublishedTable(t *testing.T) {
	_, m := paper(t)
	r, err := os.Open(sharedata.Path(t, "reference/artist-sim/speed_table.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	rows, err := csv.NewReader(r).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var fracs, exposed []float64
	for _, rec := range rows[1:] {
		var dims []network.Dim
		for level, col := range [...]int{1, 4, 5, 6} {
			if n, _ := strconv.Atoi(rec[col]); n > 1 {
				dims = append(dims, network.Dim{Link: m.fabric.Links[level], Level: network.Level(level), Units: n,
					Shrink: 1})
			}
		}
		want, err := strconv.ParseFloat(rec[7], 64)
		if err != nil {
			t.Fatal(err)
		}
		id, err := m.model(&sim.Job{ID: "j", Model: rec[0]})
		if err != nil {
			t.Fatal(err)
		}
		it := m.fabric.Schedule.Iterate(m.layers[id], m.fabric.Phases(nil, dims))
		frac := math.Abs(it.ComputeFrac()/want - 1)
		exp := math.Abs(it.ExposedNS/(it.ComputeNS*(1/want-1)) - 1)
		fracs, exposed = append(fracs, frac), append(exposed, exp)
		if frac > 0.005 || exp > 0.05 {
			t.Errorf("%v: fraction %.6g (%.2f %% off), exposed communication %.2f %% off", rec, it.ComputeFrac(),
				100*frac, 100*exp)
		}
	}
	slices.Sort(fracs)
	slices.Sort(exposed)
	n := len(fracs)
	t.Logf("%d rows: compute fraction off by %.4f %% (median), %.3f %% (worst); exposed communication by %.4f %% "+
		"and %.2f %%",
		n, 100*fracs[n/2], 100*fracs[n-1], 100*exposed[n/2], 100*exposed[n-1])
}

// The rows of the table are found from allocations on the real cluster, and the
// collective model gives nearly the same answer for the same GPUs.
func TestTableRowsAreFoundFromAllocations(t *testing.T) {
	topo, col := paper(t)
	tab, err := OpenTable(sharedata.Path(t, "reference/artist-sim/speed_table.csv"), topo, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	// run(r, m, s, n): n GPUs of slot s of machine m of rack r
	run := func(rack, machine, slot, n int) []cluster.GPU {
		var g []cluster.GPU
		for i := range n {
			g = append(g, cluster.GPU(((rack*8+machine)*2+slot)*4+i))
		}
		return g
	}
	join := func(parts ...[]cluster.GPU) []cluster.GPU { return slices.Concat(parts...) }
	machine := func(rack, m int) []cluster.GPU { return join(run(rack, m, 0, 4), run(rack, m, 1, 4)) }
	for _, c := range []struct {
		why   string
		model string
		gpus  []cluster.GPU
		want  float64
	}{
		{"one GPU communicates with nobody", "VGG", run(0, 0, 0, 1), 1},
		{"a slot is a ring of 4", "AlexNet", run(3, 2, 1, 4), 0.496718503},
		{"a machine is rings of 4 and 2", "BERT", machine(0, 0), 0.289381907},
		{"three in a slot", "BERT", run(0, 0, 0, 3), 0.423119012},
		{"one in each slot", "ResNet50", join(run(0, 0, 0, 1), run(0, 0, 1, 1)), 0.889977569},
		{"two full machines: 8 GPUs over 4 slots counts as rings of 2 and 4", "BERT",
			join(machine(0, 0), machine(0, 1)), 0.200465687},
		{"four full machines: 8 GPUs over 8 slots counts as a ring of 8", "BERT",
			join(machine(0, 0), machine(0, 1), machine(0, 2), machine(0, 3)), 0.328668281},
		{"half a machine each, one slot", "AlexNet", join(run(0, 0, 0, 4), run(0, 1, 0, 4)), 0.331186992},
		{"16 over three machines: a flat ring of 16", "ResNet50",
			join(machine(0, 0), run(0, 1, 0, 4), run(0, 2, 0, 4)), 0.875270963},
		{"4 over three racks: a flat switch of 4", "BERT", join(run(0, 0, 0, 2), run(1, 0, 0, 1), run(2, 0, 0, 1)),
			0.0419364934},
		{"one in each of 4 racks", "ResNet50", join(run(0, 0, 0, 1), run(1, 0, 0, 1), run(2, 0, 0, 1),
			run(3, 0, 0, 1)), 0.330976585},
		{"a machine in each of two racks: 8 over 2 machines and 4 slots", "BERT", join(machine(0, 0), machine(1, 0)),
			0.117614969},
	} {
		q := &sim.Query{Job: &sim.Job{ID: "j", Model: c.model}, GPUs: c.gpus,
			Knobs: sim.Knobs{ShareMilli: 1000, FreqFrac: 1, Batch: 1}}
		got, err := tab.Speed(q)
		if err != nil || math.Abs(got.ComputeFrac-c.want) > 1e-9 ||
			math.Abs(got.Rate-float64(len(c.gpus))*c.want) > 1e-6 {
			t.Errorf("%s: %+v, %v, want fraction %v", c.why, got, err, c.want)
		}
		same, err := col.Speed(q)
		if err != nil || math.Abs(same.ComputeFrac/c.want-1) > 0.005 {
			t.Errorf("%s: collective gives %v, %v, want %v", c.why, same.ComputeFrac, err, c.want)
		}
	}
	_, err = tab.Speed(&sim.Query{Job: &sim.Job{ID: "17", Model: "VGG"}, GPUs: join(run(0, 0, 0, 1), run(0, 1, 0, 1))})
	want := fmt.Sprintf(
		`%s: no row for model "VGG" of job "17" on 2 GPUs: 2 slots, 2 machines, 1 rack (expected a row with machines_or_scattered_in_rack=2)`,
		sharedata.Path(t, "reference/artist-sim/speed_table.csv"))
	if err == nil || err.Error() != want {
		t.Errorf("missing row: %v\nwant %s", err, want)
	}
}
