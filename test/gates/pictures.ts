/** Pictures of one color in each format: as small as the format allows, and whole where a test draws them. */
import { deflateSync } from 'node:zlib'

export function makePng(width: number, height: number, [red, green, blue] = [180, 83, 9]): Uint8Array {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, Buffer.from([red!, green!, blue!]))])
  const rows = Buffer.concat(Array.from({ length: height }, () => row))
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return new Uint8Array(
    Buffer.concat([
      signature,
      writeChunk('IHDR', header),
      writeChunk('IDAT', deflateSync(rows)),
      writeChunk('IEND', Buffer.alloc(0)),
    ]),
  )
}

function writeChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(Bun.hash.crc32(body))
  return Buffer.concat([length, body, checksum])
}

/** The head of a JPEG up to its frame, with an application segment before it. */
export const makeJpeg = (width: number, height: number): Uint8Array =>
  new Uint8Array([
    ...[0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 1, 0xff, 0xc0, 0, 17, 8],
    ...[height >> 8, height & 255, width >> 8, width & 255],
    ...[3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1],
  ])

/** The head of a lossy WebP. */
export const makeWebp = (width: number, height: number): Uint8Array =>
  new Uint8Array([
    ...Buffer.from('RIFF'),
    ...[22, 0, 0, 0],
    ...Buffer.from('WEBPVP8 '),
    ...[10, 0, 0, 0, 0x30, 1, 0, 0x9d, 1, 0x2a],
    ...[width & 255, width >> 8, height & 255, height >> 8],
  ])
