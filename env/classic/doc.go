// Package classic has four control problems whose results are published everywhere: CartPole-v1,
// Pendulum-v1, Acrobot-v1 and MountainCar-v0. They show that a learner is right before its results
// about clusters are believed.
//
// Reading guide. One file per problem, with its source, its constants and a table of what is
// observed; body.go holds what they share. The constants and integrators are Gymnasium's 1.x, so
// that published scores apply.
//
// They are bare: time limits (500, 200, 500 and 200 steps) and the order of calls are kept by the
// wrappers that catalogue/envs puts around them.
//
// We differ from Gymnasium: observations are float64, not rounded to float32; first states come
// from our own random streams; an action outside its space is refused instead of clipped (put
// wrap.ClipAction around Pendulum for Gymnasium's behaviour); there is no rendering.
package classic
