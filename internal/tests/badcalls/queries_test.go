package badcalls

import (
	"errors"

	"heddle/launch"
)

// onHost are the devices without a vendor's library.
var onHost = []string{"sim", "cpu", "emu"}

var queryCalls = []badCall{
	{name: "handle of a device on the host", do: func(dev *launch.Device) error {
		_, err := dev.Native()
		return err
	}, want: "launch: Device.Native on ", on: onHost},
	{name: "handle of a stream on the host", do: func(dev *launch.Device) error {
		_, err := dev.Stream().Native()
		return err
	}, want: "launch: Stream.Native on ", on: onHost},
	{name: "handle of a closed stream", do: func(dev *launch.Device) error {
		s, err := dev.NewStream()
		if err != nil {
			return err
		}
		if err := s.Close(); err != nil {
			return err
		}
		_, err = s.Native()
		return err
	}, want: "launch: stream of"},
	{name: "handle of a closed event", do: func(dev *launch.Device) error {
		e, err := dev.Stream().Record()
		if err != nil {
			return err
		}
		if err := e.Close(); err != nil {
			return err
		}
		_, err = e.Native()
		return err
	}, want: "launch: event of"},
	{name: "foreign work on the host", do: func(dev *launch.Device) error {
		return dev.Stream().Foreign(func(uintptr) error { return nil })
	}, want: "launch: Foreign on ", on: onHost},
	{name: "foreign work without a func", do: func(dev *launch.Device) error {
		return dev.Stream().Foreign(nil)
	}, want: "launch: Foreign of a nil func"},
	{name: "foreign work on a closed buffer", do: func(dev *launch.Device) error {
		b, err := launch.Alloc[int32](dev, 3)
		if err != nil {
			return err
		}
		if err := b.Close(); err != nil {
			return err
		}
		return dev.Stream().Foreign(func(uintptr) error { return nil }, b)
	}, want: "is closed", on: []string{"cuda", "hip"}},
	{name: "foreign work on no buffer", do: func(dev *launch.Device) error {
		return dev.Stream().Foreign(func(uintptr) error { return nil }, 5)
	}, want: "number 1 is int, want a *launch.Buffer", on: []string{"cuda", "hip"}},
	{name: "foreign work that fails", do: func(dev *launch.Device) error {
		return dev.Stream().Foreign(func(uintptr) error { return errors.New("cublasSgemm: 7") })
	}, want: "cublasSgemm: 7", on: []string{"cuda", "hip"}},
	{name: "doing nothing", do: func(dev *launch.Device) error { return dev.Do(nil) }, want: "launch: Do of a nil func"},
	{name: "limit that there is not", do: func(dev *launch.Device) error {
		_, err := dev.Limit(9)
		return err
	}, want: "launch: there is no limit 9: want LimitStack"},
	{name: "negative limit", do: func(dev *launch.Device) error {
		return dev.SetLimit(launch.LimitHeap, -1)
	}, want: "SetLimit: the heap of the device is -1 bytes"},
	{name: "limit on the host", do: func(dev *launch.Device) error {
		return dev.SetLimit(launch.LimitStack, 1<<16)
	}, want: "has no limit for the stack of a thread", on: onHost},
	{name: "stack of more than there is", do: func(dev *launch.Device) error {
		return dev.SetLimit(launch.LimitStack, 1<<40)
	}, want: "cuCtxSetLimit: CUDA_ERROR", on: []string{"cuda"}},
	{name: "occupancy of too large a block", do: func(dev *launch.Device) error {
		_, err := double.MaxBlocksPerSM(dev, 1<<20, 0)
		return err
	}, want: "1048576"},
	{name: "occupancy with negative shared memory", do: func(dev *launch.Device) error {
		_, err := double.MaxBlocksPerSM(dev, 32, -1)
		return err
	}, want: "Config.Shared is -1 bytes"},
	{name: "suggestion of a negative block", do: func(dev *launch.Device) error {
		_, _, err := double.SuggestBlock(dev, nil, -1)
		return err
	}, want: "SuggestBlock: the largest block is -1 threads"},
	{name: "suggestion without shared memory enough", do: func(dev *launch.Device) error {
		_, _, err := double.SuggestBlock(dev, func(int) int { return 1 << 30 }, 0)
		return err
	}, want: "SuggestBlock: no block fits"},
	{name: "suggestion of negative shared memory", do: func(dev *launch.Device) error {
		_, _, err := double.SuggestBlock(dev, func(int) int { return -4 }, 0)
		return err
	}, want: "Config.Shared is -4 bytes"},
	{name: "part of the shared memory over all of it", do: func(dev *launch.Device) error {
		return double.PreferShared(dev, 200)
	}, want: "PreferShared of 200 percent; want 0 to 100, or -1"},
	{name: "attributes on no device", do: func(*launch.Device) error {
		_, err := double.Attributes(nil)
		return err
	}, want: "on a nil stream or device"},
	{name: "properties of an unknown device", do: func(*launch.Device) error {
		_, err := launch.PropertiesOf("fpga:0")
		return err
	}, want: `unknown device "fpga:0"`},
	{name: "choice of nothing", do: func(*launch.Device) error {
		_, err := launch.Choose(func(*launch.Properties) float64 { return -1 })
		return err
	}, want: "is suitable"},
	{name: "out of memory", do: func(dev *launch.Device) error {
		_, err := launch.Alloc[byte](dev, int(dev.Info().Memory)*4)
		if !errors.Is(err, launch.ErrOutOfMemory) {
			return errors.New("the error is not ErrOutOfMemory")
		}
		return err
	}, want: "out of memory"},
}
