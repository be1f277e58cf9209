package schedtest

import (
	"testing"

	"tarry/env/layout"
	"tarry/env/schedenv"
)

// Kept plays an episode in which each set in turn is chosen, over speeds of contended and jobs of
// whole GPUs, and holds kept of every set in a segment to its documentation: 1 also where the set
// meets jobs on links, which the feature met counts.
func Kept(t *testing.T, e *schedenv.Env, segment, met string) {
	t.Helper()
	at := map[string]layout.Row{}
	for _, r := range e.Spec().Layout.Rows() {
		if r.Segment == segment {
			at[r.Name] = r
		}
	}
	beside, turn := 0, 0
	Play(t, e, "window=1", func(obs []float64, mask []bool, action []float64) {
		of := func(name string, i int) float64 { return obs[at[name].First+i*at[name].Step] }
		for i := range at["kept"].Items {
			if of("present", i) == 0 || of("machines", i) == 0 { // none, or another rack
				continue
			}
			if kept := of("kept", i); kept != 1 {
				t.Fatalf("kept is %v of set %d, expected 1", kept, i)
			}
			if of("place", i) > 0 && of(met, i) > 0 {
				beside++
			}
		}
		action[0] = 0
		for range mask {
			if turn = turn%(len(mask)-1) + 1; mask[turn] {
				action[0] = float64(turn)
				break
			}
		}
	})
	if beside == 0 {
		t.Error("no set of several machines met a job on its links")
	}
}
