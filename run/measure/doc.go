// Package measure gathers what the table measures states of one run: deadlines, fairness among
// tenants, and what a policy has to say itself.
//
// Reading guide: Book (book.go) follows a run; deadlines.go counts deadlines, tenants.go tenants,
// waits.go what their jobs decline, sizes.go resizes, growth.go batches and marks.
// docs/deadlines.md defines every name.
package measure
