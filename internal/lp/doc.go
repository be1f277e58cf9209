// Package lp solves linear programs of up to a few thousand rows, with dual values that prove the
// optimum and rays that prove that there is none.
//
// Reading guide:
//
//   - problem.go: Problem is built row by row and column by column; Solution, Status and Basis are
//     what comes back.
//   - solve.go: Solver, and how a point is scaled back. load.go: the scaled form that the others
//     work on.
//   - simplex.go: the iterations. ratio.go: how far a column can move. factor.go: the basis as a
//     product of elementary matrices.
//   - verify.go: Verify computes from the problem and a solution alone what is proved.
//
// An example: maximise 3x + 2y with x + y <= 4, x + 3y <= 9, 0 <= x <= 3, y >= 0.
//
//	var p lp.Problem
//	p.Maximise = true
//	inf := math.Inf(1)
//	a, b := p.AddRow(-inf, 4), p.AddRow(-inf, 9)
//	p.AddColumn(3, 0, 3, lp.Entry{Row: a, Value: 1}, lp.Entry{Row: b, Value: 1})
//	p.AddColumn(2, 0, inf, lp.Entry{Row: a, Value: 1}, lp.Entry{Row: b, Value: 3})
//	var s lp.Solver
//	r, err := s.Solve(&p, lp.Basis{}) // r.Objective is 11, r.X is [3 1]
//	p.SetRow(a, -inf, 5)
//	r, err = s.Solve(&p, r.Basis) // resumes where it was
//
// # Method
//
// The bounded revised simplex method. Every row has a logical column, minus its activity, so that
// rows become A x + t = 0 and all bounds are on columns. A basis is the product of elementary
// matrices (G. Dantzig and W. Orchard-Hays, "The Product Form for the Inverse in the Simplex
// Method", 1954), made anew every 64 iterations with columns and pivot rows in an order that fills
// in little: triangular parts first and last, the rest by fewest entries left.
//
// Phase one needs no artificial columns and no large cost: it minimises the sum of what lies
// outside of bounds, from any basis, with a ratio test that passes bounds as long as the sum falls.
// So the basis of a changed problem is a start as good as any.
//
// Columns enter by devex pricing (P. Harris, 1973) and leave by Harris' ratio test with a tolerance
// of 1e-9 of scaled units. After many iterations that moved nothing, Bland's rule takes over until
// one does. There are no random numbers: equal problems take equal steps.
//
// An optimum is declared only from a basis factored just before. Rows and columns are scaled by
// powers of two, which changes no digit.
//
// # Sizes
//
// An iteration takes time in proportion to the entries of the problem and of the product. Problems
// with few coupling rows and one choice for each job are solved faster by a method of their own.
package lp
