package badcalls

import "heddle/launch"

var memoryCalls = []badCall{
	{name: "negative length", do: func(dev *launch.Device) error {
		_, err := launch.Alloc[int32](dev, -1)
		return err
	}, want: "launch: Alloc of -1 elements"},
	{name: "download to a shorter slice", do: func(dev *launch.Device) error {
		b, err := launch.Upload(dev, []int32{1, 2, 3})
		if err != nil {
			return err
		}
		defer b.Close()
		return b.Download(make([]int32, 2))
	}, want: "launch: Download: the buffer has 3 elements and dst has 2; use Slice"},
}
