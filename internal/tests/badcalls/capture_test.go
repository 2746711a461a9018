package badcalls

import (
	"errors"

	"heddle/launch"
	"heddle/texture"
)

// captureCalls are calls that a graph has no node for, on a stream that is being captured.
var captureCalls = []badCall{
	{name: "allocation", do: func(dev *launch.Device) error {
		return captured(dev, func(s *launch.Stream, _ *launch.Buffer[int32]) error {
			b, err := launch.AllocAsync[int32](s, 8)
			return errors.Join(err, b.Close())
		})
	}, want: "launch: AllocAsync: a graph has no node for it; call it outside of the capture"},
	{name: "end of an allocation", do: func(dev *launch.Device) error {
		b, err := launch.AllocAsync[int32](dev.Stream(), 8)
		if err != nil {
			return err
		}
		defer b.Close()
		return captured(dev, func(s *launch.Stream, _ *launch.Buffer[int32]) error { return b.CloseAsync(s) })
	}, want: "launch: CloseAsync: a graph has no node for it"},
	{name: "prefetch", do: func(dev *launch.Device) error {
		m, err := launch.NewManaged[int32](dev, 8)
		if err != nil {
			return err
		}
		defer m.Close()
		return captured(dev, func(s *launch.Stream, _ *launch.Buffer[int32]) error { return m.Prefetch(s) })
	}, want: "launch: Prefetch: a graph has no node for it"},
	{name: "region", do: func(dev *launch.Device) error {
		p, err := launch.AllocPitched[int32](dev, 5, 3)
		if err != nil {
			return err
		}
		defer p.Close()
		q, err := launch.AllocPitched[int32](dev, 5, 3)
		if err != nil {
			return err
		}
		defer q.Close()
		return captured(dev, func(s *launch.Stream, _ *launch.Buffer[int32]) error {
			return launch.CopyRegionAsync(s, p.Region(), q.Region())
		})
	}, want: "launch: CopyRegionAsync: a graph has no node for it"},
	{name: "peers", do: func(dev *launch.Device) error {
		other, err := launch.Open("sim")
		if err != nil {
			return err
		}
		defer other.Close()
		far, err := launch.Upload(other, []int32{4, 5, 6})
		if err != nil {
			return err
		}
		return captured(dev, func(s *launch.Stream, v *launch.Buffer[int32]) error { return v.CopyPeer(s, far) })
	}, want: "launch: CopyPeer: a graph has no node for it"},
	{name: "array in image layout", do: func(dev *launch.Device) error {
		a, err := launch.NewArray[int32](dev, texture.Shape{Width: 3})
		if err != nil {
			return err
		}
		defer a.Close()
		return captured(dev, func(s *launch.Stream, v *launch.Buffer[int32]) error { return a.CopyFrom(s, v) })
	}, want: "launch: Array.CopyFrom: a graph has no node for it", on: []string{"cuda"}},
	{name: "handle", do: func(dev *launch.Device) error {
		return captured(dev, func(s *launch.Stream, _ *launch.Buffer[int32]) error {
			_, err := s.Native()
			return err
		})
	}, want: "launch: Stream.Native: a graph has no node for it"},
	{name: "another library", do: func(dev *launch.Device) error {
		return captured(dev, func(s *launch.Stream, v *launch.Buffer[int32]) error {
			return s.Foreign(func(uintptr) error { return nil }, v)
		})
	}, want: "launch: Foreign: a graph has no node for it"},
}
