package spark

// Rule answers questions. A rule may remember what it answered: Fresh gives one for a run.
type Rule struct {
	Name, Doc string
	Fresh     func() func(*Sim) (stage, limit int)
}

// Rules lists the rules.
func Rules() []Rule {
	return []Rule{
		{"fair", "executors stay in their job; else the first job with fewer than its share", func() func(*Sim) (int, int) {
			return fair
		}},
		{"fifo", "executors stay in their job; else the first job that was granted fewer than all",
			func() func(*Sim) (int, int) { return (&fifo{}).answer }},
		{"shortest-left", "all executors to the job with the least unbegun work", func() func(*Sim) (int, int) {
			return shortestLeft
		}},
	}
}

// Next is the stage of a job to choose: a runnable one before others; None where none may be chosen.
func (s *Sim) Next(j int) int {
	for _, k := range s.jobs[j].runnable {
		if s.May(k) {
			return k
		}
	}
	for k := s.jobs[j].from; k < s.jobs[j].to; k++ {
		if s.May(k) {
			return k
		}
	}
	return None
}

// stay answers for executors whose job has a stage to choose.
func (s *Sim) stay() (stage, limit int) {
	if s.source != None && has(s.in, s.source) {
		return s.Next(s.source), s.free
	}
	return None, s.free
}

// Left reports whether a job has a stage that is not saturated.
func (s *Sim) Left(j int) bool {
	for k := s.jobs[j].from; k < s.jobs[j].to; k++ {
		if s.Open(k) > 0 {
			return true
		}
	}
	return false
}

// Work is the unbegun work of a job.
func (s *Sim) Work(j int) (ms float64) {
	for k := s.jobs[j].from; k < s.jobs[j].to; k++ {
		ms += float64(s.Unbegun(k)) * s.stages[k].Rest
	}
	return ms
}

// Share is the executors over the jobs with a stage that is not saturated, rounded up.
func (s *Sim) Share() int {
	jobs := 0
	for _, j := range s.in {
		if s.Left(j) {
			jobs++
		}
	}
	jobs = max(1, jobs)
	return (len(s.executors) + jobs - 1) / jobs
}

func fair(s *Sim) (stage, limit int) {
	if k, limit := s.stay(); k != None {
		return k, limit
	}
	share := s.Share()
	for _, j := range s.in {
		if held := s.Held(j); held < share {
			if k := s.Next(j); k != None {
				return k, min(s.Open(k), share-held, s.free)
			}
		}
	}
	return None, s.free
}

// fifo counts the executors that it granted each job, without executors that stay.
type fifo struct{ granted []int }

func (f *fifo) answer(s *Sim) (stage, limit int) {
	if f.granted == nil {
		f.granted = make([]int, s.Jobs())
	}
	if k, limit := s.stay(); k != None {
		return k, limit
	}
	for _, j := range s.in {
		if f.granted[j] < len(s.executors) {
			if k := s.Next(j); k != None {
				n := min(s.Open(k), len(s.executors)-f.granted[j], s.free)
				f.granted[j] += n
				return k, n
			}
		}
	}
	return None, s.free
}

func shortestLeft(s *Sim) (stage, limit int) {
	stage, least := None, 0.0
	for _, j := range s.in {
		if k := s.Next(j); k != None && (stage == None || s.Work(j) < least) {
			stage, least = k, s.Work(j)
		}
	}
	return stage, s.free
}
