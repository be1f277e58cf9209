package hivedref

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	hived "tarry/baselines/hived/cells"
)

// hivedTop is a top cell as the file has it.
type hivedTop struct {
	Type       string
	Nodes      []string
	GPUs       []int            `json:"gpu_indices"`
	GPUsByNode map[string][]int `json:"gpu_indices_by_node"`
	Pinned     map[string]string
}

// readHived reads a configuration.
func readHived(file string) (*hived.Config, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var in struct {
		Types map[string][]any `json:"cell_types"`
		Tops  []hivedTop       `json:"top_cells"`
		VCs   map[string]struct {
			Cells  [][]any `json:"virtual_cells"`
			Pinned []string
		}
	}
	if err := json.Unmarshal(text, &in); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	cfg := &hived.Config{Types: map[string]hived.Type{}}
	for name, t := range in.Types {
		if len(t) != 3 {
			return nil, fmt.Errorf("%s: cell type %s has %d entries, expected child, number, is a node", file, name,
				len(t))
		}
		child, isText := t[0].(string)
		n, isNumber := t[1].(float64)
		node, isBool := t[2].(bool)
		if !isText || !isNumber || !isBool {
			return nil, fmt.Errorf("%s: cell type %s is %v, expected child, number, is a node", file, name, t)
		}
		cfg.Types[name] = hived.Type{Child: child, Children: int(n), Node: node}
	}
	for _, t := range in.Tops {
		top, err := t.top()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		cfg.Tops = append(cfg.Tops, top)
	}
	for name, v := range in.VCs {
		vc := hived.VC{Name: name, Pinned: v.Pinned}
		for _, b := range v.Cells {
			if len(b) != 2 {
				return nil, fmt.Errorf("%s: VC %s: %v, expected a path and a number", file, name, b)
			}
			path, isText := b[0].(string)
			n, isNumber := b[1].(float64)
			if !isText || !isNumber {
				return nil, fmt.Errorf("%s: VC %s: %v, expected a path and a number", file, name, b)
			}
			vc.Bought = append(vc.Bought, hived.Bought{Path: strings.Split(path, "."), Cells: int(n)})
		}
		cfg.VCs = append(cfg.VCs, vc)
	}
	slices.SortFunc(cfg.VCs, func(a, b hived.VC) int { return strings.Compare(a.Name, b.Name) })
	return cfg, nil
}

// top reads a top cell and the sentences that state what is pinned: "the whole cell", "GPU N of
// NODE", or any with names of nodes.
func (t *hivedTop) top() (hived.Top, error) {
	top := hived.Top{Type: t.Type, Nodes: t.Nodes, GPUs: t.GPUsByNode}
	if t.GPUs != nil {
		top.GPUs = map[string][]int{}
		for _, n := range t.Nodes {
			top.GPUs[n] = t.GPUs
		}
	}
	for name, text := range t.Pinned {
		p := hived.Pin{Name: name, GPU: -1}
		words := strings.Fields(strings.ReplaceAll(text, ",", " "))
		for i, w := range words {
			if slices.Contains(t.Nodes, w) {
				p.Nodes = append(p.Nodes, w)
			}
			if w == "GPU" && i+1 < len(words) {
				n, err := strconv.Atoi(words[i+1])
				if err != nil {
					return top, fmt.Errorf("pinned cell %s: %q has no number after GPU", name, text)
				}
				p.GPU = n
			}
		}
		if text == "the whole cell" {
			p.Nodes = t.Nodes
		}
		if len(p.Nodes) == 0 {
			return top, fmt.Errorf("pinned cell %s: %q names no node", name, text)
		}
		top.Pinned = append(top.Pinned, p)
	}
	slices.SortFunc(top.Pinned, func(a, b hived.Pin) int { return strings.Compare(a.Name, b.Name) })
	return top, nil
}

// change applies a scenario's changes to the configuration. An error is a change that is not known.
func (s *hivedScenario) change(cfg *hived.Config) error {
	if len(s.Changes) == 0 {
		return nil
	}
	var list []struct {
		VC       string
		Cell     int `json:"virtual_cell"`
		Cells    *int
		CellType string `json:"cell_type"`
	}
	if json.Unmarshal(s.Changes, &list) != nil {
		return fmt.Errorf("a change of configuration with pods running (replayed on new cells) is not there")
	}
	for _, ch := range list {
		i := slices.IndexFunc(cfg.VCs, func(v hived.VC) bool { return v.Name == ch.VC })
		if i < 0 || ch.Cell < 0 || ch.Cell >= len(cfg.VCs[i].Bought) {
			return fmt.Errorf("there is no virtual cell %d of VC %q to change", ch.Cell, ch.VC)
		}
		b := &cfg.VCs[i].Bought[ch.Cell]
		if ch.Cells != nil {
			b.Cells = *ch.Cells
		}
		if ch.CellType != "" {
			b.Path = strings.Split(ch.CellType, ".")
		}
	}
	return nil
}
