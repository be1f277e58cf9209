package search

// swaps is the chance that two parents exchange rows; else their children are copies that mutate.
const swaps = 0.9

// retries bounds the children made in a generation, in populations.
const retries = 4

// deal gives members in random order, each once before any comes again.
func (s *Search) deal(n int) int {
	if s.dealt >= len(s.deck) || len(s.deck) != n {
		s.deck = resize(s.deck, n)
		s.draws.shuffle(s.deck)
		s.dealt = 0
	}
	s.dealt++
	return int(s.deck[s.dealt-1])
}

// parent is the winner of a tournament of two.
func (s *Search) parent(members []*one) *one {
	a, b := members[s.deal(len(members))], members[s.deal(len(members))]
	switch {
	case a.fitness >= b.fitness && a.utility >= b.utility && (a.fitness > b.fitness || a.utility > b.utility):
		return a
	case b.fitness >= a.fitness && b.utility >= a.utility && (b.fitness > a.fitness || b.utility > a.utility):
		return b
	case a.crowding > b.crowding:
		return a
	case b.crowding > a.crowding:
		return b
	case s.draws.word()>>63 == 0:
		return a
	}
	return b
}

// breed makes a generation of children behind the parents and gives how many.
func (s *Search) breed(parents, size int) int {
	members := s.pop[:parents]
	s.know(members)
	made := 0
	for tries := 0; made < size && tries < retries*size; tries += 2 {
		a, b := s.parent(members), s.parent(members)
		cut := 0
		if s.draws.hit(chance(swaps)) {
			cut = s.draws.index(len(s.b.jobs))
		}
		for range 2 {
			if made == size {
				break
			}
			o := s.pop[parents+made]
			s.cross(o, a, b, cut)
			s.mutate(o)
			s.repair(o)
			s.b.evaluate(o)
			if s.add(o, parents+made) {
				made++
			}
			a, b = b, a
		}
	}
	return made
}

// cross makes a child of a, with the rows of b above the cut.
func (s *Search) cross(o, a, b *one, cut int) {
	copy(o.rows[:cut*s.b.w], b.rows)
	copy(o.rows[cut*s.b.w:], a.rows[cut*s.b.w:])
	copy(o.info[:cut], b.info)
	copy(o.info[cut:], a.info[cut:])
}

// know fills the table of known states with members, which are at the head of the population.
func (s *Search) know(members []*one) {
	clear(s.known)
	for i, o := range members {
		s.add(o, i)
	}
}

// add puts the member at some place of the population into the table of known states, and reports
// whether it is new.
func (s *Search) add(o *one, at int) bool {
	mask := uint64(len(s.known) - 1)
	for h := o.hash & mask; ; h = (h + 1) & mask {
		k := s.known[h]
		if k == 0 {
			s.known[h] = int32(at) + 1
			return true
		}
		if other := s.pop[k-1]; other.hash == o.hash && sameRows(other.rows, o.rows) {
			return false
		}
	}
}

func sameRows(a, b []uint64) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
