package synth

import "math"

// heliosClasses is a law with the published totals of the Helios clusters (Hu et al.,
// SC 2021; totals as tabulated in InternLM/AcmeTrace, CC-BY-4.0): mean run 6652 s, median
// 206 s, mean demand 3.72 GPUs, largest 2048. The trace itself was not used.
//
// We choose the form, and the totals then fix the numbers: 60 % of the jobs ask for one
// GPU and the others for 2, 4, ... 2048 with shares that fall by the factor 0.4546, which
// gives the mean demand. The run times of a demand are lognormal with one deviation for
// all, 2.4939; their medians follow Philly's mean run per demand (1 GPU 8301 s, 2 30942,
// up to 4 78762, up to 8 129775, up to 16 122726, more 27322), scaled so that the mean
// over all jobs is 6652 s and the median 206 s. Runs are cut at 50 days.
func heliosClasses() []class {
	const (
		single  = 0.60
		ratio   = 0.4546
		mu      = 4.6377 // log of the median run on one GPU, s
		sigma   = 2.4939
		longest = 50 * 86400
	)
	byDemand := func(gpus int) float64 {
		switch {
		case gpus == 1:
			return 8301
		case gpus == 2:
			return 30942
		case gpus <= 4:
			return 78762
		case gpus <= 8:
			return 129775
		case gpus <= 16:
			return 122726
		}
		return 27322
	}
	law := func(gpus int) mixture {
		return mixture{[]lognormal{{1, mu + math.Log(byDemand(gpus)/byDemand(1)), sigma}}, longest}
	}
	classes := []class{{1, single, law(1)}}
	sum := 0.0
	for share, gpus := 1.0, 2; gpus <= 2048; share, gpus = share*ratio, gpus*2 {
		classes = append(classes, class{int32(gpus), share, law(gpus)})
		sum += share
	}
	for i := range classes[1:] {
		classes[i+1].share *= (1 - single) / sum
	}
	return classes
}

// multiClasses is a law of our own for small experiments on placement: mostly jobs of
// several GPUs, run times with a median of 30 minutes (1 GPU) to 2 hours (32 GPUs) and
// a moderate tail, cut at a day.
func multiClasses() []class {
	law := func(median float64) mixture {
		return mixture{[]lognormal{{1, math.Log(median), 1.2}}, 86400}
	}
	return []class{
		{1, 0.15, law(1800)}, {2, 0.15, law(1800)}, {4, 0.25, law(2700)}, {8, 0.25, law(3600)},
		{16, 0.15, law(5400)}, {32, 0.05, law(7200)},
	}
}
