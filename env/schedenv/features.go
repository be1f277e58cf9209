package schedenv

import (
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

// ClusterFeatures names what Cluster writes. Each lies in 0..1; none depends on a trace.
//
//	busy          GPUs in use / GPUs that are up
//	down          GPUs that are down / GPUs
//	machine_free  most free GPUs in one machine / GPUs of the largest machine
//	rack_free     most free GPUs in one rack / GPUs of the largest rack
//	concentrated  most free GPUs in one rack / free GPUs (1 when none is free)
//	waiting       jobs that wait / machines, squashed
//	running       jobs that run / GPUs that are up
//	draining      preempted jobs that write a checkpoint / machines, squashed
//	demand        GPUs that waiting jobs ask for / GPUs, squashed
//	oldest        longest wait of a waiting job in leases, squashed
//	machine_part  GPUs of the largest machine / GPUs
//	rack_part     GPUs of the largest rack / GPUs
func ClusterFeatures() []string {
	return []string{"busy", "down", "machine_free", "rack_free", "concentrated", "waiting", "running", "draining",
		"demand", "oldest", "machine_part", "rack_part"}
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
