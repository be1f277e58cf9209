// Package power has what machines and GPUs draw, as data: watts of a machine by state, of a GPU by
// clock and use, the times of boots, and the prices of energy (sim/series).
//
// Reading guide: spec.go has the watts of one type of machine,
// model.go what a run has of them. The kernel (package sim) moves machines
// from State to State; package books adds the energy up.
package power
