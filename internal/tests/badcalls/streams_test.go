package badcalls

import (
	"heddle/launch"
)

// captured gives a stream whose capture has begun.
func captured(dev *launch.Device, do func(s *launch.Stream, v *launch.Buffer[int32]) error) error {
	s, err := dev.NewStream()
	if err != nil {
		return err
	}
	defer s.Close()
	v, err := launch.Upload(dev, []int32{1, 2, 3})
	if err != nil {
		return err
	}
	defer v.Close()
	if err := s.BeginCapture(); err != nil {
		return err
	}
	if err := double.Launch(s, launch.Linear(3, 32), v); err != nil {
		return err
	}
	err = do(s, v)
	if s.Capturing() {
		if g, end := s.EndCapture(); end == nil {
			_ = g.Close()
		}
	}
	return err
}

// byHand gives a graph of one node.
func byHand(dev *launch.Device, do func(g *launch.Graph, n *launch.Node, x *launch.GraphExec) error) error {
	g, err := launch.NewGraph(dev)
	if err != nil {
		return err
	}
	defer g.Close()
	v, err := launch.Upload(dev, []int32{1, 2, 3})
	if err != nil {
		return err
	}
	defer v.Close()
	n, err := g.Add(func(s *launch.Stream) error { return v.Clear(s) })
	if err != nil {
		return err
	}
	x, err := g.Instantiate()
	if err != nil {
		return err
	}
	defer x.Close()
	return do(g, n, x)
}

func nothing(*launch.Stream) error { return nil }

var streamsCalls = []badCall{
	{name: "sync in a capture", do: func(dev *launch.Device) error {
		return captured(dev, func(s *launch.Stream, _ *launch.Buffer[int32]) error { return s.Sync() })
	}, want: "is being captured, and its work is not queued: EndCapture before a call that waits"},
	{name: "download in a capture", do: func(dev *launch.Device) error {
		return captured(dev, func(_ *launch.Stream, v *launch.Buffer[int32]) error { return v.Download(make([]int32, 3)) })
	}, want: "is used by a stream that is being captured"},
	{name: "capture begun twice", do: func(dev *launch.Device) error {
		return captured(dev, func(s *launch.Stream, _ *launch.Buffer[int32]) error { return s.BeginCapture() })
	}, want: "is being captured already"},
	{name: "capture not begun", do: func(dev *launch.Device) error {
		_, err := dev.Stream().EndCapture()
		return err
	}, want: "BeginCapture comes first"},
	{name: "stream closed in a capture", do: func(dev *launch.Device) error {
		return captured(dev, func(s *launch.Stream, _ *launch.Buffer[int32]) error { return s.Close() })
	}, want: "was closed while it was being captured"},
	{name: "event from outside of a capture", do: func(dev *launch.Device) error {
		e, err := dev.Stream().Record()
		if err != nil {
			return err
		}
		return captured(dev, func(s *launch.Stream, _ *launch.Buffer[int32]) error { return s.Wait(e) })
	}, want: "recorded outside of it"},
	{name: "wait for an event of a capture", do: func(dev *launch.Device) error {
		return captured(dev, func(s *launch.Stream, _ *launch.Buffer[int32]) error {
			e, err := s.Record()
			if err != nil {
				return err
			}
			return e.Sync()
		})
	}, want: "recorded in a capture, where it is no point in time"},
	{name: "joined stream not waited for", do: func(dev *launch.Device) error {
		s, err := dev.NewStream()
		if err != nil {
			return err
		}
		defer s.Close()
		side, err := dev.NewStream()
		if err != nil {
			return err
		}
		defer side.Close()
		_, err = s.Capture(func(s *launch.Stream) error {
			e, err := s.Record()
			if err != nil {
				return err
			}
			if err := side.Wait(e); err != nil {
				return err
			}
			return side.Call(func() {})
		})
		return err
	}, want: "work that this stream does not wait for"},
	{name: "joined stream ends the capture", do: func(dev *launch.Device) error {
		side, err := dev.NewStream()
		if err != nil {
			return err
		}
		defer side.Close()
		return captured(dev, func(s *launch.Stream, _ *launch.Buffer[int32]) error {
			e, err := s.Record()
			if err != nil {
				return err
			}
			if err := side.Wait(e); err != nil {
				return err
			}
			_, err = side.EndCapture()
			return err
		})
	}, want: "the stream that began it ends it"},
	{name: "cycle in a graph", do: func(dev *launch.Device) error {
		return byHand(dev, func(g *launch.Graph, n *launch.Node, _ *launch.GraphExec) error {
			m, err := g.Add(nothing, n)
			if err != nil {
				return err
			}
			return g.Depend(n, m)
		})
	}, want: "Depend makes a cycle: node 1 comes after node 0 already"},
	{name: "node of another graph", do: func(dev *launch.Device) error {
		return byHand(dev, func(_ *launch.Graph, n *launch.Node, _ *launch.GraphExec) error {
			return byHand(dev, func(g *launch.Graph, _ *launch.Node, _ *launch.GraphExec) error {
				_, err := g.Add(nothing, n)
				return err
			})
		})
	}, want: "launch: the node is of another graph"},
	{name: "nil node", do: func(dev *launch.Device) error {
		return byHand(dev, func(g *launch.Graph, _ *launch.Node, _ *launch.GraphExec) error {
			_, err := g.Add(nothing, nil)
			return err
		})
	}, want: "launch: nil Node"},
	{name: "node becomes another kind", do: func(dev *launch.Device) error {
		return byHand(dev, func(_ *launch.Graph, n *launch.Node, x *launch.GraphExec) error { return x.Set(n, nothing) })
	}, want: "a node that is a memset cannot become a"},
	{name: "update by a larger graph", do: func(dev *launch.Device) error {
		return byHand(dev, func(g *launch.Graph, _ *launch.Node, x *launch.GraphExec) error {
			if _, err := g.Add(nothing); err != nil {
				return err
			}
			return x.Update(g)
		})
	}, want: "the graph has 2 pieces of work, the executable one 1"},
	{name: "closed graph", do: func(dev *launch.Device) error {
		return byHand(dev, func(g *launch.Graph, _ *launch.Node, _ *launch.GraphExec) error {
			_ = g.Close()
			_, err := g.Instantiate()
			return err
		})
	}, want: "launch: the graph is closed"},
	{name: "closed executable graph", do: func(dev *launch.Device) error {
		return byHand(dev, func(_ *launch.Graph, _ *launch.Node, x *launch.GraphExec) error {
			_ = x.Close()
			return x.Launch(dev.Stream())
		})
	}, want: "launch: the executable graph is closed"},
	{name: "closed buffer in a graph", do: func(dev *launch.Device) error {
		return byHand(dev, func(g *launch.Graph, _ *launch.Node, _ *launch.GraphExec) error {
			v, err := launch.Alloc[int32](dev, 3)
			if err != nil {
				return err
			}
			_ = v.Close()
			_, err = g.Add(func(s *launch.Stream) error { return v.Fill(s, 1) })
			return err
		})
	}, want: "launch: Fill: buffer of 3 int32 (allocated at streams_test.go:"},
	{name: "graph on another device's stream", do: func(dev *launch.Device) error {
		other, err := launch.Open("sim")
		if err != nil {
			return err
		}
		defer other.Close()
		return byHand(dev, func(_ *launch.Graph, _ *launch.Node, x *launch.GraphExec) error { return x.Launch(other.Stream()) })
	}, want: "launch: the graph is of"},
	{name: "call of nil", do: func(dev *launch.Device) error { return dev.Stream().Call(nil) }, want: "Call: the function is nil"},
	{name: "time of an event without timing", do: func(dev *launch.Device) error {
		e, err := dev.NewEvent(launch.EventOptions{NoTiming: true})
		if err != nil {
			return err
		}
		defer e.Close()
		start, err := dev.Stream().Record()
		if err != nil {
			return err
		}
		if err := e.Record(dev.Stream()); err != nil {
			return err
		}
		_, err = e.Since(start)
		return err
	}, want: "made without timing"},
}
