// Package tenant states who owns which part of a cluster, as data: virtual clusters with quotas,
// weights of virtual clusters and of users in them, and priorities.
//
// Reading guide: a Tenant is one row, a Set all rows of a run. The kernel hands the Set to policies
// (sim.View.Tenants) and does nothing with it itself: whether a quota is a promise, a bound or a
// price is the policy's business. Package traces/quota reads and makes sets.
package tenant

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
)

// Tenant is what is stated of one virtual cluster, or of one user.
type Tenant struct {
	// VC is the virtual cluster, as Job.VC has it; "" = the row is of a user, wherever it is.
	VC string
	// User is as Job.User has it; "" = the row is of the virtual cluster itself. VC and User are
	// not both empty.
	User string
	// GPUs is the quota; 0 = none is stated. Rows of users have none.
	GPUs int
	// Weight is the part of a fair share, relative to the others on the same level; > 0, 0 counts
	// as 1.
	Weight float64
	// Priority applies to jobs that have none of their own; 0 = none.
	Priority int32
}

// Set is the tenants of a run. It does not change, and many runs may share it. All methods work on
// nil, which has no tenants.
type Set struct {
	vcs   []Tenant
	users map[name]Tenant
}

type name struct{ vc, user string }

// New makes a set of rows in any order. The error joins all faults: a row without a tenant, two
// rows of the same tenant, a weight that is negative or not finite, a negative quota, a quota of a
// user.
func New(rows []Tenant) (*Set, error) {
	s := &Set{users: map[name]Tenant{}}
	var errs []error
	seen := map[name]bool{}
	for i, r := range rows {
		key := name{r.VC, r.User}
		bad := func(format string, args ...any) {
			errs = append(errs, fmt.Errorf("tenant %d (vc %q, user %q): %s", i+1, r.VC, r.User,
				fmt.Sprintf(format, args...)))
		}
		switch {
		case key == name{}:
			bad("neither a virtual cluster nor a user, expected at least one")
		case seen[key]:
			bad("a second row, expected each tenant once")
		}
		seen[key] = true
		if !(r.Weight >= 0) || math.IsInf(r.Weight, 0) {
			bad("weight is %v, expected a finite number > 0, or 0 for 1", r.Weight)
		}
		if r.GPUs < 0 || r.GPUs > 0 && r.User != "" {
			bad("quota is %d GPUs, expected >= 0 of a virtual cluster, and none of a user", r.GPUs)
		}
		if r.Weight == 0 {
			r.Weight = 1
		}
		if r.User == "" {
			s.vcs = append(s.vcs, r)
		} else {
			s.users[key] = r
		}
	}
	// sort.Slice has one code for all types, SortFunc 13 kB for this one.
	sort.Slice(s.vcs, func(i, k int) bool { return s.vcs[i].VC < s.vcs[k].VC })
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return s, nil
}

// Len is the number of virtual clusters that have a row.
func (s *Set) Len() int {
	if s == nil {
		return 0
	}
	return len(s.vcs)
}

// At is the i-th of them in order of name, 0 <= i < Len.
func (s *Set) At(i int) Tenant { return s.vcs[i] }

// Index finds a virtual cluster; false where it has no row.
func (s *Set) Index(vc string) (int, bool) {
	if s == nil {
		return 0, false
	}
	return slices.BinarySearchFunc(s.vcs, vc, func(t Tenant, vc string) int { return cmp.Compare(t.VC, vc) })
}

// Quota is the GPUs of a virtual cluster; false where none are stated.
func (s *Set) Quota(vc string) (gpus int, ok bool) {
	i, ok := s.Index(vc)
	if !ok || s.vcs[i].GPUs == 0 {
		return 0, false
	}
	return s.vcs[i].GPUs, true
}

// GPUs is the sum of all quotas.
func (s *Set) GPUs() int {
	n := 0
	for i := range s.Len() {
		n += s.vcs[i].GPUs
	}
	return n
}

// Weight returns the weight of a virtual cluster, > 0; 1 by default.
func (s *Set) Weight(vc string) float64 {
	if i, ok := s.Index(vc); ok {
		return s.vcs[i].Weight
	}
	return 1
}

// UserWeight returns the weight of a user among the users of the virtual cluster, > 0: of the row
// with both, else of the user's own; 1 by default.
func (s *Set) UserWeight(vc, user string) float64 {
	if r, ok := s.user(vc, user); ok {
		return r.Weight
	}
	return 1
}

// Priority returns the priority of a job that has none of its own: of the user in the virtual
// cluster, else of the user, else of the virtual cluster; 0 = none.
func (s *Set) Priority(vc, user string) int32 {
	if r, ok := s.user(vc, user); ok && r.Priority != 0 {
		return r.Priority
	}
	if i, ok := s.Index(vc); ok {
		return s.vcs[i].Priority
	}
	return 0
}

// user is the row of a user.
func (s *Set) user(vc, user string) (Tenant, bool) {
	if s == nil || user == "" {
		return Tenant{}, false
	}
	r, ok := s.users[name{vc, user}]
	if !ok {
		r, ok = s.users[name{"", user}]
	}
	return r, ok
}
