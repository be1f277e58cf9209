// Package slots plans jobs over slots of time with a price each: which slots a job runs in, so that
// price x energy is least and every job is done in time. Nodes may be off in slots that need fewer.
//
// Reading guide: day.go has the problem and the cost of a plan, exact.go the optimum, planner.go the
// plan by marginal cost, earliest.go the plan that ignores prices.
package slots
