// Package measure gathers what the table measures states of one run: deadlines, fairness among
// tenants, and measures of a policy's own.
//
// Reading guide: Book (book.go) follows a run; deadlines.go counts deadlines, tenants.go tenants,
// waits.go what their jobs decline, sizes.go resizes, growth.go batches and marks,
// kills.go what preemptions undid.
// docs/reference/measures.md defines every name.
package measure
