package evolve

import "slices"

// write makes the schedules by slots of the chosen candidates. The slots of a schedule that lived with
// the same counts beside the same present schedule are kept.
func (s *Search) write(present []int32) {
	known := s.written && slices.Equal(s.base, present)
	s.old, s.lives = append(s.old[:0], s.lives...), s.lives[:0]
	for _, i := range s.order {
		c := s.all[i].counts
		k := -1
		if known {
			k = slices.IndexFunc(s.counts, func(was []int32) bool { return same(was, c) })
		}
		if k >= 0 && s.old[k] != nil {
			s.lives = append(s.lives, s.old[k])
			s.old[k] = nil
			continue
		}
		s.lives = append(s.lives, s.Reorder(s.room(), present, c))
	}
	for _, l := range s.old {
		if l != nil {
			s.spare = append(s.spare, l)
		}
	}
	s.counts = slices.Grow(s.counts, len(s.lives)-min(len(s.lives), len(s.counts)))[:len(s.lives)]
	for k, i := range s.order {
		s.counts[k] = append(s.counts[k][:0], s.all[i].counts...)
	}
	s.base, s.written = append(s.base[:0], present...), true
}

// same reports whether counts are equal, where jobs that came since have none.
func same(was, counts []int32) bool {
	if len(was) > len(counts) || !slices.Equal(was, counts[:len(was)]) {
		return false
	}
	for _, n := range counts[len(was):] {
		if n != 0 {
			return false
		}
	}
	return true
}
