// Package curves reads loads of services: requests per second over time.
//
// Reading guide: Parse (parse.go) reads a load: a number, a drawn law (law.go) or a CSV file (package
// series/table).
//
// # The drawn law
//
// It is made by us. Every 300 s from the beginning of a week on the load is
//
//	base (1 + a cos(2 pi (h - p)/24) + a/4 cos(4 pi (h - p)/24)) w e^x + base b
//
// with a = swing, h the hour of the day, p = peak_h, and w = weekend on the last two days of seven,
// else 1. x is 0 at first, and becomes 0.9 x + noise z with z normal. b is the bursts: with the
// probability bursts/288 one begins and adds an exponential number of mean 1, and b falls by the
// factor e^(-1/6) with each step, so that a burst lasts about half an hour. The law repeats after
// its days. Three names have settings of their own, for a load that hardly changes, one by day and
// night, and one that is hard to foresee.
package curves
