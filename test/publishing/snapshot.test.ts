/** options.enableIpfs: a snapshot of a public proof on a real node of IPFS, read back from it. */
import { afterAll, describe, expect, test } from 'bun:test'
import { startApp } from '../app.ts'
import { expectRefused, leavesNothing } from '../http/refused.ts'
import { startKubo } from '../parts/kubo.ts'
import { alice, bob } from '../wallets.ts'
import { newClaim } from './stage.ts'

const kubo = startKubo()
afterAll(() => kubo.stop())

const wanted = { privacyLevel: 'public', publicDisplay: true, enableIpfs: true }
const withIpfs = (more: Record<string, string> = {}) =>
  startApp({
    PROOFGATE_IPFS_KUBO_URL: kubo.url,
    PROOFGATE_OUTSIDE_ATTEMPTS: '1',
    PROOFGATE_LOG_LEVEL: 'error',
    ...more,
  })

const contentOf = async (cid: string) => {
  const bytes = await kubo.read(cid)
  return bytes && JSON.parse(new TextDecoder().decode(bytes))
}

describe('a public proof with a snapshot', () => {
  test('names the snapshot, which holds exactly the public members', async () => {
    const app = await withIpfs({ PROOFGATE_IPFS_GATEWAY: 'https://ipfs.example.com' })
    const claim = newClaim({ ...wanted, storeOriginalContent: true, meta: { title: 'Not in it', tags: ['nor this'] } })
    const { status, body } = await app.submit(alice, claim)
    expect(status).toBe(200)
    const { ipfs, qHash, options, did, verifiedVerifiers } = body.data
    expect(options.enableIpfs).toBe(true)
    expect(ipfs).toEqual({
      cid: expect.stringMatching(/^bafkrei[a-z2-7]{52}$/),
      gateway: `https://ipfs.example.com/ipfs/${ipfs.cid}`,
      createdAt: app.now(),
      size: (await kubo.read(ipfs.cid))!.length,
    })
    expect(kubo.pinned.has(ipfs.cid)).toBe(true)
    expect(await contentOf(ipfs.cid)).toEqual({
      qHash,
      did,
      walletAddress: alice.address.toLowerCase(),
      verifierIds: ['ownership-basic'],
      verifiedVerifiers: verifiedVerifiers.map(({ zkInfo: _, ...row }: { zkInfo: object }) => row),
      chainId: 84_532,
      signedTimestamp: app.now(),
    })

    const { data } = (await app.get(`/api/v1/proofs/${qHash}`)).body
    expect(data.ipfs).toEqual(ipfs)
    const list = (await app.get(`/api/v1/proofs/by-wallet/${alice.address}`)).body.data.proofs
    expect(list[0].ipfs).toEqual(ipfs)
  })

  test('is pinned once for one signed text, however many requests and spellings come at the same time', async () => {
    const app = await withIpfs()
    const request = await app.signed(alice, newClaim(wanted))
    const before = kubo.names.length
    const answers = await Promise.all(
      [request, request, { ...request, chain: 'eip155:84532' }, { ...request, chainId: 84532 }].map((body) =>
        app.post('/api/v1/verification', body),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(new Set(answers.map(({ body }) => body.data.ipfs.cid)).size).toBe(1)
    expect(kubo.names.length - before).toBe(1)
  })

  test('leaves out owner-only members', async () => {
    const app = await withIpfs()
    const secret = 'only-for-the-owner'
    const { body } = await app.submit(alice, {
      verifierIds: ['agent-delegation'],
      data: { controllerWallet: alice.address, agentWallet: bob.address, allowedActions: [secret] },
      options: wanted,
    })
    expect(JSON.stringify(body.data.verifiedVerifiers)).toContain(secret)
    const snapshot = await contentOf(body.data.ipfs.cid)
    expect(snapshot.verifiedVerifiers[0].verified).toBe(true)
    expect(JSON.stringify(snapshot)).not.toContain(secret)
  })

  test('names the CID alone when there is no gateway, and the same request pins no second time', async () => {
    const app = await withIpfs()
    const request = await app.signed(alice, newClaim(wanted))
    const first = await app.post('/api/v1/verification', request)
    expect(first.body.data.ipfs).not.toHaveProperty('gateway')
    const added = kubo.names.length
    const again = await app.post('/api/v1/verification', request)
    expect(again.body.data).toEqual(first.body.data)
    expect(kubo.names.length).toBe(added)
  })
})

describe('a snapshot is refused', () => {
  test('for a private proof', async () => {
    const app = await withIpfs()
    const added = kubo.names.length
    for (const options of [{ enableIpfs: true }, { enableIpfs: true, privacyLevel: 'private' }]) {
      const answer = await leavesNothing(app.parts, () => app.submit(alice, newClaim(options)))
      expectRefused(answer, 'VALIDATION_ERROR', /public proofs only/)
      expect(answer.body.error.details.path).toBe('/options/enableIpfs')
    }
    expect(kubo.names.length).toBe(added)
  })

  test('for a claim that does not hold', async () => {
    const app = await withIpfs()
    const added = kubo.names.length
    const data = { controllerWallet: bob.address, agentWallet: alice.address }
    const answer = await app.submit(alice, { verifierIds: ['agent-delegation'], data, options: wanted })
    expectRefused(answer, 'VERIFICATION_FAILED')
    expect(kubo.names.length).toBe(added)
  })
})

describe('an IPFS node that fails: 503 with Retry-After, no stored proof, and the same request works later', () => {
  test.each<[string, () => Response]>([
    ['fails', () => new Response('down', { status: 500 })],
    ['answers HTML', () => new Response('<html>', { headers: { 'content-type': 'text/html' } })],
    ['names another CID', () => Response.json({ Hash: `bafkrei${'a'.repeat(52)}` })],
  ])('%s', async (_, answer) => {
    const app = await withIpfs()
    const request = await app.signed(alice, newClaim(wanted))
    kubo.answerWith(answer)
    try {
      const refused = await leavesNothing(app.parts, () => app.post('/api/v1/verification', request))
      expectRefused(refused, 'SERVICE_UNAVAILABLE', /ipfs\.kubo_url .* nothing was stored; .*enableIpfs/)
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(JSON.stringify(refused.body)).not.toContain(kubo.url)
    } finally {
      kubo.answerWith(undefined)
    }
    const accepted = await app.post('/api/v1/verification', request)
    expect(accepted.status).toBe(200)
    expect(await contentOf(accepted.body.data.ipfs.cid)).toMatchObject({ qHash: accepted.body.data.qHash })
  })
})
