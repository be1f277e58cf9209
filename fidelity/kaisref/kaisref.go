// Package kaisref compares rules of dispatch in KaiS' environment. A folder holds files, of which
// several sets may stand beside one another, HEADmeans.csv and so on:
//
//	setting.json  nodes, deploy (by node and type), coefficient, pod_cpu, pod_mem, slot_s, slots
//	requests.csv  cluster (from 1), type, arrive_s, deadline_s, work_cpu_s
//	means.csv     rule, cpu_returned, done, missed, throughput_rate, mean_reward_sum
//	slots.csv     rule, cpu_returned, slot, then done, missed and reward with _1 and _2
//
// Counts are to be equal, rewards to the 12 digits that are stated. The served part is of all requests
// that ended.
package kaisref

import (
	"fmt"
	"slices"

	"tarry/fidelity/reference"
	"tarry/sim/service/dispatch"
)

// within is how far a reward may be off, relative to it.
const within = 1e-11

// clusters is how many there are.
const clusters = 2

const (
	settingFile  = "setting.json"
	requestsFile = "requests.csv"
	meansFile    = "means.csv"
	slotsFile    = "slots.csv"
	slotsColumns = "rule cpu_returned slot done_1 done_2 missed_1 missed_2 reward_1 reward_2"
	meansColumns = "rule cpu_returned done missed throughput_rate mean_reward_sum"
)

// Reader compares folders of this form.
func Reader() reference.Reader {
	return reference.BySets(reference.Sets{Name: "kais", Unit: "relative", Key: meansFile, Compare: compare,
		Knows: func(s *reference.Set) bool { return s.Has(meansFile, meansColumns) }})
}

// run is a rule, with CPU that comes back or not.
type run struct {
	rule     string
	returned bool
}

func runOf(l *reference.Line) run {
	return run{l.Rows.Text(l.Row, "rule"), l.Count("cpu_returned") == 1}
}

// comparer is what the rows of a set are compared with.
type comparer struct {
	*reference.Set
	setting  *dispatch.Setting
	requests [][]dispatch.Request
	played   map[run][]dispatch.Slot
}

func compare(s *reference.Set) error {
	c := &comparer{Set: s, played: map[run][]dispatch.Slot{}}
	if err := c.readSetting(); err != nil {
		return err
	}
	if err := c.readRequests(); err != nil {
		return err
	}
	if err := s.Each("runs", meansFile, meansColumns, c.mean); err != nil {
		return err
	}
	return s.Each("slots", slotsFile, slotsColumns, c.slot)
}

// play lets a rule choose in every slot.
func (c *comparer) play(x run) (out []dispatch.Slot, err error) {
	i := slices.IndexFunc(dispatch.Rules(), func(r dispatch.Rule) bool { return r.Name == x.rule })
	if i < 0 {
		return nil, fmt.Errorf("no rule %q", x.rule)
	}
	c.setting.CPUReturned = x.returned
	w, err := dispatch.New(c.setting, c.requests)
	if err != nil {
		return nil, err
	}
	choose := dispatch.Rules()[i].New(w)
	for !w.Ended() {
		for _, _, ok := w.Next(); ok; _, _, ok = w.Next() {
			if err := w.Hand(choose()); err != nil {
				return nil, err
			}
		}
		s := w.Close()
		out = append(out, dispatch.Slot{Done: slices.Clone(s.Done), Missed: slices.Clone(s.Missed),
			Reward: slices.Clone(s.Reward)})
	}
	return out, nil
}

// mean plays the run of a row of the means and compares it.
func (c *comparer) mean(l *reference.Line) error {
	x := runOf(l)
	all, err := c.play(x)
	if err != nil {
		return err
	}
	c.played[x] = all
	done, missed, reward := 0, 0, 0.0
	for _, s := range all {
		for k := range clusters {
			done, missed, reward = done+s.Done[k], missed+s.Missed[k], reward+s.Reward[k]
		}
	}
	if err := c.Cells(l, 0, "done missed", float64(done), float64(missed)); err != nil {
		return err
	}
	return c.Cells(l, within, "throughput_rate mean_reward_sum", float64(done)/float64(done+missed),
		reward/float64(len(all)))
}

// slot compares a row of the slots.
func (c *comparer) slot(l *reference.Line) error {
	all, at := c.played[runOf(l)], l.Count("slot")
	if at < 0 || at >= len(all) {
		return fmt.Errorf("slot %d of %d", at, len(all))
	}
	s := &all[at]
	if err := c.Cells(l, 0, "done_1 missed_1 done_2 missed_2", float64(s.Done[0]), float64(s.Missed[0]),
		float64(s.Done[1]), float64(s.Missed[1])); err != nil {
		return err
	}
	return c.Cells(l, within, "reward_1 reward_2", s.Reward...)
}

// readSetting reads what the world is made of.
func (c *comparer) readSetting() error {
	var x struct {
		Nodes       []struct{ CPU, Mem float64 }
		Deploy      [][]int
		Coefficient []float64
		PodCPU      float64 `json:"pod_cpu"`
		PodMem      float64 `json:"pod_mem"`
		SlotS       float64 `json:"slot_s"`
		Slots       int
	}
	if err := c.JSON(settingFile, &x); err != nil {
		return err
	}
	if len(x.Deploy) != len(x.Nodes) {
		return fmt.Errorf("%s: pods of %d nodes, expected %d", c.File(settingFile), len(x.Deploy), len(x.Nodes))
	}
	c.setting = &dispatch.Setting{Clusters: clusters, Coefficients: x.Coefficient, PodCPU: x.PodCPU, PodMem: x.PodMem,
		SlotS: x.SlotS, Slots: x.Slots}
	for i, n := range x.Nodes {
		node := dispatch.Node{CPU: n.CPU, Mem: n.Mem}
		for k, has := range x.Deploy[i] {
			if has != 0 {
				node.Pods = append(node.Pods, k)
			}
		}
		c.setting.Nodes = append(c.setting.Nodes, node)
	}
	return c.setting.Validate()
}

// readRequests reads the requests, by cluster.
func (c *comparer) readRequests() error {
	rows, err := c.Rows(requestsFile, "cluster type arrive_s deadline_s work_cpu_s")
	if err != nil {
		return err
	}
	c.requests = make([][]dispatch.Request, clusters)
	for row := range rows.Cells {
		l := &reference.Line{Rows: rows, Row: row}
		k := l.Count("cluster") - 1
		r := dispatch.Request{Type: l.Count("type"), ArriveS: l.Number("arrive_s"), DeadlineS: l.Number("deadline_s"),
			Work: l.Number("work_cpu_s")}
		if l.Err == nil && (k < 0 || k >= clusters) {
			l.Err = fmt.Errorf("%s: row %d: cluster %d, expected 1..%d", c.File(requestsFile), row+1, k+1, clusters)
		}
		if l.Err != nil {
			return l.Err
		}
		c.requests[k] = append(c.requests[k], r)
	}
	return nil
}
