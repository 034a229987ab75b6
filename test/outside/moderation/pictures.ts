/** Small real pictures of every type, and a few that are not what they seem. */
import { deflateSync } from 'node:zlib'

const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)

function chunk(type: string, data: Uint8Array): Uint8Array {
  const named = Buffer.concat([Buffer.from(type), data])
  const bytes = Buffer.alloc(named.length + 8)
  bytes.writeUInt32BE(data.length)
  bytes.set(named, 4)
  bytes.writeUInt32BE(Bun.hash.crc32(named), named.length + 4)
  return bytes
}

/** A black picture of one row. `before` are chunks between header and pixels. */
export function png(width = 1, before: readonly Uint8Array[] = []): Uint8Array {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(1, 4)
  header.set([8, 0, 0, 0, 0], 8)
  const pixels = chunk('IDAT', deflateSync(new Uint8Array(width + 1)))
  return Buffer.concat([signature, chunk('IHDR', header), ...before, pixels, chunk('IEND', new Uint8Array())])
}

/** Pixels and nothing that says how many: only a decoder finds that out. */
export const unreadablePng = (): Uint8Array => Buffer.concat([signature, chunk('IDAT', new Uint8Array(9))])

export const animatedPng = (): Uint8Array => png(1, [chunk('acTL', Uint8Array.of(0, 0, 0, 2, 0, 0, 0, 0))])

export const jpeg = (width = 1): Promise<Uint8Array> => new Bun.Image(png(width)).jpeg().bytes()

export const webp = (width = 1): Promise<Uint8Array> => new Bun.Image(png(width)).webp().bytes()

/** The same pixels in the extended format, whose header says that more pictures follow. */
export async function extendedWebp(isAnimated: boolean): Promise<Uint8Array> {
  const simple = await webp()
  const extended = Uint8Array.of(isAnimated ? 0x02 : 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
  const bytes = Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0', 'latin1'), extended, simple.subarray(12)])
  bytes.writeUInt32LE(bytes.length - 8, 4)
  return bytes
}

const gifHeader = Uint8Array.of(
  ...Buffer.from('GIF89a'),
  ...[1, 0, 1, 0, 0x80, 0, 0],
  // Two colors.
  ...[0, 0, 0, 255, 255, 255],
)
const gifPicture = [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4c, 1, 0]
/** This picture has its own color table, which holds bytes that look like a picture block. */
const gifPictureWithColors = [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0x80, 0x2c, 0x2c, 0x2c, 0x3b, 0x3b, 0x3b, 2, 2, 0x4c, 1, 0]
const gifComment = [0x21, 0xfe, 3, 0x2c, 0x3b, 0x2c, 0]

const gifOf = (...blocks: readonly (readonly number[])[]): Uint8Array =>
  Buffer.concat([gifHeader, Uint8Array.from(blocks.flat())])

export const gif = (): Uint8Array => gifOf(gifComment, gifPicture, [0x3b])
export const gifWithColors = (): Uint8Array => gifOf(gifPictureWithColors, gifComment, [0x3b])
export const animatedGif = (): Uint8Array => gifOf(gifPicture, gifComment, gifPicture, [0x3b])
/** A byte that some programs skip, and that others take for the end. */
export const strayGif = (): Uint8Array => gifOf(gifPicture, [0], [0x3b])
export const gifWithoutEnd = (): Uint8Array => gifOf(gifPicture)
export const gifWithoutPicture = (): Uint8Array => gifOf(gifComment, [0x3b])

export const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
