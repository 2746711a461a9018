package picture_test

import (
	"fmt"
	"image"
	"image/color"

	"heddle/texture/picture"
)

func Example() {
	img := image.NewGray(image.Rect(0, 0, 2, 1))
	img.SetGray(1, 0, color.Gray{Y: 200})
	texels, width, height := picture.Texels(img)
	fmt.Println(width, height, texels[1].X, texels[1].W)
	// Output: 2 1 200 255
}
