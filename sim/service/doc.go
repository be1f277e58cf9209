// Package service has the services of a cluster as data and arithmetic: what a replica serves, how
// requests pile up, and how many of them are answered in time.
//
// A replica is a job without end, and requests are a rate that is constant between two instants:
// no request is simulated by itself. Over such a span everything has a closed form.
//
// Reading guide: spec.go has what a service is, ledger.go what becomes of its requests over a span;
// mmc has the stationary queue M/M/c. The kernel (package sim) starts and stops replicas as the
// operator of the run asks for; package books turns spans into measures.
package service
