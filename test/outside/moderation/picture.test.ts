import { describe, expect, test } from 'bun:test'
import { isStill, readPictureType } from '../../../src/outside/moderation/picture.ts'
import {
  animatedGif,
  animatedPng,
  extendedWebp,
  gif,
  gifWithColors,
  gifWithoutEnd,
  gifWithoutPicture,
  jpeg,
  png,
  strayGif,
  webp,
} from './pictures.ts'

describe('a picture by its bytes', async () => {
  const stills = [
    ['image/png', 'a PNG', png()],
    ['image/jpeg', 'a JPEG', await jpeg()],
    ['image/webp', 'a WebP', await webp()],
    ['image/webp', 'a WebP with an extended header', await extendedWebp(false)],
    ['image/gif', 'a GIF', gif()],
    ['image/gif', 'a GIF whose colors look like blocks', gifWithColors()],
  ] as const

  test.each(stills)('has the type %s and is still: %s', async (type, _, bytes) => {
    expect(readPictureType(bytes)).toBe(type)
    expect(isStill(bytes, type)).toBe(true)
    const decoded = await new Bun.Image(bytes).metadata()
    expect(`image/${decoded.format}`).toBe(type)
  })

  test.each([
    ['image/png', 'an animated PNG', animatedPng()],
    ['image/webp', 'an animated WebP', await extendedWebp(true)],
    ['image/gif', 'an animated GIF', animatedGif()],
    ['image/gif', 'a GIF with a stray byte', strayGif()],
    ['image/gif', 'a GIF that does not end', gifWithoutEnd()],
    ['image/gif', 'a GIF without a picture', gifWithoutPicture()],
    ['image/gif', 'the first bytes of a GIF', gif().subarray(0, 6)],
    ['image/png', 'the first bytes of a PNG', png().subarray(0, 8)],
    [
      'image/png',
      'a PNG with a chunk longer than itself',
      Buffer.concat([png().subarray(0, 8), Buffer.alloc(24, 0xff)]),
    ],
  ] as const)('has the type %s and is not taken for still: %s', (type, _, bytes) => {
    expect(readPictureType(bytes)).toBe(type)
    expect(isStill(bytes, type)).toBe(false)
  })

  test.each([
    ['nothing', new Uint8Array()],
    ['text', Buffer.from('Hello, this is text')],
    ['a PNG without its first byte', png().subarray(1)],
    ['a PNG that went through a text editor', Buffer.from('\x89PNG\n\x1a\n12345', 'latin1')],
    ['a RIFF file that is sound', Buffer.from('RIFF\x24\0\0\0WAVEfmt ', 'latin1')],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a PDF', Buffer.from('%PDF-1.7\n')],
  ])('has none of the types: %s', (_, bytes) => {
    expect(readPictureType(bytes)).toBeUndefined()
  })

  test('ends for every beginning of every picture', () => {
    for (const [type, , bytes] of stills)
      for (let length = 0; length < bytes.length; length++)
        expect(typeof isStill(bytes.subarray(0, length), type)).toBe('boolean')
  })
})
