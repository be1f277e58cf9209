package evolve

// Reorder writes counts as a schedule of blocks, one for each job, and what is idle as one more, so
// that as few slots as can be have another job than in the present schedule. Jobs that are in the
// present schedule keep the order of their first slots there, the others that in which they are
// listed; how these two lists interleave, and where the idle slots are, is chosen by a dynamic
// programme. (Whatever order is best: two jobs that both keep a slot keep their order.) The sum of
// counts is at most len(present). It costs len(present) x (1 + jobs that are new there) steps.
func (s *Search) Reorder(dst []int32, present, counts []int32) []int32 {
	s.lists(present, counts)
	if s.idle == 0 {
		return s.full(dst, present, counts)
	}
	return s.partly(dst, present, counts)
}

// partly is Reorder where slots are idle.
func (s *Search) partly(dst, present, counts []int32) []int32 {
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
	s.stay, s.come, s.idleTo = s.stay[:0], s.come[:0], append(s.idleTo[:0], 0)
	s.runs = append(s.runs[:0], make([]run, len(counts))...)
	idle := int32(0)
	for k, j := range present {
		if j == Idle {
			idle++
		} else {
			x := &s.runs[j]
			if x.n == 0 {
				x.first = int32(k)
				if counts[j] > 0 {
					s.stay = append(s.stay, j)
				}
			}
			x.last = int32(k)
			x.n++
		}
		s.idleTo = append(s.idleTo, idle)
	}
	for j := range counts {
		if counts[j] > 0 && s.runs[j].n == 0 {
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

// run is where the slots of a job are in the present schedule: n from first to last.
type run struct{ first, last, n int32 }

// fill finds for each prefix the most slots that stay as they are, and the last block of a way to
// have them. Of equal ways the last block is idle, else of a job that comes.
func (s *Search) fill(present, counts []int32) {
	n := s.state(len(s.stay), len(s.come), 1) + 1
	if cap(s.kept) < n {
		s.kept, s.step = make([]int32, n), make([]uint8, n)
	}
	s.kept, s.step = s.kept[:n], s.step[:n]
	row, idle := 2*(len(s.come)+1), int32(s.idle)
	for i := 0; i <= len(s.stay); i++ {
		var own run
		var job, size int32
		if i > 0 {
			job = s.stay[i-1]
			own, size = s.runs[job], counts[job]
		}
		for j := 0; j <= len(s.come); j++ {
			k := i*row + 2*j
			without, with := int32(-1), int32(-1) // the idle block
			how, howWith := fromIdle, fromIdle
			if i > 0 {
				at := s.stayAt[i-1] + s.comeAt[j]
				without = s.kept[k-row] + own.same(present, at, size, job)
				with = s.kept[k-row+1] + own.same(present, at+idle, size, job)
				how, howWith = fromStay, fromStay
			}
			if j > 0 {
				if x := s.kept[k-2]; x >= without {
					without, how = x, fromCome
				}
				if x := s.kept[k-1]; x >= with {
					with, howWith = x, fromCome
				}
			}
			without = max(0, without)
			at := s.stayAt[i] + s.comeAt[j]
			if x := without + s.idleTo[at+idle] - s.idleTo[at]; x >= with {
				with, howWith = x, fromIdle
			}
			s.kept[k], s.step[k], s.kept[k+1], s.step[k+1] = without, how, with, howWith
		}
	}
}

// same counts the slots of a job among n of the present schedule.
func (r *run) same(present []int32, at, n, job int32) int32 {
	lo, hi := max(at, r.first), min(at+n, r.last+1)
	if lo >= hi {
		return 0
	}
	if r.n == r.last+1-r.first {
		return hi - lo
	}
	k := int32(0)
	for _, j := range present[lo:hi] {
		if j == job {
			k++
		}
	}
	return k
}
