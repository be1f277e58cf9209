package sweep

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tarry/sim/param"
)

// Where keeps the cells that fulfil conditions of the form axis=value; the others, and their rows,
// are then no part of the data. Values of one axis stand beside each other (any of them will do),
// axes are all asked for. "seed" is an axis here. Cells without an axis that is asked for are left
// out. An axis or a value that no cell has is an error that states which there are; all are
// reported, and nothing changes then.
func (d *Data) Where(conditions ...string) error {
	if len(conditions) == 0 {
		return nil
	}
	names, values := d.axes()
	want := map[string][]string{}
	var errs []error
	for _, c := range conditions {
		name, value, ok := strings.Cut(c, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		switch {
		case !ok || name == "":
			errs = append(errs, fmt.Errorf("%q, expected AXIS=VALUE", c))
		case !slices.Contains(names, name):
			errs = append(errs, fmt.Errorf("%q: no axis is called %q, expected one of %s%s", c, name,
				strings.Join(names, ", "), param.Hint(name, names)))
		default:
			i := slices.IndexFunc(values[name], func(v string) bool { return sameValue(v, value) })
			if i < 0 {
				errs = append(errs, fmt.Errorf("%q: the axis %s has no value %q, expected one of %s%s", c, name, value,
					strings.Join(values[name], ", "), param.Hint(value, values[name])))
				continue
			}
			want[name] = append(want[name], values[name][i])
		}
	}
	if len(errs) > 0 {
		return errors.Join(errs...)
	}
	keep := func(c *Cell) bool {
		for name, some := range want {
			v, has := c.Axes[name]
			if name == seedAxis {
				v, has = strconv.FormatUint(c.Seed, 10), true
			}
			if !has || !slices.Contains(some, v) {
				return false
			}
		}
		return true
	}
	if !d.any(keep) {
		return fmt.Errorf("no cell has %s", strings.Join(conditions, " and "))
	}
	d.keep = keep
	return nil
}

// Kept reports whether a cell is part of the data.
func (d *Data) Kept(c *Cell) bool { return d.keep == nil || d.keep(c) }

// axes lists the axes of all folders and their values, in the order of the specifications, and the
// seeds.
func (d *Data) axes() (names []string, values map[string][]string) {
	values = map[string][]string{}
	add := func(name, v string) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
		if !slices.Contains(values[name], v) {
			values[name] = append(values[name], v)
		}
	}
	for _, f := range d.Folders {
		for i := range f.Len() {
			c, err := f.Cell(i)
			if err != nil {
				continue // its rows have no cell either
			}
			for _, a := range f.Spec.Axes {
				if v, ok := c.Axes[a.Name]; ok {
					add(a.Name, v)
				}
			}
		}
	}
	for _, f := range d.Folders {
		for i := range f.Len() {
			if c, err := f.Cell(i); err == nil {
				add(seedAxis, strconv.FormatUint(c.Seed, 10))
			}
		}
	}
	return names, values
}

func (d *Data) any(keep func(c *Cell) bool) bool {
	for _, f := range d.Folders {
		for i := range f.Len() {
			if c, err := f.Cell(i); err == nil && keep(&c) {
				return true
			}
		}
	}
	return false
}

// sameValue reports whether two texts are equal, or the same number.
func sameValue(a, b string) bool {
	if a == b {
		return true
	}
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	return errX == nil && errY == nil && x == y
}
