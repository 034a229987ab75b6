/** Guest lists: a gate lets listed wallets in, nobody proves anything, and nobody but the owner reads the list. */

import { beforeEach, describe, expect, test } from 'bun:test'
import { isOnList, writeGuests } from '../../src/gates/guests/store.ts'
import { findGate } from '../../src/gates/store.ts'
import { writeAccount } from '../../src/wallet/account.ts'
import type { Answer, TestApp } from '../app.ts'
import { startApp } from '../app.ts'
import { countTo, randomHash, writeAddress } from '../parts/row-maker.ts'
import { select } from '../parts/select.ts'
import { alice, bob, mallory, sol, type TestWallet } from '../wallets.ts'
import { openStage, price } from './fulfill-stage.ts'
import { apply, definitionOf, digestOf, gatesPath, readerHeaders, remove, secretText } from './gate.ts'

let app: TestApp
const gateId = 'gate_holders'
const listed = { requirements: [{ verifierId: 'guest-list' }] }
const bobs = bob.address.toLowerCase()

beforeEach(async () => {
  app = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
  expect((await apply(app, definitionOf(listed))).status).toBe(200)
})

interface Texts {
  readonly replace?: string
  readonly add?: string
  readonly remove?: string
}

async function change(texts: Texts, wallet: TestWallet = alice): Promise<Answer> {
  app.wait(1)
  const data = { action: 'set_gate_guests', gateId, digest: digestOf(texts) }
  return app.post(`${gatesPath}/${gateId}/guests`, { ...texts, ...(await app.ownerBody(wallet, data)) })
}

async function takePass(wallet: TestWallet): Promise<Answer> {
  app.wait(1)
  const signed = await app.ownerBody(wallet, { action: 'take_gate_pass', gateId })
  return app.post(`${gatesPath}/${gateId}/pass`, signed)
}

async function fulfill(wallet: TestWallet, qHash: string): Promise<Answer> {
  app.wait(1)
  const signed = await app.ownerBody(wallet, { action: 'fulfill_gate', gateId, qHash })
  return app.post(`${gatesPath}/${gateId}/fulfill`, { qHash, ...signed })
}

const check = async (address: string, qHash?: string) => {
  const only = qHash === undefined ? '' : `&qHash=${qHash}`
  const query = `gateId=${gateId}&address=${encodeURIComponent(address)}&explain=true${only}`
  return (await app.get(`/api/v1/proofs/check?${query}`)).body.data
}

const list = async (query = '', wallet: TestWallet = alice): Promise<Answer> =>
  app.get(`${gatesPath}/${gateId}/guests${query}`, await readerHeaders(app, wallet))

const read = async (): Promise<string[]> =>
  (await list()).body.data.guests.map(({ wallet }: { wallet: string }) => wallet)

const rows = <Row>(sql: string): Promise<Row[]> | Row[] => select<Row>(app.parts.db, sql).all()

describe('a wallet on the list', () => {
  beforeEach(async () => {
    expect((await change({ add: bob.address })).body.data).toEqual({
      gateId,
      added: 1,
      removed: 0,
      duplicates: 0,
      stillListed: 0,
      totalCount: 1,
    })
  })

  test('passes the check without a proof', async () => {
    const { eligible, gate, explain } = await check(bob.address)
    expect(eligible).toBe(true)
    expect(gate).toMatchObject({ allRequiredSatisfied: true, satisfiedVerifierIds: ['guest-list'] })
    expect(explain[0]).toMatchObject({ id: 'r1', code: 'SATISFIED', message: 'This wallet is on the list' })
  })

  test('gets the reward by a pass, once, and again when it asks again', async () => {
    const pass = await takePass(bob)
    expect(pass.status).toBe(200)
    const { qHash } = pass.body.data
    expect((await takePass(bob)).body.data.qHash).toBe(qHash)
    const answer = await fulfill(bob, qHash)
    expect(answer.status).toBe(200)
    expect(answer.body.data).toMatchObject({ qHash, fulfillment: { value: secretText } })
    const again = await fulfill(bob, qHash)
    expect(again.body.data.rewardProof.receiptId).toBe(answer.body.data.rewardProof.receiptId)
  })

  test('keeps what it was given after it left the list, and gets nothing new', async () => {
    const { qHash, status } = (await takePass(bob)).body.data
    expect(status).toBe('valid')
    await fulfill(bob, qHash)
    await change({ remove: bob.address })
    expect((await fulfill(bob, qHash)).status).toBe(200)
    expect((await takePass(bob)).body.data).toMatchObject({ qHash, status: 'withdrawn' })
    expect((await check(bob.address)).eligible).toBe(false)
    await change({ add: bob.address })
    expect((await takePass(bob)).body.data).toMatchObject({ qHash, status: 'valid' })
  })

  test('hears that its pass is withdrawn after it left the list, where nothing was given for it', async () => {
    const { qHash } = (await takePass(bob)).body.data
    await change({ remove: bob.address })
    const { status, body } = await takePass(bob)
    expect([status, body.error.code]).toEqual([400, 'GATE_REQUIREMENTS_NOT_MET'])
    expect(body.error.message).toStartWith('This wallet is not on the list any more, and its pass is withdrawn.')
    expect(body.error.details.withdrawnPass).toBe(qHash)
    const { eligible, explain } = await check(bob.address, qHash)
    expect(eligible).toBe(false)
    expect(explain[1]).toMatchObject({ code: 'PASS_WITHDRAWN', message: expect.stringContaining('withdrawn') })
    expect((await check(mallory.address, qHash)).explain[1].code).toBe('NOT_ON_LIST')
  })

  test('is known by its pass alone, valid and withdrawn, whoever asks', async () => {
    const { qHash } = (await takePass(bob)).body.data
    const ask = async (address?: string) => {
      const who = address === undefined ? '' : `&address=${address}`
      const path = `/api/v1/proofs/check?gateId=${gateId}&qHash=${qHash}&explain=true${who}`
      return (await app.get(path)).body.data
    }
    for (const address of [undefined, bob.address]) {
      const answer = await ask(address)
      expect(answer).toMatchObject({ eligible: true, matchedCount: 1, matchedQHashes: [qHash] })
      expect(answer.gate.allRequiredSatisfied).toBe(true)
      expect(answer.explain.map(({ code }: { code: string }) => code)).toEqual(['SATISFIED', 'SATISFIED'])
      expect(JSON.stringify(answer).toLowerCase().includes(bobs)).toBe(address !== undefined)
    }
    await change({ remove: bob.address })
    for (const address of [undefined, bob.address]) {
      const answer = await ask(address)
      expect(answer).toMatchObject({ eligible: false, matchedCount: 0, matchedQHashes: [] })
      expect(answer.gate.allRequiredSatisfied).toBe(false)
      expect(answer.explain.map(({ code }: { code: string }) => code)).toEqual(['PASS_WITHDRAWN', 'PASS_WITHDRAWN'])
    }
  })

  test('does not pass by an id that means nothing to the gate, and hears why', async () => {
    await change({ add: mallory.address })
    await apply(app, definitionOf({ ...listed, gateId: 'gate_other' }))
    const { qHash } = (await takePass(bob)).body.data
    const proof = await app.prove(bob)
    const ask = async (id: string, address: string | undefined, gate = gateId) => {
      const who = address === undefined ? '' : `&address=${address}`
      const path = `/api/v1/proofs/check?gateId=${gate}&qHash=${id}&explain=true${who}`
      const { eligible, gate: answer, explain } = (await app.get(path)).body.data
      return [eligible, answer.allRequiredSatisfied, explain.at(-1).code]
    }
    expect(await ask(`0x${'ab'.repeat(32)}`, bob.address)).toEqual([false, false, 'NO_PASS'])
    expect(await ask(proof, bob.address)).toEqual([false, false, 'NO_PASS'])
    expect(await ask(`0x${'ab'.repeat(32)}`, undefined)).toEqual([false, false, 'NO_PASS'])
    expect(await ask(qHash, mallory.address)).toEqual([false, false, 'OTHER_SUBJECT'])
    expect(await ask(qHash, alice.address)).toEqual([false, false, 'NOT_ON_LIST'])
    for (const address of [undefined, bob.address, mallory.address])
      expect(await ask(qHash, address, 'gate_other')).toEqual([false, false, 'OTHER_GATE'])
  })

  test('passes a gate that asks for the list and a proof by the id of that proof', async () => {
    await apply(app, definitionOf({ requirements: [{ verifierId: 'guest-list' }, { verifierId: 'ownership-basic' }] }))
    const proof = await app.prove(bob, { privacyLevel: 'public' })
    const { gate } = await check(bob.address, proof)
    expect(gate.allRequiredSatisfied).toBe(true)
  })

  test('is refused with a pass that was not used before it left the list', async () => {
    const { qHash } = (await takePass(bob)).body.data
    await change({ remove: bob.address })
    const { status, body } = await fulfill(bob, qHash)
    expect([status, body.error.code]).toEqual([400, 'GATE_REQUIREMENTS_NOT_MET'])
    expect(body.error.message).toStartWith('This wallet is not on the list any more, and its pass is withdrawn.')
  })

  test('hears that its pass is withdrawn where it meets the gate by something else', async () => {
    const requirements = [
      { id: 'guests', verifierId: 'guest-list' },
      { id: 'owns', verifierId: 'ownership-basic' },
    ]
    await apply(app, definitionOf({ requirements, rule: { any: ['guests', 'owns'] } }))
    const { qHash } = (await takePass(bob)).body.data
    await app.prove(bob)
    await change({ remove: bob.address })
    const { status, body } = await fulfill(bob, qHash)
    expect([status, body.error.code]).toEqual([400, 'GATE_REQUIREMENTS_NOT_MET'])
    expect(body.error.message).toBe(
      'this pass is withdrawn, because its wallet is not on the list any more. The wallet meets the gate by other proofs: name one of ownership-basic',
    )
    expect(body.error.details.withdrawnPass).toBe(qHash)
  })

  test('has a page for its pass, which says whether it counts and tells nothing else', async () => {
    const { qHash } = (await takePass(bob)).body.data
    const open = (language = 'en') =>
      app.request(`/proof/${qHash}`, { headers: { accept: 'text/html', 'accept-language': language } })
    const page = await open()
    expect([page.status, page.body]).toEqual([200, expect.stringContaining('<strong>Valid</strong>')])
    await change({ remove: bob.address })
    const text = (await open()).body
    expect(text).toContain('<strong>Withdrawn</strong>')
    expect(text).not.toContain(bobs)
    expect(text).not.toContain(gateId)
    expect((await open('de')).body).toContain('Zurückgezogen')
  })

  test('cannot be passed off as another wallet by its pass', async () => {
    const { qHash } = (await takePass(bob)).body.data
    const { status, body } = await fulfill(mallory, qHash)
    expect([status, body.error.code]).toEqual([403, 'FORBIDDEN'])
  })

  test('does not find its pass any more after it erased everything', async () => {
    const { qHash } = (await takePass(bob)).body.data
    await fulfill(bob, qHash)
    app.wait(1)
    const erase = await app.ownerBody(bob, { action: 'erase_all_proofs', walletAddress: bobs })
    expect((await app.post('/api/v1/proofs/erase-all', erase)).status).toBe(200)
    expect(await rows('SELECT 1 FROM guest_passes')).toEqual([])
    expect(await rows('SELECT 1 FROM fulfillments')).toEqual([])
    expect((await fulfill(bob, qHash)).body.error.code).toBe('PROOF_NOT_FOUND')
  })
})

describe('a wallet that is not on the list', () => {
  test('hears so, with nothing to prove', async () => {
    const { eligible, gate, explain, unavailable } = await check(mallory.address)
    expect(eligible).toBe(false)
    expect(gate.missingVerifierIds).toEqual(['guest-list'])
    expect(unavailable).toBeUndefined()
    expect(explain[0]).toMatchObject({
      code: 'NOT_ON_LIST',
      message: 'This wallet is not on the list. There is nothing to prove',
    })
  })

  test('gets no pass', async () => {
    const { status, body } = await takePass(mallory)
    expect([status, body.error.code]).toEqual([400, 'GATE_REQUIREMENTS_NOT_MET'])
    expect(body.error.message).toBe(
      'This wallet is not on the list. There is nothing to prove: ask the owner of the gate',
    )
    expect(await rows('SELECT 1 FROM guest_passes')).toEqual([])
  })

  test('cannot use a proof in place of the list', async () => {
    const qHash = await app.prove(mallory)
    expect((await fulfill(mallory, qHash)).body.error.message).toStartWith('This wallet is not on the list')
  })
})

describe('with other requirements', () => {
  test('a rule takes the list or a proof', async () => {
    await apply(
      app,
      definitionOf({
        requirements: [{ verifierId: 'guest-list' }, { verifierId: 'ownership-basic' }],
        rule: { any: ['r1', 'r2'] },
      }),
    )
    await change({ add: bob.address })
    expect((await check(bob.address)).eligible).toBe(true)
    expect((await check(mallory.address)).eligible).toBe(false)
    const qHash = await app.prove(mallory)
    expect((await fulfill(mallory, qHash)).status).toBe(200)
    expect((await fulfill(bob, (await takePass(bob)).body.data.qHash)).status).toBe(200)
  })

  test('a gate that needs both names what is missing', async () => {
    await apply(app, definitionOf({ requirements: [{ verifierId: 'guest-list' }, { verifierId: 'ownership-basic' }] }))
    await change({ add: bob.address })
    const { body } = await fulfill(bob, (await takePass(bob)).body.data.qHash)
    expect(body.error.message).toStartWith('this wallet lacks proofs that the gate requires: r2 (ownership-basic)')
  })
})

describe('the definition', () => {
  test.each([
    ['match', [{ path: 'a', op: 'eq', value: 'b' }]],
    ['minCount', 2],
    ['maxAgeMs', 1000],
    ['final', true],
  ])('refuses %s beside a guest list', async (member, value) => {
    const { status, body } = await apply(
      app,
      definitionOf({ requirements: [{ verifierId: 'guest-list', [member]: value }] }),
    )
    expect(status).toBe(400)
    expect(JSON.stringify(body.error)).toContain('is about proofs, and guest-list asks for none: leave it out')
  })

  test('refuses a second list', async () => {
    const twice = definitionOf({ requirements: [{ verifierId: 'guest-list' }, { verifierId: 'guest-list' }] })
    expect(JSON.stringify((await apply(app, twice)).body.error)).toContain('is a second guest list')
  })

  test('shows no wallet to anybody: not in the gate, its versions, its lists, the log or answers to strangers', async () => {
    await change({ add: bob.address })
    const owner = await readerHeaders(app)
    const seen = [
      await app.get(`${gatesPath}/${gateId}`),
      await app.get(`${gatesPath}/${gateId}`, owner),
      await app.get(gatesPath, owner),
      await app.get(`${gatesPath}/${gateId}/versions/1`, owner),
      await check(mallory.address),
    ]
    const audit = await rows('SELECT details FROM audit_events')
    expect(JSON.stringify([seen.map((one) => one.body ?? one), audit]).toLowerCase()).not.toContain(bobs.slice(2))
    expect((await app.get(gatesPath, owner)).body.data.gates[0].guestCount).toBe(1)
    expect(JSON.stringify((await app.get(`${gatesPath}/${gateId}`)).body)).not.toContain('guestCount')
    expect((await list('', mallory)).status).toBe(403)
    expect((await app.get(`${gatesPath}/${gateId}/guests`)).status).toBe(401)
    expect((await change({ add: mallory.address }, mallory)).status).toBe(403)
  })
})

describe('the owner', () => {
  test('replaces, adds and removes, and the same again changes nothing', async () => {
    await change({ replace: `${alice.address}\n${bob.address}` })
    expect((await change({ replace: `${bob.address}\n${mallory.address}\n` })).body.data).toMatchObject({
      added: 1,
      removed: 1,
      totalCount: 2,
    })
    expect((await change({ replace: `${bob.address}\n${mallory.address}\n` })).body.data).toMatchObject({
      added: 0,
      removed: 0,
      totalCount: 2,
    })
    expect((await change({ remove: bob.address, add: alice.address })).body.data).toMatchObject({
      added: 1,
      removed: 1,
      totalCount: 2,
    })
    expect((await read()).sort()).toEqual([alice.address.toLowerCase(), mallory.address.toLowerCase()].sort())
    expect((await change({ replace: '' })).body.data).toMatchObject({ removed: 2, totalCount: 0 })
  })

  test('reads the list in pages', async () => {
    const wallets = Array.from({ length: 5 }, (_, at) => `0x${String(at).repeat(40)}`)
    await change({ add: wallets.join('\n') })
    const first = (await list('?limit=2')).body.data
    expect(first).toMatchObject({ totalCount: 5, guests: [{ wallet: wallets[0] }, { wallet: wallets[1] }] })
    const second = (await list(`?limit=3&after=${first.next}`)).body.data
    expect(second.guests.map(({ wallet }: { wallet: string }) => wallet)).toEqual(wallets.slice(2))
    expect(second.next).toBeNull()
  })

  test('gives the whole list or changes of it, and never both or nothing', async () => {
    await change({ replace: alice.address })
    for (const texts of [{ replace: bob.address, add: mallory.address }, { replace: '', remove: alice.address }, {}])
      expect((await change(texts)).status).toBe(400)
    expect(await read()).toHaveLength(1)
  })

  test('hears each faulty line by its number, and nothing is changed', async () => {
    const wrongChecksum = bob.address.replace(/[a-f]/, (letter) => letter.toUpperCase())
    const { status, body } = await change({ add: `${alice.address}\n\nhello world\n${wrongChecksum}\n0x12` })
    expect(status).toBe(400)
    expect(body.error.details.faults).toMatchObject([
      { member: 'add', line: 3, message: expect.stringContaining('not a wallet address') },
      { member: 'add', line: 4, message: expect.stringContaining('wrong EIP-55 checksum') },
      { member: 'add', line: 5 },
    ])
    expect(body.error.message).toStartWith('line 3 of add is not a wallet address')
    expect(await read()).toEqual([])
  })

  test('hears of a line that ends with a question in whole sentences', async () => {
    const digits = '2'.repeat(40)
    const { body } = await change({ add: `${digits}\nhello world` })
    expect(body.error.message).toBe(
      `line 1 of add is 40 hexadecimal digits without 0x: did you mean 0x${digits}? 1 more line is faulty. Nothing was changed`,
    )
  })

  test.each([
    ['a key that lost its end', sol.address.slice(0, -2)],
    ['a key in lower case', sol.address.toLowerCase()],
    ['a key of more than 32 bytes', 'z'.repeat(44)],
    ['a key of too many zeros', '1'.repeat(44)],
  ])('lists no %s, and can remove it where it is listed', async (_, key) => {
    for (const way of ['add', 'replace']) {
      const { status, body } = await change({ [way]: `example.com\n${key}` })
      expect([status, body.error.details.faults[0].code]).toEqual([400, 'NOT_A_WALLET'])
      expect(body.error.message).toContain('no whole Solana address')
    }
    await app.parts.db.write([
      {
        sql: `INSERT INTO gate_guests (gate, wallet, chain, added_at) SELECT id, ?1, '', 0 FROM gates`,
        params: [key],
      },
    ])
    expect((await change({ remove: key })).body.data.removed).toBe(1)
    expect((await change({ add: 'example.com' })).body.data.added).toBe(1)
  })

  test('takes a wallet off the list on every chain by its address alone', async () => {
    const onChain = `eip155:1:${bobs}`
    await change({ add: `${bobs}\n${onChain}\neip155:10:${bobs}\n${alice.address}` })
    expect((await change({ remove: bob.address })).body.data).toMatchObject({
      removed: 3,
      stillListed: 0,
      totalCount: 1,
    })
    expect((await check(bob.address)).eligible).toBe(false)
  })

  test('takes one entry of a wallet off the list by its chain, and says that the wallet is still listed', async () => {
    const onChain = `eip155:1:${bobs}`
    await change({ add: `${bobs}\n${onChain}` })
    expect((await change({ remove: onChain })).body.data).toMatchObject({ removed: 1, stillListed: 1, totalCount: 1 })
    expect(await read()).toEqual([bobs])
    expect((await change({ remove: `eip155:10:${bobs}` })).body.data).toMatchObject({ removed: 0, stillListed: 1 })
    expect((await change({ remove: bobs })).body.data).toMatchObject({ removed: 1, stillListed: 0 })
  })

  test('reads CSV, CAIP-10, did:pkh and Solana, and merges what means the same', async () => {
    const csv = [
      'name,Wallet,note',
      `"Bob","${bob.address}",x`,
      `Bob again,${bobs},`,
      `On a chain,eip155:8453:${alice.address},`,
      `Same,did:pkh:eip155:8453:${alice.address},`,
      `Sol,${sol.address},`,
    ].join('\r\n')
    expect((await change({ replace: csv })).body.data).toMatchObject({ added: 3, duplicates: 2, totalCount: 3 })
    expect((await read()).sort()).toEqual([bobs, `eip155:8453:${alice.address.toLowerCase()}`, sol.address].sort())
    expect((await check(alice.address)).eligible).toBe(true)
    expect((await check(sol.address)).eligible).toBe(true)
  })

  test('hears that a list too large for one request goes in parts', async () => {
    const { status, body } = await app.post(`${gatesPath}/${gateId}/guests`, { add: 'x'.repeat(600_000) })
    expect([status, body.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    expect(body.error.message).toBe(
      'the body is larger than 524288 bytes: send less, or send the list in parts: the first one with replace, and each other one with add (the operator sets the limit with limits.body_bytes)',
    )
  })

  test('has at most 10,000 wallets on it', async () => {
    const wallets = Array.from({ length: 10_001 }, (_, at) => `0x${String(at).padStart(40, '0')}`)
    expect((await change({ replace: wallets.join('\n') })).body.error.message).toContain('at most 10000 wallets')
    expect((await change({ replace: wallets.slice(1).join('\n') })).body.data.totalCount).toBe(10_000)
    const { body } = await change({ add: bob.address })
    expect(body.error.message).toBe(
      'a guest list has at most 10000 wallets, and this change would make it longer. Nothing was changed',
    )
    expect((await check(wallets[10_000]!)).eligible).toBe(true)
    expect((await check(bob.address)).eligible).toBe(false)
  })

  test('changes no list of a gate that has another owner meanwhile', async () => {
    await change({ replace: bob.address })
    const { db } = app.parts
    const gate = (await findGate(app.parts, gateId))!
    await db.write([{ sql: 'UPDATE gates SET owner = ?1', params: [mallory.address.toLowerCase()] }])
    const guests = { replaces: true, add: [], remove: [] }
    expect(await writeGuests(db, gate, guests, { now: app.now() })).toBe('gone')
    expect(await rows<{ wallet: string }>('SELECT wallet FROM gate_guests')).toEqual([{ wallet: bobs }])
  })

  test('keeps the list over versions, and loses it with the gate', async () => {
    await change({ add: bob.address })
    await apply(app, definitionOf({ ...listed, name: 'Another name' }))
    expect((await check(bob.address)).eligible).toBe(true)
    await remove(app, gateId)
    expect(await rows('SELECT 1 FROM gate_guests')).toEqual([])
    await apply(app, definitionOf({ ...listed, name: 'Back again' }))
    expect((await check(bob.address)).eligible).toBe(false)
    expect((await list()).body.data.totalCount).toBe(0)
  })
})

test('a listed wallet pays with its pass, and a place is counted for it', async () => {
  const stage = await openStage()
  await stage.gate('sale', { requirements: [{ id: 'r1', verifierId: 'guest-list' }], price, supply: 1 })
  const texts = { add: alice.address }
  const changed = await stage.post(`${gatesPath}/sale/guests`, {
    ...texts,
    ...(await stage.ownerBody(bob, { action: 'set_gate_guests', gateId: 'sale', digest: digestOf(texts) })),
  })
  expect(changed.status).toBe(200)
  const pass = await stage.post(
    `${gatesPath}/sale/pass`,
    await stage.ownerBody(alice, { action: 'take_gate_pass', gateId: 'sale' }),
  )
  const { qHash } = pass.body.data
  expect((await stage.fulfill('sale', qHash)).status).toBe(402)
  stage.till.takes('0xpaid')
  const answer = await stage.fulfill('sale', qHash, { paymentTxHash: '0xpaid' })
  expect(answer.status).toBe(200)
  expect(answer.body.data.rewardProof).toMatchObject({ qHash, payment: { identity: 'tx:0xpaid' } })
  expect((await stage.found('sale'))?.fulfilledCount).toBe(1)
})

test('a contract counts on the chain that was named with it, and on the hub chain where none was', async () => {
  const { db, config } = app.parts
  const { hubChainId } = config.signing
  const { id } = (await findGate(app.parts, gateId))!
  const isListed = (contractOn: string) => isOnList(db, id, writeAccount({ wallet: bobs, contractOn }), hubChainId)
  await change({ add: `eip155:1:${bob.address}` })
  expect([await isListed('eip155:1'), await isListed('eip155:10')]).toEqual([true, false])
  await change({ replace: bob.address })
  expect([await isListed(`eip155:${hubChainId}`), await isListed('eip155:1')]).toEqual([true, false])
})

describe('a name that somebody else may have on another chain', () => {
  const isIn = async (address: string): Promise<boolean> => (await check(address)).eligible

  test('counts on the chain that was named with it', async () => {
    await change({ add: 'near:testnet:bob\ncosmos:cosmoshub-4:bob' })
    expect(await isIn('near:testnet:bob')).toBe(true)
    expect(await isIn('did:pkh:cosmos:cosmoshub-4:bob')).toBe(true)
    expect(await isIn('near:mainnet:bob')).toBe(false)
    await change({ replace: 'near:mainnet:bob' })
    expect(await isIn('near:mainnet:bob')).toBe(true)
    expect(await isIn('near:testnet:bob')).toBe(false)
  })

  test('is listed as it can be given again, and is removed by it', async () => {
    const names = ['cosmos:cosmoshub-4:bob', 'near:mainnet:bob', 'near:testnet:alice.near', 'near:testnet:bob']
    await change({ add: names.join('\n') })
    expect((await read()).sort()).toEqual(names)
    const paged: string[] = []
    for (let after: string | null = ''; after !== null; ) {
      const page: Answer = await list(`?limit=1${after && `&after=${after}`}`)
      paged.push(...page.body.data.guests.map(({ wallet }: { wallet: string }) => wallet))
      after = page.body.data.next
    }
    expect(paged.sort()).toEqual(names)
    expect((await change({ add: (await read()).join('\n') })).body.data).toMatchObject({ added: 0, totalCount: 4 })
    await change({ remove: 'near:mainnet:bob' })
    expect((await read()).sort()).toEqual(names.filter((one) => one !== 'near:mainnet:bob'))
  })

  test.each([
    ['near:mainnet:bob.near', ['bob.near']],
    ['did:pkh:near:mainnet:bob', ['bob.near', 'near:mainnet:bobby']],
    ['near:testnet:bob', ['near:testnet:bob']],
    [`eip155:8453:${bob.address}`, [bobs]],
    [`solana:mainnet:${sol.address}`, [sol.address]],
    ['solana:mainnet:bob', []],
  ])('is found by the account that a search names: %s', async (search, found) => {
    await change({
      add: ['near:mainnet:bob.near', 'near:mainnet:bobby', 'near:testnet:bob', bob.address, sol.address].join('\n'),
    })
    const { guests } = (await list(`?search=${encodeURIComponent(search)}`)).body.data
    expect(guests.map(({ wallet }: { wallet: string }) => wallet)).toEqual(found)
  })

  test.each([
    'near:mainnet:bob smith',
    'near:mainnet:Bob.near',
    'Bob.near',
    `near:mainnet:${'b'.repeat(65)}`,
    `${'b'.repeat(65)}.near`,
    'near:mainnet:b',
    'near:mainnet:b..ob',
    'did:pkh:near:testnet:-bob',
    'bob..near',
    'near:mainnet:BobWhoHasANameOfThirtyFourLetters',
  ])('is refused where NEAR gives no such name, and nothing is added: %s', async (name) => {
    const { status, body } = await change({ add: `${bob.address}\n${name}` })
    expect([status, body.error.details.faults[0].code]).toEqual([400, 'NEAR_NAME'])
    expect(body.error.message).toContain('2 to 64 characters a-z and 0-9')
    expect(await read()).toEqual([])
  })

  test('leaves the list where an earlier version had listed it in a form that NEAR does not give', async () => {
    await app.parts.db.write([
      {
        sql: `INSERT INTO gate_guests (gate, wallet, chain, added_at) SELECT id, 'b..ob.near', '', 0 FROM gates`,
        params: [],
      },
    ])
    expect((await change({ remove: 'b..ob.near' })).body.data.removed).toBe(1)
  })

  test('means the chain of bare names, where it was listed without one', async () => {
    await change({ add: 'alice.near' })
    expect(await read()).toEqual(['alice.near'])
    expect(await isIn('near:mainnet:alice.near')).toBe(true)
    expect(await isIn('near:testnet:alice.near')).toBe(false)
    expect((await change({ add: 'near:mainnet:alice.near' })).body.data.added).toBe(0)
  })

  test('is that of the chain of bare names in a row of an older version', async () => {
    await app.parts.db.write([
      {
        sql: `INSERT INTO gate_guests (gate, wallet, chain, added_at) SELECT id, 'bob', '', 0 FROM gates`,
        params: [],
      },
    ])
    expect(await read()).toEqual(['near:mainnet:bob'])
    expect([await isIn('near:mainnet:bob'), await isIn('near:testnet:bob')]).toEqual([true, false])
  })

  test.each(['near:mainnet:', 'solana:mainnet:'])('is no EVM address behind %s', async (chain) => {
    await change({ add: bobs })
    const { body } = await app.get(`/api/v1/proofs/check?gateId=${gateId}&address=${chain}${bobs}`)
    expect(body.error.code).toBe('INVALID_WALLET_ADDRESS')
    expect((await change({ add: `${chain}${mallory.address}` })).body.error.code).toBe('VALIDATION_ERROR')
  })
})

describe('the sweep', () => {
  const oneDay = 86_400_000
  const countPasses = async (): Promise<number> => (await rows('SELECT 1 FROM guest_passes')).length
  const sweepLater = (ms: number) => {
    app.wait(ms)
    return app.sweep()
  }

  beforeEach(() => change({ add: `${bob.address}\n${mallory.address}` }))

  test('clears away the pass of a wallet that left the list, a day later', async () => {
    await takePass(bob)
    await takePass(mallory)
    await change({ remove: bob.address })
    await sweepLater(oneDay - 1)
    expect(await countPasses()).toBe(2)
    await sweepLater(1)
    expect(await countPasses()).toBe(1)
    expect((await takePass(mallory)).body.data.status).toBe('valid')
    await sweepLater(100 * oneDay)
    expect(await countPasses()).toBe(1)
  })

  test('leaves the pass of a wallet that came back', async () => {
    const { qHash } = (await takePass(bob)).body.data
    await change({ remove: bob.address })
    await change({ add: bob.address })
    await sweepLater(2 * oneDay)
    expect((await takePass(bob)).body.data.qHash).toBe(qHash)
    await change({ replace: mallory.address })
    await sweepLater(2 * oneDay)
    expect(await countPasses()).toBe(0)
  })

  test('clears away the passes of a deleted gate', async () => {
    await takePass(bob)
    await remove(app, gateId)
    await sweepLater(2 * oneDay)
    expect(await countPasses()).toBe(0)
  })

  test('keeps a pass as long as something was given for it', async () => {
    const { qHash } = (await takePass(bob)).body.data
    await fulfill(bob, qHash)
    await change({ remove: bob.address })
    await sweepLater(2 * oneDay)
    expect((await fulfill(bob, qHash)).status).toBe(200)
    await sweepLater(60 * oneDay)
    expect((await takePass(bob)).body.data).toMatchObject({ qHash, status: 'withdrawn' })
  })

  test.each([
    ['reservations', 'expires_at, version, created_at, method', `9e15, 1, 0, 'card'`],
    [
      'settlements',
      `identity, version, usd_micros, details, created_at, ends_at, watch_at`,
      `'tx:x', 1, 1, '{}', 0, 9e15, 9e15`,
    ],
    ['checkouts', `session_id, amount_cents, currency, created_at, expires_at`, `'cs_x', 1, 'usd', 0, 9e15`],
    [
      'quotes',
      `quote_id, version, usd_micros, recipient, suffix, created_at, expires_at`,
      `'q', 1, 1, '0x', 1, 0, 9e15`,
    ],
    [
      'unmatched_payments',
      `identity, method, owner, reason, state, created_at, updated_at`,
      `'tx:x', 'card', '0x', 'GATE_ENDED', 'owed', 0, 0`,
    ],
  ])('keeps a pass that is named in %s', async (table, columns, values) => {
    const { qHash } = (await takePass(bob)).body.data
    await app.parts.db.write([
      {
        sql: `INSERT INTO ${table} (gate, q_hash, wallet, ${columns}) SELECT gate, pass, wallet, ${values} FROM guest_passes`,
        params: [],
      },
    ])
    await change({ remove: bob.address })
    await sweepLater(2 * oneDay)
    expect((await takePass(bob)).body.data).toMatchObject({ qHash, status: 'withdrawn' })
    await app.parts.db.write([{ sql: `DELETE FROM ${table}`, params: [] }])
    await sweepLater(60 * oneDay)
    expect(await countPasses()).toBe(0)
  })

  test('looks at a batch of passes in each of its writes, and goes on until none is due', async () => {
    const { sweep } = app.parts.config
    expect(sweep.batch).toBeLessThan(10_000)
    await app.parts.db.write([
      {
        sql: `${countTo(2 * sweep.batch + 5)}
              INSERT INTO guest_passes (pass, gate, wallet, created_at, look_at)
              SELECT ${randomHash}, g.id, ${writeAddress('i')}, 0, 1 FROM n, gates g`,
        params: [],
      },
    ])
    expect((await app.sweep()).passes).toBe(2 * sweep.batch + 5)
    expect(await countPasses()).toBe(0)
  })
})
