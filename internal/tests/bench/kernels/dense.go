package kernels

import (
	"heddle/dsl"
)

// A tile of Transpose has TileDim by TileDim elements and TileDim by TileRows threads.
const (
	TileDim  = 32
	TileRows = 8
)

// Transpose transposes an n by n matrix; a block moves a tile of 32 by 32 with 32 by 8 threads.
func Transpose(n int, in, out []float32) {
	tile := dsl.Shared[[TileDim][TileDim + 1]float32]()
	t, b := dsl.ThreadIdx(), dsl.BlockIdx()
	x, y := b.X*TileDim+t.X, b.Y*TileDim+t.Y
	for j := 0; j < TileDim; j += TileRows {
		tile[t.Y+j][t.X] = in[(y+j)*n+x]
	}
	dsl.SyncThreads()
	x, y = b.Y*TileDim+t.X, b.X*TileDim+t.Y
	for j := 0; j < TileDim; j += TileRows {
		out[(y+j)*n+x] = tile[t.X][t.Y+j]
	}
}

const Side = 16 // of a tile of Sgemm

// Sgemm is c = a*b for n by n matrices, a tile of 16 by 16 a block.
func Sgemm(n int, a, b, c []float32) {
	as, bs := dsl.Shared[[Side][Side]float32](), dsl.Shared[[Side][Side]float32]()
	t := dsl.ThreadIdx()
	row, col := dsl.GlobalIdx().Y, dsl.GlobalIdx().X
	var sum float32
	for k := 0; k < n; k += Side {
		as[t.Y][t.X] = a[row*n+k+t.X]
		bs[t.Y][t.X] = b[(k+t.Y)*n+col]
		dsl.SyncThreads()
		for i := range Side {
			sum += as[t.Y][i] * bs[i][t.X]
		}
		dsl.SyncThreads()
	}
	c[row*n+col] = sum
}

const (
	BM, BN = 128, 128 // a block's part of c in SgemmRegisters
	bk     = 8        // the depth of its tiles
	tm, tn = 8, 8     // a thread's part of c
)

// SgemmRegisters is c = a*b with 128 by 128 elements a block and 8 by 8 a
// thread, in registers; 256 threads.
//
//heddle:launchbounds 256 2
func SgemmRegisters(n int, a, b, c []float32) {
	as, bs := dsl.Shared[[bk][BM]float32](), dsl.Shared[[bk][BN]float32]()
	t := dsl.ThreadIdx().X
	tx, ty := t%(BN/tn), t/(BN/tn)
	row, col := dsl.BlockIdx().Y*BM, dsl.BlockIdx().X*BN
	var acc [tm][tn]float32
	for k0 := 0; k0 < n; k0 += bk {
		//heddle:unroll
		for i := range 4 {
			e := t + i*256
			as[e%bk][e/bk] = a[(row+e/bk)*n+k0+e%bk]
			bs[e/BN][e%BN] = b[(k0+e/BN)*n+col+e%BN]
		}
		dsl.SyncThreads()
		//heddle:unroll
		for k := range bk {
			var ra [tm]float32
			var rb [tn]float32
			for i := range tm {
				ra[i] = as[k][ty*tm+i]
			}
			for j := range tn {
				rb[j] = bs[k][tx*tn+j]
			}
			for i := range tm {
				for j := range tn {
					acc[i][j] += ra[i] * rb[j]
				}
			}
		}
		dsl.SyncThreads()
	}
	for i := range tm {
		for j := range tn {
			c[(row+ty*tm+i)*n+col+tx*tn+j] = acc[i][j]
		}
	}
}

const (
	Radius = 8   // of the filter
	Row    = 128 // elements a block filters, and its threads
)

// Filter is what Convolve weighs a row with.
var Filter = [2*Radius + 1]float32{
	0.0014, 0.0040, 0.0099, 0.0217, 0.0421, 0.0717, 0.1083, 0.1434, 0.1950,
	0.1434, 0.1083, 0.0717, 0.0421, 0.0217, 0.0099, 0.0040, 0.0014,
}

var filter = dsl.NewConstant(Filter)

// Convolve filters the rows of a picture of the width n, which is 0 beside its edges.
func Convolve(n int, in, out []float32) {
	tile := dsl.Shared[[Row + 2*Radius]float32]()
	t, y := dsl.ThreadIdx().X, dsl.BlockIdx().Y
	first := dsl.BlockIdx().X * Row
	row := in[y*n : (y+1)*n]
	for k := t; k < len(tile); k += Row {
		var v float32
		if x := first + k - Radius; x >= 0 && x < n {
			v = row[x]
		}
		tile[k] = v
	}
	dsl.SyncThreads()
	weights := filter.Ptr()
	var sum float32
	for k := range weights {
		sum += weights[k] * tile[t+k]
	}
	out[y*n+first+t] = sum
}

const Order = 4 // of the matrices that Inverse inverts

// Inverse inverts small matrices in registers, by Gauss and Jordan without a choice of
// pivots. Element e of matrix i of n is in[e*n+i].
func Inverse(n int, in, out []float32) {
	i := dsl.GlobalIdx().X
	if i >= n {
		return
	}
	var a, inv [Order][Order]float32
	for r := range Order {
		for c := range Order {
			a[r][c] = in[(r*Order+c)*n+i]
		}
		inv[r][r] = 1
	}
	for p := range Order {
		scale := 1 / a[p][p]
		for c := range Order {
			a[p][c] *= scale
			inv[p][c] *= scale
		}
		for r := range Order {
			if r == p {
				continue
			}
			f := a[r][p]
			for c := range Order {
				a[r][c] -= f * a[p][c]
				inv[r][c] -= f * inv[p][c]
			}
		}
	}
	for r := range Order {
		for c := range Order {
			out[(r*Order+c)*n+i] = inv[r][c]
		}
	}
}
