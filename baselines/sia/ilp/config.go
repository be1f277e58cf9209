package ilp

// Config is a number of GPUs of one type.
type Config struct {
	// Type is the index of the GPU type, Mixed for GPUs of several.
	Type int
	// Nodes is the number of nodes, >= 1; GPUs the number of GPUs on all of them.
	Nodes, GPUs int
	// Parts has the GPUs of each type where Type is Mixed.
	Parts []int
}

// Mixed is the type of a configuration of several types, for jobs that no type can hold. The paper
// has none.
const Mixed = -1

// Configs appends the configurations of a type that has whole nodes of per GPUs: 1, 2, 4, ... on
// one node, all of a node, and 2, 3, ... nodes; none of more than most GPUs where most is above 0.
// They ascend.
func Configs(dst []Config, typ, nodes, per, most int) []Config {
	if nodes < 1 || per < 1 {
		return dst
	}
	fits := func(n int) bool { return most <= 0 || n <= most }
	for n := 1; n < per && fits(n); n *= 2 {
		dst = append(dst, Config{Type: typ, Nodes: 1, GPUs: n})
	}
	for k := 1; k <= nodes && fits(k*per); k++ {
		dst = append(dst, Config{Type: typ, Nodes: k, GPUs: k * per})
	}
	return dst
}
