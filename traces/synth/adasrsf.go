package synth

import "tarry/sim/rng"

// adaSRSFClasses is the law that the generator of Ada-SRSF draws from (Wang et al., arXiv 2002.10105;
// github.com/HKBU-HPML/dl-scheduling, online/job_master.py, set microsoft-160): of 160 jobs 80, 14, 26,
// 30, 8 and 2 ask for 1, 2, 4, 8, 16 and 32 GPUs, and run for 1000 to 6000 iterations of 62 to 90 ms
// without communication, the four networks' mean 79.5 ms. Theirs arrive within 1200 s, which a load of
// 2.34 of 64 GPUs is here.
func adaSRSFClasses() []class {
	run := uniform{79.5, 477}
	return []class{{1, 80, run}, {2, 14, run}, {4, 26, run}, {8, 30, run}, {16, 8, run}, {32, 2, run}}
}

// uniform is between two ends.
type uniform struct{ lo, hi float64 }

func (u uniform) draw(s *rng.Stream) float64 { return u.lo + float64(s.Float64()*(u.hi-u.lo)) }
func (u uniform) mean() float64              { return (u.lo + u.hi) / 2 }
func (u uniform) cdf(x float64) float64      { return max(0, min(1, (x-u.lo)/(u.hi-u.lo))) }
