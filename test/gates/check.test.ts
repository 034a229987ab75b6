/** GET /api/v1/proofs/check by criteria: every parameter, what meets it and what does not. */

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { keccak256 } from 'viem'
import { listAskedFacts } from '../../src/proofs/facts.ts'
import { expectRefused, leavesNothing } from '../http/refused.ts'
import { select } from '../parts/select.ts'
import { agent, alice, bob, evmWallet, mallory } from '../wallets.ts'
import { base, checking, lower, openWorld, prove, type World } from './check-world.ts'

setDefaultTimeout(60_000)

let world: World
let check: ReturnType<typeof checking>
beforeAll(async () => {
  world = await openWorld()
  check = checking(world.app)
})
afterAll(() => world.close())

const carol = evmWallet(`0x${'7'.repeat(64)}`)

type Query = Record<string, string | number | boolean>
type Kind = keyof World['qHashes']
const hashOf = (content: string): string => keccak256(new TextEncoder().encode(content))
const upper = (text: string): string => `0x${text.slice(2).toUpperCase()}`

/**
 * Lists for each parameter a proof, queries that it meets, and queries that it does not meet. Addresses are known only
 * once the world is there.
 */
const parameters: readonly (readonly [string, Kind, () => readonly Query[], () => readonly Query[]])[] = [
  ['verifierId', 'nft', () => [{ verifierId: 'nft-ownership' }], () => [{ verifierId: 'proof-of-human' }]],
  [
    'verifierIds',
    'nft',
    () => [{ verifierIds: 'nft-ownership' }, { verifierIds: ' nft-ownership ,proof-of-human' }],
    () => [{ verifierIds: 'agent-identity' }, { verifierIds: 'nft-ownership,ownership-basic', requireAll: true }],
  ],
  [
    'qHash',
    'nft',
    () => [{ qHash: world.qHashes.nft }],
    () => [{ qHash: world.qHashes.identity }, { qHash: `0x${'0'.repeat(64)}` }],
  ],
  ['tag', 'basic', () => [{ tag: 'first' }], () => [{ tag: 'fir' }, { tag: 'First' }]],
  [
    'tags',
    'basic',
    () => [{ tags: 'first,writing' }, { tags: 'first', tag: 'writing' }],
    () => [{ tags: 'first,third' }],
  ],
  [
    'referenceType',
    'basic',
    () => [{ verifierId: 'ownership-basic', referenceType: 'url' }],
    () => [{ referenceType: 'ipfs' }],
  ],
  [
    'referenceId',
    'basic',
    () => [{ referenceId: 'https://a.example/novel' }, { referenceId: 'https://b.example,https://a.example/novel' }],
    () => [{ referenceId: 'https://a.example' }],
  ],
  ['content', 'basic', () => [{ content: 'https://a.example/novel' }], () => [{ content: 'A novel' }]],
  [
    'contentType',
    'basic',
    () => [{ verifierId: 'ownership-basic', contentType: 'text/plain' }],
    () => [{ contentType: 'text/html' }],
  ],
  [
    'contentHash',
    'basic',
    () => [{ contentHash: hashOf('A novel') }, { contentHash: upper(hashOf('A novel')) }],
    () => [{ contentHash: hashOf('Another') }, { contentHash: hashOf('A novel'), verifierId: 'nft-ownership' }],
  ],
  ['contentHash of a moderated text', 'moderation', () => [{ contentHash: hashOf('Good morning') }], () => []],
  ['contentHash of a licensed text', 'licensed', () => [{ contentHash: hashOf('A cover') }], () => []],
  [
    'contractAddress',
    'nft',
    () => [{ contractAddress: world.art.address }, { contractAddress: upper(world.art.address) }],
    () => [{ contractAddress: mallory.address }, { contractAddress: world.art.address, verifierId: 'token-holding' }],
  ],
  [
    'tokenId',
    'nft',
    () => [{ tokenId: 7 }, { tokenId: '007' }, { tokenId: '0x7' }],
    () => [{ tokenId: 8 }, { tokenId: 7, contractAddress: world.coin.address }],
  ],
  [
    'chainId',
    'nft',
    () => [
      { verifierId: 'nft-ownership', chainId: base },
      { verifierId: 'nft-ownership', chainId: `0${base}` },
    ],
    () => [{ verifierId: 'nft-ownership', chainId: 84532 }],
  ],
  [
    'domain',
    'domain',
    () => [{ domain: 'example.test' }, { domain: 'EXAMPLE.test.' }],
    () => [{ domain: 'www.example.test' }],
  ],
  [
    'minBalance',
    'token',
    () => [
      { minBalance: '100.5' },
      { minBalance: '100.500' },
      { minBalance: '7' },
      { minBalance: '100.49999999999999999999' },
    ],
    () => [
      { minBalance: '100.50000000000000000001' },
      { minBalance: '200' },
      { minBalance: 1, contractAddress: world.art.address },
    ],
  ],
  [
    'ownerAddress',
    'nft',
    () => [{ verifierId: 'nft-ownership', ownerAddress: alice.address }],
    () => [{ verifierId: 'nft-ownership', ownerAddress: bob.address }],
  ],
  [
    'provider',
    'risk',
    () => [{ verifierId: 'wallet-risk', provider: 'embedded' }],
    () => [{ verifierId: 'wallet-risk', provider: 'webacy' }],
  ],
  [
    'handle',
    'pseudonym',
    () => [{ handle: 'alice' }],
    () => [{ handle: 'alic' }, { handle: 'alice', verifierId: 'wallet-link' }],
  ],
  [
    'namespace',
    'pseudonym',
    () => [{ namespace: 'svc' }, { namespace: 'svc', handle: 'alice' }],
    () => [{ namespace: 'other', handle: 'alice' }],
  ],
  ['riskLevel', 'risk', () => [{ riskLevel: 'low' }], () => [{ riskLevel: 'medium' }]],
  ['sanctioned', 'risk', () => [{ sanctioned: false }, { sanctioned: '0' }], () => [{ sanctioned: true }]],
  // The check did not cover poisoning, so the proof's word on it does not count.
  ['poisoned', 'risk', () => [], () => [{ poisoned: true }, { poisoned: false }]],
  [
    'checked of a wallet',
    'risk',
    () => [{ checked: 'sanctions' }, { checked: 'activity,sanctions', sanctioned: false }],
    () => [{ checked: 'poisoning' }, { checked: 'sanctions,poisoning' }, { checked: 'sanctions', sanctioned: true }],
  ],
  [
    'checked of a text',
    'moderation',
    () => [{ checked: 'profanity' }, { provider: 'embedded', checked: 'profanity' }],
    () => [{ checked: 'violence' }],
  ],
  [
    'primaryWalletAddress',
    'link',
    () => [{ primaryWalletAddress: alice.address }],
    () => [{ primaryWalletAddress: bob.address }],
  ],
  [
    'secondaryWalletAddress',
    'link',
    () => [{ secondaryWalletAddress: bob.address }],
    () => [{ secondaryWalletAddress: alice.address }],
  ],
  [
    'controllerWallet',
    'delegation',
    () => [{ controllerWallet: alice.address }],
    () => [{ controllerWallet: agent.address }],
  ],
  [
    'agentWallet',
    'delegation',
    () => [{ agentWallet: agent.address }, { agentWallet: lower(agent) }],
    () => [{ agentWallet: alice.address }],
  ],
  [
    'agentId',
    'delegation',
    () => [{ agentId: 'helper' }],
    () => [{ agentId: 'Helper' }, { agentId: 'helper', verifierId: 'agent-identity' }],
  ],
  ['agentId of an identity', 'identity', () => [{ agentId: 'helper', address: agent.address }], () => []],
  ['delegationScope', 'delegation', () => [{ delegationScope: 'trade' }], () => [{ delegationScope: 'global' }]],
  [
    'verificationMethod',
    'contract',
    () => [{ verificationMethod: 'owner' }],
    () => [
      { verificationMethod: 'admin' },
      { verificationMethod: 'ownable2step' },
      { verificationMethod: 'any words, of any client' },
    ],
  ],
  // No verifier of this version says anything of these.
  ['svcPersonhoodId', 'nft', () => [], () => [{ svcPersonhoodId: `0x${'1'.repeat(64)}` }]],
  ['ageMin', 'nft', () => [], () => [{ ageMin: 18 }]],
  ['sanctionsPassed', 'nft', () => [], () => [{ sanctionsPassed: true }]],
  [
    'traitPath with traitGte',
    'token',
    () => [{ traitPath: 'onChainData.decimals', traitGte: 6 }],
    () => [
      { traitPath: 'followers', traitGte: 1 },
      { traitPath: 'onChainData.decimals', traitGte: '6.1' },
    ],
  ],
  [
    'since',
    'nft',
    () => [{ verifierId: 'nft-ownership', since: 0 }],
    () => [{ verifierId: 'nft-ownership', since: 1_867_225_600_000 }],
  ],
]

describe.each(parameters.map((entry) => [entry[0], entry] as const))('%s', (_, [, kind, good, bad]) => {
  test('matches every query that should match', async () => {
    for (const query of good()) {
      const { status, body } = await check(query)
      expect({ query, status, ...body.data }).toMatchObject({ query, status: 200, eligible: true, complete: true })
      expect(body.data.matchedQHashes).toContain(world.qHashes[kind])
      expect(body.data.matchedCount).toBe(body.data.matchedQHashes.length)
    }
  })

  test('refuses every query that should not match', async () => {
    for (const query of bad()) {
      const { status, body } = await check(query)
      expect({ query, status, ...body.data }).toMatchObject({ query, status: 200, eligible: false })
      expect(body.data.matchedQHashes).not.toContain(world.qHashes[kind])
    }
  })
})

describe('an answer', () => {
  test('has every member of the interface, echoes the query, and holds no proof', async () => {
    const { body } = await check({ tags: 'writing', select: 'handle', trackView: '1' })
    expect(body).toEqual({
      success: true,
      data: {
        eligible: true,
        matchedCount: 1,
        matchedQHashes: [world.qHashes.basic],
        matchedTags: ['writing'],
        projections: [],
        criteria: { address: alice.address, tags: 'writing', select: 'handle' },
        complete: true,
      },
      timestamp: new Date(world.app.now()).toISOString(),
    })
  })

  test('projects the selected members of the rows that match, as plain values', async () => {
    const select = 'handle,provider,profileUrl,traits.followers'
    expect((await check({ handle: 'alice', select })).body.data.projections).toEqual([
      { verifierId: 'ownership-pseudonym', handle: 'alice' },
    ])
    expect((await check({ riskLevel: 'low', select })).body.data.projections).toEqual([
      { verifierId: 'wallet-risk', provider: 'embedded' },
    ])
    expect((await check({ handle: 'alice' })).body.data.projections).toBeNull()
  })

  test('takes a did:pkh for the wallet, and finds nothing for an unknown wallet', async () => {
    const did = `did:pkh:eip155:1:${alice.address}`
    expect((await check({ address: did, handle: 'alice' })).body.data.eligible).toBe(true)
    expect((await check({ address: mallory.address, handle: 'alice' })).body.data.eligible).toBe(false)
  })

  test('needs no address for a public proof that is named', async () => {
    const { body } = await world.app.get(
      `/api/v1/proofs/check?qHash=${world.qHashes.nft}&contractAddress=${world.art.address}`,
    )
    expect(body.data).toMatchObject({ eligible: true, matchedQHashes: [world.qHashes.nft] })
    const other = await world.app.get(
      `/api/v1/proofs/check?qHash=${world.qHashes.nft}&contractAddress=${world.coin.address}`,
    )
    expect(other.body.data.eligible).toBe(false)
  })
})

describe('several proofs and several rows', () => {
  test('minCount counts claims: two tokens are two, two proofs of one token are one', async () => {
    const query = { verifierId: 'nft-ownership', contractAddress: world.art.address, minCount: 2 }
    const claim = { contractAddress: world.art.address, chainId: base, tokenId: '7' }
    expect((await check(query)).body.data).toMatchObject({ eligible: false, matchedCount: 1 })
    const both = { 'nft-ownership': claim, 'ownership-basic': { owner: alice.address, content: 'With a note' } }
    const again = await prove(world.app, ['nft-ownership', 'ownership-basic'], both)
    expect((await check(query)).body.data).toMatchObject({ eligible: false, matchedCount: 1, matchedQHashes: [again] })
    await prove(world.app, ['nft-ownership'], { ...claim, tokenId: '8' })
    expect((await check(query)).body.data).toMatchObject({ eligible: true, matchedCount: 2 })
  })

  test('requireAll wants all verifiers on one proof, and each value on a row that says it', async () => {
    const ids = { verifierIds: 'nft-ownership,ownership-basic', requireAll: true }
    // Made above. The chain of the signature is another one than that of the asset.
    expect((await check({ ...ids, contractAddress: world.art.address, chainId: base })).body.data.eligible).toBe(true)
    expect((await check({ ...ids, contentHash: hashOf('With a note'), tokenId: 7 })).body.data.eligible).toBe(true)
    expect((await check({ ...ids, contentHash: hashOf('A novel') })).body.data.eligible).toBe(false)
    expect((await check({ ...ids, verifierIds: 'nft-ownership,wallet-risk' })).body.data.eligible).toBe(false)
  })

  test('the contract of one row and the amount of another do not add up', async () => {
    await prove(world.app, ['nft-ownership', 'token-holding'], {
      'nft-ownership': { contractAddress: world.art.address, chainId: base, tokenId: '8' },
      'token-holding': { contractAddress: world.coin.address, chainId: base, minBalance: '300' },
    })
    expect((await check({ minBalance: 300, contractAddress: world.coin.address })).body.data.eligible).toBe(true)
    const mixed = { verifierIds: 'nft-ownership,token-holding', minBalance: 300 }
    expect((await check({ ...mixed, contractAddress: world.art.address })).body.data.eligible).toBe(false)
  })

  test('limit looks at the newest only, and the answer says that it did', async () => {
    const { body } = await check({ verifierIds: 'nft-ownership,ownership-basic', limit: 1 })
    expect(body.data).toMatchObject({ eligible: true, matchedCount: 1, complete: false })
    const all = await check({ verifierIds: 'nft-ownership,ownership-basic' })
    expect(all.body.data).toMatchObject({ complete: true })
    expect(all.body.data.matchedCount).toBeGreaterThan(2)
  })
})

describe('a proof that says nothing of this wallet now', () => {
  test('one about a past block does not count', async () => {
    const blockNumber = Number(await world.anvil.publicClient.getBlockNumber())
    await prove(world.app, ['token-holding'], {
      contractAddress: world.coin.address,
      chainId: base,
      minBalance: '450',
      blockNumber,
    })
    const { data } = (await check({ minBalance: 450, contractAddress: world.coin.address, explain: true })).body
    expect(data.eligible).toBe(false)
    await prove(world.app, ['token-holding'], { contractAddress: world.coin.address, chainId: base, minBalance: '450' })
    expect((await check({ minBalance: 450, contractAddress: world.coin.address })).body.data.eligible).toBe(true)
  })

  test.each(['/api/v1/proofs/check', '/api/v1/proofs/gate/check'])(
    'one about a past block counts where the check names that block, on %s',
    async (where) => {
      const blockNumber = Number(await world.anvil.publicClient.getBlockNumber())
      const asset = { contractAddress: world.coin.address, chainId: base }
      const minBalance = where.includes('gate') ? '471' : '470'
      const qHash = await prove(world.app, ['token-holding'], { ...asset, minBalance, blockNumber })
      const ask = checking(world.app, where)
      const query = { verifierId: 'token-holding', contractAddress: world.coin.address, minBalance }
      expect((await ask({ ...query, blockNumber })).body.data).toMatchObject({
        eligible: true,
        matchedQHashes: [qHash],
        criteria: { blockNumber: String(blockNumber) },
      })
      expect((await ask({ blockNumber, minBalance })).body.data.eligible).toBe(true)
      expect((await ask({ ...query, blockNumber: `00${blockNumber}` })).body.data.eligible).toBe(true)
      expect((await ask(query)).body.data.eligible).toBe(false)
      const { data } = (await ask({ ...query, blockNumber: blockNumber - 1, explain: true })).body
      expect(data.eligible).toBe(false)
      expect(data.explain[0]).toMatchObject({
        code: 'WRONG_VALUE',
        nearest: { qHash, failed: [{ path: 'blockNumber', wanted: String(blockNumber - 1), found: blockNumber }] },
      })
      const unnamed = (await ask({ ...query, explain: true })).body.data.explain[0]
      expect(unnamed).toMatchObject({
        code: 'PAST_BLOCK',
        message: expect.stringContaining(`blockNumber=${blockNumber}`),
      })
    },
  )

  test('one about the present does not prove the block at which it was read', async () => {
    const newest = Number(await world.anvil.publicClient.getBlockNumber())
    const asset = { contractAddress: world.coin.address, chainId: base }
    await prove(world.app, ['token-holding'], { ...asset, minBalance: '480' })
    const query = { contractAddress: world.coin.address, minBalance: 480 }
    expect((await check(query)).body.data.eligible).toBe(true)
    expect((await check({ ...query, blockNumber: newest })).body.data.eligible).toBe(false)
  })

  test('one about a delegated subject counts where the check names it as subjectWallet', async () => {
    const claim = { contractAddress: world.art.address, chainId: base, tokenId: '9', ownerAddress: bob.address }
    const about = { wallet: agent, subjectWallet: bob.address }
    const qHash = await prove(world.app, ['nft-ownership'], claim, about)
    const ofContract = { contractAddress: world.owned.address, chainId: base, walletAddress: alice.address }
    const control = await prove(world.app, ['contract-ownership'], ofContract, {
      wallet: agent,
      subjectWallet: alice.address,
    })
    const query = { address: agent.address, verifierIds: 'nft-ownership,contract-ownership' }
    const matched = async (more: Query) => (await check({ ...query, ...more })).body.data.matchedQHashes
    expect(await matched({})).toEqual([])
    expect(await matched({ subjectWallet: bob.address })).toEqual([qHash])
    expect(await matched({ subjectWallet: lower(alice) })).toEqual([control])
    expect(await matched({ subjectWallet: mallory.address })).toEqual([])
    expect((await check({ address: agent.address, subjectWallet: bob.address })).body.data.eligible).toBe(true)
    const [unnamed] = (await check({ ...query, explain: true })).body.data.explain
    expect(unnamed).toMatchObject({ code: 'OTHER_SUBJECT', message: expect.stringContaining('subjectWallet=') })
    expectRefused(
      await check({ ...query, subjectWallet: `eip155:${base}:${bob.address}` }),
      'INVALID_WALLET_ADDRESS',
      /subjectWallet is compared as an address without a chain/,
    )
  })

  test('a named block and a named subject are looked up, and found behind any number of other proofs', async () => {
    const blockNumber = Number(await world.anvil.publicClient.getBlockNumber())
    const claim = { contractAddress: world.art.address, chainId: base, tokenId: '9', ownerAddress: bob.address }
    const first = await prove(
      world.app,
      ['nft-ownership'],
      { ...claim, blockNumber },
      { wallet: carol, subjectWallet: bob.address },
    )
    for (const tokenId of ['7', '8'])
      await prove(
        world.app,
        ['nft-ownership'],
        { ...claim, tokenId, ownerAddress: alice.address },
        { wallet: carol, subjectWallet: alice.address },
      )
    const query = { address: carol.address, verifierId: 'nft-ownership', limit: 1 }
    expect((await check({ ...query, subjectWallet: bob.address, blockNumber })).body.data.matchedQHashes).toEqual([
      first,
    ])
    expect((await check({ ...query, blockNumber, ownerAddress: bob.address })).body.data.matchedQHashes).toEqual([
      first,
    ])
  })

  test('one about the wallet of another person counts only where the check names that wallet', async () => {
    // Mallory holds nothing. Bob's holdings are public, so anybody can make a proof of them.
    const qHash = await prove(
      world.app,
      ['nft-ownership'],
      { contractAddress: world.art.address, chainId: base, tokenId: '9', ownerAddress: bob.address },
      { wallet: mallory, subjectWallet: bob.address },
    )
    const query = { address: mallory.address, contractAddress: world.art.address }
    const { data } = (await check({ ...query, explain: true })).body
    expect(data).toMatchObject({ eligible: false, matchedCount: 0 })
    expect(data.explain[0]).toMatchObject({ code: 'OTHER_SUBJECT', nearest: { qHash } })
    expect((await check({ ...query, qHash })).body.data.eligible).toBe(false)
    expect((await check({ ...query, ownerAddress: bob.address })).body.data.matchedQHashes).toEqual([qHash])
    expect((await check({ ...query, ownerAddress: mallory.address })).body.data.eligible).toBe(false)
  })
})

describe('wrong input is refused, with its path', () => {
  test.each<[Query, RegExp, string]>([
    [{}, /has no criteria/, '/gateId'],
    [{ since: 1, minCount: 2, select: 'handle' }, /has no criteria/, '/gateId'],
    [{ tag: 'x', minCount: 0 }, /1 to 1000/, '/minCount'],
    [{ tag: 'x', minCount: 1001 }, /1 to 1000/, '/minCount'],
    [{ tag: 'x', minCount: 'two' }, /minCount/, '/minCount'],
    [{ tag: 'x', limit: 1001 }, /1 to 1000/, '/limit'],
    [{ tag: 'x', sinceDays: 0 }, /1 to 3650/, '/sinceDays'],
    [{ tag: 'x', sinceDays: 3651 }, /1 to 3650/, '/sinceDays'],
    [{ tag: 'x', since: '-1' }, /since/, '/since'],
    [{ chainId: 0 }, /chainId/, '/chainId'],
    [{ blockNumber: 'latest' }, /blockNumber/, '/blockNumber'],
    [{ blockNumber: '9999999999999999' }, /blockNumber/, '/blockNumber'],
    [{ blockNumber: '-1' }, /blockNumber/, '/blockNumber'],
    [{ ageMin: 151 }, /0 to 150/, '/ageMin'],
    [{ gateId: 'a b' }, /gateId/, '/gateId'],
    [{ gateId: 'x'.repeat(81) }, /gateId/, '/gateId'],
    [{ qHash: '0x12' }, /qHash/, '/qHash'],
    [{ minBalance: '-1' }, /minBalance/, '/minBalance'],
    [{ minBalance: '1e3' }, /minBalance/, '/minBalance'],
    [{ namespace: 'A b' }, /namespace/, '/namespace'],
    [{ sanctioned: 'maybe' }, /sanctioned/, '/sanctioned'],
    [{ verificationMethod: '' }, /verificationMethod/, '/verificationMethod'],
    [{ verificationMethod: 'x'.repeat(257) }, /verificationMethod/, '/verificationMethod'],
    [{ traitPath: 'followers' }, /belong together/, '/traitGte'],
    [{ traitGte: 5 }, /belong together/, '/traitPath'],
    [{ tag: 'x', select: 'email' }, /select takes/, '/select'],
    [{ tag: 'x', subject: 'you' }, /subject/, '/subject'],
    [{ verifierIds: ',' }, /verifierIds is empty/, '/verifierIds'],
    // An empty value would ask for less than the caller means.
    [{ verifierId: 'nft-ownership', contractAddress: '' }, /contractAddress/, '/contractAddress'],
    [{ tags: Array.from({ length: 33 }, (_, at) => `t${at}`).join() }, /the limit is 32/, '/tags'],
  ])('%o', async (query, hint, at) => {
    const answer = await leavesNothing(world.app.parts, () => check(query))
    expectRefused(answer, 'VALIDATION_ERROR', hint)
    expect(answer.body.error.details.path).toBe(at)
  })

  test('a malformed address and a missing address', async () => {
    expectRefused(await check({ address: '0x12', tag: 'x' }), 'INVALID_WALLET_ADDRESS', /address/)
    expectRefused(await world.app.get('/api/v1/proofs/check?tag=x'), 'VALIDATION_ERROR', /address is missing/)
  })
})

test('data of a verifier can be looked up by each selective name that it declares', async () => {
  const { catalog, db } = world.app.parts
  const records = await select<{ record: string }>(db, 'SELECT record FROM proofs').all()
  const rows = records.flatMap(({ record }) => JSON.parse(record).rows)
  expect(new Set(rows.map(({ verifierId }) => verifierId)).size).toBe(12)
  for (const { verifierId, data } of rows)
    for (const name of [
      'contentHash',
      'handle',
      'domain',
      'contractAddress',
      'secondaryWalletAddress',
      'agentId',
      'agentWallet',
    ])
      if ((data.input ?? data)[name] !== undefined || data[name] !== undefined)
        expect({ verifierId, facts: catalog.known.get(verifierId)?.facts ?? [] }).toEqual({
          verifierId,
          facts: expect.arrayContaining([name]),
        })
  expect(
    listAskedFacts({ verifierIds: [], requireAll: false, conditions: [], tags: [] }, true, catalog.known),
  ).toBeUndefined()
})
