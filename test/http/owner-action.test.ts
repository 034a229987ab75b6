import { describe, expect, test } from 'bun:test'
import { ownerActions, writeActionTable } from '../../src/auth/owner-action.ts'
import { recordUnmatched } from '../../src/payments/unmatched-store.ts'
import { type Answer, startApp } from '../app.ts'
import { definitionOf, digestOf, gatesPath } from '../gates/gate.ts'
import { alice, bob, mallory, sol, type TestWallet } from '../wallets.ts'

type Signed = Awaited<ReturnType<TestWallet['signAction']>>

const app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
const own = alice.address.toLowerCase()
const api = '/api/v1'
const owed = `tx:eip155:8453:0x${'1f'.repeat(32)}:${own}`
const gate = definitionOf({ gateId: 'gate_a', requirements: [{ verifierId: 'ownership-basic' }] })
const next = { ...gate, name: 'Another name' }
const qHash = await app.prove(alice)
const applying = { action: 'apply_gate', gateId: gate.gateId, digest: digestOf(gate) }
await app.post(gatesPath, { definition: gate, ...(await app.ownerBody(alice, applying)) })
const listGate = definitionOf({ gateId: 'gate_b', requirements: [{ verifierId: 'guest-list' }] })
const applyingList = { action: 'apply_gate', gateId: listGate.gateId, digest: digestOf(listGate) }
await app.post(gatesPath, { definition: listGate, ...(await app.ownerBody(alice, applyingList)) })
const listing = { action: 'set_gate_guests', gateId: listGate.gateId, digest: digestOf({ add: own }) }
await app.post(`${gatesPath}/${listGate.gateId}/guests`, { add: own, ...(await app.ownerBody(alice, listing)) })
const paid = { identity: owed, payer: null, amount: '1', paidAt: 1, details: {} }
const inVain = { method: 'stablecoin', gate: 1, owner: own, qHash: null, buyer: null, usdMicros: 1, paid }
await app.parts.db.write([recordUnmatched({ ...inVain, reason: 'GATE_SOLD_OUT', state: 'owed', now: app.now() })])

const headersOf = ({ walletAddress, signature, signedTimestamp }: Signed) => ({
  'x-wallet-address': walletAddress,
  'x-signature': signature,
  'x-signed-timestamp': String(signedTimestamp),
})
const asOwner = ({ walletAddress, ...rest }: Signed) => ({ ownerWallet: walletAddress, ...rest })
const inHeaders = (signed: Signed | undefined) => (signed ? headersOf(signed) : {})

interface Case {
  readonly data: Readonly<Record<string, unknown>>
  send(signed: Signed | undefined): Promise<Answer>
  /** The action only reads, and strangers are answered as well. */
  readonly isOpen?: boolean
  /** The server of this test takes no payments: the answer to a right signature is about that. */
  readonly isRefusedLater?: boolean
}

const byHeader = (path: string) => (signed: Signed | undefined) => app.get(path, inHeaders(signed))
const byBody =
  (path: string, body: object = {}) =>
  (signed: Signed | undefined) =>
    app.post(path, { ...body, ...signed })
const grant = { qHash, viewerWallet: bob.address }
const byGrant = (path: string) => (signed: Signed | undefined) =>
  app.post(path, { ...grant, ownerWallet: alice.address, ...(signed ? asOwner(signed) : {}) })

/** Ordered so that each case finds the data that it needs. */
const cases: Readonly<Record<keyof typeof ownerActions, Case>> = {
  access_private_proof: { data: { qHash }, send: byHeader(`${api}/proofs/${qHash}`), isOpen: true },
  access_private_proofs_by_wallet: {
    data: { walletAddress: own },
    send: byHeader(`${api}/proofs/by-wallet/${own}?visibility=owner`),
  },
  gate_check_private_proofs: {
    data: { walletAddress: own },
    send: byHeader(`${api}/proofs/check?subject=me&verifierIds=ownership-basic&includePrivate=true`),
  },
  list_gates: { data: { walletAddress: own }, send: byHeader(gatesPath) },
  list_proof_access: { data: { qHash }, send: byHeader(`${api}/verification/access/${qHash}`) },
  fulfill_gate: {
    data: { gateId: gate.gateId, qHash },
    send: byBody(`${gatesPath}/${gate.gateId}/fulfill`, { qHash }),
  },
  open_checkout: {
    data: { gateId: gate.gateId, qHash },
    send: byBody(`${api}/payments/stripe/checkout`, { gateId: gate.gateId, qHash }),
    isRefusedLater: true,
  },
  open_quote: {
    data: { gateId: gate.gateId, qHash },
    send: byBody(`${api}/payments/quote`, { gateId: gate.gateId, qHash }),
    isRefusedLater: true,
  },
  set_proof_visibility: {
    data: { qHash, visibility: 'listed' },
    send: byBody(`${api}/proofs/${qHash}/visibility`, { visibility: 'listed' }),
  },
  grant_proof_access: { data: grant, send: byGrant(`${api}/verification/access/grant`) },
  withdraw_proof_access: { data: grant, send: byGrant(`${api}/verification/access/withdraw`) },
  apply_gate: {
    data: { gateId: gate.gateId, digest: digestOf(next) },
    send: byBody(gatesPath, { definition: next }),
  },
  rollback_gate: {
    data: { gateId: gate.gateId, version: 1 },
    send: byBody(`${gatesPath}/${gate.gateId}/rollback`, { version: 1 }),
  },
  set_gate_status: {
    data: { gateId: gate.gateId, status: 'paused' },
    send: byBody(`${gatesPath}/${gate.gateId}/status`, { status: 'paused' }),
  },
  archive_gate: {
    data: { gateId: gate.gateId, archived: true },
    send: byBody(`${gatesPath}/${gate.gateId}/archive`, { archived: true }),
  },
  set_gate_guests: {
    data: { gateId: gate.gateId, digest: digestOf({ add: own }) },
    send: byBody(`${gatesPath}/${gate.gateId}/guests`, { add: own }),
  },
  set_gate_appearance: {
    data: { gateId: gate.gateId, digest: digestOf({ seller: 'Owner' }) },
    send: byBody(`${gatesPath}/${gate.gateId}/appearance`, { seller: 'Owner' }),
  },
  take_gate_pass: {
    data: { gateId: listGate.gateId },
    send: byBody(`${gatesPath}/${listGate.gateId}/pass`),
  },
  delete_gate: {
    data: { gateId: gate.gateId },
    send: (signed) => app.request(`${gatesPath}/${gate.gateId}`, { method: 'DELETE', headers: inHeaders(signed) }),
  },
  return_payment: {
    data: { identity: owed },
    send: byBody(`${api}/profile/payments/unmatched/returned`, { identity: owed }),
  },
  revoke_proof: { data: { qHash }, send: byBody(`${api}/proofs/revoke-self/${qHash}`) },
  erase_all_proofs: { data: { walletAddress: own }, send: byBody(`${api}/proofs/erase-all`) },
}

const audience = 'localhost:8787'
const sign = (data: object): Promise<Signed> => app.ownerBody(alice, { ...data, audience })

/** The message names the action and the source of its text, and never claims that the body is signed. */
function expectGuidance(answer: Answer, code: string, action: string): void {
  const { error } = answer.body
  expect([answer.status, error.code]).toEqual([401, code])
  expect(error.message).toContain(action)
  expect(error.message).toContain('POST /api/v1/verification/standardize')
  expect(error.message).toContain('"ownership-basic"')
  expect(error.message).toContain(`{"action":"${action}"`)
  expect(error.message).not.toMatch(/this body|\.\.|action message/)
  expect(error.details.signedData).toMatchObject({ action })
}

describe.each(Object.entries(cases))('the owner action %s', (action, { data, send, isOpen, isRefusedLater }) => {
  const named = { action, ...data }

  test('the table names its members', () => {
    const { members } = ownerActions[action as keyof typeof ownerActions]
    expect(Object.keys(data).filter((name) => !(members as readonly string[]).includes(name))).toEqual([])
  })

  test('missing its signature, is answered with its name and the source of its text', async () => {
    const answer = await send(undefined)
    if (isOpen) return expect(answer.status).toBe(200)
    expectGuidance(answer, 'WALLET_AUTH_REQUIRED', action)
  })

  test('with a part of the signature, is answered with its name as well', async () => {
    const { signedTimestamp: _, ...part } = await sign(named)
    const answer = await send({ ...part, signedTimestamp: undefined } as unknown as Signed)
    if (answer.body.error.code === 'VALIDATION_ERROR') return expect(answer.body.error.message).toMatch(/timestamp/)
    expectGuidance(answer, 'WALLET_AUTH_REQUIRED', action)
  })

  test('a signature over wrong data is answered with the required text', async () => {
    const wrong = Object.fromEntries(Object.entries(data).map(([name, value]) => [name, `${value}1`]))
    expectGuidance(await send(await sign({ action, ...wrong })), 'SIGNATURE_INVALID', action)
  })

  test('a signature over another action is answered with the action that was signed', async () => {
    const others = Object.keys(ownerActions).filter((one) => one !== action)
    const knows = (one: string) =>
      (ownerActions[one as keyof typeof ownerActions].members as readonly string[]).every(
        (member) =>
          member === 'walletAddress' || member === 'expiresInSeconds' || member === 'transactionHash' || member in data,
      )
    // Fulfilling takes the reading text too.
    const told = others.filter((one) => knows(one) && !(action === 'fulfill_gate' && one === 'access_private_proof'))
    expect(told.length).toBeGreaterThan(0)
    for (const one of told) {
      const members = Object.fromEntries(
        ownerActions[one as keyof typeof ownerActions].members
          .filter((member) => member !== 'expiresInSeconds' && member !== 'transactionHash')
          .map((member) => [member, member === 'walletAddress' ? own : data[member]]),
      )
      const answer = await send(await sign({ action: one, ...members }))
      expectGuidance(answer, 'SIGNATURE_INVALID', action)
      expect(answer.body.error.message).toContain(`you signed ${one}, this needs ${action}`)
      expect(answer.body.error.details).toMatchObject({ reason: 'OTHER_ACTION', signedAction: one })
    }
  })

  test('addresses in its data may be checksummed, and in lower case', async () => {
    const spell = (change: (text: string) => string) =>
      Object.fromEntries(
        Object.entries(data).map(([name, value]) => [
          name,
          name.endsWith('Wallet') || name === 'walletAddress' ? change(String(value)) : value,
        ]),
      )
    const checksummed = { [own]: alice.address, [bob.address.toLowerCase()]: bob.address }
    const spellings = [spell((text) => text.toLowerCase()), spell((text) => checksummed[text.toLowerCase()]!)]
    for (const spelled of ownerActions[action as keyof typeof ownerActions].audience === 'change'
      ? spellings.slice(1)
      : spellings) {
      const answer = await send(await sign({ action, ...spelled }))
      if (isRefusedLater) expect([401]).not.toContain(answer.status)
      else expect([answer.status, answer.body.error]).toEqual([200, undefined])
    }
  })
})

test('standardize turns the data of the refusal into the accepted text', async () => {
  const here = await startApp()
  await here.prove(alice)
  const { body } = await here.post(`${api}/proofs/erase-all`, {
    ...(await here.ownerBody(alice, { action: 'list_gates', walletAddress: own })),
  })
  expect(body.error.message).toContain('you signed list_gates, this needs erase_all_proofs')
  const asked = {
    walletAddress: alice.address,
    verifierIds: ['ownership-basic'],
    data: body.error.details.signedData,
    signedTimestamp: here.now(),
  }
  const prepared = await here.post(`${api}/verification/standardize`, asked)
  const signature = await alice.sign(prepared.body.data.signerString)
  const { walletAddress, signedTimestamp } = asked
  const answer = await here.post(`${api}/proofs/erase-all`, { walletAddress, signature, signedTimestamp })
  expect(answer).toMatchObject({ status: 200, body: { erasedCount: 1 } })
})

test('another wallet hears nothing of a proof that was revoked by the wrong action', async () => {
  const answer = await app.post(`${api}/proofs/erase-all`, {
    ...(await app.ownerBody(mallory, { action: 'list_gates', walletAddress: own, audience })),
    walletAddress: alice.address,
  })
  expect(answer.status).toBe(401)
  expect(answer.body.error.message).not.toContain('you signed')
})

test('an address that is spelled in two ways is one text each, and each acts once', async () => {
  const here = await startApp()
  const proof = await here.prove(alice)
  const path = `${api}/verification/access/grant`
  const data = { action: 'grant_proof_access', qHash: proof, viewerWallet: bob.address }
  const { walletAddress, ...signed } = await here.ownerBody(alice, data)
  const sent = { ownerWallet: walletAddress, ...signed, qHash: proof }
  expect((await here.post(path, { ...sent, viewerWallet: bob.address.toLowerCase() })).status).toBe(200)
  for (const viewerWallet of [bob.address, bob.address.toLowerCase()])
    expect(await here.post(path, { ...sent, viewerWallet })).toMatchObject({
      status: 409,
      body: { error: { code: 'CONFLICT' } },
    })
})

test('accounts other than EVM keep their spelling', async () => {
  const headers = await app.ownerHeaders(sol, {
    action: 'access_private_proofs_by_wallet',
    walletAddress: sol.address.toLowerCase(),
  })
  expect((await app.get(`${api}/proofs/by-wallet/${sol.address}`, headers)).status).toBe(401)
})

test('the guide has the table of the code, and each route in it is described with its action', async () => {
  const guide = await Bun.file(new URL('../../src/guides/signed-text.md', import.meta.url)).text()
  expect(guide).toContain(writeActionTable())
  const { body } = await app.get('/openapi.json')
  for (const [action, { usedAt }] of Object.entries(ownerActions))
    for (const route of usedAt) {
      const [method, path] = route.split(' ') as [string, string]
      const operation = body.paths[path]?.[method.toLowerCase()]
      expect([route, JSON.stringify(operation ?? '').includes(`\\"action\\":\\"${action}\\"`)]).toEqual([route, true])
    }
})

test('each description that names an action is in the table', async () => {
  const { body } = await app.get('/openapi.json')
  for (const [path, operations] of Object.entries<Record<string, { deprecated?: boolean }>>(body.paths))
    for (const [method, operation] of Object.entries(operations)) {
      if (operation.deprecated) continue
      for (const [, action] of JSON.stringify(operation).matchAll(/\{\\"action\\":\\"(\w+)\\"/g)) {
        const row = ownerActions[action as keyof typeof ownerActions]
        expect([action, row?.usedAt]).toEqual([action!, expect.arrayContaining([`${method.toUpperCase()} ${path}`])])
      }
    }
})
