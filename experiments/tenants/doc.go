// Package tenants asks: who waits under delay scheduling when tenants share a cluster?
//
// Question. Under delay scheduling (Dally) a job waits for GPUs that lie close together although
// others are free. All jobs gain by that, but tenants differ: one has jobs that fit on a machine,
// another jobs that need half a rack. Who does the waiting, who has the gain, and is anybody worse
// off than in a cluster of its own? Do timers of its own per tenant, or an order that puts first
// who holds least of its quota, change who pays? And what does a tenant gain that does not wait
// while the others do?
//
// Prediction. Stated before the sweeps, after two comparisons of means over three workloads at a
// load of 0.9, made to see how long a run takes; there timers by tenant changed nothing but with
// low floors, and fairness cost 3 % of the mean completion time. Nothing by tenant had been looked
// at. Timers by tenant change less than 1 % of anything with the published floors and cap, which
// leave T_rack at 6 to 10 leases and T_net at 12; with floors of one lease they matter a little
// where one tenant asks for more than it owns. Delay scheduling's own waits fall on the tenant in
// the middle, whose jobs need two machines of one rack: twice those of the tenant with small jobs;
// the tenant with the largest jobs waits for lack of GPUs. Still each tenant waits less than
// without timers, and the one with the largest jobs gains most, since its jobs suffer most from the
// network. Under Dally fewer than 10 % of the jobs of any tenant wait longer than in its private
// cluster, under FIFO with fitting and Tiresias more than 30 % of the small ones. Where one tenant
// asks for more than its quota, the others pay for it under every policy that knows no tenants; the
// fair order halves what they pay and costs the mean less than 5 %. A tenant that alone does not
// wait gains less than 5 % of its completion time and costs the others more than it gains. (The
// fair order in the sweep of who waits, two skews of demand and schedulers that know quotas were
// added after the first run, and the cluster was 128 GPUs then: quotas of parts of a machine.)
//
// How to read it. All policies have the same jobs. Three virtual clusters own a third of the
// cluster each, vc1 with the smallest and vc3 with the largest jobs where sizes are unlike. The
// delay wait is the time without GPUs while as many were free as the job asks for. The excess is
// max(0, wait - wait in a private cluster of the quota under the same policy). Intervals are of 95
// %, over seeds.
//
// Reading guide. who.go has the schedulers, grid.go the sweeps, figures.go draws them, tables.go
// makes the tables of its pages.
//
//	tarry sweep --question tenants --scale small --out runs/tenants
//	tarry figures runs/tenants/* --question tenants --out runs/tenants-figures
package tenants

import "tarry/experiments/sweep"

// Question is the question for the catalogue.
func Question() sweep.Question {
	return sweep.Question{
		Name:  "tenants",
		Title: "who waits under delay scheduling when tenants share a cluster?",
		Ask: "Under delay scheduling jobs wait for near GPUs although others are free. Tenants with small and with " +
			"large jobs share a cluster: who does the waiting, who has the gain, and is anybody worse off " +
			"than in a cluster of its own? Do timers per tenant or a fair order change who pays, and what does a " +
			"tenant gain that does not wait?",
		Predict: "Timers by tenant change less than 1 % with the published floors and cap. Delay scheduling's own " +
			"waits fall on the tenant whose jobs need two machines of a rack, twice those of the tenant with " +
			"small jobs; yet each waits less than without timers, the tenant with the largest jobs gains most, and " +
			"fewer than 10 % of anybody's jobs wait longer than in its private cluster. Where one tenant asks for " +
			"more than its " +
			"quota the others pay; the fair order halves that and costs the mean less than 5 %. A tenant that alone " +
			"does not wait gains less than 5 % and costs the others more.",
		Read: "The same jobs under all policies; three virtual clusters own a third each, vc1 with the smallest and " +
			"vc3 with the largest jobs where sizes are unlike. Delay wait: time without GPUs while as many were " +
			"free as " +
			"the job asks for. Excess: max(0, wait - wait in a private cluster of the quota). Intervals of 95 % " +
			"over seeds.",
		Specs:   specs,
		Figures: figures,
		Tables:  tables,
	}
}
