package evolve

// Reorder writes counts as a schedule of blocks, one for each job, and what is idle as one more, so
// that as few slots as can be have another job than in the present schedule. Jobs that are in the
// present schedule keep the order of their first slots there, the others that in which they are
// listed; how these two lists interleave, and where the idle slots are, is chosen by a dynamic
// programme. (Whatever order is best: two jobs that both keep a slot keep their order.) The sum of
// counts is at most len(present). It costs len(present) x (1 + jobs that are new there) steps.
func (s *Search) Reorder(dst []int32, present, counts []int32) []int32 {
	s.lists(present, counts)
	s.fill(present, counts)
	dst = append(dst[:0], present...)
	i, j, z := len(s.stay), len(s.come), 1
	for i > 0 || j > 0 || z > 0 {
		at := s.begin(i, j, z)
		switch s.step[s.state(i, j, z)] {
		case fromStay:
			i--
			block(dst[s.begin(i, j, z):at], s.stay[i])
		case fromCome:
			j--
			block(dst[s.begin(i, j, z):at], s.come[j])
		default:
			z--
			block(dst[s.begin(i, j, z):at], Idle)
		}
	}
	return dst
}

// How the last block of a state came.
const (
	fromStay uint8 = iota
	fromCome
	fromIdle
)

func block(slots []int32, job int32) {
	for i := range slots {
		slots[i] = job
	}
}

// lists finds who stays, in the order of the present schedule, who comes, and where their blocks
// begin if they follow one another.
func (s *Search) lists(present, counts []int32) {
	s.stay, s.come = s.stay[:0], s.come[:0]
	s.seen = append(s.seen[:0], make([]bool, len(counts))...)
	for _, j := range present {
		if j != Idle && !s.seen[j] && counts[j] > 0 {
			s.seen[j] = true
			s.stay = append(s.stay, j)
		}
	}
	for j := range counts {
		if counts[j] > 0 && !s.seen[j] {
			s.come = append(s.come, int32(j))
		}
	}
	s.stayAt, s.comeAt = sums(s.stayAt, s.stay, counts), sums(s.comeAt, s.come, counts)
	s.idle = len(present) - int(s.stayAt[len(s.stay)]+s.comeAt[len(s.come)])
}

func sums(dst []int32, jobs, counts []int32) []int32 {
	dst = append(dst[:0], 0)
	for i, j := range jobs {
		dst = append(dst, dst[i]+counts[j])
	}
	return dst
}

// state numbers a prefix: i jobs that stay, j that come, z of the one idle block.
func (s *Search) state(i, j, z int) int { return (i*(len(s.come)+1)+j)*2 + z }

// begin is where the block after a prefix begins.
func (s *Search) begin(i, j, z int) int { return int(s.stayAt[i]+s.comeAt[j]) + z*s.idle }

// fill finds for each prefix the most slots that stay as they are, and the last block of a way to
// have them.
func (s *Search) fill(present, counts []int32) {
	n := s.state(len(s.stay), len(s.come), 1) + 1
	if cap(s.kept) < n {
		s.kept, s.step = make([]int32, n), make([]uint8, n)
	}
	s.kept, s.step = s.kept[:n], s.step[:n]
	for i := 0; i <= len(s.stay); i++ {
		for j := 0; j <= len(s.come); j++ {
			for z := range 2 {
				best, how := int32(-1), fromIdle
				if i > 0 {
					at := s.begin(i-1, j, z)
					best, how = s.kept[s.state(i-1, j, z)]+same(present[at:at+int(counts[s.stay[i-1]])], s.stay[i-1]),
						fromStay
				}
				if j > 0 {
					if k := s.kept[s.state(i, j-1, z)]; k >= best { // coming jobs last if that is as good
						best, how = k, fromCome
					}
				}
				if z > 0 {
					at := s.begin(i, j, 0)
					// idle slots last if that is as good
					if k := s.kept[s.state(i, j, 0)] + same(present[at:at+s.idle], Idle); k >= best {
						best, how = k, fromIdle
					}
				}
				s.kept[s.state(i, j, z)], s.step[s.state(i, j, z)] = max(0, best), how
			}
		}
	}
}

// same counts the slots that a job has.
func same(slots []int32, job int32) int32 {
	n := int32(0)
	for _, j := range slots {
		if j == job {
			n++
		}
	}
	return n
}
