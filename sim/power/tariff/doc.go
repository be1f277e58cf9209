// Package tariff reads what energy costs and how much power may be drawn as series over time: the
// settings kwh_price, carbon and power_cap.
//
// Reading guide: Kind (kind.go) states what a series is of; Kind.Parse (parse.go) reads a setting: a
// number, a synthetic day (day.go) or a CSV file (package series/table). A series.Series is the result; Watts turns
// parts of a cluster's maximum into watts.
package tariff
