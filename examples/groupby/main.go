// Command groupby does what a data frame does, with package prim: it sorts the rows of a table by a key, groups them, and sums up each
// group; then it orders the groups by their sums. The columns stay where they are: only keys and row numbers are sorted, and other columns are read
// in that order while they are summed up. It also sorts rows by two columns at once, for the best row of each group.
package main

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"os"
	"slices"

	"heddle/kernel"
	"heddle/launch"
	"heddle/prim"
)

//go:embed *.go
var source embed.FS
var _ = kernel.Source(source)

const (
	rows      = 5000
	customers = 40
	shown     = 3
)

// An Order is a row; on the device the table is three columns.
type Order struct {
	Customer uint32
	Cents    int64
	Items    int32
}

// Totals are what is known of a group.
type Totals struct {
	Cents        int64
	Orders, Most int32 // how many, and the items of the largest
}

func (a Totals) add(b Totals) Totals {
	return Totals{a.Cents + b.Cents, a.Orders + b.Orders, max(a.Most, b.Most)}
}

// A Group is a customer's totals, as the program prints them.
type Group struct {
	Customer uint32
	Totals
}

// orders makes a table, in which some customers order more than others.
func orders() []Order {
	r := rand.New(rand.NewPCG(5, 6))
	all := make([]Order, rows)
	for i := range all {
		all[i] = Order{uint32(min(r.IntN(customers), r.IntN(customers))), int64(100 + r.IntN(20000)), int32(1 + r.IntN(12))}
	}
	return all
}

// group returns the customers' totals, those with the greatest sums first.
func group(dev *launch.Device, table []Order) ([]Group, error) {
	s := dev.Stream()
	customer, err1 := launch.Upload(dev, column(table, func(o Order) uint32 { return o.Customer }))
	cents, err2 := launch.Upload(dev, column(table, func(o Order) int64 { return o.Cents }))
	items, err3 := launch.Upload(dev, column(table, func(o Order) int32 { return o.Items }))
	row, err4 := launch.Alloc[int32](dev, rows)
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		return nil, err
	}
	// Row numbers take part in the sort in place of the columns.
	err := errors.Join(
		prim.Generate(s, row, func(i int) int32 { return int32(i) }),
		prim.SortPairs(s, customer, row, customer, row))
	if err != nil {
		return nil, err
	}
	// What is summed up is read in the order of the sorted rows.
	inOrder := prim.Zipped(prim.Permuted(prim.Of(cents), row), prim.Permuted(prim.Of(items), row))
	groups, err1 := launch.Alloc[Group](dev, customers)
	count, err2 := launch.Alloc[int](dev, 1)
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	n := make([]int, 1)
	err = errors.Join(
		prim.ReduceByKeyFunc(s, rows, prim.Of(customer),
			prim.Mapped(inOrder, func(o prim.Pair[int64, int32]) Totals { return Totals{o.A, 1, o.B} }),
			func(k int, c uint32, t Totals) { groups.Device()[k] = Group{c, t} },
			func(a, b uint32) bool { return a == b }, Totals.add, count),
		count.Download(n))
	if err != nil {
		return nil, err
	}
	// The groups, by their sums.
	groups = groups.Slice(0, n[0])
	result := make([]Group, n[0])
	return result, errors.Join(
		prim.SortFunc(s, groups, groups, func(g Group) uint64 { return prim.KeyBits(g.Cents) }, prim.Options{Descending: true}),
		groups.Download(result))
}

// largest returns each customer's largest order: rows are sorted by customer and, the largest first, by what they cost; then the first of
// each customer is selected.
func largest(dev *launch.Device, table []Order) ([]Order, error) {
	s := dev.Stream()
	all, err1 := launch.Upload(dev, table)
	first, err2 := launch.Alloc[Order](dev, customers)
	count, err3 := launch.Alloc[int](dev, 1)
	if err := errors.Join(err1, err2, err3); err != nil {
		return nil, err
	}
	n := make([]int, 1)
	sorted := prim.Of(all)
	err := errors.Join(
		prim.SortFunc(s, all, all, func(o Order) uint64 { return uint64(o.Customer)<<32 | uint64(^uint32(o.Cents)) }),
		prim.SelectFunc(s, rows, sorted, func(i int, o Order) bool { return i == 0 || sorted(i-1).Customer != o.Customer }, prim.Into(first), count),
		count.Download(n))
	if err != nil {
		return nil, err
	}
	result := make([]Order, n[0])
	return result, first.Slice(0, n[0]).Download(result)
}

// column is a column of the table.
func column[T any](table []Order, of func(o Order) T) []T {
	c := make([]T, len(table))
	for i, o := range table {
		c[i] = of(o)
	}
	return c
}

// onHost is group and largest by maps.
func onHost(table []Order) (groups []Group, best []Order) {
	totals, most := map[uint32]Totals{}, map[uint32]Order{}
	for _, o := range table {
		totals[o.Customer] = totals[o.Customer].add(Totals{o.Cents, 1, o.Items})
		if o.Cents > most[o.Customer].Cents {
			most[o.Customer] = o
		}
	}
	for c := range uint32(customers) {
		if t, ok := totals[c]; ok {
			groups, best = append(groups, Group{c, t}), append(best, most[c])
		}
	}
	slices.SortStableFunc(groups, func(a, b Group) int { return cmp.Compare(b.Cents, a.Cents) })
	return groups, best
}

func run(w io.Writer, device string) error {
	dev, err := launch.Open(device)
	if err != nil {
		return err
	}
	defer dev.Close()

	table := orders()
	groups, err := group(dev, table)
	if err != nil {
		return err
	}
	best, err := largest(dev, table)
	if err != nil {
		return err
	}
	wantGroups, wantBest := onHost(table)
	if !slices.Equal(groups, wantGroups) || !slices.Equal(best, wantBest) {
		return errors.New("the groups are not those of the host")
	}
	fmt.Fprintf(w, "%d orders of %d customers\n", rows, len(groups))
	for _, g := range groups[:shown] {
		o := best[slices.IndexFunc(best, func(o Order) bool { return o.Customer == g.Customer })]
		mean := (g.Cents + int64(g.Orders)/2) / int64(g.Orders)
		fmt.Fprintf(w, "customer %d: %d orders, sum %d.%02d, mean %d.%02d, most items %d, largest order %d.%02d\n", g.Customer, g.Orders,
			g.Cents/100, g.Cents%100, mean/100, mean%100, g.Most, o.Cents/100, o.Cents%100)
	}
	return nil
}

func main() {
	if err := run(os.Stdout, ""); err != nil {
		log.Fatal(err)
	}
}
