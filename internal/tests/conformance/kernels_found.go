package conformance

import (
	"heddle/dsl"
	"heddle/kernel"
	"heddle/launch"
)

// Slices that a loop finds before it indexes them: in an array, in a field, by slicing, by an exchange. With and without checks.

type foundRows struct {
	N    int
	Rows [3][]int32
}

type foundPart struct {
	V []int32
	N int
}

func found(n int, to [4][]int32, in foundRows, parts [3]foundPart, a, b []int32) {
	if i := dsl.GlobalIdx().X; i < n {
		find(i, n, to, in, parts, a, b)
	}
}

// find is what thread i does. No two threads use one element.
func find(i, n int, to [4][]int32, in foundRows, parts [3]foundPart, a, b []int32) {
	for k := range to {
		to[k][i] = int32(k*100 + i)
	}
	for k, row := range to {
		row[(k+1)*n+i] = row[i] - int32(k)
	}
	for k := range in.Rows {
		in.Rows[k][i] += to[k][i] * 2
		in.Rows[k][k*in.N+i] ^= 5
	}
	for k := 2; k >= 0; k-- {
		parts[k].V[i] = int32(parts[k].N + i)
		parts[k].V[k*parts[k].N+i] += 7
	}
	for _, row := range [2][]int32{a, b} {
		row[i] += 3
	}
	for k := range 4 {
		a[k:][k*(n-1)+i] -= int32(k)
	}
	for k := range 4 {
		a[k*n+i], b[k*n+i] = b[k*n+i]+1, a[k*n+i]
		a, b = b, a
	}
}

// foundData are the slices that found is given, one after the other, of 4 rows and some elements.
func foundData(n int) [12][]int32 {
	var all [12][]int32
	for s := range all {
		all[s] = filled(5*n+4, func(i int) int32 { return int32(i*7 - s*11) })
	}
	return all
}

func foundCase(name string, opts kernel.Options) Case {
	k := kernel.NewWith(found, opts)
	return Case{name, "arrays", []*kernel.Kernel{k}, func(t *T) {
		const n = 70
		var bufs [12]*launch.Buffer[int32]
		var dev [12][]int32
		want := foundData(n)
		for s, host := range want {
			bufs[s] = upload(t, host)
			dev[s] = bufs[s].Device()
		}
		args := func(s [12][]int32) (to [4][]int32, in foundRows, parts [3]foundPart, a, b []int32) {
			return [4][]int32(s[:4]), foundRows{n, [3][]int32(s[4:7])}, [3]foundPart{{s[7], n}, {s[8], n + 1}, {s[9], n}}, s[10], s[11]
		}
		to, in, parts, a, b := args(dev)
		t.run(k, launch.Linear(n, 32), n, to, in, parts, a, b)
		to, in, parts, a, b = args(want)
		for i := range n {
			find(i, n, to, in, parts, a, b)
		}
		for s, buf := range bufs {
			same(t, download(t, buf), want[s])
		}
	}}
}

func foundCases() []Case {
	return []Case{foundCase("array/found", kernel.Options{}), foundCase("array/found-no-bounds", kernel.Options{NoBounds: true})}
}
