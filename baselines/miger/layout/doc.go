// Package layout chooses how to cut one GPU into instances for some jobs: which instance each has,
// alone or two in one, so that the sum of values is greatest. It is exact. Every legal set of
// instances is part of a maximal one, and what matters of that is its shape, the sizes of its
// instances; so each shape's instances are gone through in turn, and each takes no job, one, or two
// of the jobs that are left.
//
// Reading guide: shape.go the shapes of a device, best.go the choice, serve.go services, realise.go
// the places of the instances, near to where jobs are now.
package layout
