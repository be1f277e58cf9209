package ones

import (
	"math"

	"tarry/baselines/ones/evolve"
	"tarry/baselines/ones/progress"
	"tarry/sim"
)

// life is what is known of a job in a pool.
type life struct {
	job          sim.JobID
	lo, hi, unit int32 // counts that it can use
	asked        int32
	own          float64 // its own batch in samples; 0 = not known
	batches      sim.BatchLimits
	curve        []float64 // speed by count, where speeds are known
	was          int32     // its number at the last search, -1 = none

	ran    bool // it has had GPUs
	limit  int32
	resume int32
	epoch  int32   // epochs done
	scaled int32   // of them, when its size last changed
	placed int32   // when it was last placed
	mark   float64 // work at which the next epoch ends; 0 = not known
	marks  bool    // its speed model has ends of epochs
	counts bool    // its epochs are fixed amounts of work

	samples float64  // processed; in microseconds of work where the model measures none
	through float64  // samples per second, as last seen; 0 = not yet
	seen    sim.Time // running time up to which samples are counted
	counted bool     // samples are telemetry
	loss    float64  // the last, NaN = not known
	initial float64  // the first
	stride  int32    // epochs from one of past to the next
	*memory          // nil before it ran

	alone float64 // seconds left on one GPU
	ripe  bool
}

// memory is what is noted of a job that ran.
type memory struct {
	speeds speeds
	past   []point   // epochs, for the rows of its end
	score  []float64 // GPU time left by count
}

// point is an epoch of a job that still runs.
type point struct {
	x       progress.Features
	epochs  int32
	samples float64
}

// points is how many epochs of a job are kept: of a job with more every second one goes.
const points = 64

// reset makes the books of a job that arrives.
func (l *life) reset(j sim.JobID) {
	*l = life{job: j, was: -1, loss: math.NaN(), initial: math.NaN(), stride: 1}
}

// look measures a running job: samples up to now, throughput, epochs, loss.
func (p *Policy) look(v *sim.View, l *life) {
	run := v.Run(l.job).Time()
	t, ok := v.Run(l.job).Telemetry()
	through := float64(v.Run(l.job).Speed().Rate * 1e6)
	if ok {
		if update := t.StepS + float64(float64(t.AccumSteps-1)*(t.StepS-t.SyncS)); update > 0 && t.Batch > 0 {
			through, l.counted = float64(t.Batch)/update, true
		}
		if !math.IsNaN(t.Loss) {
			if l.loss = t.Loss; math.IsNaN(l.initial) {
				l.initial = t.Loss
			}
		}
		l.epoch = max(l.epoch, t.Epoch)
	}
	l.count(v, run, through)
	l.through = through
}

// count adds the samples of the time since the last look, at the throughput that was seen then.
func (l *life) count(v *sim.View, run sim.Time, through float64) {
	if l.counted {
		if l.through > 0 {
			through = l.through
		}
		l.samples += float64(through * (run - l.seen).Seconds())
	} else {
		l.samples = max(l.samples, done(v, l.job))
	}
	l.seen = run
}

// features are what a prediction reads.
func (l *life) features() progress.Features {
	f := progress.Features{0: math.Log(1 + l.samples/float64(max(1, l.epoch))), 2: math.Log(1 + float64(l.epoch)),
		4: math.Log(float64(l.asked))}
	if l.initial > 0 {
		f[1], f[3] = l.initial, 1-l.loss/l.initial
	}
	return f
}

// ended takes note of an epoch that ends.
func (l *life) ended(gpus int32) {
	if l.through > 0 && gpus > 0 {
		l.speeds = l.speeds.note(gpus, l.through)
	}
	if n := len(l.past); n > 0 && l.epoch < l.past[n-1].epochs+l.stride {
		return
	}
	if len(l.past) == points {
		for i := range points / 2 {
			l.past[i] = l.past[2*i+1]
		}
		l.past = l.past[:points/2]
		l.stride *= 2
		return
	}
	l.past = append(l.past, point{l.features(), l.epoch, l.samples})
}

// teach turns the epochs of a job that has ended into rows, and trains when there are half as many
// ended jobs more than at the last training.
func (p *Policy) teach(v *sim.View, l *life) {
	if !l.ran {
		return
	}
	l.count(v, v.Run(l.job).Time(), l.through)
	for i := range l.past {
		q := &l.past[i]
		p.model.Add(progress.Row{X: q.x, Epochs: float64(q.epochs), Part: q.samples / l.samples,
			Left: float64(max(0, l.epoch-q.epochs))})
	}
	if len(l.past) == 0 {
		return
	}
	if p.taught++; p.taught >= p.train {
		p.train = p.taught + (p.taught+1)/2
		p.model.Train()
	}
}

// judge draws what is left of a job and prices each count up to a limit.
func (p *Policy) judge(l *life, limit int32) {
	l.alone = 0
	if l.ripe = l.ran && l.epoch >= max(1, p.cfg.wait) && l.samples > 0 && len(l.speeds) > 0; !l.ripe {
		return
	}
	x := l.features()
	a := float64(l.epoch)
	b := p.model.B(&x, a)
	left := 0.0
	if p.cfg.sample || a <= 1 {
		left = progress.Left(p.draws, a, b)
	} else {
		left = progress.Expected(a, b)
	}
	left = math.Min(float64(l.samples*left), math.MaxFloat32)
	l.score = append(l.score[:0], 0)
	for n := int32(1); n <= limit; n++ {
		s := 0.0
		if t := p.through(l, n); t > 0 {
			s = float64(left*float64(n)) / t
		}
		l.score = append(l.score, s)
	}
	if t := p.through(l, 1); t > 0 {
		l.alone = left / t
	}
}

// through is the throughput of a job on a count.
func (p *Policy) through(l *life, n int32) float64 {
	if !p.cfg.known {
		return l.speeds.at(n)
	}
	base := l.speeds[0].gpus
	if int(n) < len(l.curve) && int(base) < len(l.curve) && l.curve[n] > 0 && l.curve[base] > 0 {
		return float64(l.speeds[0].mean()*l.curve[n]) / l.curve[base]
	}
	return l.speeds.at(n)
}

// describe is the job as the search sees it.
func (l *life) describe(limit int32) evolve.Job {
	d := evolve.Job{Least: l.lo, Unit: l.unit, Resume: l.resume, Limit: limit, New: !l.ran, Ripe: l.ripe, Time: l.alone}
	if l.ripe {
		d.Score = l.score
	}
	return d
}

// knobs are what a count sets besides the GPUs.
func (p *Policy) knobs(l *life, gpus int32) (k sim.Knobs) {
	if !p.cfg.weak && (!p.cfg.auto || l.batches.Max == 0) {
		return k
	}
	k.Batch = float64(gpus) / float64(l.asked)
	if l.own > 0 {
		samples := math.Round(l.own * k.Batch)
		if m := l.batches.Max; m > 0 {
			samples = math.Min(samples, float64(m))
		}
		if m := l.batches.MaxLocal; m > 0 {
			samples = math.Min(samples, float64(m)*float64(gpus))
		}
		k.Batch = math.Max(samples, float64(max(1, l.batches.Initial))) / l.own
	}
	return k
}
