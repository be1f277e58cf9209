package evolve

// Idle is a slot without a job.
const Idle int32 = -1

// Job is the search's description of a job. Counts are GPUs.
type Job struct {
	// Least is the smallest count on which it runs, >= 1; Unit divides every count, >= 1.
	Least, Unit int32
	// Resume is what it gets at first where a schedule has no slot for it, Limit the most that it
	// may have: either is cut to what it can use, and a job with a Limit below Least has none.
	Resume, Limit int32
	// New states that it never ran: it goes first, with its Least.
	New bool
	// Ripe states that it has trained long enough to be judged: a mutation may take it out, and its
	// score counts.
	Ripe bool
	// Time is what is left to it on one GPU, in any unit of time; repairs serve jobs with less
	// first.
	Time float64
	// Score is the GPU time that is left to it on 0, 1, 2 ... GPUs, in the same unit. It is read
	// where Ripe, up to Limit; >= 0.
	Score []float64
}

// usable is the largest count up to n that the job can use, 0 if it is less than its least.
func (j *Job) usable(n int32) int32 {
	n = min(n, j.Limit)
	if j.Unit > 1 {
		n -= n % j.Unit
	}
	if n < j.Least || n <= 0 {
		return 0
	}
	return n
}

// score is what a count adds to the score of a schedule.
func (j *Job) score(n int32) float64 {
	if !j.Ripe || n <= 0 || int(n) >= len(j.Score) {
		return 0
	}
	return j.Score[n]
}
