/** Proof of being human in a real browser: the page says what to prove, and accepts a tool's proof. */
import { afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { passportKey, scorerId, startPassport } from '../parts/human-providers.ts'
import { cases } from '../parts/semaphore/cases.ts'
import proofs from '../vectors/semaphore.json'
import { addEvmWallet } from './browser-wallets.ts'
import {
  addressOf,
  connect,
  fill,
  finished,
  keyOf,
  openHosted,
  pick,
  press,
  problem,
  proofIds,
} from './hosted-stage.ts'

setDefaultTimeout(60_000)

const passport = startPassport()
const hosted = await openHosted({
  PROOFGATE_HUMAN_SEMAPHORE_ROOTS: proofs.adaForAlice.merkleTreeRoot,
  PROOFGATE_HUMAN_PASSPORT_API_KEY: passportKey,
  PROOFGATE_HUMAN_PASSPORT_SCORER_ID: scorerId,
  PROOFGATE_HUMAN_PASSPORT_URL: passport.url,
})
const one = addressOf('1').toLowerCase()
afterEach(() => passport.says.clear())

async function opened(query = '', expectsStatus: number[] = []) {
  const visit = await hosted.open({ expectsStatus })
  await addEvmWallet(visit.context)
  await visit.goto(`/verify?verifiers=proof-of-human${query}`)
  await connect(visit.page)
  return visit
}

describe('a person', () => {
  test('sees what the proof must be made for, and submits it with the proof as the tool gave it', async () => {
    const visit = await opened('', [400])
    const { page } = visit
    await page.getByText(cases.adaForBobOnPage.message).waitFor()
    await page.getByText(cases.adaForBobOnPage.scope).waitFor()
    await fill(page, 'proof', JSON.stringify(proofs.adaForBob))
    await press(page, 'Check it now')
    await page.getByText('the proof is not made for').waitFor()
    await fill(page, 'proof', JSON.stringify(proofs.adaForBobOnPage))
    await press(page, 'Check it now')
    await finished(page)
    const [qHash] = await proofIds(page)
    expect(await hosted.proofOf(qHash!)).toMatchObject({ status: 'verified' })
    expect(visit.complaints).toEqual([])
  })

  test('is refused with another wallet after using it with one', async () => {
    const visit = await hosted.open({ expectsStatus: [400, 409] })
    await addEvmWallet(visit.context, { key: keyOf('2') })
    await visit.goto('/verify?verifiers=proof-of-human')
    await connect(visit.page)
    await fill(visit.page, 'proof', 'no JSON')
    await press(visit.page, 'Check it now')
    await problem(visit.page, 'The proof must be JSON')
    await fill(visit.page, 'proof', JSON.stringify({ proofs: [proofs.adaForBobOnPage] }))
    await press(visit.page, 'Check it now')
    await visit.page.getByText('the proof is not made for').waitFor()
    expect(visit.complaints).toEqual([])
  })

  test('needs to paste nothing for a score', async () => {
    passport.says.set(one, { score: '12.5' })
    const visit = await opened('', [400])
    const { page } = visit
    await pick(page, 'provider', 'passport')
    await page.getByText('You need not paste anything').waitFor()
    await press(page, 'Check it now')
    await page.getByText('20 is needed').waitFor()
    passport.says.set(one, { score: '33.5', expiration_timestamp: '2099-01-01T00:00:00Z' })
    await press(page, /Check it now|Try again/)
    await finished(page)
    expect(visit.complaints).toEqual([])
  })
})
