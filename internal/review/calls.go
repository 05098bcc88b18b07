package review

// calls holds the calls that are being followed, up to a fixed number.
type calls struct {
	places map[uint64]int32 // in list
	list   []call
	free   []int32
	hand   int // the next one to be evicted when all places are taken, roughly the oldest
}

// mostCalls limits the number of calls that are followed at the same time. Each takes 300 bytes.
const mostCalls = 1 << 16

// find returns the call with a key, or nil.
func (c *calls) find(key uint64) *call {
	if place, ok := c.places[key]; ok {
		return &c.list[place]
	}
	return nil
}

// add follows another call. If it takes the place of another one, evict is called for that one first.
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

// each calls f for each call that is still being followed.
func (c *calls) each(visit func(*call)) {
	for i := range c.list {
		if place, ok := c.places[c.list[i].key]; ok && place == int32(i) {
			visit(&c.list[i])
		}
	}
}
