package market

// rounding is the part of a sum of steps that may be lost in rounding; a sum has some thousand.
const rounding = 1e-11

// core bounds how many steps of each class an optimum takes, and with it how much room it leaves to
// the classes. With the critical step's gain per GPU as the price of a GPU-round, the relaxation is
// an upper bound. A step that gains more than its price and is left out, and one that gains less and
// is taken, lower it by the difference. What falls below the sum of steps that fit one after the
// other is no optimum.
func (s *Solver) core(room int) {
	price, above, fits := s.prices(room)
	slack := above - fits + rounding*above
	for k := range s.sizes {
		c := &s.sizes[k]
		one := price * float64(c.gpus)
		worth := func(m int) float64 { return s.steps[c.steps[m]].worth }
		c.from, c.most = c.cut, c.cut
		for loss := 0.0; c.from > 0; c.from-- {
			if loss += worth(c.from-1) - one; loss > slack {
				break
			}
		}
		for loss := 0.0; c.most < len(c.steps); c.most++ {
			if loss += one - worth(c.most); loss > slack {
				break
			}
		}
	}
	low, high := room, room
	for k := len(s.sizes) - 1; k >= 0; k-- {
		c := &s.sizes[k]
		c.low, c.high = low, high
		low, high = max(0, low-c.most*c.gpus), high-c.from*c.gpus
	}
	least := 0
	for k := range s.sizes {
		c := &s.sizes[k]
		least += c.from * c.gpus
		c.low = max(c.low, least)
	}
}

// prices gives the gain per GPU-round of the step that the relaxation takes in part, 0 = there is
// none; the relaxation's sum; and the sum of the steps that fit one after the other.
func (s *Solver) prices(room int) (price, above, fits float64) {
	for k := range s.sizes {
		s.sizes[k].cut = 0
	}
	free, over := room, false
	s.taken = resize(s.taken, len(s.sizes))
	clear(s.taken)
	for i := range s.steps {
		k := s.classOf[s.steps[i].job]
		if k < 0 {
			continue
		}
		c := &s.sizes[k]
		if n := s.taken[k]; n == len(c.steps) || c.steps[n] != i {
			continue
		}
		worth := s.steps[i].worth
		if c.gpus > free { // no other step of this class fits either
			if !over {
				over, price = true, worth/float64(c.gpus)
				above = fits + price*float64(free)
			}
			if free == 0 {
				break
			}
			continue
		}
		s.taken[k]++
		free -= c.gpus
		fits += worth
		if !over {
			c.cut++
		}
	}
	if !over {
		above = fits
	}
	return price, above, fits
}
