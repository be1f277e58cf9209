package scenario

import (
	"testing"

	"tarry/traces/synth"
)

// Window i of n sources is window i / n of source i mod n; the part has n times the windows of the
// shortest.
func TestMixedTakesTurns(t *testing.T) {
	var of Mixed
	for k, count := range []int{3, 2, 5} {
		law, err := synth.Parse("poisson:jobs=20,gpus=8")
		if err != nil {
			t.Fatal(err)
		}
		of = append(of, Synthetic{Config: law, Seed: uint64(k), Count: count})
	}
	if n := of.Windows(Train); n != 6 {
		t.Fatalf("%d windows, expected 6", n)
	}
	for i := range 6 {
		got, err := of.Window(Train, i)
		want, err2 := of[i%3].Window(Train, i/3)
		if err != nil || err2 != nil || got.Hash() != want.Hash() {
			t.Errorf("window %d is not window %d of source %d (%v, %v)", i, i/3, i%3, err, err2)
		}
	}
}
