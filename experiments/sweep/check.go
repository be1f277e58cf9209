package sweep

import (
	"fmt"
	"math"

	"tarry/run/parts"
)

// Cost states what cells will take.
type Cost struct {
	// Cells is how many there are, Jobs how many jobs they simulate, Steps how many steps of
	// environments they train.
	Cells       int
	Jobs, Steps int64
	// Loaded is the jobs that one cell holds in memory at once, GPUs the size of its cluster, and
	// Learn states that it trains; of many cells, the largest.
	Loaded, GPUs int64
	Learn        bool
}

// Memory estimates in bytes what one such cell takes in a process: a part for the program, 1.5 kB
// per job held, 512 bytes per GPU, and 256 MiB for a network and its updates. docs/results/speed.md
// has the measurements behind it.
func (c Cost) Memory() int64 {
	n := int64(48<<20) + 1536*c.Loaded + 512*c.GPUs
	if c.Learn {
		n += 256 << 20
	}
	return n
}

// Seconds estimates how long one processor takes over the cells: a moment to start each, 2 000 jobs
// and 3 000 steps in a second. Policies, clusters and agents differ by a factor of several either
// way.
func (c Cost) Seconds() float64 {
	return float64(0.1*float64(c.Cells)) + float64(c.Jobs)/2000 + float64(c.Steps)/3000
}

// add counts another cell.
func (c *Cost) add(o Cost, times int64) {
	c.Cells += int(times)
	c.Jobs = capped(c.Jobs, o.Jobs, times)
	c.Steps = capped(c.Steps, o.Steps, times)
	c.Loaded, c.GPUs, c.Learn = max(c.Loaded, o.Loaded), max(c.GPUs, o.GPUs), c.Learn || o.Learn
}

// capped is sum + n*times, or the largest number.
func capped(sum, n, times int64) int64 {
	if n > 0 && times > (math.MaxInt64-sum)/n {
		return math.MaxInt64
	}
	return sum + n*times
}

// Check makes what settings stand for, so that faults are known before anything runs: every value
// of every axis (of numbers only the ends) in the first cell that has it. The error joins every
// fault.
func (s *Spec) Check(from *parts.Catalogues, cells []Cell) error {
	var errs faultList
	for _, i := range s.cover(cells) {
		_, err := s.try(from, &cells[i])
		errs.add("", err)
	}
	return errs.err()
}

// try checks one cell, with the places of the file.
func (s *Spec) try(from *parts.Catalogues, c *Cell) (Cost, error) {
	k, err := findKind(c.Kind)
	if err != nil {
		return Cost{}, err
	}
	name := "sweep " + s.Name
	cost, err := k.check(from, c, name, func(key string) string { return s.placeOfSetting(key, c) })
	if err != nil {
		return Cost{}, err
	}
	cost.Cells = 1
	return cost, nil
}

// placeOfSetting is where a cell's setting comes from: an axis, or else the base.
func (s *Spec) placeOfSetting(key string, c *Cell) string {
	for i, a := range s.Axes {
		switch {
		case a.Optimise != "" && key == paramsField+"."+a.Name:
			return s.where[fmt.Sprintf("axes[%d].optimise", i)]
		case a.Optimise == "" && a.Name == key:
			for k, v := range a.Values {
				if v == c.Axes[key] {
					if p := s.where[fmt.Sprintf("axes[%d].values[%d]", i, k)]; p != "" {
						return p
					}
				}
			}
			return s.where[fmt.Sprintf("axes[%d].name", i)]
		}
		for k, one := range a.Cases {
			if _, sets := one.Set[key]; sets && one.Name == c.Axes[a.Name] {
				return s.where[fmt.Sprintf("axes[%d].cases[%d].set.%s", i, k, key)]
			}
		}
	}
	return s.where["base."+key]
}

// cover picks the first cell of every value of every axis; of axes of numbers, of the first and the
// last.
func (s *Spec) cover(cells []Cell) []int {
	var out []int
	seen := map[[2]string]bool{}
	numeric := map[string]bool{}
	for _, a := range s.Axes {
		numeric[a.Name] = a.numeric()
	}
	for i := range cells {
		fresh := i == 0 || i == len(cells)-1
		for axis, v := range cells[i].Axes {
			if k := [2]string{axis, v}; !numeric[axis] && !seen[k] {
				seen[k], fresh = true, true
			}
		}
		if fresh {
			out = append(out, i)
		}
	}
	return out
}

// Cost adds up what the cells take, from their settings; cells of the same settings take the same.
func (s *Spec) Cost(from *parts.Catalogues, cells []Cell) (Cost, error) {
	count := map[string]int64{}
	for i := range cells {
		count[cells[i].ConfigSHA256]++
	}
	var total Cost
	for i := range cells {
		if n := count[cells[i].ConfigSHA256]; n > 0 {
			one, err := s.try(from, &cells[i])
			if err != nil {
				return total, fmt.Errorf("cell %s: %w", cells[i].ID, err)
			}
			total.add(one, n)
			count[cells[i].ConfigSHA256] = 0
		}
	}
	return total, nil
}

// Need estimates the memory in bytes that a cell takes. Cells that differ in nothing that matters
// to it are looked at once.
func (f *Folder) Need(index int) int64 {
	c, err := f.Cell(index)
	if err != nil {
		return Cost{}.Memory()
	}
	if c.Kind == "learn" {
		return Cost{Learn: true}.Memory()
	}
	key := ""
	for _, k := range [...]string{"trace", "max_jobs", "strict", "replicates", "cluster", "preset", "env", "windows",
		"validation"} {
		key += fmt.Sprintf("%v\x00", c.Settings[k]) // maps are printed in the order of their keys
	}
	if n, ok := f.need.Load(key); ok {
		return n.(int64)
	}
	cost, err := f.Spec.try(f.from, &c)
	if err != nil {
		cost = Cost{} // the cell itself will report what is wrong
	}
	f.need.Store(key, cost.Memory())
	return cost.Memory()
}

// Seconds estimates how long one processor takes over a cell. Cells of the same settings are looked
// at once.
func (f *Folder) Seconds(index int) float64 {
	c, err := f.Cell(index)
	if err != nil {
		return Cost{Cells: 1}.Seconds()
	}
	if s, ok := f.seconds.Load(c.ConfigSHA256); ok {
		return s.(float64)
	}
	cost, err := f.Spec.try(f.from, &c)
	if err != nil {
		cost = Cost{Cells: 1} // the cell itself will report what is wrong
	}
	f.seconds.Store(c.ConfigSHA256, cost.Seconds())
	return cost.Seconds()
}
