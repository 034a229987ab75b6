/** The totals of a wallet are kept by triggers. After anything that can happen they must equal a count. */

import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import fc from 'fast-check'
import { startApp, type TestApp } from '../app.ts'
import { select } from '../parts/select.ts'
import { alice, bob, sol, type TestWallet } from '../wallets.ts'

/** Long enough for a busy machine, and PostgreSQL makes a database for each run. */
setDefaultTimeout(240_000)

const wallets: readonly TestWallet[] = [alice, bob, sol]
const fiveMinutes = 300_000

type Step =
  | { do: 'prove'; wallet: number; subject: number; options: object }
  | { do: 'revoke'; wallet: number; nth: number }
  | { do: 'show'; nth: number; visibility: string }
  | { do: 'erase'; wallet: number }
  | { do: 'wait'; ms: number }
  | { do: 'again'; nth: number }

const wallet = fc.nat(wallets.length - 1)
const options = fc.constantFrom(
  {},
  { privacyLevel: 'public' },
  { privacyLevel: 'public', publicDisplay: true },
  { privacyLevel: 'private', publicDisplay: true, storeOriginalContent: true },
)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('prove' as const), wallet, subject: fc.nat(2), options }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('revoke' as const), wallet, nth: fc.nat(10) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('show' as const),
      nth: fc.nat(10),
      visibility: fc.constantFrom('private', 'unlisted', 'listed'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('erase' as const), wallet }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: fiveMinutes }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('again' as const), nth: fc.nat(10) }) },
)

interface Made {
  readonly qHash: string
  readonly wallet: TestWallet
}

async function take(app: TestApp, made: Made[], one: Step): Promise<void> {
  if (one.do === 'prove') {
    app.wait(1)
    const signer = wallets[one.wallet]!
    const claim = { owner: signer.address, content: `Subject ${one.subject}` }
    const { body } = await app.submit(signer, { verifierIds: ['ownership-basic'], data: claim, options: one.options })
    if (body.data?.qHash) made.push({ qHash: body.data.qHash, wallet: signer })
  }
  if (one.do === 'show' && made.length > 0) {
    const { qHash, wallet } = made[one.nth % made.length]!
    const { visibility } = one
    app.wait(1)
    const signed = await app.ownerBody(wallet, { action: 'set_proof_visibility', qHash, visibility })
    await app.post(`/api/v1/proofs/${qHash}/visibility`, { visibility, ...signed })
  }
  if (one.do === 'wait') {
    app.wait(one.ms)
    await app.sweep()
  }
  if (one.do === 'erase') {
    const signer = wallets[one.wallet]!
    const walletAddress = signer.signing.chain ? signer.address : signer.address.toLowerCase()
    await app.post(
      '/api/v1/proofs/erase-all',
      await app.ownerBody(signer, { action: 'erase_all_proofs', walletAddress }),
    )
  }
  if (one.do === 'revoke' || one.do === 'again') {
    const { qHash, wallet } = made[one.nth % Math.max(1, made.length)] ?? {}
    if (!qHash || !wallet) return
    // 'again' revokes twice, at once.
    const body = await app.ownerBody(wallet, { action: 'revoke_proof', qHash })
    const times = one.do === 'again' ? 2 : 1
    await Promise.all(Array.from({ length: times }, () => app.post(`/api/v1/proofs/revoke-self/${qHash}`, body)))
  }
}

const counted = (app: TestApp) =>
  select(
    app.parts.db,
    `
    SELECT a.address,
      count(p.id) FILTER (WHERE p.superseded = 0 AND p.revoked_at IS NULL) AS current,
      count(p.id) FILTER (WHERE p.superseded = 0 AND p.revoked_at IS NULL AND p.visibility = 2 AND p.status <> 'expired') AS listed,
      count(p.id) AS everything,
      count(p.id) FILTER (WHERE p.visibility = 2) AS "everListed"
    FROM accounts a LEFT JOIN proofs p ON p.account_id = a.id GROUP BY a.id ORDER BY a.address`,
  ).all()

const kept = (app: TestApp) =>
  select(
    app.parts.db,
    `
    SELECT address, current_count AS current, listed_count AS listed, all_count AS everything,
      all_listed_count AS "everListed"
    FROM accounts ORDER BY address`,
  ).all()

describe('the counters of an account', () => {
  test('equal a count after any sequence of proofs, revocations, erasures and sweeps', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
        const made: Made[] = []
        for (const one of steps) await take(app, made, one)
        expect(await kept(app)).toEqual(await counted(app))

        const fromOutside = await app.get(`/api/v1/proofs/by-wallet/${alice.address}?limit=1000`)
        const { proofs, totalCount } = fromOutside.body.data
        expect(totalCount).toBe(proofs.length)
        await app.close()
      }),
      { numRuns: 40 },
    )
  })

  test('equal a count after many of one claim at once', async () => {
    const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
    const claim = { verifierIds: ['ownership-basic'], data: { owner: alice.address, content: 'One claim' } }
    await Promise.all(
      Array.from({ length: 30 }, (_, turn) =>
        app.submit(alice, { ...claim, signedTimestamp: app.now() - turn, options: { privacyLevel: 'public' } }),
      ),
    )
    expect(await counted(app)).toEqual([
      { address: alice.address.toLowerCase(), current: 1, listed: 0, everything: 30, everListed: 0 },
    ])
    expect(await kept(app)).toEqual(await counted(app))
  })
})
