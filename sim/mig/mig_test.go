package mig

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// published are the 19 configurations of the guide's figure from left to right, as start:compute by
// memory slice, without the profile 1g of double memory. The figure was read from a transcription,
// whose row with an instance 2g at slice 5 is replaced by the row that -lgipp allows: see doc.go.
func published() []string {
	return []string{
		"0:7", "0:4 4:3", "0:4 4:2 6:1", "0:4 4:1 5:1 6:1", "0:3 4:3", "0:3 4:2 6:1", "0:3 4:1 5:1 6:1",
		"0:2 2:2 4:3", "0:2 2:1 3:1 4:3", "0:1 1:1 2:2 4:3", "0:1 1:1 2:1 3:1 4:3",
		"0:2 2:2 4:2 6:1", "0:2 2:1 3:1 4:2 6:1", "0:1 1:1 2:2 4:2 6:1", "0:1 1:1 2:1 3:1 4:2 6:1",
		"0:2 2:2 4:1 5:1 6:1", "0:2 2:1 3:1 4:1 5:1 6:1", "0:1 1:1 2:2 4:1 5:1 6:1", "0:1 1:1 2:1 3:1 4:1 5:1 6:1",
	}
}

// shape writes a set as start:compute, ascending by start.
func (d *Device) shape(s Set) string {
	var parts []string
	for p := s.Next(0); p >= 0; p = s.Next(p + 1) {
		parts = append(parts, fmt.Sprintf("%d:%d", d.Placements[p].Start, d.Of(p).Compute))
	}
	slices.Sort(parts)
	return strings.Join(parts, " ")
}

// single reports whether a set has no instance of one compute slice and two memory slices.
func (d *Device) single(s Set) bool {
	for p := s.Next(0); p >= 0; p = s.Next(p + 1) {
		if o := d.Of(p); o.Compute == 1 && o.Memory == 2 {
			return false
		}
	}
	return true
}

// TestPublished: without double memory, the maximal configurations are the 19 of the guide, and of
// the 18 placements 78.
func TestPublished(t *testing.T) {
	for _, d := range Devices() {
		var got []string
		for _, s := range d.Legals(nil, 0) {
			if !d.single(s) {
				continue
			}
			full := true
			for p := range d.Placements {
				full = full && !(d.single(Set(0).With(p)) && d.Fits(s, p))
			}
			if full {
				got = append(got, d.shape(s))
			}
		}
		want := published()
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %d maximal configurations\n%q, expected %d\n%q", d.Name, len(got), got, len(want), want)
		}
		// Two pairs on the left, each 2g, double or 1g 1g, or 3g, or 4g: 11. On the right 3g, or a
		// pair (3 ways) beside slice 6 (single or double): 7. And 7g.
		if n := len(d.Maximals(nil, 0)); n != 11*7+1 {
			t.Errorf("%s: %d maximal configurations with double memory, expected 78", d.Name, n)
		}
	}
}

// TestCounts: as many instances of each profile fit as the guide's table states, at as many places
// as nvidia-smi mig -lgipp lists.
func TestCounts(t *testing.T) {
	most := []int{7, 4, 3, 2, 1, 1}
	places := []string{"{0,1,2,3,4,5,6}:1", "{0,2,4,6}:2", "{0,2,4}:2", "{0,4}:4", "{0}:4", "{0}:8"}
	for _, d := range Devices() {
		for i := range d.Profiles {
			p, n := &d.Profiles[i], 0
			for _, s := range d.Legals(nil, 0) {
				same := 0
				for q := s.Next(0); q >= 0; q = s.Next(q + 1) {
					if d.Placements[q].Profile == i {
						same++
					}
				}
				n = max(n, same)
			}
			if n != most[i] {
				t.Errorf("%s: at most %d instances of %s, expected %d", d.Name, n, p.Name, most[i])
			}
			if got := strings.ReplaceAll(strings.Trim(fmt.Sprint(p.Starts), "[]"), " ", ","); fmt.Sprintf("{%s}:%d",
				got, p.Memory) != places[i] {
				t.Errorf("%s: %s at {%s}:%d, expected %s", d.Name, p.Name, got, p.Memory, places[i])
			}
		}
	}
}

// TestBruteForce: of all 2^18 sets of placements, those without two on one memory slice and with at
// most 7 compute slices, counted here slice by slice, are what Legal accepts and Legals lists, and
// the maximal ones among them are what Maximals lists; from a start as well.
func TestBruteForce(t *testing.T) {
	d, err := Named("a100-40gb")
	if err != nil {
		t.Fatal(err)
	}
	legal := map[Set]bool{}
	for s := Set(0); s < 1<<len(d.Placements); s++ {
		var slice [MemorySlices]int
		compute := 0
		for p, at := range d.Placements {
			if s>>p&1 != 0 {
				for k := range d.Profiles[at.Profile].Memory {
					slice[at.Start+k]++
				}
				compute += d.Profiles[at.Profile].Compute
			}
		}
		ok := compute <= ComputeSlices && slices.Max(slice[:]) <= 1
		if ok != d.Legal(s) {
			t.Fatalf("Legal(%b) is %v, expected %v", s, !ok, ok)
		}
		if ok {
			legal[s] = true
		}
	}
	for _, keep := range []Set{0, Set(0).With(3), d.Legals(nil, 0)[40]} {
		all, most := 0, 0
		for s := range legal {
			if s&keep != keep {
				continue
			}
			all++
			full := true
			for p := range d.Placements {
				full = full && (s>>p&1 != 0 || !legal[s|1<<p])
			}
			if full {
				most++
			}
		}
		for _, c := range []struct {
			name string
			got  []Set
			want int
		}{{"Legals", d.Legals(nil, keep), all}, {"Maximals", d.Maximals(nil, keep), most}} {
			seen := map[Set]bool{}
			for _, s := range c.got {
				if !legal[s] || s&keep != keep || seen[s] || c.name == "Maximals" && !d.Full(s) {
					t.Fatalf("%s(%b) has %b, which is not legal, not maximal, twice there or without what was kept",
						c.name, keep, s)
				}
				seen[s] = true
			}
			if len(seen) != c.want {
				t.Errorf("%s(%b): %d sets, expected %d", c.name, keep, len(seen), c.want)
			}
		}
	}
	t.Logf("%d legal sets, %d maximal", len(legal), len(d.Maximals(nil, 0)))
}

// TestDevices: names, thousandths and memory, which instances share out without a rest beyond what
// the GPU has.
func TestDevices(t *testing.T) {
	for _, d := range Devices() {
		if e, err := Named(d.Name); err != nil || e.Name != d.Name {
			t.Errorf("Named(%s) gives %v, %v", d.Name, e, err)
		}
		whole := d.Profiles[5].MiB
		for i, want := range []int32{142, 142, 285, 428, 571, 1000} {
			p := &d.Profiles[i]
			if p.Milli() != want {
				t.Errorf("%s: %s is %d thousandths, expected %d", d.Name, p.Name, p.Milli(), want)
			}
			if part := float64(p.MiB) / float64(whole); part < 0.96*float64(p.Memory)/MemorySlices ||
				part > float64(p.Memory)/MemorySlices {
				t.Errorf("%s: %s has %.3f of the memory of the complete GPU, expected about %d/8", d.Name, p.Name,
					part, p.Memory)
			}
		}
	}
	if _, err := Named("a30"); err == nil ||
		err.Error() != `no MIG device "a30", expected one of a100-40gb, a100-80gb, h100-80gb` {
		t.Errorf("error %v", err)
	}
	d, _ := Named("a100-40gb")
	if got := d.String(len(d.Placements) - 3); got != "3g.20gb at 4:4" {
		t.Errorf("a placement is %q", got)
	}
}

// TestSubsets: legal sets stay legal when one instance is taken out, and it fits there again.
func TestSubsets(t *testing.T) {
	d, _ := Named("h100-80gb")
	for _, s := range d.Legals(nil, 0) {
		for p := s.Next(0); p >= 0; p = s.Next(p + 1) {
			if !d.Legal(s&^(1<<p)) || !d.Fits(s&^(1<<p), p) || d.Fits(s, p) {
				t.Fatalf("set %b without %s", s, d.String(p))
			}
		}
		if got := s.Len(); got > 7 {
			t.Fatalf("set %b has %d instances", s, got)
		}
	}
}
