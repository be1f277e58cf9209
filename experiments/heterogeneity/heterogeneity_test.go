package heterogeneity

import (
	"fmt"
	"math"
	"strconv"
	"testing"

	"tarry/experiments/questions"
	"tarry/experiments/sweep"
	"tarry/internal/fixmath"
	"tarry/sim/models"
)

// The models stand in order of the compute of an iteration, as the rule of the spread states.
func TestModelsAreInOrder(t *testing.T) {
	was := 0.0
	for _, name := range modelNames() {
		p, err := models.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		if p.ComputeNS() <= was || p.Name != name {
			t.Errorf("%s (%s) has iterations of %v ns, the one before %v", name, p.Name, p.ComputeNS(), was)
		}
		was = p.ComputeNS()
	}
}

// relative is the speed of a type for a model of no kind: the geometric mean of what its arithmetic
// and its memory promise beside a V100.
func relative(tflops, gbPerS float64) float64 { return math.Sqrt(tflops / 15.7 * gbPerS / 900) }

// The speeds of the question's file follow the rule in its comment.
func TestSpread(t *testing.T) {
	of := map[string]float64{"V100": relative(15.7, 900), "P100": relative(10.6, 732), "K80": relative(4.37, 240)}
	q := questions.Shipped("heterogeneity").Opened()
	if q.Err != nil {
		t.Fatal(q.Err)
	}
	seen := 0
	for _, c := range q.Specs(sweep.Full)[1].Axes[0].Cases {
		spread, err := strconv.ParseFloat(c.Name, 64)
		if err != nil {
			t.Fatal(err)
		}
		speeds := c.Set["cluster"].(map[string]any)["gpu_speed"].(map[string]any)
		for _, gpu := range types() {
			have := speeds[gpu].(map[string]any)
			for i, model := range append(modelNames(), "other") {
				z := 2*float64(i)/float64(len(modelNames())-1) - 1
				if model == "other" {
					z = 0
				}
				want := math.Round(1e4*fixmath.Pow(of[gpu], 1+float64(spread*z))) / 1e4
				if got := fmt.Sprint(have[model]); got != strconv.FormatFloat(want, 'g', -1, 64) {
					t.Errorf("spread %s, %s, %s: speed %s, the rule says %v", c.Name, gpu, model, got, want)
				}
				seen++
			}
		}
	}
	if seen != 3*3*9 {
		t.Errorf("%d speeds, want 81", seen)
	}
}
