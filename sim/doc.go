// Package sim is the kernel: an event-driven simulator of a GPU cluster as a pure state machine,
// and the vocabulary that schedulers and speed models are written in.
//
// Reading guide. The words: Time (time.go), Job and Workload (job.go, workload.go), View (view.go),
// Decision (decision.go) with its Knobs (knobs.go, special.go), Policy (policy.go), SpeedModel
// (speed.go), Costs (costs.go), Outages (faults.go), Observer (observer.go). The machine: Engine
// (engine.go) moves from instant to instant, apply.go, lift.go and grant.go carry decisions out,
// outage.go strikes, standstill.go gives up, finish.go closes a run and states the numbered
// invariants, snapshot.go copies a run, model.go plays what may follow an instant. Run drives
// a policy to the end; one instant after the other it is (ExampleEngine runs these lines):
//
//	e.Permit(policy.Knows()) // without it run times are NaN for the policy
//	v, ok, err := e.Next()
//	for ; ok && err == nil; v, ok, err = e.Next() {
//		out = policy.Decide(v, out[:0])
//		if err = e.Apply(out); err != nil {
//			break
//		}
//	}
//
// The pipeline of one instant: finishes, then ends of leases, timers and watches, then failures and
// repairs, then arrivals; then the policy is asked once, and its decisions are applied in order.
// Time is an integer number of microseconds and events are totally ordered, so that a run is the
// same on every machine of one architecture.
package sim
