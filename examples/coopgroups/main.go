// Command coopgroups adds up numbers by cooperative groups: first in tiles of 8 neighbouring threads,
// then over the whole grid, whose blocks wait for each other in the middle of the kernel.
package main

import (
	"embed"
	"fmt"
	"io"
	"log"
	"os"

	"heddle/dsl"
	"heddle/dsl/cg"
	"heddle/kernel"
	"heddle/launch"
)

//go:embed *.go
var source embed.FS
var _ = kernel.Source(source)

func add(x, y int64) int64 { return x + y }

// Sum stores the sums of tiles of 8 threads, and when all blocks have done so, block 0 adds
// them up.
func Sum(v []int32, sums []int64, total *int64, barrier *cg.GridBarrier) {
	block, grid := cg.ThisThreadBlock(), cg.ThisGrid(barrier)
	tile := cg.TiledPartition[cg.Size8](block)
	x := int64(0)
	for i := grid.ThreadRank(); i < len(v); i += grid.Size() {
		x += int64(v[i])
	}
	x = cg.Reduce(tile, x, add)
	if tile.ThreadRank() == 0 {
		sums[grid.ThreadRank()/8] = x
	}

	grid.Sync() // all blocks: the launch is cooperative

	if grid.BlockRank() != 0 {
		return
	}
	x = 0
	for i := block.ThreadRank(); i < len(sums); i += block.Size() {
		x += sums[i]
	}
	if x = dsl.BlockReduce(x, add); block.ThreadRank() == 0 {
		*total = x
	}
}

var sum = kernel.New(Sum)

func run(w io.Writer, device string) error {
	dev, err := launch.Open(device)
	if err != nil {
		return err
	}
	defer dev.Close()

	host := make([]int32, 20_000)
	want := int64(0)
	for i := range host {
		host[i] = int32(i*31%1009) - 300
		want += int64(host[i])
	}
	cfg := launch.Config{Grid: launch.Dim3{X: 4}, Block: launch.Dim3{X: 128}, Cooperative: true}
	most, err := sum.Resident(dev, cfg) // a larger grid would be refused
	if err != nil {
		return err
	}
	if most < cfg.Grid.X {
		return fmt.Errorf("%s holds %d blocks at once", dev.Name(), most)
	}
	v, err := launch.Upload(dev, host)
	if err != nil {
		return err
	}
	sums, err := launch.Alloc[int64](dev, 4*128/8)
	if err != nil {
		return err
	}
	total, err := launch.Alloc[int64](dev, 1)
	if err != nil {
		return err
	}
	barrier, err := launch.Alloc[cg.GridBarrier](dev, 1)
	if err != nil {
		return err
	}
	if err := sum.Launch(dev.Stream(), cfg, v, sums, total, barrier); err != nil {
		return err
	}
	got := make([]int64, 1)
	if err := total.Download(got); err != nil {
		return err
	}
	fmt.Fprintf(w, "the sum of %d numbers by %d tiles: %d, %v\n", len(host), sums.Len(), got[0], got[0] == want)
	return nil
}

func main() {
	if err := run(os.Stdout, ""); err != nil {
		log.Fatal(err)
	}
}
