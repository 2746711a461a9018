package halo

// Choose is the division that New chooses.
func Choose(cells [3]int, ranks int) [3]int {
	o := Options{Cells: cells}
	if err := o.complete(ranks); err != nil {
		panic(err)
	}
	return o.Ranks
}
