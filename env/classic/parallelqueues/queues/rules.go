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
// program computes the expected delay and picks the shortest queue (sed-published). Of equals the
// lowest queue is picked.
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
