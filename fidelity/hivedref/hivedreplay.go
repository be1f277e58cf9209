package hivedref

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	hived "tarry/baselines/hived/cells"
)

// replays reports whether a scenario replays pods of another one on a changed configuration: a
// sentence reports the change.
func (s *hivedScenario) replays() bool {
	var text string
	return len(s.Changes) > 0 && json.Unmarshal(s.Changes, &text) == nil
}

// before runs the scenario that the sentence names on the configuration as it is and then changes
// it; the reason when it cannot.
func (r *hivedRun) before(list []hivedScenario, cfg *hived.Config) string {
	var text string
	if err := json.Unmarshal(r.s.Changes, &text); err != nil {
		return err.Error()
	}
	i := slices.IndexFunc(list, func(s hivedScenario) bool {
		return s.Name != r.s.Name &&
			strings.Contains(text, s.Name)
	})
	if i < 0 {
		return "the change names no scenario whose pods are replayed"
	}
	c, err := hived.New(*cfg)
	if err != nil {
		return err.Error()
	}
	old := hivedRun{s: &list[i], file: r.file, o: r.o, c: c, group: r.group, old: true}
	for k := range old.s.Steps {
		if s := &old.s.Steps[k]; s.Op == "schedule" {
			if why := old.step(k, s); why != "" {
				return why
			}
		}
	}
	r.placed = old.placed
	return reword(cfg, text)
}

// replay gives the pods of before their places on the new configuration.
func (r *hivedRun) replay(i int) {
	for _, p := range r.placed {
		if err := r.c.Adopt(p); err != nil {
			r.say(i, false, err.Error())
			return
		}
		r.done = append(r.done, p.Pod.Name)
	}
	r.say(i, len(r.placed) > 0, "no pod was bound before")
}

// changeForms are the clauses of a sentence that changes a configuration.
var changeForms = []struct {
	form *regexp.Regexp
	do   func(cfg *hived.Config, m []string) error
}{
	{regexp.MustCompile(`(\S+) becomes (\d+) GPUs directly`), flatten},
	{regexp.MustCompile(`node (\S+) is renamed (\S+)`), rename},
	{regexp.MustCompile(`(\w+)'s (\w+) virtual cell count (?:falls|rises|changes) to (\d+)`), recount},
	{regexp.MustCompile(`the (\w+) (\S+) is split into (\w+) single-node top cells`), splitTop},
	{regexp.MustCompile(`a new (\S+) cell has nodes (\S+)\.(\d+)-\S+\.(\d+)`), newTop},
}

// reword applies a sentence to a configuration; the reason when a clause is not known.
func reword(cfg *hived.Config, text string) string {
	if _, after, found := strings.Cut(text, "config: "); found {
		text = after
	}
	for clause := range strings.SplitSeq(text, ";") {
		known := false
		for _, f := range changeForms {
			m := f.form.FindStringSubmatch(clause)
			if m == nil {
				continue
			}
			known = true
			if err := f.do(cfg, m); err != nil {
				return err.Error()
			}
		}
		if !known {
			return "a change of the configuration is not known: " + strings.TrimSpace(clause)
		}
	}
	return ""
}

// flatten takes the cells between a node and its GPUs away.
func flatten(cfg *hived.Config, m []string) error {
	t, known := cfg.Types[m[1]]
	n, err := strconv.Atoi(m[2])
	if !known || err != nil {
		return fmt.Errorf("there is no cell type %s to change", m[1])
	}
	for {
		below, above := cfg.Types[t.Child]
		if !above {
			break
		}
		t.Child = below.Child
	}
	t.Children = n
	cfg.Types[m[1]] = t
	return nil
}

func rename(cfg *hived.Config, m []string) error {
	found := false
	other := func(list []string) {
		for i := range list {
			if list[i] == m[1] {
				list[i], found = m[2], true
			}
		}
	}
	for i := range cfg.Tops {
		t := &cfg.Tops[i]
		other(t.Nodes)
		for k := range t.Pinned {
			other(t.Pinned[k].Nodes)
		}
		if gpus, given := t.GPUs[m[1]]; given {
			delete(t.GPUs, m[1])
			t.GPUs[m[2]] = gpus
		}
	}
	if !found {
		return fmt.Errorf("there is no node %s to rename", m[1])
	}
	return nil
}

// nth is the index that an ordinal names, -1 = not known.
func nth(word string) int {
	return slices.Index([]string{"first", "second", "third", "fourth", "fifth"}, word)
}

func recount(cfg *hived.Config, m []string) error {
	i := slices.IndexFunc(cfg.VCs, func(v hived.VC) bool { return v.Name == m[1] })
	k := nth(m[2])
	n, err := strconv.Atoi(m[3])
	if i < 0 || k < 0 || err != nil || k >= len(cfg.VCs[i].Bought) {
		return fmt.Errorf("there is no %s virtual cell of %s to change", m[2], m[1])
	}
	cfg.VCs[i].Bought[k].Cells = n
	return nil
}

// splitTop replaces a top cell by its nodes: the first in its position, the others at the end.
func splitTop(cfg *hived.Config, m []string) error {
	left := nth(m[1])
	for i, t := range cfg.Tops {
		if t.Type != m[2] {
			continue
		}
		if left--; left >= 0 {
			continue
		}
		name := t.Type
		for !cfg.Types[name].Node {
			if name = cfg.Types[name].Child; name == "" {
				return fmt.Errorf("cell type %s has no node", t.Type)
			}
		}
		for k, n := range t.Nodes {
			one := hived.Top{Type: name, Nodes: []string{n}, GPUs: t.GPUs}
			if k == 0 {
				cfg.Tops[i] = one
			} else {
				cfg.Tops = append(cfg.Tops, one)
			}
		}
		return nil
	}
	return fmt.Errorf("there is no %s %s to split", m[1], m[2])
}

// newTop adds a top cell. Its type is that with as many nodes; a text such as "4-node" states how
// many.
func newTop(cfg *hived.Config, m []string) error {
	from, err := strconv.Atoi(m[3])
	to, err2 := strconv.Atoi(m[4])
	if err != nil || err2 != nil || to < from {
		return fmt.Errorf("a new cell has nodes %s to %s", m[3], m[4])
	}
	top := hived.Top{}
	for k := from; k <= to; k++ {
		top.Nodes = append(top.Nodes, m[2]+"."+strconv.Itoa(k))
	}
	for _, t := range cfg.Tops { // of the kind that the neighbours are
		if len(t.Nodes) == len(top.Nodes) {
			top.Type = t.Type
		}
	}
	if top.Type == "" {
		return fmt.Errorf("there is no cell of %d nodes to take the new one's type from", len(top.Nodes))
	}
	cfg.Tops = append(cfg.Tops, top)
	return nil
}
