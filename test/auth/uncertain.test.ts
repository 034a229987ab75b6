/** The disk fails at the commit of a signed-in person's request: repeating the request reaches the right end. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { type Answer, type DoubtStage, endings, openDoubtStage } from '../faults/doubt-stage.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { innerOf } from '../wallet-link.ts'
import { alice, bob } from '../wallets.ts'

setDefaultTimeout(60_000)
const newFolder = temporaryFolders()
let stage: DoubtStage
let headers: Record<string, string>
beforeAll(async () => {
  stage = await openDoubtStage(newFolder())
  headers = await stage.signIn()
})
afterAll(() => stage.close())

const post =
  (path: string, body: object, more: Record<string, string> = headers): (() => Promise<Answer>) =>
  () =>
    stage.post(`/api/v1${path}`, body, more)
const remove =
  (path: string, more: Record<string, string> = headers) =>
  () =>
    stage.request(`/api/v1${path}`, { method: 'DELETE', headers: more })
const get = (path: string, more: Record<string, string> = headers) => stage.request(`/api/v1${path}`, { headers: more })

let aliases = 0
const newAlias = (): string => `S${++aliases}`

describe.each(endings)('$name', (ending) => {
  const { isStored } = ending

  test('a sign-in message makes one session, and is used up once stored', async () => {
    const sessions = () => stage.count('sessions')
    const before = sessions()
    const signedIn = post('/auth/verify', await stage.message(), {})
    await stage.doubt(ending, signedIn)
    expect(sessions() - before).toBe(isStored ? 1 : 0)
    const again = await signedIn()
    if (isStored) expect(again).toMatchObject({ status: 409, body: { error: { details: { reason: 'NONCE_USED' } } } })
    else expect(again.status).toBe(200)
    expect(sessions() - before).toBe(1)
    expect((await post('/auth/verify', await stage.message(), {})()).status).toBe(200)
  })

  test('signing out ends the session', async () => {
    const own = await stage.signIn()
    const signedOut = post('/auth/logout', {}, own)
    await stage.doubt(ending, signedOut)
    expect((await get('/auth/me', own)).body.data?.authenticated ?? false).toBe(!isStored)
    expect((await signedOut()).status).toBe(200)
    expect((await get('/auth/me', own)).body.data?.authenticated ?? false).toBe(false)
  })

  test('an access key whose answer was lost is in the list, and can be revoked', async () => {
    const name = `Key ${newAlias()}`
    const listed = async (): Promise<{ name: string; keyId: string; revokedAt: number | null }[]> =>
      (await get('/auth/profile-keys')).body.data.keys.filter((key: { name: string }) => key.name === name)
    const made = post('/auth/profile-keys', { name })
    await stage.doubt(ending, made)
    const unseen = await listed()
    expect(unseen).toHaveLength(isStored ? 1 : 0)
    const again = await made()
    expect(again.status).toBe(200)
    const bearer = { authorization: `Bearer ${again.body.data.key}` }
    expect((await get('/auth/me', bearer)).body.data.authenticated).toBe(true)
    for (const { keyId } of unseen) expect((await remove(`/auth/profile-keys/${keyId}`)()).status).toBe(200)
    expect((await listed()).filter(({ revokedAt }) => revokedAt === null)).toHaveLength(1)
  })

  test('an access key is revoked', async () => {
    const { key, keyId } = (await post('/auth/profile-keys', { name: 'Short' })()).body.data
    const revoked = remove(`/auth/profile-keys/${keyId}`)
    await stage.doubt(ending, revoked)
    const bearer = { authorization: `Bearer ${key}` }
    expect((await get('/profile/secrets', bearer)).status).toBe(isStored ? 401 : 200)
    const again = await revoked()
    expect([again.status, typeof again.body.data?.revokedAt]).toEqual([200, 'number'])
    expect((await get('/profile/secrets', bearer)).status).toBe(401)
  })

  test('an access key revokes itself', async () => {
    const { key } = (await post('/auth/profile-keys', { name: 'Own end' })()).body.data
    const bearer = { authorization: `Bearer ${key}` }
    const revoked = remove('/auth/profile-key', bearer)
    await stage.doubt(ending, revoked)
    expect((await revoked()).status).toBe(isStored ? 401 : 200)
    expect((await get('/profile/secrets', bearer)).status).toBe(401)
  })

  test('a secret is kept once, and the answer says when it is there already', async () => {
    const alias = newAlias()
    const kept = post('/profile/secrets', { alias, content: 'sealed' })
    await stage.doubt(ending, kept)
    const there = () => stage.count(`secrets WHERE alias = '${alias}' AND revoked_at IS NULL`)
    expect(there()).toBe(isStored ? 1 : 0)
    const again = await kept()
    if (isStored)
      expect(again).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT', details: { alias } } } })
    else expect(again.status).toBe(200)
    expect(there()).toBe(1)
  })

  test('a secret is erased', async () => {
    const alias = newAlias()
    const { id } = (await post('/profile/secrets', { alias, content: 'sealed' })()).body.data
    const erased = remove(`/profile/secrets/${id}`)
    await stage.doubt(ending, erased)
    const again = await erased()
    expect(again.body.data).toMatchObject({ id, alreadyRevoked: isStored, traces: { pending: false } })
    expect(stage.count(`secrets WHERE alias = '${alias}' AND sealed IS NOT NULL`)).toBe(0)
  })

  test('a wallet is linked once, and unlinked with all access that it gave', async () => {
    const at = Date.now()
    const { accounts, signed } = await innerOf({ primary: alice, secondary: bob, at })
    const { primaryAccountId, secondaryAccountId } = accounts
    const claim = await stage.claim(alice, {
      verifierIds: ['wallet-link'],
      data: { primaryAccountId, secondaryAccountId, ...signed },
    })
    const linked = post('/verification', claim, {})
    const links = async (): Promise<{ account: string }[]> => (await get('/profile/wallets')).body.data.linked
    await stage.doubt(ending, linked)
    expect(await links()).toHaveLength(isStored ? 1 : 0)
    expect((await linked()).status).toBe(200)
    const [link] = await links()
    expect(await links()).toHaveLength(1)

    // Signed in by the linked wallet.
    const second = await stage.signIn(bob)
    const bySecond = () => stage.count('sessions WHERE link_proof IS NOT NULL')
    expect(bySecond()).toBe(1)
    const unlinked = remove(`/profile/wallets/${encodeURIComponent(link!.account)}`)
    await stage.doubt(ending, unlinked)
    expect(await links()).toHaveLength(isStored ? 0 : 1)
    const again = await unlinked()
    expect(again.status).toBe(isStored ? 404 : 200)
    expect(await links()).toHaveLength(0)
    expect(bySecond()).toBe(0)
    expect((await get('/auth/me', second)).body.data?.authenticated ?? false).toBe(false)
  })

  test('a proof is revoked', async () => {
    const qHash = await stage.prove()
    const revoked = post(
      `/proofs/revoke-self/${qHash}`,
      await stage.signUnaddressed(alice, { action: 'revoke_proof', qHash }),
      {},
    )
    await stage.doubt(ending, revoked)
    const again = await revoked()
    expect(again.body).toMatchObject({ success: true, alreadyRevoked: isStored })
    expect((await get(`/verification/status/${qHash}`, {})).body.data.status).toBe('revoked')
  })

  test('a proof is shared once, and unshared once', async () => {
    const qHash = await stage.prove(alice, { privacyLevel: 'private' })
    const viewerWallet = bob.address
    const grants = () => stage.count('access_grants')
    const before = grants()
    const asked = { qHash, viewerWallet, expiresInSeconds: 3_600 }
    const shared = post(
      '/verification/access/grant',
      {
        ...asked,
        ownerWallet: alice.address,
        ...(await stage.signAction(alice, { action: 'grant_proof_access', ...asked })),
      },
      {},
    )
    await stage.doubt(ending, shared)
    expect(grants() - before).toBe(isStored ? 1 : 0)
    const again = await shared()
    if (isStored)
      expect(again).toMatchObject({
        status: 409,
        body: { error: { message: expect.stringContaining('used for a grant already') } },
      })
    else expect(again.status).toBe(200)
    expect(grants() - before).toBe(1)

    const pair = { qHash, viewerWallet }
    const withdrawn = post(
      '/verification/access/withdraw',
      {
        ...pair,
        ownerWallet: alice.address,
        ...(await stage.signAction(alice, { action: 'withdraw_proof_access', ...pair })),
      },
      {},
    )
    await stage.doubt(ending, withdrawn)
    expect((await withdrawn()).status).toBe(200)
    expect(grants() - before).toBe(0)
  })
})
