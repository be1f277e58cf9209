package deepshare

import "slices"

// floor is the least ratio, relieve the ratio at which a job is preempted, span of the moving average
// of the GPUs in use.
const (
	floor   = 0.35
	relieve = 0.6
	span    = 10
)

// sums are the sums behind the means of a run.
type sums struct {
	used, ratio  float64
	gains        int     // how often a job progressed
	mean, weight float64 // of the moving average of the GPUs in use
}

// Share updates the ratios of all jobs by who is beside them now.
func (w *World) Share() {
	for _, jobs := range w.on {
		for _, j := range jobs {
			s := &w.Jobs[j]
			ratio := 1.0
			for _, x := range jobs {
				if x != j {
					ratio = max(min(ratio, w.tables.ratio[s.shape*len(w.tables.perS)+w.Jobs[x].shape]), floor)
				}
			}
			if ratio > s.Ratio {
				continue
			}
			s.Ratio = ratio
			if s.expected = ratio * RoundS; !w.slips {
				s.expected *= w.tables.perS[s.shape]
			}
		}
	}
}

// count takes the GPUs in use into the means.
func (w *World) count() {
	used := float64(w.used) / (Nodes * NodeGPUs)
	w.sums.used += used
	const keep = 1 - 2.0/(span+1)
	w.sums.mean = float64(w.sums.mean*keep) + used
	w.sums.weight = float64(w.sums.weight*keep) + 1
}

// gain gives every job what it trains in a round, and ends it with the last of it. A slip of the
// published program passes over the job after one that ends.
func (w *World) gain() {
	if !w.slips {
		w.walked = append(w.walked[:0], w.Running...)
		for _, j := range w.walked {
			w.train(j)
		}
		return
	}
	for i := 0; i < len(w.Running); i++ {
		w.train(w.Running[i])
	}
}

func (w *World) train(j int) {
	s := &w.Jobs[j]
	perS := w.tables.perS[s.shape]
	got := float64(perS*s.Ratio) * RoundS
	s.Done += got
	s.Rounds++
	w.sums.ratio += got / float64(perS*RoundS)
	w.sums.gains++
	if s.ending() || s.Samples <= s.Done {
		w.stop(j)
		s.Last = w.Round
		w.ended++
	}
}

// Close ends a round whose jobs are placed: ratios, progress, ends, and who is preempted.
func (w *World) Close(preemptAll bool) {
	w.count()
	w.Share()
	w.gain()
	w.preempt(preemptAll)
	w.Round++
}

// preempt returns jobs to the queue: all, or the jobs that others slow down too much.
func (w *World) preempt(all bool) (some bool) {
	w.walked = w.walked[:0]
	for _, j := range w.Running {
		if all || w.Jobs[j].Ratio <= relieve {
			w.walked = append(w.walked, j)
		}
	}
	for _, j := range w.walked {
		w.stop(j)
	}
	w.Queue = append(w.Queue, w.walked...)
	return len(w.walked) > 0
}

// Train plays a round of the published training: one action, by the last observation, then ratios,
// the preempted, the next observation, the reward, and last the progress. Rounds without a waiting
// job follow at once: the agent is not asked in them.
func (w *World) Train(action int, contention, use float64) (reward float64) {
	w.fresh()
	w.Act(action)
	w.Share()
	if w.preempt(false) {
		w.Share()
	}
	w.Look()
	reward = w.Reward(contention, use)
	w.count()
	w.gain()
	w.Round++
	for len(w.Queue) == 0 && w.Live() {
		w.fresh()
		w.count()
		w.gain()
		w.Round++
	}
	return reward
}

// fresh returns all ratios to 1.
func (w *World) fresh() {
	for _, j := range w.Running {
		w.Jobs[j].Ratio = 1
	}
}

// Reward is -contention x the mean loss of the running jobs + use x the moving average of the GPUs in
// use in the rounds before; 0 with nothing placed.
func (w *World) Reward(contention, use float64) float64 {
	if len(w.Running) == 0 {
		return 0
	}
	loss := 0.0
	for _, j := range w.Running {
		loss += 1 - w.Jobs[j].Ratio
	}
	average := 0.0
	if w.sums.weight > 0 {
		average = w.sums.mean / w.sums.weight
	}
	return float64(use*average) - float64(contention*loss)/float64(len(w.Running))
}

// Means are the means of a run.
type Means struct {
	// Ended are the jobs that have ended. TrainedS is the mean time of these in rounds in which they
	// progressed, P99S its 99th percentile, JCTS their mean time from the start of the run.
	Ended                int
	TrainedS, P99S, JCTS float64
	// Used is the mean part of the GPUs in use, which room that is judged by the observation may lift
	// above 1; Ratio the mean part of its speed that a job keeps.
	Used, Ratio float64
}

// Means gives the means up to now.
func (w *World) Means() Means {
	m := Means{Ended: w.ended}
	w.walked = w.walked[:0]
	for i := range w.Jobs {
		s := &w.Jobs[i]
		if s.Last < 0 {
			continue
		}
		m.TrainedS += float64(s.Rounds * RoundS)
		m.JCTS += float64((s.Last + 1) * RoundS)
		w.walked = append(w.walked, s.Rounds)
	}
	if w.ended > 0 {
		m.TrainedS, m.JCTS = m.TrainedS/float64(w.ended), m.JCTS/float64(w.ended)
		slices.Sort(w.walked)
		m.P99S = float64(w.walked[(len(w.walked)*99+99)/100-1] * RoundS)
	}
	if w.Round > 0 {
		m.Used = w.sums.used / float64(w.Round)
	}
	if w.sums.gains > 0 {
		m.Ratio = w.sums.ratio / float64(w.sums.gains)
	}
	return m
}
