package fairshare

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if !(math.Abs(got-want) <= within) {
		t.Errorf("%s is %.9g, expected %.9g within %g", what, got, want, within)
	}
}

// The worked example of slurm.schedmd.com/classic_fair_share.html: accounts A (40 shares) with B
// (30) and C (10), D (60) with E (25) and F (35); user 1 in B, users 2 and 3 in C, user 4 in E,
// user 5 in F. Usage: 0.2 by user 1, 0.25 by user 2, 0.25 by user 4, and the rest of the machine
// unused: the page takes usage as parts of the machine, of which 0.3 belongs to another user here,
// who has no shares to speak of.
func TestClassicExample(t *testing.T) {
	tr := New()
	a, d := tr.Add(Root, 40, false), tr.Add(Root, 60, false)
	b, c := tr.Add(a, 30, false), tr.Add(a, 10, false)
	e, f := tr.Add(d, 25, false), tr.Add(d, 35, false)
	users := []int32{tr.Add(b, 1, true), tr.Add(c, 1, true), tr.Add(c, 1, true), tr.Add(e, 1, true), tr.Add(f, 1, true)}
	other := tr.Add(Root, 1e-12, true)
	for i, u := range []float64{0.2, 0.25, 0, 0.25, 0} {
		tr.Charge(users[i], u)
	}
	tr.Charge(other, 0.3)
	tr.Classic(1)
	for _, x := range []struct {
		id   int32
		want float64
	}{{a, 0.45}, {d, 0.25}, {b, 0.3875}, {c, 0.3}, {e, 0.25}, {f, 0.145833}} {
		near(t, "effective usage", tr.nodes[x.id].fair, x.want, 1e-6)
	}
	effective := []float64{0.3875, 0.275, 0.15, 0.25, 0.145833}
	shares := []float64{0.3, 0.05, 0.05, 0.25, 0.35}
	factors := []float64{0.408479, 0.022097, 0.125, 0.5, 0.749154}
	for i, u := range users {
		near(t, "effective usage of a user", tr.nodes[u].fair, effective[i], 1e-6)
		near(t, "normalised shares", tr.nodes[u].norm, shares[i], 1e-6)
		near(t, "factor", tr.Factor(u), factors[i], 2e-5) // the page has 0.1458 for user 5
	}
	tr.Classic(2)
	near(t, "dampened factor", tr.Factor(users[3]), math.Sqrt(0.5), 1e-6)
}

// The accounts root => Acct1 => Acct12 => UserA and root => Acct1 => Acct16 => UserB of
// slurm.schedmd.com/fair_tree.html, with a sibling account of Acct1: the users of the account that
// is better off come first, however much they used themselves.
func TestFairTreeExample(t *testing.T) {
	tr := New()
	one, two := tr.Add(Root, 1, false), tr.Add(Root, 1, false)
	twelve, sixteen := tr.Add(one, 1, false), tr.Add(one, 1, false)
	a, b, c := tr.Add(twelve, 1, true), tr.Add(sixteen, 1, true), tr.Add(two, 1, true)
	// Acct1 used 30 of 90: LF 1.5; the other 60: 0.75. Inside Acct1: Acct12 20 of 30: 0.75, Acct16
	// 1.5. So B 3/3, A 2/3, C 1/3.
	tr.Charge(a, 20)
	tr.Charge(b, 10)
	tr.Charge(c, 60)
	tr.FairTree()
	near(t, "LF of Acct1", tr.nodes[one].fair, 1.5, 1e-15)
	near(t, "LF of Acct12", tr.nodes[twelve].fair, 0.75, 1e-15)
	near(t, "LF of Acct16", tr.nodes[sixteen].fair, 1.5, 1e-15)
	near(t, "B", tr.Factor(b), 1, 0)
	near(t, "A", tr.Factor(a), 2.0/3, 0)
	near(t, "C", tr.Factor(c), 1.0/3, 0)
}

// The three rules for ties of that page.
func TestFairTreeTies(t *testing.T) {
	// Users u and v have the same LF; w has less.
	tr := New()
	x := tr.Add(Root, 1, false)
	u, v, w := tr.Add(x, 1, true), tr.Add(x, 2, true), tr.Add(x, 1, true)
	tr.Charge(u, 10)
	tr.Charge(v, 20)
	tr.Charge(w, 70)
	tr.FairTree()
	near(t, "u", tr.Factor(u), 1, 0)
	near(t, "v", tr.Factor(v), 1, 0)
	near(t, "w", tr.Factor(w), 1.0/3, 0)

	// Accounts p and q have the same LF: their users are ranked together, s (LF 1.6) before r, o
	// (LF 1), before i (0.4).
	tr = New()
	p, q := tr.Add(Root, 1, false), tr.Add(Root, 1, false)
	r, s, o, i := tr.Add(p, 1, true), tr.Add(q, 1, true), tr.Add(p, 1, true), tr.Add(q, 0.5, true)
	tr.Charge(r, 30)
	tr.Charge(o, 30)
	tr.Charge(s, 25)
	tr.Charge(i, 35)
	tr.FairTree()
	for _, y := range []struct {
		id   int32
		want float64
	}{{s, 1}, {r, 0.75}, {o, 0.75}, {i, 0.25}} {
		near(t, "merged accounts", tr.Factor(y.id), y.want, 0)
	}

	// User k has the LF of account l: the rank of l's first user m, before n.
	tr = New()
	k, l := tr.Add(Root, 1, true), tr.Add(Root, 1, false)
	m, n := tr.Add(l, 1, true), tr.Add(l, 1, true)
	tr.Charge(k, 50)
	tr.Charge(m, 10)
	tr.Charge(n, 40)
	tr.FairTree()
	near(t, "k", tr.Factor(k), 1, 0)
	near(t, "m", tr.Factor(m), 1, 0)
	near(t, "n", tr.Factor(n), 1.0/3, 0)
}

// On drawn trees without ties the ranking equals a plain sort's: users by the path of the LFs of
// their accounts.
func TestFairTreeIsTheOrderOfPaths(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		tr := New()
		accounts, users := []int32{Root}, []int32{}
		for range 2 + r.IntN(12) {
			at := accounts[r.IntN(len(accounts))]
			id := tr.Add(at, 0.5+r.Float64(), r.IntN(2) == 0)
			if tr.nodes[id].user {
				users = append(users, id)
			} else {
				accounts = append(accounts, id)
			}
		}
		for _, u := range users {
			tr.Charge(u, 1+r.Float64())
		}
		tr.FairTree()
		path := func(u int32) (p []float64) {
			for ; u != Root; u = tr.nodes[u].parent {
				n, up := tr.nodes[u], tr.nodes[tr.nodes[u].parent]
				p = append(p, -n.shares/up.level/(n.usage/up.usage))
			}
			slices.Reverse(p)
			return p
		}
		slices.SortFunc(users, func(a, b int32) int { return slices.Compare(path(a), path(b)) })
		for i, u := range users {
			if len(users) > 0 && slices.ContainsFunc(users, func(o int32) bool {
				return o != u &&
					slices.Equal(path(o), path(u))
			}) {
				continue
			}
			near(t, "rank", tr.Factor(u), float64(len(users)-i)/float64(len(users)), 1e-15)
		}
	}
}

// Of one user who used one unit per second from a to b, the decayed usage at t is the integral of
// 2^(-(t-x)/h): periods, wherever they lie, add up to it.
func TestDecayIsTheIntegral(t *testing.T) {
	const h = 1000.0
	d := Decay{HalfS: h, Exact: true}
	u, at := 0.0, 0.0
	for i := range 5000 { // steps of changing length over 60 half-lives
		step := 0.5 + float64(i%23)
		u = u*d.Keeps(step) + d.Accrues(step)
		at += step
		near(t, "usage", u, h/math.Ln2*(1-math.Exp2(-at/h)), 1e-9*h)
	}
	for _, e := range []Decay{d, {HalfS: h}, {}} {
		one := 0.0
		for n := int64(1); n < 40; n++ {
			one = one*e.Keeps(300) + e.Accrues(300)
			near(t, "n intervals", e.Repeats(300, n), one, 1e-9*one)
		}
	}
	// Slurm's own arithmetic with a half-life of 7 days and periods of 5 minutes is within 5 parts
	// in 10 000 of it.
	s, x := Decay{HalfS: 7 * 86400}, Decay{HalfS: 7 * 86400, Exact: true}
	for _, n := range []int64{1, 100, 100000} {
		near(t, "Slurm's arithmetic", s.Repeats(300, n)/x.Repeats(300, n), 1, 5e-4)
	}
}
