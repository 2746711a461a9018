package launch

import (
	"slices"
	"testing"
	"unsafe"

	"heddle/dsl"
)

// TestAddresses launches with device memory by its address, whole and in part.
func TestAddresses(t *testing.T) {
	d := openSim(t)
	k := newTestKernel(t, d, func(v []int32, sum *int32) {
		if dsl.GlobalIdx().X == 0 {
			*sum = int32(100*len(v) + 10*cap(v))
			for i := range v {
				*sum += v[i]
				v[i] = 0
			}
		}
	})
	v, err := Upload(d, []int32{1, 2, 3, 4, 5})
	ok(t, err)
	sums, err := Alloc[int32](d, 4)
	ok(t, err)
	ok(t, k.launch(d.Stream(), Linear(1, 1), v.Device()[1:3], &sums.Device()[2]))
	ok(t, k.launch(d.Stream(), Linear(1, 1), v.Device()[3:4:4], &sums.Device()[0]))
	ok(t, k.launch(d.Stream(), Linear(1, 1), []int32(nil), &sums.Slice(1, 2).Device()[0]))
	got := make([]int32, 4)
	ok(t, sums.Download(got))
	if want := []int32{100 + 10 + 4, 0, 200 + 40 + 5, 0}; !slices.Equal(got, want) {
		t.Errorf("sums are %v, want %v", got, want)
	}
	left := make([]int32, 5)
	ok(t, v.Download(left))
	if want := []int32{1, 0, 0, 0, 5}; !slices.Equal(left, want) {
		t.Errorf("left are %v, want %v", left, want)
	}
}

// TestAddressKeeps closes a buffer that a queued launch has by its address alone.
func TestAddressKeeps(t *testing.T) {
	d := openSim(t)
	begin := make(chan bool)
	k := newTestKernel(t, d, func(v []int32, out []int32) { <-begin; out[0] = v[7] })
	v, err := Upload(d, []int32{0, 1, 2, 3, 4, 5, 6, 77})
	ok(t, err)
	out, err := Alloc[int32](d, 1)
	ok(t, err)
	ok(t, k.launch(d.Stream(), Linear(1, 1), v.Device(), out.Device()))
	ok(t, v.Close())
	close(begin)
	got := make([]int32, 1)
	ok(t, out.Download(got))
	if got[0] != 77 {
		t.Errorf("got %d of a buffer that was closed while a kernel used it", got[0])
	}
}

// TestAcross copies between buffers by their addresses, on a device and between two.
func TestAcross(t *testing.T) {
	d, e := openSim(t), openSim(t)
	x, err := Upload(d, []int32{1, 2, 3, 4})
	ok(t, err)
	slow := newTestKernel(t, d, func(v []int32) { v[0] = 10 })
	for _, on := range []*Device{d, e} {
		s, err := d.NewStream()
		ok(t, err)
		ok(t, slow.launch(s, Linear(1, 1), x))
		y, err := Upload(on, x.Device()) // waits for the kernel
		ok(t, err)
		check := func(what string, want ...int32) {
			t.Helper()
			got := make([]int32, len(want))
			ok(t, y.Download(got))
			if !slices.Equal(got, want) {
				t.Errorf("%s: %v, want %v", what, got, want)
			}
		}
		check("Upload", 10, 2, 3, 4)
		ok(t, y.Clear(on.Stream()))
		ok(t, y.Slice(1, 3).Upload(x.Device()[2:]))
		check("Buffer.Upload", 0, 3, 4, 0)
		ok(t, x.Slice(0, 2).Download(y.Device()[:2]))
		check("Download", 10, 2, 4, 0)
		up := y.Slice(0, 1).UploadAsync(on.Stream(), x.Device()[3:])
		down := x.Slice(3, 4).DownloadAsync(d.Stream(), y.Device()[3:])
		if on == d {
			ok(t, up)
			ok(t, down)
			ok(t, d.Sync())
			check("UploadAsync and DownloadAsync", 4, 2, 4, 4)
		} else {
			fails(t, up, "UploadAsync: the memory given is of sim, the stream on another opening of sim; Upload and Download copy between devices")
			fails(t, down, "DownloadAsync: the memory given is of sim, the stream on another opening of sim")
		}
		ok(t, s.Close())
	}
	fails(t, x.Slice(0, 2).Upload(x.Device()[1:3]), "the two parts overlap")
	ok(t, x.Upload(x.Device()))
	fails(t, x.Slice(0, 3).Upload(unsafe.Slice(&x.Device()[2], 3)), "3 elements of device memory reach past the end of a buffer of 4 int32")
	nested, err := Upload(d, [][]int32{x.Device()})
	ok(t, err)
	_, err = Upload(e, nested.Device())
	fails(t, err, "element [0] is not memory of sim")
	again, err := Upload(d, nested.Device())
	ok(t, err)
	got := make([][]int32, 1)
	ok(t, again.Download(got))
	if unsafe.SliceData(got[0]) != unsafe.SliceData(x.Device()) {
		t.Error("an address was lost")
	}
}
