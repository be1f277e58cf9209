package ones

import (
	"testing"

	"tarry/sim"
	"tarry/sim/simtest"
)

// TestHidden: nothing that is decided follows from the work that is left.
func TestHidden(t *testing.T) {
	for _, text := range []string{"epoch_s=3,passes=5", "epoch_s=2,place=near,every=0,predict=mean",
		"epoch_s=4,predict=lindy,sample=false,first=asked,speed=known,every=5"} {
		fresh := policy(t, text)
		for seed := range uint64(24) {
			what, err := simtest.Foresees(func(*sim.Workload) sim.Policy { return fresh() }, seed, simtest.Options{})
			if err != nil || what != "" {
				t.Fatalf("%s, seed %d: %s (error %v)", text, seed, what, err)
			}
		}
	}
}
