//go:build amd64 && !purego && !openblas

package matrix

// peak makes n times ten products and ten sums of four numbers, in registers alone: what a core can
// do at most.
//
//go:noescape
func peak(n int)
