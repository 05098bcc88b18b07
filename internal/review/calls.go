package review

// calls are those that are being followed, a bounded number.
type calls struct {
	places map[uint64]int32 // in list
	list   []call
	free   []int32
	hand   int // who goes next when all places are taken, about the oldest
}

// mostCalls bounds the calls that are followed at a time. Each takes 300 bytes.
const mostCalls = 1 << 16

// find is the call of a key, or nil.
func (c *calls) find(key uint64) *call {
	if place, ok := c.places[key]; ok {
		return &c.list[place]
	}
	return nil
}

// add follows another call. Where it takes the place of one, evict hears of that first.
func (c *calls) add(key uint64, group *Group, evict func(*call)) *call {
	if c.places == nil {
		c.places = map[uint64]int32{}
	}
	place := int32(len(c.list))
	switch {
	case len(c.free) > 0:
		place = c.free[len(c.free)-1]
		c.free = c.free[:len(c.free)-1]
	case len(c.list) < mostCalls:
		c.list = append(c.list, call{})
	default:
		place = int32(c.hand)
		c.hand = (c.hand + 1) % mostCalls
		evict(&c.list[place])
		delete(c.places, c.list[place].key)
	}
	c.list[place] = call{key: key, group: group, ranAndSlept: -1, failures: c.list[place].failures[:0]}
	c.places[key] = place
	return &c.list[place]
}

// remove stops following a call.
func (c *calls) remove(key uint64) {
	c.free = append(c.free, c.places[key])
	delete(c.places, key)
}

// each visits the calls that are followed still.
func (c *calls) each(visit func(*call)) {
	for i := range c.list {
		if place, ok := c.places[c.list[i].key]; ok && place == int32(i) {
			visit(&c.list[i])
		}
	}
}
