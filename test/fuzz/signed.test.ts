/**
 * Each signed claim with odd data is refused without a trace, or becomes a usable, fully erasable proof. FUZZ_RUNS runs
 * longer.
 */
import { expect, setDefaultTimeout, test } from 'bun:test'
import fc from 'fast-check'
import { computeQHash } from '../../src/envelope/q-hash.ts'
import { verifyPortableProof } from '../../src/envelope/verify-portable.ts'
import { startApp } from '../app.ts'
import { expectNoLeak, rowCounts } from '../http/refused.ts'
import { alice } from '../wallets.ts'
import { claimOf } from './arbitraries.ts'

setDefaultTimeout(60_000)

const runs = Math.ceil(Number(process.env.FUZZ_RUNS ?? 1_000) / 10)
const wallet = alice.address.toLowerCase()

test(
  `${runs} signed claims of every kind are refused or become proofs, and nothing in between`,
  async () => {
    const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
    const empty = await rowCounts(app.parts)
    let stored = 0
    await fc.assert(
      fc.asyncProperty(claimOf(alice.address), async (claim) => {
        app.wait(1)
        const before = await rowCounts(app.parts)
        const { status, body } = await app.submit(alice, claim)
        expect([200, 400]).toContain(status)
        if (status === 400) {
          expectNoLeak(body)
          expect(await rowCounts(app.parts)).toEqual(before)
          return
        }

        stored++
        const { qHash, portableProof } = body.data
        expect((await rowCounts(app.parts)).proofs).toBe(before.proofs! + 1)
        const { verifySignature, titles, freshness } = app.parts
        const tools = { deriveQHash: computeQHash, verifySignature, titles, now: app.now(), window: freshness }
        expect(await verifyPortableProof(portableProof, tools)).toMatchObject({ valid: true, faults: [] })

        const headers = await app.ownerHeaders(alice, { action: 'access_private_proof', qHash })
        const read = await app.get(`/api/v1/proofs/${qHash}`, headers)
        expect(read.status).toBe(200)
        expect(read.body.data.verifiedVerifiers).toEqual(body.data.verifiedVerifiers)
        const listing = await app.ownerHeaders(alice, {
          action: 'access_private_proofs_by_wallet',
          walletAddress: wallet,
        })
        const list = await app.get(`/api/v1/proofs/by-wallet/${wallet}?limit=1`, listing)
        expect(list.body.data.proofs[0].qHash).toBe(qHash)
      }),
      { numRuns: runs },
    )

    // About one claim in eight holds; none at all would mean that only refusals were looked at.
    expect(stored).toBeGreaterThan(0)
    app.wait(600_000)
    await app.post(
      '/api/v1/proofs/erase-all',
      await app.ownerBody(alice, { action: 'erase_all_proofs', walletAddress: wallet }),
    )
    // Signed texts are remembered for a day beyond their validity, and the progress of an erasure for a week.
    app.wait(8 * 86_400_000)
    await app.sweep()
    // Only the audit event of the erasure and the hour of the forgotten texts are left.
    // The journal keeps that an account was erased, without its name, for restores of older backups.
    expect(await rowCounts(app.parts)).toEqual({ ...empty, audit_events: 1, forgotten_hours: 1, taken_away: 1 })
  },
  60_000 + runs * 100,
)
