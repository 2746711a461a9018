package ccl
import ("context";"errors";"heddle/launch")
func vendorAll(ctx context.Context, kind string, devs []*launch.Device) ([]port, error) { return nil, errors.New("x") }
func vendorID(kind string) (ID, error) {return ID{}, nil}
func vendorInit(ctx context.Context, kind string, dev *launch.Device, id ID, rank, size int) (port, error) {return nil,nil}
