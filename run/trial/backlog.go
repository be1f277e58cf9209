package trial

import (
	"math"

	"tarry/sim"
)

// backlog follows what jobs in the system ask for beyond the GPUs of the cluster, as arrivals find
// it, and reports whether it grew until the last of them: then means depend on how long the run
// was, and no length gives the setting's own.
type backlog struct {
	gpus  int64    // of the cluster, thousandths
	asked int64    // by the jobs in the system
	met   []met    // in the order of arrivals; each stands for stride of them
	part  met      // the last, of fewer
	each  int      // stride
	count int      // arrivals in part
	last  sim.Time // of the last instant with an arrival; Never before
}

// met is what arrivals found: the sum, and the least.
type met struct{ sum, least int64 }

const (
	// backlogMost bounds what is kept: with more the stride doubles.
	backlogMost = 4096
	// backlogLeast is the least number of instants with arrivals at which growth is spoken of.
	backlogLeast = 100
	// backlogParts is the number of parts of the second half, backlogRises by how much more pairs
	// of parts must rise than fall (Mann and Kendall's S; 28 at most; 16 or more have a probability
	// of 0.03 where parts are in random order).
	backlogParts, backlogRises = 8, 16
	// backlogFactor is by how much the last part must be above the first, backlogShare how much of
	// the cluster it must be at least.
	backlogFactor, backlogShare = 1.3, 0.25
)

func newBacklog(gpus int) backlog { return backlog{gpus: 1000 * int64(gpus), each: 1, last: sim.Never} }

// arrive counts a job in. Jobs of one instant find the same.
func (b *backlog) arrive(j *sim.Job) {
	if over := b.asked - b.gpus; j.Submit != b.last {
		b.last = j.Submit
		if b.count == 0 {
			b.part = met{0, math.MaxInt64}
		}
		b.part.sum, b.part.least = b.part.sum+over, min(b.part.least, over)
		if b.count++; b.count == b.each {
			b.met, b.count = append(b.met, b.part), 0
			b.thin()
		}
	}
	b.asked += int64(1000 * j.Width())
}

// leave counts a job out.
func (b *backlog) leave(j *sim.Job) { b.asked -= int64(1000 * j.Width()) }

// thin doubles the stride when too much is kept.
func (b *backlog) thin() {
	if len(b.met) < backlogMost {
		return
	}
	for i := range backlogMost / 2 {
		x, y := b.met[2*i], b.met[2*i+1]
		b.met[i] = met{x.sum + y.sum, min(x.least, y.least)}
	}
	b.met, b.each = b.met[:backlogMost/2], 2*b.each
}

// grown is the number of GPUs by which the jobs in the system ask for more than there are, the mean
// over the last sixteenth of the arrivals, where the queue grew until the last arrival: in the
// second half of the arrivals it was never empty, it rose from part to part, and it ended above a
// quarter of the cluster. 0 = it did not, or the arrivals are too few to decide.
func (b *backlog) grown() float64 {
	if len(b.met)*b.each < backlogLeast {
		return 0
	}
	half := b.met[len(b.met)/2:]
	for _, m := range half {
		if m.least <= 0 {
			return 0
		}
	}
	var parts [backlogParts]float64
	for p := range parts {
		lo, hi := p*len(half)/backlogParts, (p+1)*len(half)/backlogParts
		sum := int64(0)
		for _, m := range half[lo:hi] {
			sum += m.sum
		}
		parts[p] = float64(sum) / float64(1000*b.each*(hi-lo))
	}
	rises := 0
	for i, x := range parts {
		for _, y := range parts[:i] {
			if x > y {
				rises++
			} else if x < y {
				rises--
			}
		}
	}
	end := parts[backlogParts-1]
	if rises < backlogRises || end < backlogFactor*parts[0] || end < backlogShare*float64(b.gpus)/1000 {
		return 0
	}
	return end
}
