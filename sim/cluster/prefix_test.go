package cluster

import (
	"fmt"
	"testing"
)

func TestPrefix(t *testing.T) {
	s := Spec{Racks: [][]Machines{{{Count: 2, GPUs: 8, Slots: 2, CPUMilli: 800, MemMiB: 80},
		{Count: 1, GPUs: 4, Type: "b"}}, {{Count: 3, GPUs: 8, Slots: 4}}}}
	for gpus, want := range map[int]string{
		0:   "[]",
		3:   "[[{1 3 1  300 30  0}]]",
		4:   "[[{1 4 1  400 40  0}]]",
		8:   "[[{1 8 2  800 80  0}]]",
		12:  "[[{1 8 2  800 80  0} {1 4 1  400 40  0}]]",
		18:  "[[{2 8 2  800 80  0} {1 2 1 b 0 0  0}]]",
		26:  "[[{2 8 2  800 80  0} {1 4 0 b 0 0  0}] [{1 6 3  0 0  0}]]",
		28:  "[[{2 8 2  800 80  0} {1 4 0 b 0 0  0}] [{1 8 4  0 0  0}]]",
		999: "[[{2 8 2  800 80  0} {1 4 0 b 0 0  0}] [{3 8 4  0 0  0}]]",
	} {
		p := s.Prefix(gpus)
		if got := fmt.Sprint(p.Racks); got != want {
			t.Errorf("%d GPUs: %s, expected %s", gpus, got, want)
		}
		if gpus == 0 {
			continue
		}
		if c, err := New(p); err != nil || c.GPUs() != min(gpus, 44) {
			t.Errorf("%d GPUs: %v", gpus, err)
		}
	}
}
