// Package assign finds optimal assignments of rows to columns and optimal matchings of general
// graphs, each with dual values that prove it.
//
// Reading guide:
//
//   - rows.go: Solver adds one row after another to a minimum-cost assignment along a shortest
//     augmenting path: R. Jonker and A. Volgenant, "A Shortest Augmenting Path Algorithm for Dense
//     and Sparse Linear Assignment Problems", Computing 38, 1987, in the rectangular form of D.
//     Crouse, "On Implementing 2D Rectangular Assignment Algorithms", IEEE TAES 52, 2016.
//   - solve.go: Min and Max of a matrix, the smaller side matched completely.
//   - match.go, tree.go, blossom.go: Matcher, the maximum-weight matching of a graph that need not
//     be bipartite: J. Edmonds, "Maximum Matching and a Polyhedron with 0,1-Vertices", 1965, in
//     O(n^3) as in Z. Galil, "Efficient Algorithms for Finding Maximum Matching in Graphs", ACM
//     Computing Surveys 18, 1986.
//   - verify.go: what the dual values prove.
//
// # Assignment
//
// A row i has a dual u and a column j a dual v with u(i) + v(j) <= cost(i, j) and v(j) <= 0. Every
// complete assignment then costs at least the sum of all u and v. Adding a row searches the columns
// in the order of reduced cost, as Dijkstra's algorithm does, until one is free; the duals then
// move so that the path has no reduced cost. The sum of the duals equals the cost at the end (Gap),
// unless the row has no way to a free column: then a set of rows has finite costs in fewer columns
// than rows (Infeasible).
//
// Columns may be added between two rows. A caller whose columns have an order in which they fill up
// (position k at a machine is dearer than position k - 1) shows the solver only the positions that
// can be taken next.
//
// # Matching
//
// A vertex v has a dual y and an odd set B of vertices a dual z >= 0, such that y(a) + y(b) + the z
// of all sets that hold both ends is at least the weight of every edge a-b. A matching has at most
// (|B| - 1)/2 edges inside of B, so it weighs at most the sum of y(v), plus z(B) (|B| - 1)/2. With
// y >= 0 that bounds every matching; with any y it bounds matchings of the largest size, as long as
// the unmatched vertices have the smallest y. Alternating trees grow from all unmatched vertices;
// odd cycles shrink into blossoms, which are the sets B.
//
// # Exactness
//
// All steps are sums, differences, comparisons and one division by two. With whole numbers below
// 2^50 the results are exact. Equal inputs give equal results, also where the optimum is not
// unique; no result depends on an earlier problem of the same solver.
package assign
