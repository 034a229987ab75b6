/** Portable proofs of another server: what is verified again, what is kept as imported, and that it counts nowhere. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { importCommand } from '../../src/commands/import.ts'
import { writeCanonicalJson } from '../../src/envelope/canonical-json.ts'
import { computeQHash } from '../../src/envelope/q-hash.ts'
import { newestTitle, writeSignerString } from '../../src/envelope/signer-string.ts'
import { writeDid } from '../../src/wallet/account.ts'
import { startApp, type TestApp } from '../app.ts'
import { run } from '../commands/terminal.ts'
import { masterKey } from '../db/schemas/story.ts'
import { apply, definitionOf } from '../gates/gate.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { agent, alice, bob } from '../wallets.ts'

setDefaultTimeout(60_000)

const newFolder = temporaryFolders()
const folder = newFolder()
const env = {
  PROOFGATE_MASTER_KEY: masterKey,
  PROOFGATE_LIMITS_ENABLED: 'false',
  PROOFGATE_LOG_LEVEL: 'error',
  PROOFGATE_DATA: folder,
}

let elsewhere: TestApp
let here: TestApp

beforeAll(async () => {
  elsewhere = await startApp({ PROOFGATE_BRAND: 'elsewhere' })
  // A month later.
  here = await startApp(env, folder, elsewhere.now() + 30 * 86_400_000)
})
afterAll(() => Promise.all([elsewhere?.close(), here?.close()]))

async function prove(claim: object, wallet = alice) {
  elsewhere.wait(1)
  const { body } = await elsewhere.submit(wallet, claim)
  return body
}

async function bringIn(content: string, name = 'proof.json') {
  const cwd = newFolder()
  writeFileSync(join(cwd, name), content)
  const { code, out, err } = await run(importCommand, [name, '--json'], { env, cwd, now: here.now })
  return {
    code,
    err,
    printed: out
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line)),
  }
}

const essay = (content: string) => ({ verifierIds: ['ownership-basic'], data: { owner: alice.address, content } })
const identity = { verifierIds: ['agent-identity'], data: { agentId: 'writer', agentWallet: agent.address } }

const readAsOwner = async (qHash: string, wallet = alice) => {
  const { headers } = await here.signIn(wallet)
  return (await here.get(`/api/v1/proofs/${qHash}?includePortable=true`, headers)).body.data
}

test('a claim that holds is verified again, and is a proof like others: private, with its portable form', async () => {
  const { data } = await prove(essay('one'))
  expect(await bringIn(JSON.stringify(data.portableProof))).toMatchObject({
    code: 0,
    printed: [{ outcome: 'verified', qHash: data.qHash, imported: [] }],
  })
  expect(await readAsOwner(data.qHash)).toMatchObject({
    status: 'verified',
    privacyLevel: 'private',
    createdAt: here.now(),
    signedTimestamp: data.portableProof.signedTimestamp,
    verifiedVerifiers: [{ verifierId: 'ownership-basic', verified: true }],
    portableProof: data.portableProof,
  })
})

test('a proof that was signed long ago is too old for a gate that asks for a fresh one, though it came in now', async () => {
  const { data } = await prove(essay('signed a month ago'))
  await bringIn(JSON.stringify(data.portableProof))
  const requirement = {
    verifierId: 'ownership-basic',
    match: [{ path: 'owner', op: 'eq' as const, value: alice.address }],
  }
  await apply(here, definitionOf({ gateId: 'gate_any_age', requirements: [requirement] }))
  await apply(here, definitionOf({ gateId: 'gate_fresh', requirements: [{ ...requirement, maxAgeMs: 86_400_000 }] }))
  const { headers } = await here.signIn(alice)
  const check = async (gateId: string) =>
    (
      await here.get(
        `/api/v1/proofs/check?address=${alice.address}&gateId=${gateId}&qHash=${data.qHash}&includePrivate=true&includeQHashes=true&explain=true`,
        headers,
      )
    ).body.data
  expect(await check('gate_any_age')).toMatchObject({ eligible: true, matchedQHashes: [data.qHash] })
  const fresh = await check('gate_fresh')
  expect(fresh).toMatchObject({ eligible: false })
  expect(JSON.stringify(fresh)).toContain('"code":"TOO_OLD","path":"signedTimestamp"')
})

describe('a claim that cannot be verified again', () => {
  test('is kept as imported, says why, and counts at no gate', async () => {
    const { data } = await prove(identity, agent)
    expect(await bringIn(JSON.stringify(data))).toMatchObject({
      code: 0,
      printed: [{ outcome: 'imported', imported: [{ verifierId: 'agent-identity', reason: 'GIVES_AUTHORITY' }] }],
    })
    expect(await readAsOwner(data.qHash, agent)).toMatchObject({
      status: 'imported',
      verifiedVerifiers: [{ verifierId: 'agent-identity', verified: false, status: 'imported' }],
    })
    expect((await here.get(`/api/v1/verification/status/${data.qHash}`)).body.data.status).toBe('imported')

    await apply(here, definitionOf({ gateId: 'gate_agents', requirements: [{ verifierId: 'agent-identity' }] }))
    const { headers } = await here.signIn(agent)
    const check = async (query: string) =>
      (await here.get(`/api/v1/proofs/check?address=${agent.address}&includePrivate=true&${query}`, headers)).body.data
    expect(await check('gateId=gate_agents')).toMatchObject({ eligible: false })
    expect(await check('verifierIds=agent-identity')).toMatchObject({ eligible: false })
    // The same claim, made here, passes: the gate asks for it.
    await here.submit(agent, { ...identity, options: { privacyLevel: 'public', publicDisplay: true } })
    expect(await check('gateId=gate_agents')).toMatchObject({ eligible: true })
    here.wait(1)
    const terms = { qHash: data.qHash, visibility: 'listed' }
    const signed = await here.ownerBody(agent, { action: 'set_proof_visibility', ...terms })
    const shown = await here.post(`/api/v1/proofs/${data.qHash}/visibility`, { ...terms, ...signed })
    expect(shown.status).toBe(200)
    const page = (await here.get(`/proof/${data.qHash}`, { accept: 'text/html' })).body
    expect(page).toContain('Imported, not verified')
    expect(page).toContain('this server did not check its claims')
    const listed = (await here.get(`/api/v1/proofs/by-wallet/${agent.address}`)).body.data.proofs
    expect(listed.find(({ qHash }: { qHash: string }) => qHash === data.qHash)).toMatchObject({ status: 'imported' })
    const agents = (
      await here.get(`/api/v1/proofs/check?address=${agent.address}&qHash=${data.qHash}&verifierIds=agent-identity`)
    ).body
    expect(agents.data).toMatchObject({ eligible: false })
    const { proofs } = (await here.get(`/api/v1/proofs/by-wallet/${agent.address}?status=imported`, headers)).body.data
    expect(proofs.map(({ qHash }: { qHash: string }) => qHash)).toEqual([data.qHash])
  })

  test('is kept as imported where its name is taken here', async () => {
    const claim = { verifierIds: ['ownership-pseudonym'], data: { pseudonymId: 'taken' } }
    const { data } = await prove(claim)
    await here.submit(bob, claim)
    expect(await bringIn(JSON.stringify(data))).toMatchObject({
      code: 0,
      printed: [{ outcome: 'imported', imported: [{ verifierId: 'ownership-pseudonym' }] }],
    })
  })

  test('does not replace another one of the same wallet', async () => {
    const first = await prove({ ...identity, data: { ...identity.data, agentId: 'first' } }, agent)
    const second = await prove({ ...identity, data: { ...identity.data, agentId: 'second' } }, agent)
    await bringIn(JSON.stringify(first.data))
    await bringIn(JSON.stringify(second.data))
    for (const { data } of [first, second])
      expect(await readAsOwner(data.qHash, agent)).not.toHaveProperty('superseded', true)
  })
})

test('the same file again changes nothing and says so, also after its owner revoked the proof', async () => {
  const { data } = await prove(essay('again'))
  const file = JSON.stringify(data.portableProof)
  await bringIn(file)
  const before = await readAsOwner(data.qHash)
  expect(await bringIn(file)).toMatchObject({ code: 0, printed: [{ outcome: 'already here' }] })
  expect(await readAsOwner(data.qHash)).toEqual(before)
  const { headers } = await here.signIn(alice)
  await here.post(`/api/v1/proofs/revoke-self/${data.qHash}`, {}, headers)
  expect(await bringIn(file)).toMatchObject({ code: 0, printed: [{ outcome: 'already here' }] })
  expect((await readAsOwner(data.qHash)).status).toBe('revoked')
})

test('a signature that was accepted elsewhere within its time is used up here', async () => {
  const { data } = await prove({ ...essay('fresh') })
  const soon = newFolder()
  const server = await startApp({ ...env, PROOFGATE_DATA: soon }, soon, elsewhere.now() + 1000)
  const cwd = newFolder()
  writeFileSync(join(cwd, 'proof.json'), JSON.stringify(data.portableProof))
  const given = { env: { ...env, PROOFGATE_DATA: soon }, cwd, now: server.now }
  expect((await run(importCommand, ['proof.json'], given)).code).toBe(0)
  const { portableProof } = data
  const { signature, signedTimestamp, verifierIds, walletAddress } = portableProof
  const again = await server.post('/api/v1/verification', {
    signature,
    signedTimestamp,
    verifierIds,
    walletAddress,
    data: portableProof.data,
    // Another spelling, which has an id of its own.
    chain: `eip155:${portableProof.chainId}`,
  })
  expect(again.body.data).toMatchObject({ qHash: data.qHash })
  await server.close()
})

test('lines are brought in one by one: those that prove nothing are named, and the others come in', async () => {
  const [one, two] = [await prove(essay('line one')), await prove(essay('line two'))]
  const forged = { ...one.data.portableProof, data: { ...one.data.portableProof.data, content: 'forged' } }
  const lines = [one.data.portableProof, forged, { no: 'proof' }, two.data.portableProof].map((line) =>
    JSON.stringify(line),
  )
  const { code, printed } = await bringIn(`${lines.join('\n')}\n`, 'proofs.jsonl')
  expect(code).toBe(1)
  expect(printed).toMatchObject([
    { outcome: 'verified' },
    { outcome: 'not valid', error: expect.stringMatching(/^signature: /), place: expect.stringMatching(/line 2$/) },
    { outcome: 'not valid', place: expect.stringMatching(/line 3$/) },
    { outcome: 'verified' },
  ])
})

describe('a look-up that fails', () => {
  const chain = 'eip155:8453'
  const data = {
    ownerAddress: alice.address,
    contractAddress: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
    minBalance: '1',
    chainId: 8453,
  }

  /** As a server with that chain would have made it. */
  async function makePortable(): Promise<object> {
    const claim = {
      walletAddress: alice.address,
      verifierIds: ['token-holding'],
      canonicalData: writeCanonicalJson(data),
      signedTimestamp: elsewhere.now(),
      context: { chainId: 84532 },
    }
    const { canonicalData: _, context, ...members } = claim
    return {
      ...members,
      data,
      ...context,
      qHash: computeQHash(claim),
      did: writeDid(context, alice.address),
      signature: await alice.sign(writeSignerString(claim, newestTitle)),
      signatureMethod: 'eip191',
    }
  }

  const importWith = async (settings: Record<string, string>) => {
    const folder = newFolder()
    const given = { ...env, ...settings, PROOFGATE_DATA: folder }
    await (await startApp(given, folder)).close()
    const cwd = newFolder()
    writeFileSync(join(cwd, 'proof.json'), JSON.stringify(await makePortable()))
    return run(importCommand, ['proof.json', '--json'], { env: given, cwd, now: here.now })
  }

  test('stores nothing, and says to try again', async () => {
    const dead = { PROOFGATE_CHAINS_BASE_CHAIN: chain, PROOFGATE_CHAINS_BASE_RPC: 'http://127.0.0.1:1' }
    await expect(importWith(dead)).rejects.toThrow(/token-holding could not be looked up.*run this again/s)
  })

  test('is not one where this server does not offer the verifier: the claim is kept as imported', async () => {
    const { code, json } = await importWith({})
    expect({ code, json }).toMatchObject({
      code: 0,
      json: { outcome: 'imported', imported: [{ verifierId: 'token-holding', reason: 'VERIFIER_NOT_FOUND' }] },
    })
  })
})

test('standard input has lines with --lines', async () => {
  const { data } = await prove(essay('from standard input'))
  const stdin = `${JSON.stringify(data.portableProof)}\n`
  const { code, json } = await run(importCommand, ['-', '--lines', '--json'], { env, now: here.now, stdin })
  expect({ code, json }).toMatchObject({ code: 0, json: { outcome: 'verified', place: 'standard input, line 1' } })
})

test.each([
  ['a record of another proof', (data: object) => ({ ...data, qHash: `0x${'1'.repeat(64)}` }), /its qHash is not that/],
  ['a record of a revoked proof', (data: object) => ({ ...data, status: 'revoked' }), /was revoked where it was made/],
])('%s is refused', async (name, change, error) => {
  const { data } = await prove(essay(name))
  const { code, printed } = await bringIn(JSON.stringify(change(data)))
  expect({ code, printed }).toMatchObject({
    code: 1,
    printed: [{ outcome: 'not valid', error: expect.stringMatching(error) }],
  })
  expect((await here.get(`/api/v1/proofs/${data.qHash}`)).status).toBe(404)
})
