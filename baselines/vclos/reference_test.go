package vclos

import (
	"encoding/json"
	"math/bits"
	"os"
	"slices"
	"testing"

	"tarry/internal/sharedata"
)

type sequence struct {
	Name           string
	Spines, Leaves int
	PerServer      int `json:"gpus_per_server"`
	Events         []struct {
		Event   string
		Job     int
		Size    int
		OK      bool
		GPUs    []int
		Links   [][2]int
		Exists  *struct{ Leaves, PerLeaf int }
		Skipped bool
	}
}

// state is what a sequence has reached: GPUs in use, and the network.
type state struct {
	Network
	used []bool
}

func (c *state) free() []int32 {
	free := make([]int32, len(c.Links))
	for g, used := range c.used {
		if !used {
			free[g/c.Size]++
		}
	}
	return free
}

// gpus are the GPUs of a part: where servers are, as the policy divides them.
func (c *state) gpus(p *Part, perServer int) (gpus []int) {
	for i, l := range p.Leaves {
		room := make([]int32, c.Size/perServer)
		for g := range c.Size {
			if !c.used[int(l)*c.Size+g] {
				room[g/perServer]++
			}
		}
		got, _ := spread(nil, room, int(p.GPUs[i]), nil)
		for g := range c.Size {
			if at := int(l)*c.Size + g; !c.used[at] && got[g/perServer] > 0 {
				got[g/perServer]--
				gpus = append(gpus, at)
			}
		}
	}
	slices.Sort(gpus)
	return gpus
}

// exist counts the sub-networks for a size by enumeration of all sets of leaves, and gives the leaves
// of the last and whether it uses all free GPUs of these.
func (c *state) exist(size int) (n int, leaves []int32, whole bool) {
	free := c.free()
	for set := 1; set < 1<<len(free); set++ {
		m := bits.OnesCount(uint(set))
		if size%m != 0 || size/m > c.Size {
			continue
		}
		q, common, fits, exact := size/m, ^uint64(0), true, true
		for l, f := range free {
			if set>>l&1 == 1 {
				fits, exact, common = fits && int(f) >= q, exact && int(f) == q, common&c.Links[l]
			}
		}
		if !fits || m > 1 && bits.OnesCount64(common) < q {
			continue
		}
		n++
		leaves, whole = leaves[:0], exact
		for l := range free {
			if set>>l&1 == 1 {
				leaves = append(leaves, int32(l))
			}
		}
	}
	return n, leaves, whole
}

// audit fails where a part takes what is not free, or is no sub-network.
func (c *state) audit(t *testing.T, name string, p *Part, size, perServer int) {
	t.Helper()
	gpus := c.gpus(p, perServer)
	if len(gpus) != size {
		t.Fatalf("%s: a job of %d has GPUs %v", name, size, gpus)
	}
	q := int(p.GPUs[0])
	for i, l := range p.Leaves {
		if len(p.Leaves) > 1 && (c.Links[l]&p.Spines != p.Spines || bits.OnesCount64(p.Spines) != q) || int(p.GPUs[i]) != q {
			t.Fatalf("%s: %+v, with links %b of leaf %d free", name, *p, c.Links[l], l)
		}
	}
	if len(p.Leaves) == 1 && p.Spines != 0 {
		t.Fatalf("%s: %+v, expected no links of one leaf", name, *p)
	}
}

func (c *state) set(gpus []int, used bool) {
	for _, g := range gpus {
		c.used[g] = used
	}
}

// TestReferenceSequences: in each state of the authors' allocator ours, with its strict sign, starts a
// job where theirs does, and the default where a sub-network exists; where only one does, it has the
// same GPUs.
func TestReferenceSequences(t *testing.T) {
	starts, unique, slips := 0, 0, 0
	for _, file := range sharedata.References(t, "vclos/sequences.json") {
		var all []sequence
		if text, err := os.ReadFile(file); err != nil {
			t.Fatal(err)
		} else if err := json.Unmarshal(text, &all); err != nil {
			t.Fatal(err)
		}
		for _, s := range all {
			var c state
			c.Open(s.Leaves, s.Spines, s.Spines)
			c.used = make([]bool, s.Leaves*s.Spines)
			whole := c.free()
			held := map[int]int{}
			for i, e := range s.Events {
				if e.Event == "end" {
					if at, ok := held[e.Job]; ok {
						c.set(s.Events[at].GPUs, false)
						for _, l := range s.Events[at].Links {
							c.Links[l[0]] |= 1 << l[1]
						}
					}
					continue
				}
				starts++
				var strict, mended Part
				c.Strict = true
				theirs := c.Find(&strict, e.Size, c.free(), whole)
				c.Strict = false
				ours := c.Find(&mended, e.Size, c.free(), whole)
				n, leaves, full := c.exist(e.Size)
				if theirs != e.OK || ours != (e.Exists != nil) || ours != (n > 0) {
					t.Errorf("%s, event %d: strict %v, default %v of %d sub-networks, expected %v and %v", s.Name, i, theirs,
						ours, n, e.OK, e.Exists)
				}
				if ours {
					c.audit(t, s.Name, &mended, e.Size, s.PerServer)
				}
				if theirs {
					c.audit(t, s.Name, &strict, e.Size, s.PerServer)
				}
				if n == 1 && ours && !slices.Equal(mended.Leaves, leaves) {
					t.Errorf("%s, event %d: leaves %v, expected %v", s.Name, i, mended.Leaves, leaves)
				}
				if n == 1 && full && e.OK {
					unique++
					if got := c.gpus(&mended, s.PerServer); !slices.Equal(got, e.GPUs) {
						t.Errorf("%s, event %d: GPUs %v, expected %v", s.Name, i, got, e.GPUs)
					}
				}
				if e.Exists != nil && !e.OK {
					slips++
				}
				if e.OK {
					held[e.Job] = i
					c.set(e.GPUs, true)
					for _, l := range e.Links {
						c.Links[l[0]] &^= 1 << l[1]
					}
				}
			}
		}
	}
	t.Logf("%d starts, %d of them with one sub-network, %d refused though one exists", starts, unique, slips)
	if starts == 0 || unique == 0 {
		t.Errorf("%d starts, %d with one sub-network", starts, unique)
	}
}
