package ccl

// Waiting is how many requests wait for others, of the communicator of c on the host.
func Waiting(c *Comm) (n int) {
	w := c.port.(*hostRank).on.(*world)
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, m := range w.meetings {
		n += m.n
	}
	return n
}
