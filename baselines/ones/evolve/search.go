package evolve

import (
	"cmp"
	"math"
	"slices"

	"tarry/sim/rng"
)

// Config is the settings of a search.
type Config struct {
	// Size is the number of schedules that live on, >= 1.
	Size int
	// Cross and Mutate are the probabilities of an exchange of one slot, and of taking one job out.
	Cross, Mutate float64
}

// Search is a population that lives on while jobs come and go. Build it with New.
type Search struct {
	cfg   Config
	slots int
	jobs  []Job
	lives [][]int32 // schedules by slots, the best first
	spare [][]int32
	// What Reorder made the schedules of: their counts, and the schedule in force; written = they are
	// still what it would make of these.
	counts  [][]int32
	base    []int32
	written bool

	// Of a generation:
	shortest []int32 // jobs by what is left
	now      []int32 // counts of the present schedule
	all      []candidate
	order    []int32
	old      [][]int32
	few      []few
	fresh    []fresh
	names    []int32
	words    []uint64 // random bits of a child

	// Of Reorder:
	runs           []run   // of each job in the present schedule
	idleTo         []int32 // idle slots before each of the present schedule
	stay, come     []int32
	stayAt, comeAt []int32
	idle           int
	kept           []int32
	step           []uint8
}

// candidate is a schedule by counts.
type candidate struct {
	counts []int32
	score  float64
	served int32 // jobs that have slots
	away   int32 // GPUs by which its counts differ from the present ones
}

// New is an empty search.
func New(c Config) *Search { return &Search{cfg: c} }

// Clone gives an independent copy. Jobs must be set anew before the next generation.
func (s *Search) Clone() *Search {
	c := &Search{cfg: s.cfg, slots: s.slots}
	for _, l := range s.lives {
		c.lives = append(c.lives, slices.Clone(l))
	}
	return c
}

// Slots reports how many slots there are from now on, and of each which it was, -1 = it is new.
func (s *Search) Slots(was []int32) {
	s.slots, s.written = len(was), false
	for i, old := range s.lives {
		l := s.room()
		for _, w := range was {
			if w < 0 {
				l = append(l, Idle)
			} else {
				l = append(l, old[w])
			}
		}
		s.lives[i] = l
		s.spare = append(s.spare, old)
	}
}

// Rename gives jobs other numbers: is[j] is what job j is called from now on, -1 = it has left. A
// job that is not there is called -1.
func (s *Search) Rename(is []int32) {
	same := true
	for j, k := range is {
		same = same && k == int32(j)
	}
	if same {
		return
	}
	s.written = false
	for _, l := range s.lives {
		for i, j := range l {
			if j >= 0 {
				l[i] = is[j]
			}
		}
	}
}

// Generation lets the population live through one generation, with the jobs as they are now: job j
// of a schedule is jobs[j]. present is the schedule in force, by slots. The jobs must stay as they
// are until Best is read.
func (s *Search) Generation(r *rng.Stream, jobs []Job, present []int32) {
	s.jobs = jobs
	s.written = s.written && len(s.counts[0]) <= len(jobs)
	s.prepare()
	s.now = s.count(s.now, present)
	if len(s.lives) == 0 {
		s.begin0(r)
	}
	s.all = s.all[:0]
	s.add(s.now)
	for i, l := range s.lives {
		c := s.next()
		if s.written {
			c.counts = append(Zeros(c.counts, len(jobs))[:0], s.counts[i]...)[:len(jobs)]
			continue
		}
		c.counts = s.count(c.counts, l)
	}
	s.cross(r)
	s.mutate(r)
	for i := range s.all {
		s.finish(&s.all[i])
	}
	s.choose(present)
}

// Best is the schedule with the least score, by slots. It is valid until the next generation.
func (s *Search) Best() []int32 { return s.lives[0] }

// Score is the score of a schedule by counts.
func (s *Search) Score(counts []int32) float64 {
	sum := 0.0
	for i, n := range counts {
		sum += s.jobs[i].score(n)
	}
	return sum
}

// begin0 makes the first population: jobs in random orders, each with its least count.
func (s *Search) begin0(r *rng.Stream) {
	for range s.cfg.Size {
		s.names = s.names[:0]
		for i := range s.jobs {
			s.names = append(s.names, int32(i))
		}
		r.Shuffle(len(s.names), func(i, j int) { s.names[i], s.names[j] = s.names[j], s.names[i] })
		l := s.room()
		for _, i := range s.names {
			j := &s.jobs[i]
			if n := j.usable(j.least()); n > 0 && len(l)+int(n) <= s.slots {
				for range n {
					l = append(l, i)
				}
			}
		}
		for len(l) < s.slots {
			l = append(l, Idle)
		}
		s.lives = append(s.lives, l)
	}
}

// cross makes as many children as schedules live on, by pairs; none of a pair that is alike, whose
// children would be no others.
func (s *Search) cross(r *rng.Stream) {
	often := odds(s.cfg.Cross)
	for range s.cfg.Size / 2 {
		i, j := r.IntN(len(s.lives)), r.IntN(len(s.lives))
		a, b := s.lives[i][:s.slots], s.lives[j][:s.slots]
		words := s.draw(r, s.slots)
		if i == j || slices.Equal(a, b) {
			continue
		}
		s.next()
		second := s.next()
		first := &s.all[len(s.all)-2] // the second next may have moved it
		first.counts, second.counts = s.lived(first.counts, i), s.lived(second.counts, j)
		for i, w := range words {
			if w >= often || a[i] == b[i] {
				continue
			}
			give(first.counts, a[i], b[i])
			give(second.counts, b[i], a[i])
		}
	}
}

// give gives a slot of one job to another.
func give(counts []int32, from, to int32) {
	if from >= 0 {
		counts[from]--
	}
	if to >= 0 {
		counts[to]++
	}
}

// lived copies the counts of a schedule that lives.
func (s *Search) lived(dst []int32, i int) []int32 { return append(dst[:0], s.all[1+i].counts...) }

// fine is how many values Float64 of a stream has between 0 and 1.
const fine = 1 << 53

// odds gives what fine random bits are below with a probability, as Float64 is.
func odds(p float64) uint64 { return uint64(math.Ceil(p * fine)) }

// draw gives as many numbers of fine random bits, as Float64 has.
func (s *Search) draw(r *rng.Stream, n int) []uint64 {
	s.words = slices.Grow(s.words[:0], n)[:n]
	r.Words(s.words)
	for i := range s.words {
		s.words[i] %= fine
	}
	return s.words
}

// mutate makes as many mutants, of schedules in turn, but none that is as its schedule.
func (s *Search) mutate(r *rng.Stream) {
	s.names = s.names[:0]
	for j := range s.jobs {
		if s.jobs[j].Ripe {
			s.names = append(s.names, int32(j))
		}
	}
	often := odds(s.cfg.Mutate)
	for i := range s.cfg.Size {
		c, taken := s.next(), int32(0)
		c.counts = s.lived(c.counts, i%len(s.lives))
		for k, w := range s.draw(r, len(s.names)) {
			if w < often {
				n := &c.counts[s.names[k]]
				taken += *n
				*n = 0
			}
		}
		if taken == 0 {
			s.all = s.all[:len(s.all)-1]
		}
	}
}

// finish repairs and judges a candidate.
func (s *Search) finish(c *candidate) {
	s.repair(c.counts)
	c.score, c.served, c.away = s.Score(c.counts), 0, 0
	for i, n := range c.counts {
		c.served += min(n, 1)
		c.away += max(n-s.now[i], s.now[i]-n)
	}
}

// choose keeps the best candidates that differ, as schedules by slots. Scores are equal if they are
// to seven digits.
func (s *Search) choose(present []int32) {
	s.order = s.order[:0]
	for i := range s.all {
		s.order = append(s.order, int32(i))
	}
	slices.SortFunc(s.order, func(i, j int32) int {
		a, b := &s.all[i], &s.all[j]
		return cmp.Or(cmp.Compare(float32(a.score), float32(b.score)), cmp.Compare(b.served, a.served),
			cmp.Compare(a.away, b.away), cmp.Compare(i, j))
	})
	n := 0
	for _, i := range s.order {
		if n == s.cfg.Size {
			break
		}
		if slices.ContainsFunc(s.order[:n], func(k int32) bool {
			return s.all[k].score == s.all[i].score && slices.Equal(s.all[k].counts, s.all[i].counts)
		}) {
			continue
		}
		s.order[n] = i
		n++
	}
	s.order = s.order[:n]
	s.write(present)
}

// count counts the slots of each job.
func (s *Search) count(dst, slots []int32) []int32 {
	dst = Zeros(dst, len(s.jobs))
	for _, j := range slots {
		if j >= 0 {
			dst[j]++
		}
	}
	return dst
}

// Zeros gives n zeros, in the memory of dst if they fit; else with room to grow.
func Zeros(dst []int32, n int) []int32 {
	if cap(dst) < n {
		dst = make([]int32, n, 2*n)
	}
	dst = dst[:n]
	clear(dst)
	return dst
}

// next makes room for one more candidate.
func (s *Search) next() *candidate {
	if len(s.all) < cap(s.all) {
		s.all = s.all[:len(s.all)+1]
	} else {
		s.all = append(s.all, candidate{})
	}
	return &s.all[len(s.all)-1]
}

// add adds a candidate by counts.
func (s *Search) add(counts []int32) {
	c := s.next()
	c.counts = Zeros(c.counts, len(counts))
	copy(c.counts, counts)
}

// room gives an empty list of slots.
func (s *Search) room() []int32 {
	n := len(s.spare)
	if n == 0 {
		return make([]int32, 0, s.slots)
	}
	l := s.spare[n-1]
	s.spare = s.spare[:n-1]
	return l[:0]
}
