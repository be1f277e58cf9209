// Package cells is the allocation core of HiveD (Zhao et al., OSDI 2020): tenants buy cells of a
// hierarchical cluster, such as "two nodes below the same switch", and get them whenever they ask,
// while idle GPUs run opportunistic pods.
//
// Reading guide: config.go states what a cluster is and build.go builds it. A cell is a GPU, a
// node, a rack, ...; physical cells form the trees of the cluster, virtual cells are the cells that
// a tenant (virtual cluster, VC) bought (cell.go). place.go puts the pods of a group on virtual
// nodes (or, opportunistic ones, on physical nodes), closest.go chooses GPUs with the lowest common
// ancestor. mapping.go finds physical cells for virtual ones by buddy allocation, whose free lists
// free.go splits and merges; bind.go holds and releases GPUs. schedule.go is the decision,
// preempt.go reservations and lazy preemption, health.go bad nodes.
//
// It decides no order of jobs: a caller asks for one group after the other. Rules follow the
// published program where it and the paper differ; what is ours is marked where it stands. Three
// are ours on purpose: a cell above the lowest free level is split exactly where every tenant can
// still have what it bought (free.go: safe), virtual children meet physical ones by bipartite
// matching instead of backtracking, and a bad cell is given to a tenant early only where that is
// safe.
package cells
