package dispatch

import (
	"tarry/env"
	"tarry/env/layout"
)

// mostS is the longest time from a request to its deadline: the unit of times in observations.
const mostS = 8

// squash maps 0 to infinity to 0 to 1; 1/2 at half.
func squash(x, half float64) float64 { return x / (half + x) }

// ownFeatures are of the request and its cluster, otherFeatures sums over the other clusters.
func ownFeatures() []layout.Feature {
	return layout.Features(`
index  0..1  share  number of the cluster / the highest number
slack  0..1  share of 8 s  time to the request's deadline
service  0..1  share of 8 s  time that a pod needs for it
held  0..1  requests, squashed at 8  requests that wait at the cluster, with this one
node_queue  0..1  requests, squashed at 8  requests in the queues of its nodes
node_cpu  0..1  share  free CPU of its nodes`)
}

func otherFeatures() []layout.Feature {
	return layout.Features(`
held  0..1  requests, squashed at 8  requests that wait at the other clusters
node_queue  0..1  requests, squashed at 8  requests in the queues of their nodes
node_cpu  0..1  share  free CPU of their nodes`)
}

func queueFeatures() []layout.Feature {
	return layout.Features(`
held  0..1  requests, squashed at 8  requests that wait at the cluster
node_queue  0..1  requests, squashed at 8  requests in the queues of its nodes
node_cpu  0..1  share  free CPU of its nodes`)
}

func targetFeatures() []layout.Feature {
	return layout.Features(`
has  0, 1  flag  1 where it has a pod of the request's type; all else is 0 where not
own  0, 1  flag  1 for nodes of the request's cluster
cloud  0, 1  flag  1 for the cloud
queue  0..1  requests, squashed at 8  requests in its queue
cpu  0..1  share  free part of its CPU; 1 for the cloud
ends  0..1  seconds, squashed at 8  when the request would end there if no other came
spare  -1..1  share of 8 s  its deadline less that end, cut to -1..1
harmed  0..1  requests, squashed at 1  requests that would miss their deadlines there because of it`)
}

// fairSpace has the parts of the fair observation.
func fairSpace() env.Dict {
	return env.Dict{
		{Name: "queues", Space: env.NewBox(0, 1, clusters, len(queueFeatures()))},
		{Name: "own", Space: env.NewBox(0, 1, len(ownFeatures()))},
		{Name: "others", Space: env.NewBox(0, 1, len(otherFeatures()))},
		{Name: "targets", Space: env.NewBox(-1, 1, len(nodes())+1, len(targetFeatures()))},
	}
}

func fairSegments() []layout.Segment {
	return []layout.Segment{
		{Name: "queues", Doc: "a cluster", Features: queueFeatures(), Items: clusters, CriticOnly: true},
		{Name: "own", Doc: "the request and its cluster", Features: ownFeatures(), Items: 1},
		{Name: "others", Doc: "sums over the other clusters", Features: otherFeatures(), Items: 1},
		{Name: "targets", Doc: "a node, by cluster, and last the cloud", Features: targetFeatures(), Items: len(nodes()) + 1},
	}
}

// Observe writes the observation and which targets have the request's pod.
func (m *Model) Observe(obs []float64, mask []bool) {
	_, r, _ := m.world.Next()
	for t := range mask {
		mask[t] = m.world.Has(t, r.Type)
	}
	if m.cfg.Protocol == kais {
		m.published(obs)
	} else {
		m.fair(obs)
	}
}

// nodesOf gives the sum of the queues of a cluster's nodes, and of their free and all CPU.
func (m *Model) nodesOf(cluster int) (queue int, free, all float64) {
	per := len(m.set.Nodes) / clusters
	for t := cluster * per; t < (cluster+1)*per; t++ {
		cpu, _ := m.world.Free(t)
		queue += m.world.Waits(t)
		free += float64(cpu * m.set.Nodes[t].CPU)
		all += m.set.Nodes[t].CPU
	}
	return queue, free, all
}

// fair writes the observation of protocol=fair.
func (m *Model) fair(obs []float64) {
	own, r, _ := m.world.Next()
	var held, queue int
	var free, all float64
	at, of := 0, obs[3*clusters:] // the request's cluster and the others stand behind the queues
	for c := range clusters {
		q, f, a := m.nodesOf(c)
		h := m.world.Held(c)
		at += copy(obs[at:], []float64{squash(float64(h), 8), squash(float64(q), 8), f / a})
		if c != own {
			held, queue, free, all = held+h, queue+q, free+f, all+a
			continue
		}
		copy(of, []float64{float64(own) / (clusters - 1), min(1, max(0, (r.DeadlineS-m.world.Now())/mostS)),
			min(1, m.set.Service(r)/mostS), squash(float64(h), 8), squash(float64(q), 8), f / a})
	}
	copy(of[6:], []float64{squash(float64(held), 8), squash(float64(queue), 8), free / all})
	at += 6 + 3
	per := len(m.set.Nodes) / clusters
	for t := range m.world.Cloud() + 1 {
		row := obs[at:][:8]
		at += 8
		if clear(row); !m.world.Has(t, r.Type) {
			continue
		}
		row[0], row[4] = 1, 1
		if t == m.world.Cloud() {
			row[2] = 1
		} else {
			if t/per == own {
				row[1] = 1
			}
			row[4], _ = m.world.Free(t)
		}
		end, harmed := m.world.Expect(t, r)
		row[3] = squash(float64(m.world.Waits(t)), 8)
		row[5], row[6] = squash(max(0, end-m.world.Now()), mostS), min(1, max(-1, (r.DeadlineS-end)/mostS))
		row[7] = squash(float64(max(0, harmed)), 1)
	}
}

// mostQueue bounds the requests that protocol=kais shows in a queue.
const mostQueue = 1e6

// publishedSegments are the numbers of the released demo.
func publishedSegments() []layout.Segment {
	return []layout.Segment{
		{Name: "pods", Doc: "a node, by cluster", Items: len(nodes()), Features: layout.Features(`
type_0  0, 1  flag  1 where it has a pod of type 0
type_1  0, 1  flag  of type 1
type_2  0, 1  flag  of type 2
type_3  0, 1  flag  of type 3
type_4  0, 1  flag  of type 4
type_5  0, 1  flag  of type 5
type_6  0, 1  flag  of type 6
type_7  0, 1  flag  of type 7
type_8  0, 1  flag  of type 8
type_9  0, 1  flag  of type 9
type_10  0, 1  flag  of type 10
type_11  0, 1  flag  of type 11`)},
		{Name: "held", Doc: "the cluster that is asked", Items: 1, Features: layout.Features(
			"held  0..1e6  requests  requests that wait at it beside the request that is to be handed on")},
		{Name: "queues", Doc: "a node of the cluster", Items: len(nodes()) / clusters, Features: layout.Features(
			"queue  0..1e6  requests  requests in its queue")},
		{Name: "cpu", Doc: "a node of the first cluster, whichever is asked", Items: len(nodes()) / clusters,
			Features: layout.Features("free  0..1e6  CPU  what is free of it\nall  0..1e6  CPU  what it has")},
		{Name: "mem", Doc: "a node of the first cluster, whichever is asked", Items: len(nodes()) / clusters,
			Features: layout.Features("free  0..1e6  memory  what is free of it\nall  0..1e6  memory  what it has")},
	}
}

// published writes the observation of the released demo, at the beginning of the slot.
func (m *Model) published(obs []float64) {
	own, _, _ := m.world.Next()
	clear(obs)
	types, per := len(m.set.Coefficients), len(m.set.Nodes)/clusters
	for i := range m.set.Nodes {
		for _, k := range m.set.Nodes[i].Pods {
			obs[i*types+k] = 1
		}
	}
	at := len(m.set.Nodes) * types
	obs[at] = min(mostQueue, float64(m.held[own]))
	at++
	for t := own * per; t < (own+1)*per; t++ {
		obs[at] = min(mostQueue, float64(m.waits[t]))
		at++
	}
	for t := range per { // of the first cluster, as there
		cpu, mem := m.world.Free(t)
		n := &m.set.Nodes[t]
		copy(obs[at+2*t:], []float64{max(0, float64(cpu*n.CPU)), n.CPU})
		copy(obs[at+2*per+2*t:], []float64{max(0, float64(mem*n.Mem)), n.Mem})
	}
}
