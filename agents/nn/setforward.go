package nn

// setRows is how many observations a SetNet answers at a time: their embeddings stay in the cache.
const setRows = 8

// Forward implements Net. The scores of masked slots are 0.
func (n *SetNet) Forward(dst, obs []float64, mask []bool) { n.ForwardRows(dst, obs, mask, 1) }

// ForwardRows implements Net.
func (n *SetNet) ForwardRows(dst, obs []float64, mask []bool, rows int) {
	in, out, choices := n.In(), n.Out(), n.shape.Choices()
	for from := 0; from < rows; from += setRows {
		count := min(setRows, rows-from)
		var legal []bool
		if mask != nil {
			legal = mask[from*choices : (from+count)*choices]
		}
		n.some(dst[from*out:], obs[from*in:], legal, count)
	}
}

// some answers up to setRows observations.
func (n *SetNet) some(dst, obs []float64, mask []bool, rows int) {
	x, h, in := &n.x, n.hidden, n.In()
	if len(x.mean) < rows*h {
		*x = newSetScratch(n.shape, h, min(rows*2, setRows))
	}
	for i := range rows {
		n.embedAll(i, obs[i*in:(i+1)*in], n.maskOf(mask, i))
	}
	g, c := x.g[:rows*h], x.c[:rows*h]
	n.global.apply(g, x.u, rows)
	activate(g, n.act)
	n.context.apply(c, g, rows)
	addProducts(c, x.mean, n.pool, rows)
	activate(c, n.act)
	if n.pooled {
		n.out.apply(dst, c, rows)
		return
	}
	if n.shape.Extra > 0 {
		n.extra.apply(x.extra, c, rows)
	}
	for i := range rows {
		n.scores(i, dst[i*n.Out():(i+1)*n.Out()], obs[i*in:(i+1)*in], n.maskOf(mask, i))
	}
}

// maskOf is the mask of one of the observations; nil where there is none.
func (n *SetNet) maskOf(mask []bool, i int) []bool {
	if mask == nil {
		return nil
	}
	choices := n.shape.Choices()
	return mask[i*choices : (i+1)*choices]
}

// run is the next stretch of slots that take part, from some slot on; from is Slots after the last
// one.
func (s *SetShape) run(obs []float64, mask []bool, from int) (first, end int) {
	for from < s.Slots && !s.Legal(obs, mask, from) {
		from++
	}
	end = from
	for end < s.Slots && s.Legal(obs, mask, end) {
		end++
	}
	return from, end
}

// embedAll embeds the candidates of observation i, and gives their mean and the numbers about all.
func (n *SetNet) embedAll(i int, obs []float64, mask []bool) {
	s, x, h := &n.shape, &n.x, n.hidden
	count := n.legalSlots(obs, mask)
	e, mean, u := x.e[i*s.Slots*h:(i+1)*s.Slots*h], x.mean[i*h:(i+1)*h], x.u[i*(s.Global+1):(i+1)*(s.Global+1)]
	clear(mean)
	for k, end := s.run(obs, mask, 0); k < end; k, end = s.run(obs, mask, end) {
		part := e[k*h : end*h]
		n.embed.apply(part, obs[s.Global+k*s.Features:], end-k)
		activate(part, n.act)
		for at := 0; at < len(part); at += h {
			for j, v := range part[at : at+h] {
				mean[j] += v / float64(count)
			}
		}
	}
	copy(u, obs[:s.Global])
	u[s.Global] = float64(count) / float64(s.Slots)
}

// scores judges every candidate of observation i in its context.
func (n *SetNet) scores(i int, dst, obs []float64, mask []bool) {
	s, x, h, each := &n.shape, &n.x, n.hidden, n.shape.each()
	copy(dst, x.extra[i*s.Extra:(i+1)*s.Extra])
	c, e, dst := x.c[i*h:(i+1)*h], x.e[i*s.Slots*h:(i+1)*s.Slots*h], dst[s.Extra:]
	clear(dst)
	for k, end := s.run(obs, mask, 0); k < end; k, end = s.run(obs, mask, end) {
		part := x.h[:(end-k)*h]
		n.score.apply(part, e[k*h:], end-k)
		for at := 0; at < len(part); at += h {
			for j, v := range c {
				part[at+j] += v
			}
		}
		activate(part, n.act)
		n.out.apply(dst[k*each:], part, end-k)
	}
}
