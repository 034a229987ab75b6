/** Secrets in the list of a vault (src/guides/wire.md, "Lists", includeSecrets). */
import { describe, expect, test } from 'bun:test'
import { createSecret } from '../../src/secrets/secret.ts'
import { startApp } from '../app.ts'
import { expectRefused } from '../http/refused.ts'
import { alice, bob, type TestWallet } from '../wallets.ts'

const content = 'the content of a secret'

describe('includeSecrets', async () => {
  const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
  const { headers } = await app.signIn(alice)
  const identity = (await app.parts.identify(new Request('http://localhost/', { headers })))!
  const qHash = await app.prove(alice)
  const secret = { alias: 'API_KEY', type: 'single', content, account: identity.profile.primary } as const
  const { qHash: secretId } = await createSecret(app.parts, identity, secret)

  const list = (query: string, credentials: Record<string, string> = headers, wallet: TestWallet = alice) =>
    app.get(`/api/v1/proofs/by-wallet/${wallet.address}?${query}`, credentials)
  const ids = ({ body }: Awaited<ReturnType<typeof list>>) =>
    body.data.proofs.map((proof: { qHash: string }) => proof.qHash)
  const keyWith = async (scopes: string[]) => {
    const made = await app.post('/api/v1/auth/profile-keys', { name: scopes.join(), scopes }, headers)
    return { authorization: `Bearer ${made.body.data.key}` }
  }

  test('puts the secrets of the owner before the proofs, by name and without their content', async () => {
    const answer = await list('includeSecrets=1')
    expect(ids(answer)).toEqual([secretId, qHash])
    expect(answer.body.data.proofs[0]).toMatchObject({
      title: 'API_KEY',
      status: 'verified',
      privacyLevel: 'private',
      verifierIds: ['secret'],
      verifiedVerifiers: [{ status: 'secret_sealed', data: { alias: 'API_KEY', secretType: 'single' } }],
    })
    expect(JSON.stringify(answer.body)).not.toContain(content)
  })

  test('is not the default of an owner, nor used past the first page, nor under a filter', async () => {
    for (const query of ['', 'includeSecrets=0', 'includeSecrets=1&offset=1', 'includeSecrets=1&q=API_KEY'])
      expect(ids(await list(query))).not.toContain(secretId)
  })

  test('takes the signature of the owner as well', async () => {
    const action = { action: 'access_private_proofs_by_wallet', walletAddress: alice.address.toLowerCase() }
    expect(ids(await list('includeSecrets=true', await app.ownerHeaders(alice, action)))).toContain(secretId)
  })

  test('needs the scope secrets of an access key', async () => {
    expect(ids(await list('includeSecrets=yes', await keyWith(['core', 'profile', 'secrets'])))).toContain(secretId)
    const narrow = await keyWith(['core', 'profile'])
    expectRefused(await list('includeSecrets=yes', narrow), 'FORBIDDEN', /scope "secrets"/)
    expect((await list('', narrow)).status).toBe(200)
  })

  test('hides secrets from everybody but their owner', async () => {
    expect(ids(await list('includeSecrets=1', {}))).toEqual([])
    const { headers: ofBob } = await app.signIn(bob)
    expect(ids(await list('includeSecrets=1', ofBob))).toEqual([])
    expect(ids(await list('includeSecrets=1', ofBob, bob))).toEqual([])
  })
})
