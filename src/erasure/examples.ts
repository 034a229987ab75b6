/** Examples of erasing a wallet with one proof. */
import { type ExampleSource, story } from '../http/example.ts'

const { time, timestamp, wallet } = story
const erasureId = '5f0c2d4e8a1b4c6d9e7f3a2b1c0d5e6f'
/** An erasure of one proof is done at once when the database has no other reader. */
const erased = {
  erasure: {
    id: erasureId,
    state: 'done',
    total: 1,
    left: 0,
    begunAt: timestamp,
    deletedAt: timestamp,
    status: `/api/v1/proofs/erasures/${erasureId}`,
  },
  traces: { pending: false },
}

/** By operationId. */
export const erasureExamples = {
  eraseAll: {
    request: {
      walletAddress: wallet,
      signature:
        '0x942aa1f93f845775eafc5111d7df24d065478c894552c9edc4897937b163f06855174f1bd5c7cdfc388ab666a95b417c1490cd5206c39fedc70b62edc8aea5ba1c',
      signedTimestamp: time,
    },
    response: { success: true, erasedCount: 1, alreadyRevoked: false, ...erased, timestamp },
  },
  getErasure: { params: { erasureId }, response: { success: true, ...erased } },
} as const satisfies Readonly<Record<string, ExampleSource>>
