package queues

// Rule picks a queue.
type Rule struct {
	// Name is jsq, ...; Doc states which queue it picks.
	Name, Doc string
	// Sees: it sees the lengths of the queues, which the acknowledgements do not give.
	Sees bool
	// Pick gives the queue of the next job; uniform is its own source of chance.
	Pick func(s *System, uniform func() float64) int
}

// Rules lists the rules of the paper, and shortest-delay as the paper states it: the authors'
// program computes the expected delay and picks the shortest queue (sed-published). sed-open,
// sed-room, sed-open-room and longest-ago are ours. Of equals the lowest queue is picked.
func Rules() []Rule {
	return []Rule{
		{"jsq", "the shortest queue", true, func(s *System, _ func() float64) int { return s.shortest() }},
		{"jsq2", "the shorter one of two queues drawn at random", true, (*System).two},
		{"sed", "the least expected delay, (jobs + 1)/rate", true, func(s *System, _ func() float64) int {
			return s.delay()
		}},
		{"sed-published", "job number mod queues where all expected delays are equal, else the shortest queue", true,
			func(s *System, _ func() float64) int { return s.published() }},
		{"jmo", "the most acknowledgements just received; job number mod queues where all are equal", false,
			func(s *System, _ func() float64) int { return s.most() }},
		{"jmo-e", "a random queue one time in five, else as jmo", false, (*System).explore},
		{"round-robin", "job number mod queues", false, func(s *System, _ func() float64) int {
			return s.Job % len(s.Lengths)
		}},
		{"sed-open", "the least (open jobs + 1)/rate, of jobs that were taken and are not acknowledged", false,
			func(s *System, _ func() float64) int { return s.open() }},
		{"sed-room", "the least expected delay of the queues that the job does not fill, of equals the shorter " +
			"one; else the shortest queue", true,
			func(s *System, _ func() float64) int { return s.room(s.Lengths) }},
		{"sed-open-room", "as sed-room by open jobs in place of the lengths", false,
			func(s *System, _ func() float64) int { return s.room(s.Open) }},
		{"longest-ago", "the most (jobs since it was picked + 1) x rate: in turns, as often as its rate", false,
			func(s *System, _ func() float64) int { return s.ago() }},
	}
}

// explored is how often jmo-e picks a random queue.
const explored = 0.2

// least is the first queue with the least cost, and whether all costs are equal.
func (s *System) least(cost func(queue int) float64) (at int, equal bool) {
	low, high := cost(0), cost(0)
	for i := range s.Lengths {
		c := cost(i)
		if c < low {
			at, low = i, c
		}
		high = max(high, c)
	}
	return at, low == high
}

func (s *System) shortest() int {
	at, _ := s.least(func(i int) float64 { return float64(s.Lengths[i]) })
	return at
}

// expected is how long a job would stay in a queue, in the mean.
func (s *System) expected(i int) float64 { return float64(s.Lengths[i]+1) / s.RatesPerS[i] }

func (s *System) delay() int {
	at, _ := s.least(s.expected)
	return at
}

// open is the least delay by what a dispatcher counts: acknowledgements on the way are taken for
// jobs.
func (s *System) open() int {
	at, _ := s.least(func(i int) float64 { return float64(s.Open[i]+1) / s.RatesPerS[i] })
	return at
}

// room is the least delay, by so many jobs, of the queues that stay below the buffer with one more;
// of equals the queue with fewer jobs, since a slow idle queue helps the jobs after this one.
func (s *System) room(jobs []int) int {
	at := 0
	for i := range jobs {
		full, best := jobs[i]+1 >= s.Buffer, jobs[at]+1 >= s.Buffer
		a, b := float64(jobs[i]+1)/s.RatesPerS[i], float64(jobs[at]+1)/s.RatesPerS[at]
		if full || a == b {
			a, b = float64(jobs[i]), float64(jobs[at])
		}
		if best && !full || full == best && a < b {
			at = i
		}
	}
	return at
}

func (s *System) ago() int {
	at, _ := s.least(func(i int) float64 { return -float64(s.Since[i]+1) * s.RatesPerS[i] })
	return at
}

func (s *System) published() int {
	if _, equal := s.least(s.expected); equal {
		return s.Job % len(s.Lengths)
	}
	return s.shortest()
}

func (s *System) two(uniform func() float64) int {
	a, b := s.any(uniform), s.any(uniform)
	if s.Lengths[b] < s.Lengths[a] || s.Lengths[b] == s.Lengths[a] && b < a {
		return b
	}
	return a
}

// any is a queue drawn at random.
func (s *System) any(uniform func() float64) int {
	return int(uniform() * float64(len(s.Lengths)))
}

func (s *System) most() int {
	at, equal := s.least(func(i int) float64 { return -float64(s.Acks[i]) })
	if equal {
		return s.Job % len(s.Lengths)
	}
	return at
}

func (s *System) explore(uniform func() float64) int {
	if uniform() < explored {
		return s.any(uniform)
	}
	return s.most()
}
