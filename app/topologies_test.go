package app

import (
	"strings"
	"testing"
)

// A run on each topology ends, under each way to share links.
func TestTopologiesRun(t *testing.T) {
	t.Parallel()
	for _, c := range []string{"leafspine:4x2x2,over=2", "rail:4x2x2,spines=1", "domains:2x4x2", "fattree:k=4,gpus=1"} {
		for _, share := range []string{"fair", "weight", "level", "turns", "count,alpha=0.27"} {
			s := tarry(t, t.TempDir(), "simulate", "--trace", "synth:poisson,jobs=20,load=0.9", "--cluster", c, "--speed",
				"contended:share="+share, "--policy", "fifo")
			if s.code != 0 || !strings.Contains(s.out, " fifo ") {
				t.Errorf("%s, %s: exit code %d, %s%s", c, share, s.code, s.out, s.errors)
			}
		}
	}
}
