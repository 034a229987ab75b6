import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { packChunk, unpackChunks } from '../../src/backup/continuous/chunk.ts'
import { addVersions, type FrameRange, subtractVersions } from '../../src/backup/continuous/page-differences.ts'
import { findOffset } from '../../src/db/log-frames.ts'

const pageBytes = 512

/** A piece of a log with these pages, each version filled with its own byte at a place of its own. */
function writeFrames(
  from: number,
  pages: readonly number[],
): { readonly bytes: Uint8Array; readonly range: FrameRange } {
  const range = { pageBytes, from, to: from + pages.length }
  const begin = from === 0 ? 0 : findOffset(range, from)
  const bytes = new Uint8Array(findOffset(range, range.to) - begin)
  const view = new DataView(bytes.buffer)
  for (const [index, page] of pages.entries()) {
    const frame = findOffset(range, from + index) - begin
    view.setUint32(frame, page)
    bytes.fill(page, frame + 24, frame + 24 + pageBytes)
    bytes[frame + 24 + (index % pageBytes)] = index % 251
  }
  return { bytes, range }
}

test('what was subtracted is added again, wherever the frames begin and whatever their pages are', () => {
  fc.assert(
    fc.property(
      fc.nat(3),
      fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 60 }),
      fc.infiniteStream(fc.nat(255)),
      (from, pages, noise) => {
        const { bytes, range } = writeFrames(from, pages)
        for (let at = 64; at < bytes.length; at += 97) if (at % (24 + pageBytes) > 60) bytes[at] = noise.next().value!
        const before = Uint8Array.from(bytes)
        subtractVersions(bytes, range)
        addVersions(bytes, range)
        expect(bytes).toEqual(before)
      },
    ),
  )
})

test('of a page that comes again, only what changed since its last version is left', () => {
  const { bytes, range } = writeFrames(1, [7, 8, 7])
  subtractVersions(bytes, range)
  const third = bytes.subarray(2 * (24 + pageBytes) + 24)
  expect([...third].filter((byte) => byte !== 0)).toHaveLength(2)
  expect(bytes.subarray(24, 24 + pageBytes)).toEqual(writeFrames(1, [7]).bytes.subarray(24))
})

test('a chunk that names more frames than it holds is said to be damaged', () => {
  const { bytes, range } = writeFrames(1, [7, 8, 7])
  const head = {
    ...range,
    chain: '001795815524460-c794910e',
    index: 0,
    before: '',
    endOfLast: null,
    salt: '0123456789abcdef',
    commits: [[4, 1]] as [number, number][],
  }
  const open = (to: number) => [
    ...unpackChunks(Buffer.concat(packChunk({ ...head, to }, Uint8Array.from(bytes), undefined).packed), 0, 'a file', {
      sealer: undefined,
      chain: head.chain,
      first: 0,
    }),
  ]
  expect(open(4)[0]?.bytes).toEqual(bytes)
  expect(() => open(3)).toThrow(
    'a file of the continuous backup is damaged (it does not hold the frames that it names)',
  )
})
