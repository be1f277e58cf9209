package scenario

import (
	"reflect"
	"strings"
	"testing"

	"tarry/sim"
	"tarry/sim/param"
)

const afeTable = "costs.table=../../examples/deepboot-costs.csv"

// A shrink takes the short delay, a growth a part of the first one more, in whole seconds, and a move, a
// start or a restore the first one: DeepBoot's table of delays.
func TestAFE(t *testing.T) {
	of := priced(t, afeTable+",costs.resize=afe")
	for model, c := range map[string][2]float64{"bert": {103, 5}, "cifar10": {24, 3}, "ncf": {25, 2},
		"deepspeech2": {18, 1}, "yolov3": {26, 3}, "imagenet": {35, 3}, "VGG-16": {35, 3}} {
		for _, x := range []struct {
			kind     sim.DecisionKind
			again    bool
			from, to int
			want     float64
		}{
			{sim.Start, false, 0, 4, c[0]},
			{sim.Start, true, 0, 4, c[0]},
			{sim.Migrate, false, 4, 4, c[0]},
			{sim.Resize, false, 4, 4, c[0]},
			{sim.Resize, false, 8, 3, c[1]},
			{sim.Preempt, false, 4, 0, 0},
		} {
			if got := of(x.kind, x.again, model, x.from, x.to); got != x.want {
				t.Errorf("%s: %v from %d to %d GPUs takes %v s, expected %v", model, x.kind, x.from, x.to, got, x.want)
			}
		}
	}
	for _, c := range []struct {
		model          string
		from, to, want int
	}{
		{"cifar10", 1, 2, 13},    // 3 + floor(21 1/2)
		{"cifar10", 2, 4, 13},    // the same part is new
		{"cifar10", 4, 6, 10},    // 3 + 21 2/6
		{"deepspeech2", 3, 4, 5}, // 1 + floor(17 1/4)
		{"deepspeech2", 6, 8, 5},
		{"bert", 1, 64, 101}, // 5 + floor(98 63/64)
	} {
		if got := of(sim.Resize, false, c.model, c.from, c.to); got != float64(c.want) {
			t.Errorf("%s from %d to %d GPUs takes %v s, expected %d", c.model, c.from, c.to, got, c.want)
		}
	}
}

// Without AFE every change is a start; the laws hold for the formulas as for a table.
func TestLawsOfResizes(t *testing.T) {
	whole := priced(t, afeTable+",costs.resize=start")
	if a, b := whole(sim.Resize, false, "bert", 8, 4), whole(sim.Migrate, true, "ncf", 1, 1); a != 103 || b != 25 {
		t.Errorf("a shrink takes %v s and a move %v s, expected 103 and 25", a, b)
	}
	of := priced(t, "costs.resize=afe,costs.start_s=30,costs.rescale_s=10,costs.migrate_s=7")
	for _, c := range [][3]float64{{4, 2, 10}, {2, 4, 20}, {4, 4, 30}, {2, 3, 16}} {
		if got := of(sim.Resize, false, "any", int(c[0]), int(c[1])); got != c[2] {
			t.Errorf("from %v to %v GPUs takes %v s, expected %v", c[0], c[1], got, c[2])
		}
	}
}

// The law is read with the other costs, and goes with them.
func TestResizeIsRead(t *testing.T) {
	c := Default()
	if err := c.SetCosts("start_s=3,resize=afe"); err != nil || c.CostResize != "afe" {
		t.Errorf("%q: %v", c.CostResize, err)
	}
	if err := c.SetCosts("start_s=3"); err != nil || c.CostResize != "" {
		t.Errorf("%q: %v", c.CostResize, err)
	}
	c.CostResize = "afe"
	s := param.Parse("", "costs.start_s=4")
	if c.Read(s); s.Err() != nil || c.CostResize != "afe" || c.Costs.Start.FixedS != 4 {
		t.Errorf("%q: %v", c.CostResize, s.Err())
	}
	s = param.Parse("", "costs.resize=own")
	if c.Read(s); s.Err() != nil || c.CostResize != "" {
		t.Errorf("%q: %v", c.CostResize, s.Err())
	}
	if err := c.SetCosts("resize=none"); err == nil || !strings.Contains(err.Error(), "own, start, afe") {
		t.Errorf("resize=none: %v", err)
	}
	c.CostResize = "start"
	got := map[string]any{}
	for _, r := range c.costRows() {
		if r.Key == "costs" {
			r.Save(func(key string, v any) { got[key] = v })
		}
	}
	want := map[string]any{"costs": map[string]any{"start_s": 4.0}, "cost_resize": "start"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v is saved, expected %v", got, want)
	}
}
