package deepshare

import "slices"

// Columns are the columns of an observation: the GPUs of a node, then the shapes that are legal.
const Columns = 2 * NodeGPUs

// Actions are the sets of nodes, and Stop, which places nothing.
const (
	Actions = 8
	Stop    = Actions - 1
)

// Job is a job of the list.
type Job struct {
	// Type counts the models of the tables, and of each the demands.
	Type int
	// Samples are what it has to train.
	Samples float64
}

// State is a job of a world.
type State struct {
	Job
	// Nodes are where it is, ascending; none = it waits, or has ended.
	Nodes []int8
	// PerNode is how many GPUs of each it has.
	PerNode int
	// Ratio is the part of its speed that it keeps.
	Ratio float64
	// Done is what it has trained, Rounds in how many rounds.
	Done   float64
	Rounds int
	// Last is the round in which it ended, from 0; -1 = it has not.
	Last int

	shape    int     // of the tables
	expected float64 // what the next round is taken to give; 0 = nothing is known
}

// ending reports whether the job is taken to end within the next round.
func (s *State) ending() bool { return s.Samples-s.Done < s.expected }

// World is the state of a run. It belongs to one goroutine.
type World struct {
	// Jobs are all jobs.
	Jobs []State
	// Round counts the rounds that have ended.
	Round int
	// Running are the jobs with GPUs in the order of their start, Queue the jobs that wait.
	Running, Queue []int
	// Cells is the last observation (Look), Candidates its candidates by demand; -1 = none.
	Cells      [Nodes][Columns]uint8
	Candidates [Demands]int

	tables *Tables
	slips  bool
	on     [Nodes][]int // jobs, in the order of their start
	used   int          // GPUs
	ended  int
	places [Actions][]int8 // the nodes of each action
	walked []int           // scratch
	room   []int8          // scratch
	sums   sums
}

// New makes a world over tables, without jobs.
func New(t *Tables, slips bool) *World {
	return &World{tables: t, slips: slips,
		places: [Actions][]int8{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}, {0, 1, 2, 3}, nil}}
}

// Reset begins a run of a list of jobs.
func (w *World) Reset(jobs []Job) {
	old := w.Jobs
	w.Jobs = slices.Grow(w.Jobs[:0], len(jobs))[:len(jobs)]
	w.Running, w.Queue = w.Running[:0], w.Queue[:0]
	for i, j := range jobs {
		var nodes []int8
		if i < len(old) {
			nodes = old[i].Nodes[:0]
		}
		w.Jobs[i] = State{Job: j, Nodes: nodes, Ratio: 1, Last: -1}
		w.Queue = append(w.Queue, i)
	}
	for i := range w.on {
		w.on[i] = w.on[i][:0]
	}
	w.Round, w.used, w.ended, w.sums = 0, 0, 0, sums{}
	w.Look()
}

// Live reports whether a job has not ended.
func (w *World) Live() bool { return w.ended < len(w.Jobs) }

// Look makes the observation of the state: per node the types of the jobs on its GPUs (1 and up), jobs
// about to end left out, then per number of nodes (the row) and GPUs of each (the column) the type of
// the candidate that may be placed so.
func (w *World) Look() {
	w.Cells = [Nodes][Columns]uint8{}
	for n, jobs := range w.on {
		at := 0
		for _, j := range jobs {
			s := &w.Jobs[j]
			if s.ending() {
				continue
			}
			for k := 0; k < s.PerNode && at < NodeGPUs; k++ {
				w.Cells[n][at] = uint8(s.Type + 1)
				at++
			}
		}
	}
	w.Candidates = [Demands]int{-1, -1, -1}
	found := 0
	for _, j := range w.Queue {
		if c := &w.Candidates[w.Jobs[j].Type%Demands]; *c < 0 {
			*c = j
			if found++; found == Demands {
				break
			}
		}
	}
	for _, j := range w.Candidates {
		if j < 0 {
			continue
		}
		for nodes := 1; nodes <= Nodes; nodes *= 2 {
			if gpus := GPUs(w.Jobs[j].Type); nodes <= gpus {
				w.Cells[nodes-1][NodeGPUs+gpus/nodes-1] = uint8(w.Jobs[j].Type + 1)
			}
		}
	}
}

// seen is how many GPUs of a node are in use by the last observation.
func (w *World) seen(node int8) (n int) {
	for _, c := range w.Cells[node][:NodeGPUs] {
		if c != 0 {
			n++
		}
	}
	return n
}

// Chosen is the job that an action places, by the last observation; -1 = none.
func (w *World) Chosen(action int) int {
	nodes := w.places[action]
	if len(nodes) == 0 {
		return -1
	}
	most := 0
	for _, n := range nodes {
		most = max(most, w.seen(n))
	}
	for _, j := range w.Candidates {
		if j < 0 || !legal(w.Jobs[j].Type, len(nodes)/kinds-1) {
			continue
		}
		if most+GPUs(w.Jobs[j].Type)/len(nodes) <= NodeGPUs {
			return j
		}
	}
	return -1
}

// Act places the job that an action chooses; false = it places none.
func (w *World) Act(action int) bool {
	j := w.Chosen(action)
	if j < 0 {
		return false
	}
	w.start(j, w.places[action])
	return true
}

// start gives a waiting job GPUs.
func (w *World) start(j int, nodes []int8) {
	s := &w.Jobs[j]
	at := slices.Index(w.Queue, j)
	w.Queue = slices.Delete(w.Queue, at, at+1)
	s.Nodes, s.PerNode, s.Ratio = append(s.Nodes[:0], nodes...), GPUs(s.Type)/len(nodes), 1
	s.shape = s.Type*kinds + len(nodes)/kinds - 1
	for _, n := range nodes {
		w.on[n] = append(w.on[n], j)
	}
	w.used += GPUs(s.Type)
	w.Running = append(w.Running, j)
}

// stop takes a job's GPUs.
func (w *World) stop(j int) {
	s := &w.Jobs[j]
	for _, n := range s.Nodes {
		at := slices.Index(w.on[n], j)
		w.on[n] = slices.Delete(w.on[n], at, at+1)
	}
	at := slices.Index(w.Running, j)
	w.Running = slices.Delete(w.Running, at, at+1)
	w.used -= GPUs(s.Type)
	s.Nodes, s.PerNode = s.Nodes[:0], 0
}
