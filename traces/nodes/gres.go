package nodes

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tarry/sim/mig"
)

// cutAt is the width of a column of sinfo -O, at which values are cut off.
const cutAt = 20

// Gres reads generic resources as Slurm prints them, such as gpu:a100:4(S:0-1),gpu:1g.10gb:7 or
// (null), and gives the GPUs among them. The error states what is wrong with the first entry that
// is.
func Gres(text string) ([]GPUs, error) {
	var out []GPUs
	var instances []Instances
	for _, one := range outside(text, ',') {
		one, _, _ = strings.Cut(strings.TrimSpace(one), "(")
		parts := strings.Split(one, ":")
		if parts[0] != "gpu" {
			continue
		}
		parts = slices.DeleteFunc(parts[1:], func(p string) bool { return p == "no_consume" })
		count := 1
		if n := len(parts); n > 0 && strings.Trim(parts[n-1], "0123456789") == "" {
			v, err := strconv.Atoi(parts[n-1])
			if err != nil || v > MaxPerNode {
				return nil, fmt.Errorf("at most %d of %q", MaxPerNode, one)
			}
			count, parts = v, parts[:n-1]
		} else if len(one) >= cutAt {
			return nil, fmt.Errorf("gpu:TYPE:COUNT: %q has no count and may be cut off", one)
		}
		typ := strings.Join(parts, ":")
		if prefix, profile, ok := Profile(typ); ok {
			instances = append(instances, Instances{prefix, profile, count})
			continue
		}
		out = append(out, GPUs{Type: typ, Count: count})
	}
	return append(out, Whole(instances, out)...), nil
}

// outside cuts a text at a byte that stands outside of parentheses and brackets.
func outside(text string, at byte) []string {
	var out []string
	from, depth := 0, 0
	for i := range len(text) {
		switch text[i] {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		case at:
			if depth <= 0 {
				out = append(out, text[from:i])
				from = i + 1
			}
		}
	}
	return append(out, text[from:])
}

// Instances are MIG instances of one profile.
type Instances struct {
	// Type is the GPU type that stands before the profile; "" = none.
	Type string
	// Profile is NVIDIA's name, such as 1g.5gb, and Count how many there are.
	Profile string
	Count   int
}

// Profile finds the name of a MIG profile at the end of a type, as in a100_1g.5gb or mig-1g.5gb.
func Profile(typ string) (prefix, profile string, ok bool) {
	at := strings.LastIndexAny(typ, "_-: ") + 1
	name := strings.ToLower(typ[at:])
	g, mem, dotted := strings.Cut(name, "g.")
	gb, isMem := strings.CutSuffix(strings.TrimSuffix(mem, "+me"), "gb")
	if !dotted || !isMem || !digits(g) || !digits(gb) {
		return "", "", false
	}
	prefix = strings.TrimRight(typ[:at], "_-: ")
	for _, word := range []string{"mig", "MIG"} {
		prefix = strings.TrimRight(strings.TrimSuffix(prefix, word), "_-: ")
	}
	return prefix, strings.TrimSuffix(name, "+me"), true
}

func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// Whole gives the GPUs that hold instances: as many as their compute or their memory slices fill.
// The type is the one before a profile, or of the whole GPUs beside them, or by the device.
func Whole(instances []Instances, beside []GPUs) []GPUs {
	if len(instances) == 0 {
		return nil
	}
	typ := ""
	for _, one := range instances {
		if typ == "" {
			typ = one.Type
		}
	}
	if typ == "" && len(beside) > 0 {
		typ = beside[0].Type
	}
	d := device(instances, typ)
	compute, memory := 0, 0
	for _, one := range instances {
		c, m := slicesOf(d, one.Profile)
		compute, memory = compute+c*one.Count, memory+m*one.Count
	}
	g := GPUs{Type: typ, Count: max((compute+mig.ComputeSlices-1)/mig.ComputeSlices,
		(memory+mig.MemorySlices-1)/mig.MemorySlices)}
	if d != nil {
		if g.MIG = d.Name; typ == "" {
			g.Type, _, _ = strings.Cut(d.Name, "-")
		}
	}
	return []GPUs{g}
}

// device finds the device that has all profiles, by the type's name where several do; nil = none
// has.
func device(instances []Instances, typ string) *mig.Device {
	var found *mig.Device
	for _, d := range mig.Devices() {
		has := !slices.ContainsFunc(instances, func(one Instances) bool {
			return !slices.ContainsFunc(d.Profiles, func(p mig.Profile) bool { return p.Name == one.Profile })
		})
		name, _, _ := strings.Cut(d.Name, "-")
		switch {
		case !has:
		case found == nil, strings.Contains(strings.ToLower(typ), name) && !strings.Contains(found.Name, name):
			found = d
		case found.Name == "a100-40gb" && firstOf(d, instances):
			found = d // 1g.10gb is the smallest of 80 GB, and an odd one of 40 GB
		}
	}
	return found
}

// firstOf reports whether the device's smallest profile is among the instances.
func firstOf(d *mig.Device, instances []Instances) bool {
	return strings.HasPrefix(d.Name, "a100") &&
		slices.ContainsFunc(instances, func(one Instances) bool { return one.Profile == d.Profiles[0].Name })
}

// slicesOf gives the compute and memory slices of a profile, of one that the device lacks by its
// name.
func slicesOf(d *mig.Device, profile string) (compute, memory int) {
	if d != nil {
		for _, p := range d.Profiles {
			if p.Name == profile {
				return p.Compute, p.Memory
			}
		}
	}
	g, _, _ := strings.Cut(profile, "g.")
	n, err := strconv.Atoi(g)
	if err != nil || n > mig.ComputeSlices {
		n = mig.ComputeSlices
	}
	return n, n
}
