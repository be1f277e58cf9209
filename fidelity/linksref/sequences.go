package linksref

import (
	"math/bits"

	"tarry/baselines/vclos"
	"tarry/fidelity/reference"
)

// sequence is requests to the allocator of vClos' authors, and what it gave.
type sequence struct {
	Spines, Leaves int
	Events         []struct {
		Event  string
		Job    int
		Size   int
		OK     bool
		GPUs   []int
		Links  [][2]int
		Exists *struct{ Leaves, PerLeaf int }
	}
}

// compareSequence compares, in each state of that allocator, whether ours with its strict sign starts
// a job, and whether the default does where a sub-network exists. What ours gives is to be free, and
// its spines common to all its leaves.
func compareSequence(v *reference.Case) {
	s, ok := reference.Decode[sequence](v)
	if !ok {
		return
	}
	var n vclos.Network
	n.Open(s.Leaves, s.Spines, s.Spines)
	whole, free := make([]int32, s.Leaves), make([]int32, s.Leaves)
	for l := range whole {
		whole[l], free[l] = int32(s.Spines), int32(s.Spines)
	}
	held := map[int]int{}
	for i, e := range s.Events {
		sign := int32(-1)
		if at, started := held[e.Job]; e.Event == "end" {
			if !started {
				continue
			}
			i, sign = at, 1
		} else {
			request(v, &n, i, e.Size, e.OK, e.Exists != nil, free, whole)
			if !e.OK {
				continue
			}
			held[e.Job] = i
		}
		for _, g := range s.Events[i].GPUs {
			free[g/s.Spines] += sign
		}
		for _, l := range s.Events[i].Links {
			n.Links[l[0]] ^= 1 << l[1]
		}
	}
}

// request compares one request of so many GPUs.
func request(v *reference.Case, n *vclos.Network, event, size int, ok, exists bool, free, whole []int32) {
	for _, strict := range []bool{true, false} {
		want := exists
		if strict {
			want = ok
		}
		var p vclos.Part
		n.Strict = strict
		got := n.Find(&p, size, free, whole)
		if got != want {
			v.Errorf("event %d: %d GPUs are found: %v, there %v (strict %v)", event, size, got, want, strict)
		}
		if !got {
			continue
		}
		sum := 0
		for k, l := range p.Leaves {
			if sum += int(p.GPUs[k]); p.GPUs[k] > free[l] || n.Links[l]&p.Spines != p.Spines {
				v.Errorf("event %d: %d GPUs of leaf %d, spines %b, of %d and %b free", event, p.GPUs[k], l, p.Spines, free[l],
					n.Links[l])
			}
		}
		if q := bits.OnesCount64(p.Spines); sum != size || len(p.Leaves) > 1 && q != int(p.GPUs[0]) {
			v.Errorf("event %d: %d GPUs and %d spines of %d GPUs", event, sum, q, size)
		}
	}
}
