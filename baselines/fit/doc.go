// Package fit estimates what schedulers learn of jobs from measurements: the parameters of Pollux'
// model of throughput, and Optimus' coefficients of speed.
//
// Qiao et al., "Pollux: co-adaptive cluster scheduling for goodput-optimized deep learning" (OSDI
// 2021), section 4.1: parameters are fitted to all measured step times by the root mean squared
// error of their logarithms, with a weak prior, and what was never seen is taken to cost nothing so
// that it is tried. We follow the authors' simulator, which measures the time of a gradient as
// well. Peng et al., "Optimus" (EuroSys 2018), section 3.2: the reciprocal of a speed is a sum of
// terms with coefficients that are not negative; Lawson and Hanson's active set solves it ("Solving
// Least Squares Problems", 1974, chapter 23).
//
// We differ: the authors hand the objective to L-BFGS-B from one start. A root of squares has an
// edge where the error is 0, and few measurements are often matched exactly, so that such methods
// stop on the way. Here the parameters are logarithms within their bounds, steps are Levenberg's
// and Marquardt's on the weighted squares that bound the roots from above; the objective is as low
// or lower. Arithmetic is this module's, so that a fit has the same bits on every processor.
//
// Reading guide: throughput.go the fit of Pollux, over observe.go (what is fitted), objective.go
// and descend.go; speed.go and nonnegative.go the fit of Optimus.
package fit
