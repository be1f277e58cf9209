package schedenv

import (
	"tarry/env/layout"
	"tarry/sim"
	"tarry/sim/cluster"
	"tarry/sim/plan"
)

// Squash maps a ratio of 0 to infinity to 0 to 1: x / (1 + x).
func Squash(x float64) float64 { return x / (1 + x) }

// Leases is a time in leases, squashed: 1/2 for one lease.
func Leases(t, lease sim.Time) float64 {
	if t == sim.Never {
		return 1
	}
	return Squash(float64(max(0, t)) / float64(lease))
}

// ClusterFeatures are what Cluster writes; none depends on a trace.
func ClusterFeatures() []layout.Feature {
	return layout.Features(`
busy  0..1  share  GPUs in use / GPUs that are up
down  0..1  share  GPUs that are down / GPUs
machine_free  0..1  share  most free GPUs in one machine / GPUs of the largest machine
rack_free  0..1  share  most free GPUs in one rack / GPUs of the largest rack
concentrated  0..1  share  most free GPUs in one rack / free GPUs; 1 where none is free
waiting  0..1  ratio, squashed  jobs that wait / machines
running  0..1  share  jobs that run / GPUs that are up, at most 1
draining  0..1  ratio, squashed  preempted jobs that write a checkpoint / machines
demand  0..1  ratio, squashed  GPUs that waiting jobs ask for / GPUs
oldest  0..1  leases, squashed  longest wait of a waiting job
machine_part  0..1  share  GPUs of the largest machine / GPUs
rack_part  0..1  share  GPUs of the largest rack / GPUs`)
}

// Cluster writes the features of the whole cluster to the front of obs and gives how many there
// are. It costs a few memory accesses and one per demand that waits.
func Cluster(v *sim.View, waiting []plan.Wanted, lease sim.Time, obs []float64) int {
	t, f := v.Topology(), v.Free()
	all, up, free := float64(t.GPUs()), float64(v.Usable()), float64(f.Total())
	machines := float64(t.Machines())
	rack, concentrated := float64(f.Largest(cluster.LevelRack)), 1.0
	if free > 0 {
		concentrated = rack / free
	}
	asked, oldest := 0, v.Now()
	for i := range waiting {
		asked += waiting[i].GPUs * waiting[i].Waiting
		oldest = min(oldest, waiting[i].Oldest)
	}
	return copy(obs, []float64{
		Share(up-free, up), Share(all-up, all), Share(float64(f.Largest(cluster.LevelMachine)),
			float64(t.Capacity(cluster.LevelMachine))),
		Share(rack, float64(t.Capacity(cluster.LevelRack))), concentrated,
		Squash(float64(v.Waiting()) / machines), Share(float64(len(v.Running())), up),
		Squash(float64(v.Draining()) / machines),
		Squash(float64(asked) / all), Leases(v.Now()-oldest, lease),
		Share(float64(t.Capacity(cluster.LevelMachine)), all), Share(float64(t.Capacity(cluster.LevelRack)), all)})
}

// Share is a part of a whole, cut to 0..1; 0 of nothing.
func Share(part, whole float64) float64 {
	if whole <= 0 {
		return 0
	}
	return min(1, max(0, part/whole))
}

// Place codes how far apart a job's GPUs are: 0 in a machine, 1/2 in a rack, 1 in the cluster.
func Place(l cluster.Level) float64 {
	return float64(max(l, cluster.LevelMachine)-cluster.LevelMachine) /
		float64(cluster.LevelCluster-cluster.LevelMachine)
}
