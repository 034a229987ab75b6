/** Which log a chain goes on with, and where another chain begins. */
import { expect, test } from 'bun:test'
import { type ChainNews, openPacker, type ShipNews } from '../../src/backup/continuous/packer.ts'

const pageBytes = 512
const frameBytes = pageBytes + 24
const first = '00000001aaaaaaaa'

const commit = (salt: string, frames: number): ShipNews => ({ kind: 'commits', salt, frames, at: frames })
const rest = (salt: string, from: number, frames: number): ShipNews => ({
  kind: 'rest',
  salt,
  from,
  frames,
  bytes: new Uint8Array((frames - from) * frameBytes + (from === 0 ? 32 : 0)),
})

/** Ships three frames of the first log, and then two of another. Returns the chains that were begun. */
function shipTwoLogs(next: string, between: readonly ShipNews[]): { chains: number; chunks: number } {
  const begun: ChainNews[] = []
  const packer = openPacker({
    databaseFile: '/nowhere/proofgate.sqlite',
    sealer: undefined,
    kept: undefined,
    formerTimes: [],
    tellChain: (chain) => begun.push(chain),
  })
  packer.take([commit(first, 5), commit(first, 8), rest(first, 5, 8), ...between, commit(next, 2), rest(next, 0, 2)])
  let chunks = 0
  while (packer.next()) chunks++
  return { chains: begun.length, chunks }
}

const end: ShipNews = { kind: 'end', salt: first, frames: 8 }

test('the log that follows an ended one goes on with its chain', () => {
  expect(shipTwoLogs('00000002bbbbbbbb', [end])).toEqual({ chains: 1, chunks: 2 })
})

test.each<[string, string, readonly ShipNews[]]>([
  ['a log between them went by', '00000003bbbbbbbb', [end]],
  ['the end of the first was not seen', '00000002bbbbbbbb', []],
  ['the first had ended before its last frame', '00000002bbbbbbbb', [{ ...end, frames: 7 }]],
  ['frames were lost', '00000002bbbbbbbb', [end, { kind: 'lost', why: 'for this test' }]],
])('another chain begins where %s', (_, next, between) => {
  expect(shipTwoLogs(next, between)).toEqual({ chains: 2, chunks: 1 })
})
