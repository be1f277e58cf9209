package speed

import (
	"encoding/csv"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tarry/internal/sharedata"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/models"
	"tarry/sim/preset"
)

// A table made by the collective model with compute times seven times shorter: the fallback must
// find the factor and give the same numbers for shapes that the table lacks.
func TestFallbackIsCalibrated(t *testing.T) {
	c, err := preset.Lookup("paper")
	if err != nil {
		t.Fatal(err)
	}
	topo, err := cluster.New(c.Spec)
	if err != nil {
		t.Fatal(err)
	}
	set := models.NewSet(models.Catalogue()...)
	truth, err := NewCollective(topo, c.Fabric, set, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	id, err := truth.model(&sim.Job{ID: "j", Model: "resnet50"})
	if err != nil {
		t.Fatal(err)
	}
	truth.layers[id] = scaled(truth.layers[id], 1./7)
	var table strings.Builder
	table.WriteString(strings.Join(append([]string{colModel, colFraction}, levels()...), ",") + "\n")
	ask := func(gpus ...cluster.GPU) float64 {
		s, err := truth.Speed(&sim.Query{Job: &sim.Job{ID: "j", Model: "resnet50"}, GPUs: gpus,
			Knobs: sim.Knobs{ShareMilli: 1000, FreqFrac: 1, Batch: 1}})
		if err != nil {
			t.Fatal(err)
		}
		return s.ComputeFrac
	}
	w := csv.NewWriter(&table)
	frac := func(f float64) string { return strings.TrimSpace(formatFloat(f)) }
	_ = w.Write([]string{"resnet50", frac(ask(0, 1)), "2", "", "", ""})
	_ = w.Write([]string{"resnet50", frac(ask(0, 8)), "", "", "2", ""})
	_ = w.Write([]string{"resnet50", frac(ask(0, 64)), "", "", "", "2"})
	w.Flush()
	fallback, err := NewCollective(topo, c.Fabric, set, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := ReadTable(strings.NewReader(table.String()), "t.csv", topo, fallback, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, gpus := range [][]cluster.GPU{{0, 1, 2, 3}, {0, 1, 8, 9}, {0, 8, 64, 72}} {
		s, err := m.Speed(&sim.Query{Job: &sim.Job{ID: "j", Model: "ResNet50"}, GPUs: gpus,
			Knobs: sim.Knobs{ShareMilli: 1000, FreqFrac: 1, Batch: 1}})
		if err != nil {
			t.Fatal(err)
		}
		if want := ask(gpus...); math.Abs(s.ComputeFrac/want-1) > 0.01 {
			t.Errorf("%v: compute fraction %v, want %v", gpus, s.ComputeFrac, want)
		}
	}
}

func formatFloat(f float64) string { return strconv.FormatFloat(f, 'g', 12, 64) }

// With the catalogue's own profiles, calibrated on the published table, the rows come out close to
// it although the catalogue has nothing of that simulator's unit of compute time.
func TestCalibratedCatalogueIsCloseToThePublishedTable(t *testing.T) {
	c, err := preset.Lookup("paper")
	if err != nil {
		t.Fatal(err)
	}
	topo, err := cluster.New(c.Spec)
	if err != nil {
		t.Fatal(err)
	}
	fallback, err := NewCollective(topo, c.Fabric, models.NewSet(models.Catalogue()...), "", nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := os.Open(sharedata.Path(t, "reference/artist-sim/speed_table.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	m, err := ReadTable(r, "speed_table.csv", topo, fallback, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, id := range m.ids {
		profile, err := fallback.model(&sim.Job{ID: "j", Model: name})
		if err != nil {
			t.Fatal(err)
		}
		rows := m.fitRows(id, &fallback.fabric)
		fallback.calibrate(profile, rows)
		var off []float64
		for _, row := range rows {
			it := fallback.fabric.Schedule.Iterate(fallback.layers[profile], fallback.fabric.Phases(nil, row.dims))
			off = append(off, math.Abs(math.Log((it.ExposedNS/it.ComputeNS+fallback.over[profile])/row.x)))
		}
		slices.Sort(off)
		t.Logf("%s: %d rows, exposed communication off by a factor of %.3f in the median, %.3f at worst", name,
			len(off), math.Exp(off[len(off)/2]), math.Exp(off[len(off)-1]))
		if mid := math.Exp(off[len(off)/2]); mid > 2 {
			t.Errorf("%s: off by a factor of %v in the median, want at most 2", name, mid)
		}
	}
}
