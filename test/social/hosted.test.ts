/** From a link to /verify, through a provider, to a proof, with real pages, wallet and provider. */
import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { addEvmWallet } from '../pages/browser-wallets.ts'
import { connect, finished, openHosted, pick, press, problem, proofIds, share } from '../pages/hosted-stage.ts'
import { freePort } from '../parts/free-port.ts'
import { oidcProvider, stopProviders } from '../parts/oidc-provider.ts'
import { localSettings } from './person.ts'

setDefaultTimeout(60_000)

const port = await freePort()
const provider = await oidcProvider({
  backTo: `http://127.0.0.1:${port}`,
  claims: (login) => ({ preferred_username: login, org_domain: login === 'alice' ? 'example.com' : undefined }),
})
const hosted = await openHosted({
  PROOFGATE_PORT: String(port),
  ...localSettings(provider, { label: 'Acme', org_claim: 'org_domain' }),
})
afterAll(stopProviders)

async function signIn(page: Page, login: string): Promise<void> {
  await page.fill('[name=login]', login)
  await page.fill('[name=password]', 'any')
  await page.click('button[type=submit]')
  await page.click('button[type=submit]')
}

/** Goes to the first page of the provider. */
async function goThere(query: string) {
  const visit = await hosted.open({ alsoAt: [provider.origin], expectsStatus: [400, 403, 404] })
  const { page } = visit
  await addEvmWallet(visit.context)
  await visit.goto(`/verify?${query}`)
  await connect(page)
  await pick(page, 'provider', 'local')
  await press(page, 'Go there and sign in')
  await page.waitForURL((url) => url.origin === provider.origin)
  return visit
}

async function comeBackFinished(page: Page): Promise<void> {
  await page.waitForURL(/oauthState=/)
  await connect(page)
  await share(page)
  await press(page, 'Finish with Acme')
}

const evidenceOf = async (page: Page) => {
  const [qHash] = await proofIds(page)
  const proof = await hosted.proofOf(qHash!)
  return proof.verifiedVerifiers[0].data
}

describe('a link to /verify leads to a proof', () => {
  test('about an account at another service', async () => {
    const visit = await goThere('verifiers=ownership-social')
    const { page } = visit
    await signIn(page, 'octocat')
    await comeBackFinished(page)
    await finished(page)
    expect(await evidenceOf(page)).toMatchObject({ provider: 'local', socialUserId: 'octocat', handle: 'octocat' })
    expect(visit.complaints).toEqual([])
  })

  test('about an organization, and about the expected one', async () => {
    const visit = await goThere('verifiers=ownership-org-oauth&expectedOrgDomain=example.com')
    const { page } = visit
    await signIn(page, 'alice')
    await comeBackFinished(page)
    await finished(page)
    expect(await evidenceOf(page)).toMatchObject({ provider: 'local', domain: 'example.com' })
    expect(visit.complaints).toEqual([])
  })

  test('after the person changed their mind', async () => {
    const visit = await goThere('verifiers=ownership-social')
    const { page } = visit
    await page.click('a[href$="/abort"]')
    await page.waitForURL(/oauthError=access_denied/)
    await connect(page)
    await page.getByText('Try again').first().waitFor()
    await pick(page, 'provider', 'local')
    await press(page, 'Go there and sign in')
    await signIn(page, 'octocat')
    await page.waitForURL(/oauthState=/)
    expect(page.url()).not.toContain('oauthError')
    await comeBackFinished(page)
    await finished(page)
  })
})

describe('a link to /verify leads to no proof', () => {
  test('for a person without an organization: the page says why, and what would help', async () => {
    const { page } = await goThere('verifiers=ownership-org-oauth')
    await signIn(page, 'octocat')
    await comeBackFinished(page)
    await problem(page, 'belongs to a person and to no organization')
  })

  test('for a person of another organization', async () => {
    const { page } = await goThere('verifiers=ownership-org-oauth&expectedOrgDomain=example.org')
    await signIn(page, 'alice')
    await comeBackFinished(page)
    await problem(page, 'example.org is expected')
  })
})
