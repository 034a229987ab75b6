/** Bodies as unmodified clients build them (src/guides/wire.md, "Requests of existing clients"). The text is signed as they build it, without standardize. */
import { describe, expect, test } from 'bun:test'
import { writeCanonicalJson } from '../../src/envelope/canonical-json.ts'
import { computeQHash } from '../../src/envelope/q-hash.ts'
import { newestTitle } from '../../src/envelope/signer-string.ts'
import { verifyPortableProof } from '../../src/envelope/verify-portable.ts'
import { startApp, type TestApp } from '../app.ts'
import { alice, bob, type TestWallet } from '../wallets.ts'

const hub = 84_532
const linesOf = (wallet: TestWallet, verifierId: string, data: object, at: number) =>
  [
    newestTitle,
    `Wallet: ${wallet.address.toLowerCase()}`,
    `Chain: ${hub}`,
    `Verifiers: ${verifierId}`,
    `Data: ${writeCanonicalJson(data)}`,
    `Timestamp: ${at}`,
  ].join('\n')

/** Posts as the automatic path of the SDK does: chain 84532, all options, the address in checksum case. */
async function verify(app: TestApp, verifierId: string, data: object, wallet = alice) {
  const signedTimestamp = app.now()
  return app.post(
    '/api/v1/verification',
    {
      verifierIds: [verifierId],
      data,
      walletAddress: wallet.address,
      signature: await wallet.sign(linesOf(wallet, verifierId, data, signedTimestamp)),
      signedTimestamp,
      chainId: hub,
      options: { targetChains: [], privacyLevel: 'private', publicDisplay: false, storeOriginalContent: true },
    },
    { 'x-svc-sdk': 'js', accept: 'application/json' },
  )
}

describe('the automatic path of the SDK', async () => {
  const app = await startApp()

  test.each<[string, string, object, object]>([
    [
      'ownership-basic with a reference that has no id',
      'ownership-basic',
      { content: 'Hello', owner: alice.address, reference: { type: 'other' } },
      { owner: alice.address.toLowerCase(), reference: { type: 'other' } },
    ],
    [
      'agent-identity without agentChainRef',
      'agent-identity',
      { agentId: 'helper', agentWallet: alice.address },
      { agentChainRef: 'eip155:84532', agentAccountId: `eip155:84532:${alice.address.toLowerCase()}` },
    ],
    [
      'agent-delegation with what was given',
      'agent-delegation',
      {
        controllerWallet: alice.address,
        agentWallet: bob.address,
        controllerChainRef: 'eip155:84532',
        agentChainRef: 'eip155:84532',
      },
      { scope: 'global', expiresAt: null },
    ],
    [
      'ownership-pseudonym with the handle alone',
      'ownership-pseudonym',
      { pseudonymId: 'sdk-alice' },
      { namespace: 'svc' },
    ],
  ])('%s', async (_, verifierId, data, evidence) => {
    const { status, body } = await verify(app, verifierId, data)

    expect(status).toBe(200)
    expect(body.success).toBe(true)
    expect(body.data).toMatchObject({ qHash: expect.stringMatching(/^0x/), status: 'verified' })
    expect(body.data.createdAt).toBeNumber()
    expect(body.data.verifiedVerifiers[0]).toMatchObject({ verifierId, verified: true, data: evidence })
    const offline = await verifyPortableProof(body.data.portableProof, {
      deriveQHash: computeQHash,
      verifySignature: app.parts.verifySignature,
      titles: [newestTitle],
      now: app.now(),
      window: app.parts.freshness,
    })
    expect(offline).toMatchObject({ valid: true, fresh: true })
  })

  test('wallet-link: primary in checksum case, no account ids', async () => {
    const inner = {
      primaryAccountId: `eip155:${hub}:${alice.address.toLowerCase()}`,
      primaryWalletAddress: alice.address.toLowerCase(),
      secondaryAccountId: `eip155:${hub}:${bob.address.toLowerCase()}`,
      secondaryWalletAddress: bob.address.toLowerCase(),
    }
    const { status, body } = await verify(app, 'wallet-link', {
      primaryWalletAddress: alice.address,
      secondaryWalletAddress: bob.address.toLowerCase(),
      signature: await bob.sign(linesOf(bob, 'wallet-link', inner, app.now())),
      chain: `eip155:${hub}`,
      signatureMethod: 'eip191',
      signedTimestamp: app.now(),
    })
    expect(status).toBe(200)
    expect(body.data.verifiedVerifiers[0].data).toMatchObject({ ...inner, relationshipType: 'linked' })
  })

  test('polling a private proof without a signature sees its status', async () => {
    const { body } = await verify(app, 'ownership-basic', {
      content: 'Polled',
      owner: alice.address,
      reference: { type: 'other' },
    })
    const polled = await app.get(`/api/v1/proofs/${body.data.qHash}`)
    expect(polled.body).toMatchObject({ success: true, data: { status: 'verified' } })
  })

  test('a page on another origin may send its headers and read the answer', async () => {
    const preflight = await app.request('/api/v1/verification', {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
    })
    expect(preflight.status).toBe(204)
    const allowed = preflight.headers.get('access-control-allow-headers')?.toLowerCase().split(/, */) ?? []
    for (const header of [
      'content-type',
      'accept',
      'authorization',
      'x-svc-sdk',
      'x-svc-app',
      'x-client-origin',
      'x-wallet-address',
      'x-signature',
      'x-signed-timestamp',
      'x-chain',
      'x-signature-method',
      'payment-signature',
      'x-sponsor-grant',
    ])
      expect(allowed).toContain(header)
    const answer = await app.get(`/api/v1/proofs/0x${'0'.repeat(64)}`, { origin: 'https://app.example' })
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([404, '*'])
  })
})
