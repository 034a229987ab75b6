/** The end of a recording, whatever the clocks say: never before its order, nor before the contract recorded it. */
import { describe, expect, test } from 'bun:test'
import { readProgress } from '../../src/publishing/progress.ts'
import type { Publication } from '../../src/publishing/publication.ts'

const orderedAt = 1_800_000_000_000
const recorded = (times: Pick<Publication, 'recordedAt' | 'finishedAt'>): Publication => ({
  id: 1,
  proofId: 1,
  qHash: '0x12',
  chainId: 10,
  action: 'timestamp',
  state: 'confirmed',
  askedAt: orderedAt,
  account: null,
  nonce: null,
  signed: null,
  signedAt: null,
  hashes: ['0x34'],
  blockNumber: 5,
  gasUsed: null,
  reason: null,
  ...times,
})
const completed = (times: Pick<Publication, 'recordedAt' | 'finishedAt'>) => {
  const { crosschain } = readProgress({ hubChainId: null, targetChains: [10] }, [recorded(times)], orderedAt)
  return [crosschain.completed, crosschain.relayResults['10']!.completedAt]
}

describe('a recording ends', () => {
  test('at the moment when this server saw it', () => {
    expect(completed({ recordedAt: orderedAt + 5, finishedAt: orderedAt + 9 })).toEqual([orderedAt + 9, orderedAt + 9])
  })

  test('not before the contract recorded it, by a clock that goes ahead of ours', () => {
    expect(completed({ recordedAt: orderedAt + 5000, finishedAt: orderedAt + 9 })).toEqual([
      orderedAt + 5000,
      orderedAt + 5000,
    ])
  })

  test('not before it was ordered, where our clock was set back', () => {
    expect(completed({ recordedAt: orderedAt - 9000, finishedAt: orderedAt - 5000 })).toEqual([orderedAt, orderedAt])
  })

  test('not at all while it is under way', () => {
    expect(completed({ recordedAt: null, finishedAt: null })).toEqual([null, null])
  })
})
