// Package choice solves linear problems in which each of many groups (jobs) chooses a mix of few
// options and few rows (GPUs of each type) couple the groups:
//
//	minimise sum_o cost_o z_o  subject to  sum_{o in g} z_o = 1 for each group g,  sum_o use_oi z_o <= cap_i for each row i,  z >= 0
//
// "At most one option" is an option of cost 0 that uses nothing. Minimise solves it as written,
// Stretch asks for the least factor by which all capacities must be multiplied so that every group
// can be served, Pick wants all z to be 0 or 1.
//
// The method is the primal simplex with generalised upper bounds (G. B. Dantzig, R. M. Van Slyke,
// "Generalized upper bounding techniques", Journal of Computer and System Sciences 1, 1967): a
// group's sum needs no row of its own, since one of its options, the key, stands for it in the
// basis. What remains is a basis of as many columns as there are coupling rows (at most MaxRows),
// which is inverted anew after each exchange; so nothing drifts, and the cost of a solve is the
// cost of looking at all options a few times. Nothing is allocated once a solver has seen a problem
// of the size.
//
// A start is made from prices of the rows alone: each group takes the option that is cheapest at
// them. A solver keeps the prices of its last solve, so that a problem like the last one, with
// groups that came and went, starts near its optimum, whatever the groups are. What a solve returns
// is determined by the problem and by those prices: equal input and prices give equal bits.
//
// A look at all groups also notes which of them nearly take another option: groups whose choice may
// change while no price moves by more than a twentieth. Further looks are at these alone, until
// none of them gains and the prices have moved by more.
//
// Degenerate steps, of which problems with equal jobs have many, cannot cycle: after a run of them
// Bland's rule (R. G. Bland, "New finite pivoting rules for the simplex method", Mathematics of
// Operations Research 2, 1977) chooses until there is progress.
//
// Each optimum comes with a bound from its prices (weak duality), so a caller can check the gap at
// the cost of one pass.
//
// Reading guide: problem.go has the problem, solver.go the two linear questions and their answers,
// simplex.go the exchange of columns, sweep.go the search for a better option, inverse.go the small
// matrix, pick.go branch and bound.
package choice
