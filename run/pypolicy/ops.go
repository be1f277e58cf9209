package pypolicy

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"unsafe"

	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/know"
)

// The operations of Do. A request lies in words 1 and on, an answer too; what is called a list
// begins at word fixed, its length in word 1. Word 0 of an answer is 0, or 1 with the text of an
// error as the list.
const (
	opHeader   = OpHeader // -> the header
	opColumn   = iota     // 1 table, 2 column, 3 address of the column's memory, 4 its words
	opOf                  // 2 column; list of jobs -> list of numbers
	opNames               // 2 column, 3 first name -> JSON
	opIDs                 // list of jobs -> JSON
	opEvents              // -> list of kind, job, key
	opHeld                // 2 job -> list of GPUs
	opPlace               // 2 job, 3 rule, 4 GPUs or 0 -> list of GPUs; 1 is -1 where there is no place
	opDecide              // a decision: see decide.go -> 2 whether there was a place, 3 decisions
	opFill                // 2 rule, 3 whether a misfit ends it; list of jobs -> list of jobs that start
	opRebuild             // 2 rule, 3 whether jobs are preempted; list of jobs -> list: starts, preemptions; 2 starts
	opPredict             // see place.go -> 2 rate, 3 compute fraction
	opFree                // 2 level -> list of free GPUs by machine or rack
	opShares              // -> list of what is in use of each GPU, thousandths; -1 = it is down
	opDescribe            // -> JSON
	opHistory             // -> list of microseconds
	opPrices              // 2 instant -> 2 price, 3 carbon intensity, 4 cap, 5 draw now
	opMachines            // -> list: states of machines, then ends of boots
)

// OpHeader writes what a decision begins with into the words of a caller.
const OpHeader = 0

// words of the header.
const (
	headNow = 1 + iota
	headWaiting
	headRunning
	headDraining
	headEvents
	headUsable
	headFree
	headJobs
)

var errOver = errors.New("the decision is over, expected a view inside decide")

// Do serves the caller while it decides: one operation on words that both read and write. It
// gives how many words the answer has.
func (s *Session) Do(op int, w []int64) (n int) {
	if !s.mu.TryLock() {
		return said(w, errOver)
	}
	defer s.mu.Unlock()
	if s.view == nil {
		return said(w, errOver)
	}
	defer func() {
		if p := recover(); p != nil {
			n = said(w, fmt.Errorf("operation %d: %v", op, p))
		}
	}()
	n, err := s.serve(op, w)
	if err != nil {
		return said(w, err)
	}
	w[0] = 0
	return n
}

// DoApart is Do for a caller that shares no memory with this program: columns are written into the
// words.
func (s *Session) DoApart(op int, w []int64) int {
	if op == opColumn {
		w[3] = 0
	}
	return s.Do(op, w)
}

// said writes an error as the answer.
func said(w []int64, err error) int {
	w[0] = 1
	return text(w, []byte(strings.ToValidUTF8(err.Error(), "?")))
}

// text writes text as a list, its length in bytes in word 1, as far as there is room.
func text(w []int64, from []byte) int {
	to := unsafe.Slice((*byte)(unsafe.Pointer(&w[fixed])), 8*(len(w)-fixed))
	w[1] = int64(copy(to, from))
	return fixed + int(w[1]+7)/8
}

func (s *Session) serve(op int, w []int64) (int, error) {
	if s.looks && !reads(op) {
		return 0, errLooks
	}
	switch op {
	case opHeader:
		return s.header(w), nil
	case opColumn, opOf, opNames:
		return s.column(op, w)
	case opIDs:
		return s.ids(w)
	case opEvents:
		return s.events(w), nil
	case opHeld:
		j, err := s.job(w[2])
		if err != nil {
			return 0, err
		}
		return list(w, s.view.Run(j).Held()), nil
	case opPlace:
		return s.look(w)
	case opDecide:
		return s.decide(w)
	case opFill:
		return s.fill(w)
	case opRebuild:
		return s.rebuild(w)
	case opPredict:
		return s.predict(w)
	case opFree:
		return s.free(w), nil
	case opShares:
		return s.shares(w), nil
	case opDescribe:
		return s.describe(w)
	case opHistory:
		return list(w, s.view.History()), nil
	case opPrices:
		return s.prices(w)
	case opMachines:
		return s.machines(w), nil
	}
	return 0, fmt.Errorf("operation %d, expected one of this version", op)
}

// list writes numbers as a list.
func list[T ~int64 | ~int32](w []int64, of []T) int {
	w[1] = int64(len(of))
	for i, x := range of {
		w[fixed+i] = int64(x)
	}
	return fixed + len(of)
}

func (s *Session) header(w []int64) int {
	v := s.view
	w[0], w[headNow], w[headWaiting], w[headRunning] = 0, int64(v.Now()), int64(len(s.waiting.jobs)),
		int64(len(s.running.jobs))
	w[headDraining], w[headEvents], w[headUsable] = int64(v.Draining()), int64(len(v.Events())), int64(v.Usable())
	w[headFree], w[headJobs] = int64(v.Free().Total()), int64(v.NumJobs())
	return headJobs + 1
}

func (s *Session) tables(which int64) *table {
	if which == 0 {
		return &s.waiting
	}
	return &s.running
}

// job checks the number of a job: one that has not come is not to be seen.
func (s *Session) job(number int64) (sim.JobID, error) {
	if number < 0 || number >= int64(s.view.NumJobs()) || s.view.Run(sim.JobID(number)).State() == sim.Pending {
		return sim.NoJob, fmt.Errorf("job number %d, expected one that waits, runs or is in the events", number)
	}
	return sim.JobID(number), nil
}

// jobs are the numbers of a request's list.
func (s *Session) jobs(w []int64) ([]int64, error) {
	n := w[1]
	if n < 0 || n > int64(len(w)-fixed) {
		return nil, fmt.Errorf("a list of %d, expected at most %d", n, len(w)-fixed)
	}
	all := w[fixed : fixed+n]
	for _, number := range all {
		if uint64(number) < uint64(s.come) {
			continue
		}
		if _, err := s.job(number); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// column serves a column, or its names.
func (s *Session) column(op int, w []int64) (int, error) {
	if w[2] < 0 || w[2] >= int64(len(s.columns)) {
		return 0, fmt.Errorf("column %d, expected 0 to %d", w[2], len(s.columns)-1)
	}
	c := &s.columns[w[2]]
	if c.Needs != 0 && s.knows&c.Needs == 0 {
		return 0, fmt.Errorf("%s is not declared, expected the permission %q", c.Name, Opener(c.Needs))
	}
	switch {
	case op == opNames:
		return s.namesFrom(c, w)
	case op == opOf:
		all, err := s.jobs(w)
		for i, number := range all {
			all[i] = c.bits(s, sim.JobID(number))
		}
		return fixed + len(all), err
	case w[3] == 0: // the caller has no memory that both reach
		t := s.tables(w[1])
		w[1] = int64(len(t.jobs))
		for i, j := range t.jobs {
			w[fixed+i] = c.bits(s, j)
		}
		return fixed + len(t.jobs), nil
	}
	t := s.tables(w[1])
	if w[4] < int64(len(t.jobs)) {
		return 0, fmt.Errorf("memory of %d words, expected %d", w[4], len(t.jobs))
	}
	t.fill(s, int(w[2]), *(*unsafe.Pointer)(unsafe.Pointer(&w[3])), int(w[4]))
	w[1] = int64(len(t.jobs))
	return 2, nil
}

func (s *Session) namesFrom(c *Column, w []int64) (int, error) {
	if c.names == nil {
		return 0, fmt.Errorf("%s has no names", c.Name)
	}
	return asJSON(w, c.names.list[min(max(0, int(w[3])), len(c.names.list)):])
}

// asJSON writes a value as JSON, or as much of a list as there is room for.
func asJSON(w []int64, v any) (int, error) {
	text8, err := json.Marshal(v)
	if err == nil && len(text8) > 8*(len(w)-fixed) {
		if names, ok := v.([]string); ok && len(names) > 1 {
			return asJSON(w, names[:len(names)/2]) // the caller asks for the rest
		}
		err = fmt.Errorf("%d bytes, expected at most %d", len(text8), 8*(len(w)-fixed))
	}
	if err != nil {
		return 0, err
	}
	return text(w, text8), nil
}

func (s *Session) ids(w []int64) (int, error) {
	all, err := s.jobs(w)
	if err != nil {
		return 0, err
	}
	names := make([]string, len(all))
	for i, number := range all {
		names[i] = s.view.Job(sim.JobID(number)).Public().ID
	}
	return asJSON(w, names)
}

func (s *Session) events(w []int64) int {
	n := 0
	for _, ev := range s.view.Events() {
		if fixed+n+3 > len(w) {
			break
		}
		w[fixed+n], w[fixed+n+1], w[fixed+n+2] = int64(ev.Kind), int64(ev.Job), int64(ev.Key)
		n += 3
	}
	w[1] = int64(n)
	return fixed + n
}

// free lists the GPUs that are free by machine or rack.
func (s *Session) free(w []int64) int {
	t, f := s.view.Topology(), s.view.Free()
	n, of := t.Machines(), f.InMachine
	if cluster.Level(w[2]) == cluster.LevelRack {
		n, of = t.Racks(), f.InRack
	}
	for i := range n {
		w[fixed+i] = int64(of(i))
	}
	w[1] = int64(n)
	return fixed + n
}

func (s *Session) shares(w []int64) int {
	n := s.view.Topology().GPUs()
	for g := range n {
		if w[fixed+g] = int64(s.view.Share(cluster.GPU(g))); !s.view.Up(cluster.GPU(g)) {
			w[fixed+g] = -1
		}
	}
	w[1] = int64(n)
	return fixed + n
}

// describe gives what stays the same in a run.
func (s *Session) describe(w []int64) (int, error) {
	t := s.view.Topology()
	coupled, progressive := s.view.Speeds()
	d := map[string]any{"gpus": t.GPUs(), "machines": t.Machines(), "racks": t.Racks(), "types": t.Types(),
		"coupled": coupled, "progressive": progressive, "jobs": s.view.NumJobs()}
	gpus, racks, types := make([]int, t.Machines()), make([]int, t.Machines()), make([]int, t.Machines())
	for m := range t.Machines() {
		lo, hi := t.MachineGPUs(m)
		gpus[m], racks[m], types[m] = int(hi-lo), t.Rack(m), t.TypeOf(m)
	}
	d["machine_gpus"], d["machine_rack"], d["machine_type"] = gpus, racks, types
	return asJSON(w, d)
}

// real and setReal are floating-point numbers as words.
func real(w int64) float64 { return math.Float64frombits(uint64(w)) }

func word(x float64) int64 { return int64(math.Float64bits(x)) }

// Opener names a permission that opens a column: the one with least beside it.
func Opener(needs know.Set) string {
	if needs&know.Done != 0 {
		return know.Done.String()
	}
	return needs.String()
}
