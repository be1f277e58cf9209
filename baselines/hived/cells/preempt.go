package cells

import "slices"

// victims are the pods that use GPUs of a place, once each.
func victims(physical [][]*cell, self *group) (out []string) {
	var seen []*group
	for _, pod := range physical {
		for _, p := range pod {
			g := p.group
			if g == nil || g == self || slices.Contains(seen, g) {
				continue
			}
			seen = append(seen, g)
			for _, m := range g.pods {
				if m.pod != "" && (len(out) == 0 || out[len(out)-1] != m.pod) { // of a gang once
					out = append(out, m.pod)
				}
			}
		}
	}
	return out
}

// commit gives a new group its GPUs, or reserves them where others have to end first. The GPUs
// count as the group's from now on, so that two preempting groups never wait for each other.
func (c *Cluster) commit(g *group, reserve bool) {
	c.clear(g)
	g.each(func(s *slot) {
		if u := s.p.group; u != nil {
			u.at(s.p).release()
		}
	})
	g.each(func(s *slot) {
		s.hold(g)
		if reserve {
			s.p.claim = g
		} else {
			s.p.group = g
		}
	})
	g.state = Allocated
	if reserve {
		g.state = Preempting
	}
	c.groups[g.name] = g
}

// clear cancels weaker reservations of a group's place.
func (c *Cluster) clear(g *group) {
	g.each(func(s *slot) {
		if weaker := s.p.claim; weaker != nil {
			c.cancel(weaker)
		}
	})
}

// at is a group's slot of a physical GPU.
func (g *group) at(p *cell) (found *slot) {
	g.each(func(s *slot) {
		if s.p == p {
			found = s
		}
	})
	return found
}

// cancel ends a preempting group: the GPUs go back to their users.
func (c *Cluster) cancel(g *group) {
	g.each(func(s *slot) {
		s.release()
		s.p.claim = nil
	})
	g.each(func(s *slot) {
		if u := s.p.group; u != nil {
			u.at(s.p).hold(u)
		}
	})
	for _, pod := range g.asking {
		delete(c.pods, pod)
	}
	delete(c.groups, g.name)
}

// promote gives a preempting group its reserved GPUs.
func (g *group) promote() {
	g.each(func(s *slot) { s.p.group, s.p.claim = g, nil })
	g.state, g.asking = Allocated, nil
}

// downgraded is a group that was made opportunistic, and the virtual GPUs that it had.
type downgraded struct {
	g *group
	v []*cell
}

// downgrade makes the lazy groups opportunistic that have virtual GPUs of a place.
func downgrade(virtual [][]*cell) (out []downgraded) {
	for _, pod := range virtual {
		for _, v := range pod {
			g := v.group
			if g == nil || g.state != Allocated || !g.spec.Lazy {
				continue
			}
			d := downgraded{g: g}
			g.each(func(s *slot) { d.v = append(d.v, s.v) })
			g.opportune()
			out = append(out, d)
		}
	}
	return out
}

// opportune takes a group's virtual cells; it keeps its GPUs until another needs them.
func (g *group) opportune() {
	g.each(func(s *slot) {
		if s.p.claim != nil {
			s.v = nil
			return
		}
		s.release()
		s.v = nil
		s.hold(g)
	})
	g.state = Downgraded
}

// revert undoes downgrade.
func revert(list []downgraded) {
	for i := len(list) - 1; i >= 0; i-- {
		d, k := list[i], 0
		d.g.each(func(s *slot) {
			if s.p.claim == nil {
				s.release()
				s.v = d.v[k]
				s.hold(d.g)
			} else {
				s.v = d.v[k]
			}
			k++
		})
		d.g.state = Allocated
	}
}
