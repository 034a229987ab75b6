/** Keys, apps and links that end at one process while another stores what they make. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Answer, TestApp } from '../../app.ts'
import { startSources } from '../../proofs/sources.ts'
import { linkWallets } from '../../wallet-link.ts'
import { alice, bob, evmWallet, mallory } from '../../wallets.ts'
import { type SeveralApps, startApps } from './several-apps.ts'

setDefaultTimeout(60_000)

let all: SeveralApps
let maker: Awaited<ReturnType<typeof startSources>>
let other: Awaited<ReturnType<typeof startSources>>
beforeAll(async () => {
  all = await startApps(2)
  const [first, second] = all.apps as [TestApp, TestApp]
  maker = await startSources(first)
  other = await startSources(second)
  all.delayCommit(first, 'INTO proof_sources')
  all.delayCommit(first, 'INTO access_grants')
})
afterAll(() => all.close())

const countRows = async (from: string): Promise<number> =>
  (await all.sql.unsafe(`SELECT count(*)::integer AS n FROM ${from}`))[0].n

/** What the maker makes is stored and not committed when the other process ends its source. */
async function endMeanwhile(making: Promise<unknown>, end: () => Promise<Answer>): Promise<void> {
  await all.waitForCommit()
  expect((await end()).status).toBe(200)
  await making
}

const standing = "proofs p JOIN proof_sources s ON s.proof_id = p.id WHERE p.revoked_at IS NULL AND s.source_id <> ''"

describe('ends with its source, which ends before the commit:', () => {
  test('a delegation of an access key', async () => {
    const { key, keyId } = await other.newKey()
    const { headers } = await other.signIn(alice)
    await endMeanwhile(maker.delegate(maker.keyOf(key), alice, bob), () =>
      other.revoke(headers, `/api/v1/auth/profile-keys/${keyId}`),
    )
    expect(await countRows(standing)).toBe(0)
  })

  test('an access grant of an access key', async () => {
    const qHash = await other.prove(alice, { privacyLevel: 'private' })
    const { key, keyId } = await other.newKey()
    const { headers } = await other.signIn(alice)
    await endMeanwhile(maker.share(maker.keyOf(key), qHash, bob), () =>
      other.revoke(headers, `/api/v1/auth/profile-keys/${keyId}`),
    )
    expect(await countRows("access_grants WHERE source_id <> ''")).toBe(0)
  })

  test('a delegation of an app', async () => {
    const { client, access_token } = await other.connect()
    const { headers } = await other.signIn(alice)
    const making = maker.mcp.send(access_token, 'tools/call', {
      name: 'svc_verify',
      arguments: {
        verifierIds: ['agent-delegation'],
        data: { controllerWallet: alice.address, agentWallet: bob.address, agentId: 'of the app' },
      },
    })
    await endMeanwhile(making, () => other.revoke(headers, `/api/v1/auth/apps/${client}`))
    expect(await countRows(standing)).toBe(0)
  })

  test('a delegation of a linked wallet', async () => {
    other.app.wait(1)
    const linked = await linkWallets(other.app, alice, mallory)
    const { headers } = await other.signIn(mallory)
    const revoking = await other.ownerBody(alice, { action: 'revoke_proof', qHash: linked })
    await endMeanwhile(maker.delegate(headers, alice, bob), () =>
      other.post(`/api/v1/proofs/revoke-self/${linked}`, revoking),
    )
    expect(
      await countRows(
        'proof_sources s JOIN proofs p ON p.id = s.proof_id WHERE s.link_proof IS NOT NULL AND p.revoked_at IS NULL',
      ),
    ).toBe(0)
  })
})

test('of the grants at once that are more than a proof may have, as many are made as it may', async () => {
  const most = 500
  const qHash = await other.prove(alice, { privacyLevel: 'private' })
  const proof = `(SELECT id FROM proofs WHERE q_hash = decode('${qHash.slice(2)}', 'hex'))`
  await all.sql.unsafe(`INSERT INTO access_grants (proof_id, viewer, created_at, expires_at, source_kind, source_id)
    SELECT ${proof}, 'viewer ' || i, 1, NULL, 'signature', '' FROM generate_series(1, ${most - 1}) i`)
  const answers = await all.race(async (app, index) => {
    const viewer = evmWallet(`0x${(index + 160).toString(16).repeat(32)}`)
    const terms = { qHash, viewerWallet: viewer.address }
    const { walletAddress, ...signed } = await app.ownerBody(alice, { action: 'grant_proof_access', ...terms })
    return app.post('/api/v1/verification/access/grant', { ...terms, ownerWallet: walletAddress, ...signed })
  }, 3)
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(await countRows(`access_grants WHERE proof_id = ${proof}`)).toBe(most)
})
