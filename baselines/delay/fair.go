package delay

import (
	"tarry/sim"
	"tarry/sim/plan"
)

// fair ranks jobs by how many GPUs their user holds, over the user's weight. The queue wants keys
// that stand still, so it is given only the first job of each line (one user, one demand); when a
// user's holding changes, the heads of that user's lines are ranked anew. That costs the user's
// demands, not their jobs.
type fair struct {
	users  map[string]int32
	holds  []int // user -> GPUs held
	weight []float64
	lines  [][]int // user -> lines
	line   []line
	byWhat map[what]int
	of     []int32 // job -> line + 1; 0 = not yet known
}

type what struct {
	user   int32
	demand plan.Demand
}

// line is a queue of one user's jobs with one demand, in order of joining.
type line struct {
	user int32
	jobs []member
	head int
}

type member struct {
	job  sim.JobID
	mark float64
}

func newFair() *fair {
	return &fair{users: map[string]int32{}, byWhat: map[what]int{}}
}

// join appends a job to its line.
func (f *fair) join(q *plan.Queue, v *sim.View, j sim.JobID, mark float64) {
	l := &f.line[f.lineOf(q, v, j)]
	if l.head > 16 && l.head > len(l.jobs)/2 {
		l.jobs = l.jobs[:copy(l.jobs, l.jobs[l.head:])]
		l.head = 0
	}
	l.jobs = append(l.jobs, member{j, mark})
	if len(l.jobs) == l.head+1 {
		q.Add(v, j, f.rankOf(l.user), mark)
	}
}

func (f *fair) lineOf(q *plan.Queue, v *sim.View, j sim.JobID) int {
	if len(f.of) < v.NumJobs() {
		f.of = append(f.of, make([]int32, v.NumJobs()-len(f.of))...)
	}
	if f.of[j] > 0 {
		return int(f.of[j]) - 1
	}
	u, ok := f.users[v.Job(j).User()]
	if !ok {
		u = int32(len(f.holds))
		f.users[v.Job(j).User()] = u
		f.holds = append(f.holds, 0)
		f.weight = append(f.weight, v.Tenants().UserWeight(v.Job(j).VC(), v.Job(j).User()))
		f.lines = append(f.lines, nil)
	}
	w := what{u, *q.Demand(j)}
	i, ok := f.byWhat[w]
	if !ok {
		i = len(f.line)
		f.byWhat[w] = i
		f.line = append(f.line, line{user: u})
		f.lines[u] = append(f.lines[u], i)
	}
	f.of[j] = int32(i) + 1
	return i
}

// start takes the head of a line, which has left the queue, and ranks its user anew.
func (f *fair) start(q *plan.Queue, v *sim.View, j sim.JobID) {
	l := &f.line[f.of[j]-1]
	l.head++
	f.holds[l.user] += v.Job(j).GPUs()
	if l.head < len(l.jobs) {
		m := l.jobs[l.head]
		q.Add(v, m.job, f.rankOf(l.user), m.mark)
	}
	f.rank(q, v, l.user)
}

// stop gives back what a job held.
func (f *fair) stop(q *plan.Queue, v *sim.View, j sim.JobID) {
	u := f.line[f.of[j]-1].user
	f.holds[u] -= v.Job(j).GPUs()
	f.rank(q, v, u)
}

func (f *fair) rank(q *plan.Queue, v *sim.View, u int32) {
	for _, i := range f.lines[u] {
		l := &f.line[i]
		if l.head == len(l.jobs) {
			continue
		}
		m := l.jobs[l.head]
		q.Remove(m.job)
		q.Add(v, m.job, f.rankOf(u), m.mark)
	}
}

// rankOf is what a user holds over its weight.
func (f *fair) rankOf(u int32) float64 { return float64(f.holds[u]) / f.weight[u] }
