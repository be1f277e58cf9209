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
// and places, skew.go is the table of models, tiresias.go ties them together; lists.go runs
// Tiresias as simulators do that keep explicit lists.
//
// The published constants disagree. We take K=2 with the bound 3600 GPU-seconds, as a public
// re-implementation states for the paper (voda-scheduler, which also has PROMOTEKNOB 8). The
// authors' simulator (SymbioticLab/Tiresias) names 3250/7200/18000, but its three queues use the
// first two only: queues=3250/7200; no promotion. All are parameters; promotion is off
// unless asked for. PACKLIMIT is fitted online in the paper; ours is fixed, and any value from
// 0.14 to 0.61 parts the nine profiled models in the same way.
//
// The authors' simulator differs from the paper, and can be had by parameters: a job that waits
// again stands behind the running jobs of its queue (inside=pending-last; the paper orders by
// first start), and a gang is demoted late, looked at (bound-t)/g after each event in whole
// seconds instead of at bound/g-t (demote=late). Its 2D-Gittins has the quantum 3250 in all queues and
// the index in the last queue too (quantum=3250,last=index), from a fixed file of 1000 services (--history FILE); the
// default is each queue's bound, FIFO in the last.
//
// We differ: demotions and promotions are events at the exact instant. The index is taken anew at
// every event for running jobs, but two indices that cross cause no event of their own. A job above
// PACKLIMIT that cannot be packed runs spread instead of waiting. A job that writes its checkpoint begins
// to wait when its GPUs are released.
package tiresias

// Params describes the settings for the catalogue.
const Params = `queues        bounds between the queues, GPU-seconds, ascending, such as 3250/7200 (3600)
promote       PROMOTEKNOB: promote after waiting this many times the running time, 0 or inf = never (0)
packlimit     skew above which a job is packed on few machines, inf = none (0.3)
skew_unknown  skew of a model that was not profiled, 0..1 (1)`

// GittinsParams describes the further settings of 2D-Gittins for the catalogue.
const GittinsParams = `quantum       quantum of the index in every queue, GPU-seconds, 0 = the queue's bound (0)
last          fifo | index: the order in the last queue; without a quantum its quantum is endless (fifo)`
