import { describe, expect, test } from 'bun:test'
import { startApp } from '../app.ts'
import vectors from '../vectors/envelopes.json'
import { hub, innerOf as innerOfAny, type Link, plain } from '../wallet-link.ts'
import { alice, bob, mallory, sol, type TestWallet } from '../wallets.ts'
import { asking, evidenceIn, failed, refused } from './ask.ts'

const id = 'wallet-link'
const hour = 3_600_000

/** Alice links. */
const innerOf = (link: Omit<Link, 'primary'> & { readonly primary?: TestWallet }) =>
  innerOfAny({ primary: alice, ...link })

describe('wallet-link (src/guides/wire.md, "wallet-link")', async () => {
  const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
  const ask = asking(app, id)
  const byAddress = { primaryWalletAddress: alice.address, secondaryWalletAddress: bob.address, chain: hub }

  test('the text of the secondary wallet is that of the published vector', async () => {
    const vector = vectors.find(({ name }) => name.startsWith('wallet-link'))!
    const { text, signed } = await innerOf({ secondary: bob, at: vector.request.signedTimestamp })
    expect(text).toBe(vector.signerString)
    expect(signed.signature).toBe(vector.signature!)
  })

  test('holds: two EVM wallets, by address and chain; the inner signature is not kept', async () => {
    const { accounts, signed } = await innerOf({ secondary: bob, at: app.now() })
    const answer = await ask(alice, { ...byAddress, ...signed }, { options: { privacyLevel: 'public' } })
    expect(answer.status).toBe(200)
    expect(evidenceIn(answer)).toEqual({
      ...accounts,
      chain: hub,
      relationshipType: 'linked',
      signatureMethod: 'eip191',
      linkedAt: app.now(),
    })
    const { body } = await app.get(`/api/v1/proofs/${answer.body.data.qHash}`)
    expect(JSON.stringify(body)).not.toContain(signed.signature.slice(2, 60))
  })

  test('holds: by account ids alone, with a relationship and a label', async () => {
    const { accounts, signed } = await innerOf({ secondary: bob, at: app.now() })
    const { primaryAccountId, secondaryAccountId } = accounts
    const answer = await ask(alice, {
      primaryAccountId,
      secondaryAccountId,
      relationshipType: 'org',
      label: 'Treasury',
      ...signed,
    })
    expect(evidenceIn(answer)).toMatchObject({ ...accounts, relationshipType: 'org', label: 'Treasury' })
  })

  test('holds: an EVM wallet with a Solana wallet, each on its own chain', async () => {
    const link = { secondary: sol, secondaryChain: 'solana:mainnet', at: app.now() }
    const { accounts, signed } = await innerOf(link)
    const answer = await ask(alice, {
      primaryWalletAddress: alice.address,
      primaryChainRef: hub,
      secondaryWalletAddress: sol.address,
      secondaryChainRef: 'solana:mainnet',
      ...signed,
    })
    expect(answer.status).toBe(200)
    expect(evidenceIn(answer)).toMatchObject({ ...accounts, chain: 'solana:mainnet' })
  })

  test('holds: a Solana wallet as the primary one', async () => {
    const { accounts, signed } = await innerOf({
      primary: sol,
      primaryChain: 'solana:mainnet',
      secondary: bob,
      at: app.now(),
    })
    const { primaryAccountId, secondaryAccountId } = accounts
    const answer = await ask(sol, { primaryAccountId, secondaryAccountId, ...signed })
    expect(answer.status).toBe(200)
    expect(evidenceIn(answer)).toMatchObject(accounts)
  })

  test('holds: the secondary wallet signed up to an hour ago, and not earlier', async () => {
    const at = app.now()
    const { signed } = await innerOf({ secondary: bob, at })
    app.wait(hour - 1)
    expect((await ask(alice, { ...byAddress, ...signed })).status).toBe(200)
    expect(await ask(alice, { ...byAddress, ...signed })).toMatchObject(failed(id, 'LINK_SIGNATURE_EXPIRED'))
  })

  test('holds: an older title line in both texts, where the operator lists it', async () => {
    const title = 'SVC Verification Request'
    const other = await startApp({ PROOFGATE_SIGNING_ACCEPTED_TITLES: title })
    const { signed } = await innerOf({ secondary: bob, at: other.now(), title })
    expect((await asking(other, id)(alice, { ...byAddress, ...signed })).status).toBe(200)
    const here = await innerOf({ secondary: bob, at: app.now(), title })
    expect(await ask(alice, { ...byAddress, ...here.signed })).toMatchObject(failed(id, 'LINK_SIGNATURE_INVALID'))
  })

  test.each([
    ['primaryChainRef', { primaryChainRef: 'eip155:1' }, '/primaryAccountId'],
    ['secondaryChainRef', { secondaryChainRef: 'eip155:1' }, '/secondaryAccountId'],
    ['chain', { chain: 'eip155:1' }, '/secondaryAccountId'],
  ])('refused: a %s that is not the one of the account id beside it', async (_, more, path) => {
    const { accounts, signed } = await innerOf({ secondary: bob, at: app.now() })
    const { primaryAccountId, secondaryAccountId } = accounts
    expect(await ask(alice, { primaryAccountId, secondaryAccountId, ...signed, ...more })).toMatchObject(
      refused(id, path),
    )
  })

  test('refused: another text, and the refusal holds the text that the secondary wallet has to sign', async () => {
    const at = app.now()
    const { accounts, text } = await innerOf({ secondary: bob, at })
    const body = { ...byAddress, signatureMethod: 'eip191', signedTimestamp: at }
    const answer = await ask(alice, { ...body, signature: await bob.sign('another text') })
    expect(answer).toMatchObject(failed(id, 'LINK_SIGNATURE_INVALID'))
    const [refusal] = answer.body.error.details.verifiers
    expect(refusal.signerString).toBe(text)
    expect(refusal.message).toContain('over the text in signerString')

    const prepared = await app.post('/api/v1/verification/standardize', {
      walletAddress: bob.address,
      verifierIds: ['wallet-link'],
      data: accounts,
      signedTimestamp: at,
    })
    expect(prepared.body.data.signerString).toBe(text)
    expect((await ask(alice, { ...body, signature: await bob.sign(refusal.signerString) })).status).toBe(200)
  })

  test.each<[string, Partial<Link>, object, string]>([
    ['another wallet signed in place of the secondary one', { by: mallory }, {}, 'LINK_SIGNATURE_INVALID'],
    ['the primary wallet signed both texts', { by: alice }, {}, 'LINK_SIGNATURE_INVALID'],
    ['the secondary wallet signed for another primary wallet', { primary: mallory }, {}, 'LINK_SIGNATURE_INVALID'],
    ['the secondary wallet signed for another chain', { secondaryChain: 'eip155:1' }, {}, 'LINK_SIGNATURE_INVALID'],
    ['a timestamp that was not signed', {}, { signedTimestamp: app.now() + 50 }, 'LINK_SIGNATURE_INVALID'],
    ['a method that does not fit', {}, { signatureMethod: 'ed25519' }, 'LINK_SIGNATURE_INVALID'],
    ['a signature that is none', {}, { signature: '0x12' }, 'LINK_SIGNATURE_INVALID'],
    ['a signature from the future', { at: app.now() + 2 * hour }, {}, 'LINK_SIGNATURE_EXPIRED'],
    [
      'a wallet linked to itself',
      { secondary: alice },
      { secondaryWalletAddress: alice.address.toLowerCase() },
      'SAME_WALLET',
    ],
    [
      'a primary wallet that is not the signer',
      { primary: mallory },
      { primaryWalletAddress: mallory.address },
      'PRIMARY_MISMATCH',
    ],
  ])('fails: %s', async (_, link, change, reason) => {
    const { signed } = await innerOf({ secondary: bob, at: app.now(), ...link })
    expect(await ask(alice, { ...byAddress, ...signed, ...change })).toMatchObject(failed(id, reason))
  })

  test.each<[string, object, string]>([
    ['no chain and no account ids', { chain: undefined }, '/primaryWalletAddress'],
    ['no secondary wallet', { secondaryWalletAddress: undefined }, '/secondaryWalletAddress'],
    ['a Solana address on an EVM chain', { secondaryWalletAddress: sol.address }, '/secondaryWalletAddress'],
    [
      'an account id that names another wallet',
      { secondaryAccountId: `${hub}:${plain(mallory)}` },
      '/secondaryAccountId',
    ],
    ['an account id that is none', { primaryAccountId: 'alice' }, '/primaryAccountId'],
    ['no inner signature', { signature: undefined }, '/signature'],
    ['no inner method', { signatureMethod: undefined }, '/signatureMethod'],
    ['an unknown relationship', { relationshipType: 'controller' }, '/relationshipType'],
    ['a label of 65 characters', { label: 'x'.repeat(65) }, '/label'],
  ])('refused: %s', async (_, change, path) => {
    const { signed } = await innerOf({ secondary: bob, at: app.now() })
    expect(await ask(alice, { ...byAddress, ...signed, ...change })).toMatchObject(refused(id, path))
  })
})
