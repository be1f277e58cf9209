package evolve

// full is Reorder where no slot is idle: where an empty block is leaves the others as they are, so
// that a state is how many jobs of either list there are.
func (s *Search) full(dst, present, counts []int32) []int32 {
	row := len(s.come) + 1
	n := (len(s.stay) + 1) * row
	if cap(s.kept) < n {
		s.kept, s.step = make([]int32, n, 2*n), make([]uint8, n, 2*n)
	}
	s.kept, s.step = s.kept[:n], s.step[:n]
	for j := range row {
		s.kept[j], s.step[j] = 0, fromCome
	}
	for i := 1; i <= len(s.stay); i++ {
		s.fullRow(present, counts, i, row)
	}
	dst = append(dst[:0], present...)
	i, j := len(s.stay), len(s.come)
	for i > 0 || j > 0 {
		at := s.begin(i, j, 0)
		if s.step[i*row+j] == fromStay {
			i--
			block(dst[s.begin(i, j, 0):at], s.stay[i])
		} else {
			j--
			block(dst[s.begin(i, j, 0):at], s.come[j])
		}
	}
	return dst
}

// fullRow fills the states of i jobs that stay. Of equal ways the last block is of a job that comes.
func (s *Search) fullRow(present, counts []int32, i, row int) {
	job := s.stay[i-1]
	own, size, first := s.runs[job], counts[job], s.stayAt[i-1]
	before, kept := s.kept[(i-1)*row:][:row], s.kept[i*row:][:row]
	step, comeAt := s.step[i*row:][:row], s.comeAt[:row]
	last := int32(-1)
	for j, most := range before {
		most += own.same(present, first+comeAt[j], size, job)
		how := fromStay
		if last >= most {
			most, how = last, fromCome
		}
		kept[j], step[j] = most, how
		last = most
	}
}
