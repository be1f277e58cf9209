package cells

// Config is a cluster and what its tenants bought.
type Config struct {
	// Types are the types of cells above the GPU, by name. A type that is not the name of one is a
	// GPU's.
	Types map[string]Type
	// Tops are the trees of the cluster, in the order that decides between equal ones.
	Tops []Top
	// VCs are the tenants.
	VCs []VC
	// Healthy: all nodes are healthy from the start, and equal cells go in the order of Tops; else
	// nodes count as bad until they report in that order, as in the published program, which leaves
	// the free lists in another order.
	Healthy bool
}

// Type is how a cell is made.
type Type struct {
	// Child is the type of its children, Children their number, 1 or more.
	Child    string
	Children int
	// Node: a cell of this type is one node. One type on the way from a top cell to its GPUs is a
	// node.
	Node bool
}

// Top is a physical top cell.
type Top struct {
	Type string
	// Nodes are the names of its nodes in the order of the tree.
	Nodes []string
	// GPUs are indices of a node's GPUs in the order of the tree; a node that is missing has 0, 1,
	// ..
	GPUs map[string][]int
	// Pinned are cells within it that a tenant has by name.
	Pinned []Pin
}

// Pin names a cell: the smallest that holds all of Nodes, or the GPU with index GPU of the one
// node.
type Pin struct {
	Name  string
	Nodes []string
	// GPU is an index; -1 = all GPUs of Nodes.
	GPU int
}

// VC is a tenant.
type VC struct {
	Name string
	// Bought are numbers of cells.
	Bought []Bought
	// Pinned are names of pinned cells.
	Pinned []string
}

// Bought is a number of cells of one type.
type Bought struct {
	// Path has the types from a top cell down to the cell; only descendants of such top cells
	// serve.
	Path  []string
	Cells int
}

// Priorities of pods. A guaranteed pod has 0 to MaxPriority and uses what its tenant bought; an
// opportunistic pod uses any idle GPU until a guaranteed pod needs it.
const (
	Opportunistic = -1
	MaxPriority   = 1000
	idle          = Opportunistic - 1 // of an idle GPU
)

// Pod asks for GPUs of one node. All pods of a group are placed together, when the first asks.
type Pod struct {
	Name, VC string
	// Priority is Opportunistic or 0..MaxPriority.
	Priority int
	// Lazy: a group of higher priority of the same tenant first makes this one's group
	// opportunistic instead of ending it.
	Lazy bool
	// Pinned is the name of a pinned cell to be placed in; empty = what the tenant bought besides.
	Pinned string
	// GPUType is the type of the GPUs; empty = any.
	GPUType string
	// GPUs is how many, 1 or more.
	GPUs int
	// Group is the group's name, Members its pods by their size.
	Group   string
	Members []Member
}

// Member is a number of pods of a group with as many GPUs each.
type Member struct{ Pods, GPUs int }

// Options are the circumstances of a request.
type Options struct {
	// Suggested states which nodes may be used; nil = all.
	Suggested func(node string) bool
	// Filtering: nothing is reserved and no pod is downgraded where groups have to be ended first.
	Filtering bool
	// Proposed: a bind is decided and not committed; its group has nothing afterwards. What the
	// decision did to others stays done, as in the published program: weaker reservations are
	// canceled, lazy groups downgraded.
	Proposed bool
}

// Result is what becomes of a request.
type Result uint8

const (
	// Wait: there is no place.
	Wait Result = iota
	// Bind: the pod has its GPUs.
	Bind
	// Preempt: the pod may ask again when the victims are gone. Unless filtering, their GPUs are
	// reserved for it.
	Preempt
)

// Decision is the answer to a request.
type Decision struct {
	Result Result
	// Node and GPUs are where a bound pod runs.
	Node string
	GPUs []int
	// Victims are the pods that hold GPUs of the group's place, in the order of the place.
	Victims []string
}

// State of a group.
type State uint8

const (
	// Absent: there is no such group.
	Absent State = iota
	// Preempting: GPUs are reserved until victims end.
	Preempting
	// Allocated: it has its GPUs.
	Allocated
	// Downgraded: it has its GPUs and lost its virtual cells (lazy preemption).
	Downgraded
)
