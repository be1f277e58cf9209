package circle

// Graph is the affinity graph of jobs and of links that several of them cross. Reset begins one; the
// zero value is ready for it. It allocates nothing once warm.
type Graph struct {
	links  []span
	jobs   []int32 // of the links, one after the other
	shifts []int64 // of these jobs on their link
	first  []int32 // by job: its first place in jobs + 1, 0 = it crosses no link
	next   []int32 // by place: the next of the same job + 1
	link   []int32 // by place: its link
	root   []int32 // by job, then by link, for Loops
	queue  []int32
}

// span is the part of a list that belongs to a link.
type span struct{ from, to int32 }

// Reset begins a graph of so many jobs, 0 to jobs-1, without links.
func (g *Graph) Reset(jobs int) {
	g.links, g.jobs, g.shifts, g.next, g.link = g.links[:0], g.jobs[:0], g.shifts[:0], g.next[:0], g.link[:0]
	g.first = g.first[:0]
	for range jobs {
		g.first = append(g.first, 0)
	}
}

// Link adds a link that jobs cross, shifted against each other by so much.
func (g *Graph) Link(jobs []int32, shifts []int64) {
	from, l := int32(len(g.jobs)), int32(len(g.links))
	for i, j := range jobs {
		g.jobs, g.shifts, g.link = append(g.jobs, j), append(g.shifts, shifts[i]), append(g.link, l)
		g.next = append(g.next, g.first[j])
		g.first[j] = from + int32(i) + 1
	}
	g.links = append(g.links, span{from, from + int32(len(jobs))})
}

// Loops reports whether the graph has a loop: then shifts that agree with all links may not exist.
func (g *Graph) Loops() bool {
	g.root = g.root[:0]
	for i := range len(g.first) + len(g.links) {
		g.root = append(g.root, int32(i))
	}
	for i, j := range g.jobs {
		a, b := g.find(j), g.find(int32(len(g.first))+g.link[i])
		if a == b {
			return true
		}
		g.root[a] = b
	}
	return false
}

func (g *Graph) find(i int32) int32 {
	for g.root[i] != i {
		g.root[i] = g.root[g.root[i]]
		i = g.root[i]
	}
	return i
}

// Traverse gives each job that the graph connects with a job its one shift, breadth first: over a
// link l from job j to job k
//
//	t_k = (t_j - t_j(l) + t_k(l)) mod T_k
//
// with the iteration times as given, in the unit of shifts. shifts holds the shift of the first job;
// the others are to be Unset, and one that is not stays, with all behind it. In a graph without
// loops each link keeps its shifts.
func (g *Graph) Traverse(from int32, periods, shifts []int64) {
	g.queue = append(g.queue[:0], from)
	for n := 0; n < len(g.queue); n++ {
		j := g.queue[n]
		for at := g.first[j]; at > 0; at = g.next[at-1] {
			l := g.links[g.link[at-1]]
			for i := l.from; i < l.to; i++ {
				if k := g.jobs[i]; shifts[k] == Unset {
					shifts[k] = mod(shifts[j]-g.shifts[at-1]+g.shifts[i], periods[k])
					g.queue = append(g.queue, k)
				}
			}
		}
	}
}
