// Package tiresias is Tiresias: "Tiresias: A GPU Cluster Manager for Distributed Deep
// Learning", J. Gu, M. Chowdhury, K. G. Shin, Y. Zhu, M. Jeon, J. Qian, H. Liu, C. Guo, NSDI 2019.
//
// Attained service is A = g*t, GPUs times running time since the last promotion. Queue i
// holds the jobs with A below its bound Q_i; the last queue has none. A job enters the first
// queue and falls when A reaches the bound. At every event the running set is rebuilt: all
// jobs in queue order, each started that fits what is left, the others preempted.
//
//   - Discretized 2D-LAS (New): FIFO by first start inside a queue, never-started jobs last. It
//     knows nothing about durations.
//   - Discretized 2D-Gittins (NewGittins): descending Gittins index inside a queue, from a
//     history of earlier jobs' service; FIFO in the last queue.
//
// Placement looks at the skew of a model, the part of its bytes in the largest tensor: above
// PACKLIMIT few machines, else leftovers.
//
// Reading guide: queues.go moves jobs between queues, gittins.go is the index, order.go ranks
// and places, skew.go is the table of models, tiresias.go ties them together.
//
// The published constants disagree. We take K=2 with the bound 3600 GPU-seconds, as a public
// re-implementation states for the paper (voda-scheduler, which also has PROMOTEKNOB 8); the
// authors' simulator uses 3250/7200/18000 and no promotion. All are parameters; promotion is off
// unless asked for. PACKLIMIT is fitted online in the paper; ours is fixed, and any value from
// 0.14 to 0.61 parts the nine profiled models in the same way.
//
// We differ: demotions and promotions are events at the exact instant (the authors' simulator
// demotes a gang late, at (bound-t)/g instead of bound/g-t). The index is taken anew at every event for
// running jobs, but two indices that cross cause no event of their own. A job above PACKLIMIT
// that cannot be packed runs spread instead of waiting. A job that writes its checkpoint begins
// to wait when its GPUs are released.
package tiresias

// Params describes the settings for the catalogue.
const Params = `queues        bounds between the queues, GPU-seconds, ascending, such as 3250/7200/18000 (3600)
promote       PROMOTEKNOB: promote after waiting this many times the running time, 0 or inf = never (0)
packlimit     skew above which a job is packed on few machines, inf = none (0.3)
skew_unknown  skew of a model that was not profiled, 0..1 (1)`
