package vclos

import (
	"cmp"
	"slices"
)

// spread divides n GPUs of a job between machines of one leaf, by the room on each: on as few of 1,
// 2, 4, ... machines as hold equal parts, the ones with most room first; else on the machines with most
// room. got has the GPUs on each; order is scratch.
func spread(got, room []int32, n int, order []int32) (_, _ []int32) {
	got, order = slices.Grow(got[:0], len(room))[:len(room)], order[:0]
	for m := range room {
		order = append(order, int32(m))
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(room[b], room[a]) })
	for k := 1; k <= len(room) && n%k == 0; k *= 2 {
		if int(room[order[k-1]])*k >= n {
			clear(got)
			for _, m := range order[:k] {
				got[m] = int32(n / k)
			}
			return got, order
		}
	}
	for _, m := range order {
		got[m] = min(room[m], int32(n))
		n -= int(got[m])
	}
	return got, order
}
