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
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

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
	meansColumns = "rule cpu_returned done missed throughput_rate mean_reward_sum"
)

// Reader compares folders of this form.
func Reader() reference.Reader {
	return reference.Reader{Name: "kais", Knows: func(f *reference.Folder) bool { return len(sets(f)) > 0 },
		Compare: func(ctx context.Context, f *reference.Folder) (reference.Outcome, error) {
			o := reference.Outcome{Unit: "relative"}
			for _, head := range sets(f) {
				if err := compare(&o, f, head); err != nil {
					return o, err
				}
			}
			return o, ctx.Err()
		}}
}

// sets are the heads of the files of a folder.
func sets(f *reference.Folder) (out []string) {
	for _, head := range f.Heads(meansFile) {
		if _, err := reference.ReadRows(filepath.Join(f.Dir, head+meansFile), strings.Fields(meansColumns)...); err == nil {
			out = append(out, head)
		}
	}
	return out
}

// run is a rule, with CPU that comes back or not.
type run struct {
	rule     string
	returned bool
}

func compare(o *reference.Outcome, f *reference.Folder, head string) error {
	set, err := readSetting(filepath.Join(f.Dir, head+settingFile))
	if err != nil {
		return err
	}
	requests, err := readRequests(filepath.Join(f.Dir, head+requestsFile))
	if err != nil {
		return err
	}
	o.Reads(head+settingFile, head+requestsFile)
	means, err := reference.ReadRows(filepath.Join(f.Dir, head+meansFile), strings.Fields(meansColumns)...)
	if err != nil {
		return err
	}
	played := map[run][]dispatch.Slot{}
	for row := range means.Cells {
		l := &reference.Line{Rows: means, Row: row}
		x := run{means.Text(row, "rule"), l.Count("cpu_returned") == 1}
		set.CPUReturned = x.returned
		if played[x], err = play(set, requests, x.rule); err == nil {
			err = judgeMean(o, l, played[x])
		}
		note(o, "runs", head+meansFile, row, err)
	}
	return judgeSlots(o, f, head+slotsFile, played)
}

// note counts a row.
func note(o *reference.Outcome, kind, file string, row int, err error) {
	if o.One(kind, file, err == nil); err != nil {
		o.Short = append(o.Short, fmt.Sprintf("%s: row %d: %v", file, row+1, err))
	}
}

// play lets a rule choose in every slot.
func play(set *dispatch.Setting, requests [][]dispatch.Request, name string) (out []dispatch.Slot, err error) {
	i := slices.IndexFunc(dispatch.Rules(), func(r dispatch.Rule) bool { return r.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("no rule %q", name)
	}
	w, err := dispatch.New(set, requests)
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

// near compares a number, and keeps the largest difference.
func near(o *reference.Outcome, l *reference.Line, column string, got, most float64) error {
	want := l.Number(column)
	if l.Err != nil {
		return l.Err
	}
	off := math.Abs(got-want) / max(1e-300, math.Abs(want))
	if got == want {
		off = 0
	}
	if !(off <= most) {
		return fmt.Errorf("%s is %v, there %v", column, got, want)
	}
	o.Worst = max(o.Worst, off)
	return nil
}

// judgeMean compares a row of the means.
func judgeMean(o *reference.Outcome, l *reference.Line, all []dispatch.Slot) error {
	done, missed, reward := 0, 0, 0.0
	for _, s := range all {
		for c := range clusters {
			done, missed, reward = done+s.Done[c], missed+s.Missed[c], reward+s.Reward[c]
		}
	}
	for _, x := range []struct {
		column    string
		got, most float64
	}{{"done", float64(done), 0}, {"missed", float64(missed), 0},
		{"throughput_rate", float64(done) / float64(done+missed), within},
		{"mean_reward_sum", reward / float64(len(all)), within}} {
		if err := near(o, l, x.column, x.got, x.most); err != nil {
			return err
		}
	}
	return nil
}

// judgeSlots compares the rows of slots, of which a folder may have none.
func judgeSlots(o *reference.Outcome, f *reference.Folder, file string, played map[run][]dispatch.Slot) error {
	if !slices.Contains(f.Files, file) {
		return nil
	}
	rows, err := reference.ReadRows(filepath.Join(f.Dir, file), "rule", "cpu_returned", "slot", "done_1", "done_2",
		"missed_1", "missed_2", "reward_1", "reward_2")
	if err != nil {
		return err
	}
	for row := range rows.Cells {
		l := &reference.Line{Rows: rows, Row: row}
		all, s := played[run{rows.Text(row, "rule"), l.Count("cpu_returned") == 1}], l.Count("slot")
		err := l.Err
		if err == nil && (s < 0 || s >= len(all)) {
			err = fmt.Errorf("slot %d of %d", s, len(all))
		}
		for c := 0; c < clusters && err == nil; c++ {
			if err = near(o, l, fmt.Sprint("done_", c+1), float64(all[s].Done[c]), 0); err == nil {
				err = near(o, l, fmt.Sprint("missed_", c+1), float64(all[s].Missed[c]), 0)
			}
			if err == nil {
				err = near(o, l, fmt.Sprint("reward_", c+1), all[s].Reward[c], within)
			}
		}
		note(o, "slots", file, row, err)
	}
	return nil
}

// readSetting reads what the world is made of.
func readSetting(file string) (*dispatch.Setting, error) {
	var x struct {
		Nodes       []struct{ CPU, Mem float64 }
		Deploy      [][]int
		Coefficient []float64
		PodCPU      float64 `json:"pod_cpu"`
		PodMem      float64 `json:"pod_mem"`
		SlotS       float64 `json:"slot_s"`
		Slots       int
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &x); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if len(x.Deploy) != len(x.Nodes) {
		return nil, fmt.Errorf("%s: pods of %d nodes, expected %d", file, len(x.Deploy), len(x.Nodes))
	}
	set := &dispatch.Setting{Clusters: clusters, Coefficients: x.Coefficient, PodCPU: x.PodCPU, PodMem: x.PodMem,
		SlotS: x.SlotS, Slots: x.Slots}
	for i, n := range x.Nodes {
		node := dispatch.Node{CPU: n.CPU, Mem: n.Mem}
		for k, has := range x.Deploy[i] {
			if has != 0 {
				node.Pods = append(node.Pods, k)
			}
		}
		set.Nodes = append(set.Nodes, node)
	}
	return set, set.Validate()
}

// readRequests reads the requests, by cluster.
func readRequests(file string) ([][]dispatch.Request, error) {
	rows, err := reference.ReadRows(file, "cluster", "type", "arrive_s", "deadline_s", "work_cpu_s")
	if err != nil {
		return nil, err
	}
	out := make([][]dispatch.Request, clusters)
	for row := range rows.Cells {
		l := &reference.Line{Rows: rows, Row: row}
		c := l.Count("cluster") - 1
		r := dispatch.Request{Type: l.Count("type"), ArriveS: l.Number("arrive_s"), DeadlineS: l.Number("deadline_s"),
			Work: l.Number("work_cpu_s")}
		if l.Err == nil && (c < 0 || c >= clusters) {
			l.Err = fmt.Errorf("%s: row %d: cluster %d, expected 1..%d", file, row+1, c+1, clusters)
		}
		if l.Err != nil {
			return nil, l.Err
		}
		out[c] = append(out[c], r)
	}
	return out, nil
}
