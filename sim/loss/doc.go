// Package loss is how the training loss of a job falls with its progress, as data: curves of the
// two families that SLAQ fits (Zhang et al., "SLAQ: Quality-Driven Scheduling for Distributed
// Machine Learning", SoCC 2017), a law that draws them, and the fit of a curve to what a job has
// reported.
//
//	sublinear     1/(A k^2 + B k + C) + D      first-order methods: gradient descent
//	exponential   A exp(-B k) + D              methods that converge linearly or faster
//
// Progress k is in any unit that the caller keeps to, such as iterations. Simulated jobs have no
// losses of their own: Draw makes some, and all of its law is ours.
//
// Reading guide: curve.go the families and the law, fit.go the fit.
package loss
