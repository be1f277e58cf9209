package order

// Items implements trait.Itemised: the jobs in the list, by their place in the window.
func (e *Env) Items(dst []int) []int {
	s, ok := e.Scheduler().(*scheduler)
	for i := range e.cfg.Jobs {
		job := -1
		if ok && i < len(s.list.jobs) {
			job = int(s.list.jobs[i])
		}
		dst = append(dst, job)
	}
	return dst
}
