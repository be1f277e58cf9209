// Package books adds up what services and loans did in a run, from what observers receive.
//
// Reading guide: book.go follows a run, service.go has the sums of one service and the quantiles of
// its latency, loans.go the machines that are lent. Sums are closed forms of spans; quantiles are
// exact for the latency model but for the precision of a bisection.
package books
