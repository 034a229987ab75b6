/**
 * Detects the type of an image from its bytes. It reads only headers and block lists: nothing is decompressed, so no
 * decompression bomb works. The provider decides whether the picture is complete.
 */
export type PictureType = 'image/jpeg' | 'image/png' | 'image/webp' | 'image/gif'

/** The type by the first bytes (WHATWG MIME Sniffing section 6.1). */
export function readPictureType(bytes: Uint8Array): PictureType | undefined {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1')
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (/^RIFF....WEBP/s.test(start)) return 'image/webp'
  if (/^GIF8[79]a/.test(start)) return 'image/gif'
  return undefined
}

/** Providers judge only the first picture of an animation, so the others could show anything. */
export function isStill(bytes: Uint8Array, type: PictureType): boolean {
  if (type === 'image/gif') return isStillGif(bytes)
  if (type === 'image/png') return isStillPng(bytes)
  // The flag "animation" of the extended header (WebP container specification).
  if (type === 'image/webp') return readFourText(bytes, 12) !== 'VP8X' || ((bytes[20] ?? 0) & 0x02) === 0
  return true
}

const readFourText = (bytes: Uint8Array, at: number): string =>
  Buffer.from(bytes.subarray(at, at + 4)).toString('latin1')

/** An animation has the chunk acTL before the first IDAT (PNG third edition, section 11.3.6.1). */
function isStillPng(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 8; at + 8 <= bytes.length; at += view.getUint32(at) + 12) {
    const type = readFourText(bytes, at + 4)
    if (type === 'IDAT') return true
    if (type === 'acTL') return false
  }
  return false
}

const gifBlock = { extension: 0x21, picture: 0x2c, end: 0x3b }

/** Exactly one picture between header and trailer (GIF89a sections 18 to 27). Programs differ on the data after it. */
function isStillGif(bytes: Uint8Array): boolean {
  let pictures = 0
  let at = 13 + readColorTableSize(bytes[10])
  while (at < bytes.length && bytes[at] !== gifBlock.end) {
    if (bytes[at] === gifBlock.picture) {
      pictures++
      at = skipSubBlocks(bytes, at + 10 + readColorTableSize(bytes[at + 9]) + 1)
    } else if (bytes[at] === gifBlock.extension) at = skipSubBlocks(bytes, at + 2)
    else return false
  }
  return pictures === 1 && at < bytes.length
}

const readColorTableSize = (flags = 0): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 0x07) + 1))

function skipSubBlocks(bytes: Uint8Array, from: number): number {
  let at = from
  while ((bytes[at] ?? 0) !== 0) at += bytes[at]! + 1
  return at + 1
}
