// Package specs names what machines draw, with the source of each number, and reads the setting
// power, which gives each machine of a cluster its spec.
//
// Reading guide: Row (rows.go) is a named spec, All lists them; Parse (rule.go) reads a setting into
// a Rule, from a text or a file (file.go); Rule.Model (model.go) gives the power.Model of a cluster.
//
// # Clocks and power limits
//
// The measurements by power limit state how long training took under a limit and what the GPU drew.
// A limit is a clock here: the clock relative to nominal at which a job that only computes is as fast
// as the median of the measured jobs was, relative to the highest limit. Watts at it are the median at
// the highest limit times the median of watts relative to that. Limits with less than 0.3 % between
// their speed and the highest one's are left out.
//
// # Machines
//
// The measurements are of GPUs. What the machine around them draws, and how long it boots, is
// assumed where a row states it, and agrees with what qssf-ces assumes: 800 W of an idle machine
// with 8 GPUs, 300 s to boot.
package specs
