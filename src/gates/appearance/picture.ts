/**
 * What a picture is, by its first bytes and not by what its sender calls it. Only formats without scripts: a browser
 * draws them, and runs nothing. Pixels are not decoded here.
 */

export const mostPictureBytes = 262_144
export const pictureSides = { least: 16, most: 2048 } as const

export const pictureTypes = ['image/png', 'image/jpeg', 'image/webp'] as const
export type PictureType = (typeof pictureTypes)[number]

export interface PictureShape {
  readonly mediaType: PictureType
  readonly width: number
  readonly height: number
}

/** The shape of a picture, or why it is none that is taken: a phrase after "the picture". */
export function readPicture(bytes: Uint8Array): PictureShape | { readonly fault: string } {
  if (bytes.length > mostPictureBytes)
    return { fault: `has ${bytes.length} bytes, and ${mostPictureBytes} are possible: make it smaller` }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const shape = readPng(view) ?? readJpeg(view) ?? readWebp(view)
  if (!shape) return { fault: 'is no PNG, JPEG or WebP, or is incomplete: save it in one of these formats' }
  const { least, most } = pictureSides
  const { width, height } = shape
  return [width, height].every((side) => side >= least && side <= most)
    ? shape
    : { fault: `has ${width} × ${height} pixels: each side must have ${least} to ${most}` }
}

const readTag = (view: DataView, at: number, length = 4): string =>
  at + length > view.byteLength ? '' : String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset + at, length))

/** PNG, section 5.2 and 11.2.1: the signature, then IHDR. */
function readPng(view: DataView): PictureShape | undefined {
  if (readTag(view, 0, 8) !== '\x89PNG\r\n\x1a\n' || readTag(view, 12) !== 'IHDR' || view.byteLength < 33)
    return undefined
  return { mediaType: 'image/png', width: view.getUint32(16), height: view.getUint32(20) }
}

/** ITU-T T.81, B.1.1: segments up to the frame header (SOF). */
function readJpeg(view: DataView): PictureShape | undefined {
  if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8) return undefined
  let at = 2
  while (at + 9 < view.byteLength && view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1)
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { mediaType: 'image/jpeg', height: view.getUint16(at + 5), width: view.getUint16(at + 7) }
    const length = view.getUint16(at + 2)
    if (length < 2) return undefined
    at += 2 + length
  }
  return undefined
}

/** RFC 9649: RIFF, then the chunk VP8X, VP8 or VP8L, which has the size. */
function readWebp(view: DataView): PictureShape | undefined {
  if (readTag(view, 0) !== 'RIFF' || readTag(view, 8) !== 'WEBP' || view.byteLength < 30) return undefined
  const mediaType = 'image/webp'
  const chunk = readTag(view, 12)
  if (chunk === 'VP8X') {
    const read24 = (at: number): number => view.getUint16(at, true) + (view.getUint8(at + 2) << 16)
    return { mediaType, width: read24(24) + 1, height: read24(27) + 1 }
  }
  if (chunk === 'VP8 ')
    return { mediaType, width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
  if (chunk !== 'VP8L') return undefined
  const bits = view.getUint32(21, true)
  return { mediaType, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}
