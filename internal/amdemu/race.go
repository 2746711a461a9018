package amdemu

// waveSlots is how many waves of a launch the race detector tells apart: wave
// n has slot n%waveSlots.
const waveSlots = 1 << 20

// A cell is what is known of the accesses to four bytes.
type cell struct{ write, read, read2 uint64 }

// synced is a wave's epoch after it synchronised; device says with all of the
// device, not only with its workgroup.
func synced(epoch uint64, device bool) uint64 { return epoch + 1 }

func (w *wave) startRaces() {}

// passBarrier says that the workgroup of w has passed a barrier; it is called
// once for each wave of it, before any of them goes on.
func (w *wave) passBarrier() {}

// BeginLaunch and EndLaunch enclose a launch of n waves.
func (m *Memory) BeginLaunch() {}

func (m *Memory) EndLaunch(n int) {}
