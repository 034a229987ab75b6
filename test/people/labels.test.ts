/** Labels of wallets: who sets them, what they may hold, who sees them, and when they go. */

import { beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mostLabels, writeLabel } from '../../src/profiles/label-store.ts'
import { requireProfile } from '../../src/profiles/store.ts'
import type { AccountText } from '../../src/wallet/account.ts'
import { type SignedInBrowser, startApp, type TestApp } from '../app.ts'
import { expectRefused } from '../http/refused.ts'
import { beginErasure } from '../parts/begun-erasure.ts'
import { countTo, writeAddress } from '../parts/row-maker.ts'
import { select } from '../parts/select.ts'
import { link } from '../payments/linking.ts'
import { linkWallets } from '../wallet-link.ts'
import { alice, bob, mallory, sol } from '../wallets.ts'

setDefaultTimeout(60_000)

const path = '/api/v1/profile/labels'
const low = ({ address }: { address: string }) => address.toLowerCase()
let app: TestApp
let browser: SignedInBrowser

beforeEach(async () => {
  app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
  browser = await app.signIn(alice)
})

type Sender = { readonly headers: Readonly<Record<string, string>> }
const set = (account: string, label: string, { headers }: Sender = browser) =>
  app.post(path, { account, label }, headers)
const remove = (account: string, { headers }: Sender = browser) =>
  app.request(`${path}/${encodeURIComponent(account)}`, { method: 'DELETE', headers })
const list = async ({ headers } = browser): Promise<Record<string, string>> => {
  const { labels } = (await app.get(path, headers)).body.data
  return Object.fromEntries(labels.map((one: { account: string; label: string }) => [one.account, one.label]))
}
const countRows = async (): Promise<number> =>
  (await select<{ n: number }>(app.parts.db, 'SELECT count(*) AS n FROM wallet_labels').all())[0]!.n

describe('a person', () => {
  test('labels wallets of every kind, renames one, and removes one', async () => {
    const contract = `eip155:8453:${low(mallory)}`
    expect((await set(bob.address, ' Savings ')).body.data).toEqual({
      account: low(bob),
      label: 'Savings',
      createdAt: app.now(),
    })
    await set(sol.address, 'Phone 👩‍💻')
    await set(contract, 'مخزن')
    await set('near:mainnet:bob', 'Bob')
    await set(bob.address.toLowerCase(), 'Old savings')
    expect(await list()).toEqual({
      [low(bob)]: 'Old savings',
      [sol.address]: 'Phone 👩‍💻',
      [contract]: 'مخزن',
      'near:mainnet:bob': 'Bob',
    })
    expect((await remove(bob.address)).body.data).toEqual({ account: low(bob), wasLabeled: true })
    expect((await remove(bob.address)).body.data).toEqual({ account: low(bob), wasLabeled: false })
    for (const one of [contract, 'near:mainnet:bob', sol.address])
      expect((await remove(one)).body.data.wasLabeled).toBe(true)
    expect(await list()).toEqual({})
  })

  test.each(['👩‍💻', '👍🏽', '❤️ savings', '1️⃣', 'می\u200cخواهم', 'क्\u200dष', 'Café « à toi »', '日本\u3000語'])(
    'may use %s in a label',
    async (label) => {
      expect((await set(bob.address, label)).body.data).toMatchObject({ label })
    },
  )

  test('labels one name on two chains apart', async () => {
    await set('near:mainnet:bob', 'Bob')
    await set('did:pkh:near:testnet:bob', 'Bob of the test network')
    await set('near:mainnet:alice.near', 'Alice')
    await set('alice.near', 'Alice again')
    expect(await list()).toEqual({
      'near:mainnet:bob': 'Bob',
      'near:testnet:bob': 'Bob of the test network',
      'alice.near': 'Alice again',
    })
    expect((await remove('near:testnet:bob')).body.data.wasLabeled).toBe(true)
    expect(Object.keys(await list())).toEqual(['alice.near', 'near:mainnet:bob'])
  })

  test.each([
    ['nothing to see', '   '],
    ['only joiners', '\u200d\u200d'],
    ['a line break', 'one\ntwo'],
    ['a mark that turns the direction', 'safe\u202efdp'],
    ['a character of no width', 'sav\u200bings'],
    ['a hidden tag', 'savings\u{e0041}'],
    ['a letter that is blank', '\u3164'],
    ['a braille cell without dots', '\u2800'],
    ['a joiner of graphemes', 'sav\u034fings'],
    ['a joiner between Latin letters', 'sav\u200dings'],
    ['the mark of an object', 'savings\ufffc'],
    ['a joiner after an emoji', '😀\u200d'],
    ['a joiner between words', 'my \u200d savings'],
    ['a joiner between digits', '1\u200d2'],
    ['a variation selector after a letter', 'savings\ufe0f'],
    ['only a variation selector', '\ufe0f'],
    ['a space of hardly any width', 'my\u200asavings'],
  ])('hears that a label may not hold %s', async (_, label) => {
    expectRefused(await set(bob.address, label), 'VALIDATION_ERROR', /label/)
    expect(await countRows()).toBe(0)
  })

  test('hears that a label is too long, and that a text is no wallet', async () => {
    expectRefused(await set(bob.address, 'x'.repeat(61)), 'VALIDATION_ERROR', /label/)
    expectRefused(await set('not a wallet', 'Savings'), 'INVALID_WALLET_ADDRESS', /account is not a wallet address/)
    expectRefused(await set('bob', 'Savings'), 'INVALID_WALLET_ADDRESS', /short name/)
  })

  test('has a bounded number of labels, and may rename at the bound', async () => {
    const { id } = (await select<{ id: number }>(app.parts.db, 'SELECT id FROM profiles').get())!
    await app.parts.db.write([
      {
        sql: `${countTo('?3')}
              INSERT INTO wallet_labels (profile, account, wallet, label, created_at)
              SELECT ?1, ${writeAddress('i')}, ?2, 'One of many', 0 FROM n`,
        params: [id, low(alice), mostLabels],
      },
    ])
    expectRefused(await set(bob.address, 'One more'), 'CONFLICT', /500 wallets/)
    expect((await set(`0x${'1'.padStart(40, '0')}`, 'Renamed')).status).toBe(200)
    expect(Object.keys(await list())).toHaveLength(mostLabels)
  })
})

describe('others', () => {
  test('neither see nor change the labels of a person', async () => {
    await set(bob.address, 'Savings')
    const other = await app.signIn(bob)
    expect(await list(other)).toEqual({})
    expect((await remove(bob.address, other)).body.data.wasLabeled).toBe(false)
    await set(bob.address, 'Mine', other)
    expect(await list()).toEqual({ [low(bob)]: 'Savings' })
    // Each removes the own label of a wallet that both have named.
    expect((await remove(bob.address, other)).body.data.wasLabeled).toBe(true)
    expect(await list(other)).toEqual({})
    expect(await list()).toEqual({ [low(bob)]: 'Savings' })
    expectRefused(await app.get(path), 'WALLET_AUTH_REQUIRED')
    expectRefused(await app.post(path, { account: bob.address, label: 'x' }), 'WALLET_AUTH_REQUIRED')
  })

  test('have no way by another page or by an access key', async () => {
    const { 'x-csrf-token': _, ...noToken } = browser.headers
    expectRefused(await set(bob.address, 'x', { headers: noToken }), 'FORBIDDEN')
    expectRefused(await remove(bob.address, { headers: noToken }), 'FORBIDDEN')
    const { key } = (
      await app.post('/api/v1/auth/profile-keys', { name: 'A key', scopes: ['profile'] }, browser.headers)
    ).body.data
    expectRefused(await app.get(path, { authorization: `Bearer ${key}` }), 'FORBIDDEN')
  })

  test('who signed in with a linked wallet read them, and change none', async () => {
    await link(app, alice, bob)
    await set(bob.address, 'Phone')
    const linked = await app.signIn(bob)
    expect(await list(linked)).toEqual({ [low(bob)]: 'Phone' })
    expectRefused(await set(alice.address, 'Not me', linked), 'FORBIDDEN')
    expectRefused(await remove(bob.address, linked), 'FORBIDDEN')
  })

  test.each(['agent', 'org', 'affiliate'])(
    'who signed in with a wallet linked as %s read none',
    async (relationshipType) => {
      await linkWallets(app, alice, bob, { relationshipType })
      await set(bob.address, 'Phone')
      expect(await list(await app.signIn(bob))).toEqual({})
    },
  )

  test('who had a linked wallet that was unlinked read none any more', async () => {
    const proof = await linkWallets(app, alice, bob)
    await set(bob.address, 'Phone')
    const linked = await app.signIn(bob)
    expect(await list(linked)).toEqual({ [low(bob)]: 'Phone' })
    await app.post(`/api/v1/proofs/revoke-self/${proof}`, {}, browser.headers)
    expectRefused(await app.get(path, linked.headers), 'WALLET_AUTH_REQUIRED')
    expect(await list(await app.signIn(bob))).toEqual({})
  })
})

describe('labels go', () => {
  test('with everything that their wallet erases, and not with what the labeled one erases', async () => {
    await set(bob.address, 'Savings')
    const erase = async (wallet: typeof alice) => {
      app.wait(1)
      const data = { action: 'erase_all_proofs', walletAddress: low(wallet) }
      expect((await app.post('/api/v1/proofs/erase-all', await app.ownerBody(wallet, data))).status).toBe(200)
      await Bun.sleep(50)
    }
    await erase(bob)
    expect(await list()).toEqual({ [low(bob)]: 'Savings' })
    await erase(alice)
    expect(await list()).toEqual({})
    expect(await countRows()).toBe(0)
    app.wait(1)
    await set(bob.address, 'New savings')
    expect(await list()).toEqual({ [low(bob)]: 'New savings' })
  })

  test('from the list as soon as their wallet begins to erase everything, and later ones stay', async () => {
    await set(bob.address, 'Savings')
    await beginErasure(app.parts.db, low(alice), app.now())
    expect(await countRows()).toBe(1)
    expect(await list()).toEqual({})
    app.wait(1)
    await set(sol.address, 'Phone')
    expect(await list()).toEqual({ [sol.address]: 'Phone' })
  })

  test('with the profile, and a profile that is deleted meanwhile is not called full', async () => {
    const { db } = app.parts
    const profile = (await select<{ id: number; subject: string }>(db, 'SELECT id, subject FROM profiles').get())!
    expect((await app.request('/api/v1/auth/me', { method: 'DELETE', headers: browser.headers })).status).toBe(200)
    const label = {
      profile: profile.id,
      account: low(bob) as AccountText,
      wallet: low(alice) as AccountText,
      label: 'Savings',
      createdAt: app.now(),
    }
    expect(await writeLabel(db, label, requireProfile(profile))).toBe('gone')
    expect(await countRows()).toBe(0)
  })

  test('with the profile', async () => {
    await set(bob.address, 'Savings')
    expect((await app.request('/api/v1/auth/me', { method: 'DELETE', headers: browser.headers })).status).toBe(200)
    expect(await countRows()).toBe(0)
    browser = await app.signIn(alice)
    expect(await list()).toEqual({})
  })
})
