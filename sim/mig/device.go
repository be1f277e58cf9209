package mig

import (
	"fmt"
	"strings"
)

// The slices of every device here.
const (
	ComputeSlices = 7
	MemorySlices  = 8
)

// Profile is one size of instance.
type Profile struct {
	// Name is NVIDIA's, such as 3g.20gb.
	Name string
	// Compute is how many of the 7 compute slices it has, Memory how many of the 8 memory slices.
	Compute, Memory int
	// MiB is the memory that jobs in it may use.
	MiB int32
	// Starts are the memory slices at which an instance may begin, ascending.
	Starts []int
}

// Milli is the part of the GPU's compute in thousandths, rounded down: 142, 285, 428, 571 and 1000.
func (p *Profile) Milli() int32 { return int32(1000 * p.Compute / ComputeSlices) }

// Placement is an instance at a place of the GPU.
type Placement struct {
	// Profile is the index in the device's Profiles, Start the first memory slice.
	Profile, Start int
}

// Device is one type of GPU.
type Device struct {
	// Name is how a cluster file names it, such as a100-40gb.
	Name string
	// Profiles are the sizes, from the smallest to the largest.
	Profiles []Profile
	// Placements are all places of all profiles, profile by profile, ascending by start. Their
	// order is the knob Instance's: 1 + index.
	Placements []Placement
}

// Named gives the device of a name.
func Named(name string) (*Device, error) {
	for _, d := range Devices() {
		if d.Name == name {
			return d, nil
		}
	}
	var names []string
	for _, d := range Devices() {
		names = append(names, d.Name)
	}
	return nil, fmt.Errorf("no MIG device %q, expected one of %s", name, strings.Join(names, ", "))
}

// Devices lists the devices that are known, each made anew.
func Devices() []*Device {
	return []*Device{
		make7("a100-40gb", [...]string{"1g.5gb", "1g.10gb", "2g.10gb", "3g.20gb", "4g.20gb", "7g.40gb"},
			[...]int32{4864, 9856, 9856, 19968, 19968, 40192}),
		make7("a100-80gb", [...]string{"1g.10gb", "1g.20gb", "2g.20gb", "3g.40gb", "4g.40gb", "7g.80gb"},
			[...]int32{9728, 19968, 19968, 40192, 40192, 80896}),
		make7("h100-80gb", [...]string{"1g.10gb", "1g.20gb", "2g.20gb", "3g.40gb", "4g.40gb", "7g.80gb"},
			[...]int32{9984, 20096, 20096, 40448, 40448, 81152}),
	}
}

// make7 makes a device of the geometry that A100 and H100 have.
func make7(name string, names [6]string, mib [6]int32) *Device {
	d := &Device{Name: name, Profiles: []Profile{
		{Compute: 1, Memory: 1, Starts: []int{0, 1, 2, 3, 4, 5, 6}},
		{Compute: 1, Memory: 2, Starts: []int{0, 2, 4, 6}},
		{Compute: 2, Memory: 2, Starts: []int{0, 2, 4}},
		{Compute: 3, Memory: 4, Starts: []int{0, 4}},
		{Compute: 4, Memory: 4, Starts: []int{0}},
		{Compute: 7, Memory: 8, Starts: []int{0}},
	}}
	for i := range d.Profiles {
		p := &d.Profiles[i]
		p.Name, p.MiB = names[i], mib[i]
		for _, s := range p.Starts {
			d.Placements = append(d.Placements, Placement{Profile: i, Start: s})
		}
	}
	return d
}

// Of gives the profile of placement p.
func (d *Device) Of(p int) *Profile { return &d.Profiles[d.Placements[p].Profile] }

// String is a placement as nvidia-smi lists it: profile, start and memory slices, such as 3g.20gb
// at 4:4.
func (d *Device) String(p int) string {
	o := d.Of(p)
	return fmt.Sprintf("%s at %d:%d", o.Name, d.Placements[p].Start, o.Memory)
}
