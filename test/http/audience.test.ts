import { beforeAll, describe, expect, test } from 'bun:test'
import { recordUnmatched } from '../../src/payments/unmatched-store.ts'
import { type Answer, startApp, type TestApp } from '../app.ts'
import { definitionOf, digestOf, gatesPath } from '../gates/gate.ts'
import { alice, bob, type TestWallet } from '../wallets.ts'

type Signed = Awaited<ReturnType<TestWallet['signAction']>>

const own = alice.address.toLowerCase()
const owed = `tx:eip155:8453:0x${'1f'.repeat(32)}:${own}`
const gate = definitionOf({ gateId: 'gate_a', requirements: [{ verifierId: 'ownership-basic' }] })

/** Both servers hold the same proof and gate of one wallet, so a signature for one fits the other. */
async function world(setting: string, baseUrl: string) {
  const app = await startApp({
    PROOFGATE_SIGNING_REQUIRE_AUDIENCE: setting,
    PROOFGATE_BASE_URL: baseUrl,
    PROOFGATE_LIMITS_ENABLED: 'false',
  })
  const qHash = await app.prove(alice, {}, { content: 'the same' })
  const applying = { action: 'apply_gate', gateId: gate.gateId, digest: digestOf(gate) }
  const applied = await app.post(gatesPath, { definition: gate, ...(await app.ownerBody(alice, applying)) })
  expect(applied.status).toBe(200)
  const paid = { identity: owed, payer: null, amount: '1', paidAt: 1, details: {} }
  const inVain = { method: 'stablecoin', gate: 1, owner: own, qHash: null, buyer: null, usdMicros: 1, paid }
  await app.parts.db.write([recordUnmatched({ ...inVain, reason: 'GATE_SOLD_OUT', state: 'owed', now: app.now() })])
  app.wait(1)
  return { app, qHash }
}

const headersOf = ({ walletAddress, signature, signedTimestamp }: Signed) => ({
  'x-wallet-address': walletAddress,
  'x-signature': signature,
  'x-signed-timestamp': String(signedTimestamp),
})

interface ActionCase {
  readonly name: string
  readonly isChange: boolean
  data(qHash: string): object
  send(app: TestApp, qHash: string, signed: Signed): Promise<Answer>
  /** Whether the owner was recognized; refusals count as well where the status is 200 for strangers. */
  readonly wasTaken?: (answer: Answer) => boolean
}

const grant = (qHash: string) => ({ qHash, viewerWallet: bob.address })
const next = { ...gate, name: 'Another name' }
const asOwner = ({ walletAddress, ...rest }: Signed) => ({ ownerWallet: walletAddress, ...rest })

const actions: readonly ActionCase[] = [
  {
    name: 'access_private_proof',
    isChange: false,
    data: (qHash) => ({ action: 'access_private_proof', qHash }),
    send: (app, qHash, signed) => app.get(`/api/v1/proofs/${qHash}`, headersOf(signed)),
  },
  {
    name: 'access_private_proofs_by_wallet',
    isChange: false,
    data: () => ({ action: 'access_private_proofs_by_wallet', walletAddress: own }),
    send: (app, _, signed) => app.get(`/api/v1/proofs/by-wallet/${own}`, headersOf(signed)),
  },
  {
    name: 'gate_check_private_proofs',
    isChange: false,
    data: () => ({ action: 'gate_check_private_proofs', walletAddress: own }),
    send: (app, _, signed) =>
      app.get(`/api/v1/proofs/check?address=${own}&verifierIds=ownership-basic&includePrivate=true`, headersOf(signed)),
  },
  {
    name: 'list_gates',
    isChange: false,
    data: () => ({ action: 'list_gates', walletAddress: own }),
    send: (app, _, signed) => app.get(gatesPath, headersOf(signed)),
  },
  {
    name: 'list_proof_access',
    isChange: false,
    data: (qHash) => ({ action: 'list_proof_access', qHash }),
    send: (app, qHash, signed) => app.get(`/api/v1/verification/access/${qHash}`, headersOf(signed)),
  },
  {
    name: 'fulfill_gate',
    isChange: false,
    data: (qHash) => ({ action: 'fulfill_gate', gateId: gate.gateId, qHash }),
    send: (app, qHash, signed) => app.post(`${gatesPath}/${gate.gateId}/fulfill`, { qHash, ...signed }),
  },
  {
    name: 'grant_proof_access',
    isChange: true,
    data: (qHash) => ({ action: 'grant_proof_access', ...grant(qHash) }),
    send: (app, qHash, signed) =>
      app.post('/api/v1/verification/access/grant', { ...grant(qHash), ...asOwner(signed) }),
  },
  {
    name: 'withdraw_proof_access',
    isChange: true,
    data: (qHash) => ({ action: 'withdraw_proof_access', ...grant(qHash) }),
    send: (app, qHash, signed) =>
      app.post('/api/v1/verification/access/withdraw', { ...grant(qHash), ...asOwner(signed) }),
  },
  {
    name: 'set_proof_visibility',
    isChange: true,
    data: (qHash) => ({ action: 'set_proof_visibility', qHash, visibility: 'listed' }),
    send: (app, qHash, signed) => app.post(`/api/v1/proofs/${qHash}/visibility`, { visibility: 'listed', ...signed }),
  },
  {
    name: 'apply_gate',
    isChange: true,
    data: () => ({ action: 'apply_gate', gateId: gate.gateId, digest: digestOf(next) }),
    send: (app, _, signed) => app.post(gatesPath, { definition: next, ...signed }),
  },
  {
    name: 'rollback_gate',
    isChange: true,
    data: () => ({ action: 'rollback_gate', gateId: gate.gateId, version: 1 }),
    send: (app, _, signed) => app.post(`${gatesPath}/${gate.gateId}/rollback`, { version: 1, ...signed }),
  },
  {
    name: 'set_gate_status',
    isChange: true,
    data: () => ({ action: 'set_gate_status', gateId: gate.gateId, status: 'paused' }),
    send: (app, _, signed) => app.post(`${gatesPath}/${gate.gateId}/status`, { status: 'paused', ...signed }),
  },
  {
    name: 'archive_gate',
    isChange: true,
    data: () => ({ action: 'archive_gate', gateId: gate.gateId, archived: true }),
    send: (app, _, signed) => app.post(`${gatesPath}/${gate.gateId}/archive`, { archived: true, ...signed }),
  },
  {
    name: 'delete_gate',
    isChange: true,
    data: () => ({ action: 'delete_gate', gateId: gate.gateId }),
    send: (app, _, signed) =>
      app.request(`${gatesPath}/${gate.gateId}`, { method: 'DELETE', headers: headersOf(signed) }),
  },
  {
    name: 'return_payment',
    isChange: true,
    data: () => ({ action: 'return_payment', identity: owed }),
    send: (app, _, signed) => app.post('/api/v1/profile/payments/unmatched/returned', { identity: owed, ...signed }),
  },
  {
    name: 'revoke_proof',
    isChange: false,
    data: (qHash) => ({ action: 'revoke_proof', qHash }),
    send: (app, qHash, signed) => app.post(`/api/v1/proofs/revoke-self/${qHash}`, signed),
  },
  {
    name: 'erase_all_proofs',
    isChange: true,
    data: () => ({ action: 'erase_all_proofs', walletAddress: own }),
    send: (app, _, signed) => app.post('/api/v1/proofs/erase-all', signed),
  },
]

describe.each(['changes', 'all', 'none'])('with signing.require_audience = %p', (setting) => {
  let here: Awaited<ReturnType<typeof world>>
  let there: Awaited<ReturnType<typeof world>>
  beforeAll(async () => {
    here = await world(setting, 'http://localhost:8787')
    there = await world(setting, 'https://other.example:8443/below')
    expect(there.qHash).toBe(here.qHash)
  })

  const refusal = (data: object, audience: string, more: object = {}) => ({
    status: 401,
    body: {
      success: false,
      error: { code: 'SIGNATURE_INVALID', details: { audience, signedData: { ...data, audience }, ...more } },
    },
  })

  test.each(actions.map((one) => [one.name, one] as const))('%s', async (_, { data, send, isChange }) => {
    const { qHash } = here
    const asked = data(qHash)
    const sign = (more: object) => alice.signAction({ ...asked, ...more }, here.app.now())

    const forHere = await sign({ audience: 'localhost:8787' })
    const forThere = await sign({ audience: 'other.example:8443' })
    const forNobody = await sign({})

    // A text that names one server is refused at the other, whatever the setting.
    const misled = await send(there.app, qHash, forHere)
    expect(misled).toMatchObject(refusal(asked, 'other.example:8443'))
    expect(misled.body.error.message).toContain('error.details.signedData, which names this server')
    expect(await send(here.app, qHash, forThere)).toMatchObject(refusal(asked, 'localhost:8787'))
    for (const audience of ['localhost', 'LOCALHOST:8787', '', null, ['localhost:8787']])
      expect(await send(here.app, qHash, await sign({ audience }))).toMatchObject(refusal(asked, 'localhost:8787'))

    // A text that names no server is accepted by both, unless the setting requires a name.
    const mustName = setting === 'all' || (setting === 'changes' && isChange)
    for (const [{ app }, audience] of [
      [here, 'localhost:8787'],
      [there, 'other.example:8443'],
    ] as const) {
      const answer = await send(app, qHash, forNobody)
      if (mustName) {
        expect(answer).toMatchObject(refusal(asked, audience, { reason: 'AUDIENCE_REQUIRED' }))
        expect(answer.body.error.message).toContain(audience)
      } else expect([answer.status, answer.body?.error]).toEqual([200, undefined])
    }

    // The text that the refusal asks for is accepted, from standardize and from the wallet itself.
    const repaired = { ...asked, audience: 'localhost:8787' }
    const prepared = await here.app.post('/api/v1/verification/standardize', {
      walletAddress: alice.address,
      verifierIds: ['ownership-basic'],
      data: asked,
      signedTimestamp: here.app.now() + 1,
    })
    expect(prepared.body.data.bodyPreview.data).toEqual(repaired)
    const signature = await alice.sign(prepared.body.data.signerString)
    if (!mustName && isChange) return
    const taken = await send(here.app, qHash, {
      walletAddress: alice.address,
      signature,
      signedTimestamp: here.app.now() + 1,
    })
    expect([taken.status, taken.body?.error]).toEqual([200, undefined])
    if (!isChange) expect((await send(here.app, qHash, forHere)).status).toBe(200)
  })
})

test('the host of base_url is the audience', async () => {
  for (const [baseUrl, audience] of [
    ['https://proofs.example/below', 'proofs.example'],
    ['http://[::1]:9000', '[::1]:9000'],
  ] as const) {
    const app = await startApp({ PROOFGATE_BASE_URL: baseUrl })
    const { body } = await app.post('/api/v1/verification/standardize', {
      walletAddress: alice.address,
      verifierIds: ['ownership-basic'],
      data: { action: 'erase_all_proofs', walletAddress: own },
      signedTimestamp: app.now(),
    })
    expect(body.data.bodyPreview.data.audience).toBe(audience)
  }
})
