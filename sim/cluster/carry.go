package cluster

// Carry begins to carry out what was planned since the last Commit. Until Settle a Take or Release that
// repeats the plan, in its order, is done already; the first that differs undoes the rest of the plan.
// Queries in between may see that rest.
func (f *Free) Carry() { f.carries, f.done = true, 0 }

// Settle ends what Carry began: of the plan only what was repeated stays, and the journal is forgotten.
func (f *Free) Settle() {
	if f.carries {
		f.diverge()
	}
	f.journal, f.kept = f.journal[:0], 0
}

// Hold makes what was planned so far the ground of what follows, until Settle: Rollback undoes none
// of it. So a policy that asks another one hides GPUs from it.
func (f *Free) Hold() { f.kept = len(f.journal) }

// repeats reports whether a change is the next of the plan, or else undoes the rest of it.
func (f *Free) repeats(c flipped) bool {
	if f.done < len(f.journal) && f.journal[f.done] == c {
		f.done++
		return true
	}
	f.diverge()
	return false
}

// diverge undoes what is left of the plan.
func (f *Free) diverge() {
	f.carries, f.kept = false, 0
	f.Rollback(f.done)
}
