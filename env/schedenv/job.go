package schedenv

import (
	"tarry/sim"
	"tarry/sim/cluster"
)

// JobFeatures names what Job writes. Each lies in 0..1; squashed is x/(1+x).
//
//	gpus       GPUs it asks for / GPUs of the largest machine, squashed
//	part       GPUs it asks for / GPUs of the cluster
//	wait       time since it began to wait, or got its present GPUs, in leases, squashed
//	run        time it has run in leases, squashed
//	left       time its work left takes at full speed in leases, squashed
//	done       part of its work done
//	preempted  preemptions so far, squashed
//	sensitive  mean fraction of ideal speed so far (the order of network sensitivity); 0 before the first run
//
// left, done and sensitive need a policy that may read work, as Dally does for its order; else they are
// 0. left and done are 0 with Config.HideWork too.
func JobFeatures() []string {
	return []string{"gpus", "part", "wait", "run", "left", "done", "preempted", "sensitive"}
}

// Job writes the features of one job to the front of obs and gives how many there are.
func Job(v *sim.View, j sim.JobID, lease sim.Time, hideWork bool, obs []float64) int {
	t, g := v.Topology(), float64(v.GPUs(j))
	run := v.RunTime(j)
	obs[0] = Squash(g / float64(t.Capacity(cluster.LevelMachine)))
	obs[1] = Share(g, float64(t.GPUs()))
	obs[2] = Leases(v.Now()-v.Since(j), lease)
	obs[3] = Leases(run, lease)
	obs[4], obs[5], obs[7] = 0, 0, 0
	if left, work := v.Left(j), v.Work(j); left >= 0 { // not NaN
		if !hideWork {
			obs[4] = Squash(left / g / float64(lease))
			obs[5] = Share(work-left, work)
		}
		obs[7] = Share(work-left, g*float64(run))
	}
	obs[6] = Squash(float64(v.Preemptions(j)))
	return 8
}
