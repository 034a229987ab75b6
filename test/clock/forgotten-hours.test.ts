/** Refusals for hours whose marks were deleted, over random histories around the borders of hours. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import fc from 'fast-check'
import { forgetSpent, keptAfterExpiryMs, type SpentSignature, trySpendSignature } from '../../src/db/spent-signature.ts'
import { openStore } from '../db/store.ts'

setDefaultTimeout(60_000)
const hour = 3_600_000
/** 2026-01-01, so that a day begins among the hours. */
const midnight = 1_767_225_600_000
/** Signed texts are valid for five minutes. */
const maxAgeMs = 300_000

const db = await openStore(undefined)
afterAll(() => db.close())

/** Around whole hours: before, at and after. */
const moment = fc
  .tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -2, max: 2 }), fc.constantFrom(1, 1000, maxAgeMs))
  .map(([hours, steps, stepMs]) => midnight + hours * hour + steps * stepMs)

const step = fc.oneof(
  fc.record({ kind: fc.constant('spend' as const), expiresAt: moment, text: fc.integer({ min: 0, max: 3 }) }),
  fc.record({ kind: fc.constant('forget' as const), before: moment }),
)

const name = (round: number, { expiresAt, text }: { expiresAt: number; text: number }): SpentSignature => ({
  digest: Bun.SHA256.hash(`${round} ${expiresAt} ${text}`, 'hex'),
  expiresAt,
})

test('a used text stays refused, and one that outlives the deleted marks is never refused for them', async () => {
  let round = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      round++
      await db.write([
        { sql: 'DELETE FROM spent_signatures', params: [] },
        { sql: 'DELETE FROM forgotten_hours', params: [] },
      ])
      const spentOnes = new Map<string, number>()
      let before = 0
      for (const one of steps) {
        if (one.kind === 'forget') {
          before = Math.max(before, one.before)
          await forgetSpent(db, one.before, 1000)
          continue
        }
        const spent = name(round, one)
        const isSpent = spentOnes.has(spent.digest)
        const hourOf = (at: number) => Math.floor(at / hour)
        const isHourUsed = [...spentOnes.values()].some((at) => hourOf(at) === hourOf(one.expiresAt))
        const isStored = await trySpendSignature(db, spent)
        if (isSpent) expect(isStored).toBe(false)
        // Other people's texts cause a refusal only in an hour that a clock, set back over a day, reaches again.
        else if (one.expiresAt > before || !isHourUsed) expect([one.expiresAt, isStored]).toEqual([one.expiresAt, true])
        if (isStored) spentOnes.set(spent.digest, one.expiresAt)
      }
    }),
    { numRuns: 300 },
  )
})

test('while the clock is right, no fresh text is refused for an hour that was forgotten', async () => {
  let round = 1_000_000
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(moment, fc.integer({ min: 0, max: maxAgeMs })), { maxLength: 30 }),
      async (asked) => {
        round++
        await db.write([
          { sql: 'DELETE FROM spent_signatures', params: [] },
          { sql: 'DELETE FROM forgotten_hours', params: [] },
        ])
        // Half of the texts come a day after the others, so that the hours of the first are forgotten.
        const times = asked.map(([at], place) => at + (place % 2) * keptAfterExpiryMs).sort((one, other) => one - other)
        for (const [place, now] of times.entries()) {
          await forgetSpent(db, now - keptAfterExpiryMs, 1000)
          const leftMs = asked[place]![1]
          expect(await trySpendSignature(db, name(round, { expiresAt: now + leftMs, text: place }))).toBe(true)
        }
      },
    ),
    { numRuns: 200 },
  )
})
