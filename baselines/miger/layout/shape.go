package layout

import (
	"slices"

	"tarry/sim/mig"
)

// Shapes are the sizes of instances that can exist together on a device.
type Shapes struct {
	dev  *mig.Device
	list [][]int8 // the profiles of each maximal configuration, the largest first; each list once
}

// NewShapes lists the shapes of a device.
func NewShapes(d *mig.Device) *Shapes {
	s := &Shapes{dev: d}
	for _, set := range d.Maximals(nil, 0) {
		var shape []int8
		for p := set.Next(0); p >= 0; p = set.Next(p + 1) {
			shape = append(shape, int8(d.Placements[p].Profile))
		}
		slices.SortFunc(shape, func(a, b int8) int { return int(b - a) })
		if !slices.ContainsFunc(s.list, func(o []int8) bool { return slices.Equal(o, shape) }) {
			s.list = append(s.list, shape)
		}
	}
	slices.SortFunc(s.list, func(a, b []int8) int { return slices.Compare(b, a) })
	return s
}

// Device is what the shapes are of.
func (s *Shapes) Device() *mig.Device { return s.dev }

// Len is how many shapes there are.
func (s *Shapes) Len() int { return len(s.list) }
