package themissim

import (
	"testing"

	"tarry/sim"
	"tarry/sim/simtest"
)

func TestConformance(t *testing.T) {
	o := simtest.Options{Seeds: 60, Allocates: true, Laws: simtest.PermuteIDs | simtest.NullJob}
	simtest.Conform(t, "themis-sim", New, o.Named([][2]string{
		{"as the simulator", "lease=30,ideal=alone,idle=ratio,payments=false,left=auction,align=false,admit=1.5"},
		{"half of the apps", "lease=20,threshold=0.5,align=false"},
	}))
}

// Two elastic jobs that come together, of which one alone bids and takes all, or both and share.
func TestBidders(t *testing.T) {
	job := sim.Job{Work: 80 * sim.Second, GPUs: 1, MinGPUs: 1, MaxGPUs: 4}
	for text, want := range map[string][]string{
		"threshold=0": {"0 on [0 1 2 3] 0s-20s finish", "1 on [0 1 2 3] 20s-40s finish"},
		"threshold=1": {"0 on [0 1] 0s-40s finish", "1 on [2 3] 0s-40s finish"},
	} {
		simtest.ByHand{Shape: [3]int{1, 1, 4}, Jobs: []sim.Job{job, job}}.Expect(t,
			simtest.Build(t, "themis-sim", New, "lease=1000,payments=false,left=auction,"+text)(), want...)
	}
}
