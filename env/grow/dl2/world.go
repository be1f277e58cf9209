package dl2

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// Units are amounts of CPU and GPU.
type Units [2]int

// sum adds both.
func (u Units) sum() int { return u[0] + u[1] }

// plus adds amounts.
func (u Units) plus(v Units) Units { return Units{u[0] + v[0], u[1] + v[1]} }

// Type is a kind of job.
type Type struct {
	// Of w workers and p servers the speed is w/(A + B w/p + C w + D p).
	A, B, C, D float64
	// EpochSize is how much of that an epoch takes; Worker and Server are what a task of each holds.
	EpochSize      float64
	Worker, Server Units
}

// Epochs is how many epochs a slot of so many seconds has with workers and servers.
func (t *Type) Epochs(workers, servers int, slotS float64) float64 {
	if workers == 0 || servers == 0 {
		return 0
	}
	w, p := float64(workers), float64(servers)
	step := t.A + float64(t.B*w)/p + float64(t.C*w) + float64(t.D*p)
	return w / step * slotS / t.EpochSize
}

// Job is a job: it comes with slot Slot, its kind is Types[Type].
type Job struct {
	ID, Slot, Type int
	Epochs         float64
}

// Setting is what a cluster is.
type Setting struct {
	// Nodes have Units of CPU and as many of GPU each.
	Nodes, Units int
	// SlotS is the length of a slot in seconds.
	SlotS float64
	// Most is how many workers, and how many servers, a job may have.
	Most int
	// Window is how many jobs an agent sees. Unguarded leaves out the first pairs of Guard.
	Window    int
	Unguarded bool
	Types     []Type
}

// Validate reports what cannot be.
func (s *Setting) Validate() error {
	var errs []error
	if s.Nodes < 1 || s.Units < 1 || s.Most < 1 || s.Window < 1 || !(s.SlotS > 0) || len(s.Types) == 0 {
		errs = append(errs, fmt.Errorf("%d nodes of %d units, %d tasks, a window of %d, slots of %v s, %d types: "+
			"expected 1 or more of each", s.Nodes, s.Units, s.Most, s.Window, s.SlotS, len(s.Types)))
	}
	for i := range s.Types {
		t := &s.Types[i]
		pair := t.Worker.plus(t.Server)
		if !(t.A >= 0 && t.B >= 0 && t.C >= 0 && t.D >= 0 && t.A+t.B+t.C+t.D > 0 && t.EpochSize > 0) ||
			min(t.Worker[0], t.Worker[1], t.Server[0], t.Server[1]) < 0 || pair.sum() < 1 || max(pair[0], pair[1]) > s.Units {
			errs = append(errs, fmt.Errorf("type %d is %+v, expected numbers of 0 or more and a pair that fits a node", i+1, *t))
		}
	}
	return errors.Join(errs...)
}

// Task is how a job stands.
type Task struct {
	// Done is how many epochs are done, End when it ended in slots: as DL2 counts, a job that ends
	// with a whole slot s ends at s. Share is the dominant share of its last allocation.
	Done, End, Share float64
	// Workers and Servers are what it has now.
	Workers, Servers int
	Ended            bool
}

// World is a cluster and its jobs.
type World struct {
	// Slot is the number of the slot that is open, or would be next.
	Slot int
	// Reward is the reward of the slot that was closed last; Spared is the part of it that jobs which
	// ended in it did not need, added up.
	Reward, Spared float64
	// Tasks are the jobs' states, by their places in Jobs.
	Tasks []Task

	set    *Setting
	jobs   []Job // by slot and id
	next   int   // the first job that has not come
	queue  []int // places of jobs in the system, by slot and id
	ids    []int // the same, by id
	used   []Units
	ended  int
	window []int
	left   []int     // scratch of the rules
	keys   []float64 // scratch of the rules
}

// New makes a cluster before slot 0.
func New(set *Setting) (*World, error) {
	if err := set.Validate(); err != nil {
		return nil, err
	}
	return &World{set: set, used: make([]Units, set.Nodes)}, nil
}

// Begin clears the cluster and takes jobs, which are copied and ordered by slot and id.
func (w *World) Begin(jobs []Job) error {
	for _, j := range jobs {
		if j.Type < 0 || j.Type >= len(w.set.Types) || j.Slot < 0 || !(j.Epochs > 0) {
			return fmt.Errorf("job %+v, expected a type of %d, a slot from 0 and epochs above 0", j, len(w.set.Types))
		}
	}
	w.jobs = append(w.jobs[:0], jobs...)
	slices.SortFunc(w.jobs, func(a, b Job) int { return cmp.Or(cmp.Compare(a.Slot, b.Slot), cmp.Compare(a.ID, b.ID)) })
	w.Tasks = slices.Grow(w.Tasks[:0], len(jobs))[:len(jobs)]
	clear(w.Tasks)
	w.Slot, w.Reward, w.Spared, w.next, w.ended = 0, 0, 0, 0, 0
	w.queue, w.ids, w.window = w.queue[:0], w.ids[:0], w.window[:0]
	clear(w.used)
	return nil
}

// Setting is what the cluster is.
func (w *World) Setting() *Setting { return w.set }

// Jobs are the jobs, by slot and id; callers do not change them.
func (w *World) Jobs() []Job { return w.jobs }

// Ended reports whether all jobs have ended.
func (w *World) Ended() bool { return w.ended == len(w.jobs) }

// In is how many jobs are in the system.
func (w *World) In() int { return len(w.queue) }

// kind is the type of a job.
func (w *World) kind(j int) *Type { return &w.set.Types[w.jobs[j].Type] }

// JCT is how long a job that ended was in the system, in slots; a job that ends with the slot of its
// arrival has 1.
func (w *World) JCT(j int) float64 { return w.Tasks[j].End - float64(w.jobs[j].Slot) + 1 }

// MeanJCT is the mean of all jobs that ended, by id.
func (w *World) MeanJCT() float64 {
	sum := 0.0
	w.left = w.left[:0]
	for j := range w.jobs {
		if w.Tasks[j].Ended {
			w.left = append(w.left, j)
		}
	}
	slices.SortFunc(w.left, w.byID)
	for _, j := range w.left {
		sum += w.JCT(j)
	}
	return sum / float64(max(1, len(w.left)))
}

func (w *World) byID(a, b int) int { return cmp.Compare(w.jobs[a].ID, w.jobs[b].ID) }

// Open admits the jobs of the slot and clears all allocations.
func (w *World) Open() {
	for ; w.next < len(w.jobs) && w.jobs[w.next].Slot <= w.Slot; w.next++ {
		at, _ := slices.BinarySearchFunc(w.ids, w.next, w.byID)
		w.ids = slices.Insert(w.ids, at, w.next)
		w.queue = append(w.queue, w.next)
	}
	for _, j := range w.queue {
		w.Tasks[j].Workers, w.Tasks[j].Servers = 0, 0
	}
	clear(w.used)
}

// emptiest is the node with the fewest used units.
func (w *World) emptiest() int {
	best := 0
	for n := range w.used {
		if w.used[n].sum() < w.used[best].sum() {
			best = n
		}
	}
	return best
}

// Give gives a job workers and servers, together on the node with the fewest used units; it reports
// whether they fit there.
func (w *World) Give(j, workers, servers int) bool {
	return w.giveOn(w.emptiest(), j, workers, servers)
}

// Room reports whether Give would give.
func (w *World) Room(j, workers, servers int) bool {
	_, fits := w.needs(w.emptiest(), j, workers, servers)
	return fits && w.Tasks[j].Workers+workers <= w.set.Most && w.Tasks[j].Servers+servers <= w.set.Most
}

// needs is what a node would hold with more tasks of a job, and whether it can.
func (w *World) needs(node, j, workers, servers int) (need Units, fits bool) {
	t := w.kind(j)
	for r := range need {
		need[r] = w.used[node][r] + workers*t.Worker[r] + servers*t.Server[r]
	}
	return need, max(need[0], need[1]) <= w.set.Units
}

func (w *World) giveOn(node, j, workers, servers int) bool {
	need, fits := w.needs(node, j, workers, servers)
	if !fits {
		return false
	}
	w.used[node] = need
	w.Tasks[j].Workers += workers
	w.Tasks[j].Servers += servers
	w.Tasks[j].Share = w.share(j)
	return true
}

// share is the largest part of the cluster's units of one kind that a job holds.
func (w *World) share(j int) (most float64) {
	t, k := &w.Tasks[j], w.kind(j)
	for r := range k.Worker {
		held := t.Workers*k.Worker[r] + t.Servers*k.Server[r]
		most = max(most, float64(held)/float64(w.set.Nodes*w.set.Units))
	}
	return most
}

// Close lets jobs progress for the slot and goes to the next.
func (w *World) Close() {
	w.Reward, w.Spared = 0, 0
	for _, j := range w.ids {
		t := &w.Tasks[j]
		if t.Workers == 0 && t.Servers == 0 {
			continue
		}
		epochs, part := w.kind(j).Epochs(t.Workers, t.Servers, w.set.SlotS), 1.0
		if all := w.jobs[j].Epochs; t.Done+epochs > all {
			part = (all - t.Done) / epochs
			epochs = all - t.Done
			t.Done = all
		} else {
			t.Done += epochs
		}
		w.Reward += epochs / w.jobs[j].Epochs
		if t.Done >= w.jobs[j].Epochs {
			t.End, t.Ended = float64(w.Slot-1)+part, true
			w.Spared += 1 - part
			w.ended++
		}
	}
	gone := func(j int) bool { return w.Tasks[j].Ended }
	w.queue, w.ids = slices.DeleteFunc(w.queue, gone), slices.DeleteFunc(w.ids, gone)
	w.Slot++
}

// leftPart is the part of a job's epochs that is left.
func (w *World) leftPart(j int) float64 { return 1 - w.Tasks[j].Done/w.jobs[j].Epochs }

// slotsLeft is how many slots a job has left with so many workers and as many servers.
func (w *World) slotsLeft(j, pairs int) float64 {
	return (w.jobs[j].Epochs - w.Tasks[j].Done) / w.kind(j).Epochs(pairs, pairs, w.set.SlotS)
}

// SlotsLeft is how many slots a job has left with as many workers and servers as it may have.
func (w *World) SlotsLeft(j int) float64 { return w.slotsLeft(j, w.set.Most) }
