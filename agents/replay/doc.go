// Package replay keeps the steps that an off-policy learner learns from again and again.
//
// Reading guide. Buffer (buffer.go) is a ring of the last steps of environments that are stepped
// side by side, read as transitions of one or several steps; Demos (demos.go) keeps all steps of a
// demonstrator; Scale (scale.go) is the size of rewards; save.go what a checkpoint holds of them,
// columns.go in how little room. Slots (slots.go) keeps steps by the instant that they belong to and draws them
// by priority (priorities.go), as pac does. Memory (memory.go) is the first three with their random streams, as dqn
// and sac have it; its Imitate (warm.go) is their warm start from demonstrations.
//
// A step is kept once: the observation that it led to is the observation of the next step of the
// same environment. Only the last observation of an episode that was cut is kept apart. So a
// checkpoint holds each observation once, and a run that resumes from it draws the same
// transitions.
package replay
