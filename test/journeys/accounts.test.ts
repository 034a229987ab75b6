/**
 * The chain of a contract wallet is part of its identity. Two contracts and a key with one address are three accounts.
 * Gate checks, purchases and lists keep them apart, however the request names the wallet.
 */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { contractWallet } from '../contract-wallet.ts'
import { putGate } from '../gates/fulfill-stage.ts'
import { startMcp, type TestMcp } from '../mcp/mcp.ts'
import type { Anvil } from '../parts/anvil.ts'
import type { Deployed } from '../parts/contracts/contracts.ts'
import { select } from '../parts/select.ts'
import { startTwinWallets, type TwinWallets } from '../twin-wallets.ts'
import { agent, alice, bob, evmWallet, mallory, type TestWallet } from '../wallets.ts'

const [hub, other] = ['eip155:84532', 'eip155:10']
const low = ({ address }: { readonly address: string }): string => address.toLowerCase()

let twins: TwinWallets
let app: TestMcp
/** One address, three accounts. */
let onHub: TestWallet
let onOther: TestWallet
/** At the address of Bob's key stands a contract of Mallory's on the other chain. */
let atBob: TestWallet

beforeAll(async () => {
  twins = await startTwinWallets(hub, other)
  ;({ ofAlice: onHub, ofMallory: onOther } = twins)
  app = await startMcp({
    PROOFGATE_LIMITS_ENABLED: 'false',
    PROOFGATE_LOG_LEVEL: 'error',
    ...twins.env,
  })
  await placeWallet(twins.anvils[1]!, twins.wallets[1]!, bob.address)
  atBob = contractWallet(low(bob), other, mallory)
})
afterAll(async () => {
  await app?.close()
  await twins?.stop()
})

/** The same contract wallet with the same signer at another address. */
async function placeWallet(anvil: Anvil, { address }: Deployed, at: string): Promise<void> {
  await anvil.rpc('anvil_setCode', [at, await anvil.publicClient.getCode({ address })])
  const signer = await anvil.publicClient.getStorageAt({ address, slot: '0x0' })
  await anvil.rpc('anvil_setStorageAt', [at, `0x${'0'.repeat(64)}`, signer])
}

const asListed = (tag: string) => ({ privacyLevel: 'public', publicDisplay: true, meta: { tags: [tag] } })
const check = async (address: string, query: string): Promise<boolean> => {
  const { status, body } = await app.get(`/api/v1/proofs/check?address=${encodeURIComponent(address)}&${query}`)
  expect(status).toBe(200)
  return body.data.eligible
}
const inBatch = async (address: string, query: object): Promise<boolean> =>
  (await app.post('/api/v1/proofs/check', { checks: [{ address, ...query }] })).body.data.results[0].data.eligible

describe('two contracts at one address', () => {
  let qHash: string
  let qHashOther: string
  beforeAll(async () => {
    qHash = await app.prove(onHub, asListed('of-alice'))
    qHashOther = await app.prove(onOther, asListed('of-mallory'))
    await putGate(app.parts, {
      gateId: 'both',
      requirements: [{ id: 'r1', verifierId: 'ownership-basic', minCount: 2 }],
    })
    await putGate(app.parts, { gateId: 'one-each', perWallet: 1 })
  })

  test.each([
    ['a DID', (chain: string) => `did:pkh:${chain}:${onHub.address}`],
    ['a CAIP-10 account', (chain: string) => `${chain}:${onHub.address}`],
    ['a CAIP-10 account in capitals', (chain: string) => `${chain}:${twins.wallets[0]!.address}`],
  ])('are told apart by %s', async (_, name) => {
    for (const [chain, own, foreign] of [
      [hub, 'of-alice', 'of-mallory'],
      [other, 'of-mallory', 'of-alice'],
    ] as const) {
      const address = name(chain)
      expect([await check(address, `tags=${own}`), await check(address, `tags=${foreign}`)]).toEqual([true, false])
      expect(await inBatch(address, { tags: own })).toBe(true)
      expect(await inBatch(address, { tags: foreign })).toBe(false)
    }
    expect(await check(name('eip155:1'), 'tags=of-alice')).toBe(false)
  })

  test('are never joined, by criteria or by a gate', async () => {
    for (const address of [onHub.address, `${hub}:${onHub.address}`, `did:pkh:${other}:${onHub.address}`]) {
      expect(await check(address, 'verifierIds=ownership-basic&minCount=2')).toBe(false)
      expect(await check(address, 'gateId=both')).toBe(false)
    }
    expect(await check(onHub.address, 'verifierIds=ownership-basic')).toBe(true)
  })

  test('share a bare address, which means the one on the hub chain', async () => {
    expect(await check(onHub.address, 'tags=of-alice')).toBe(true)
    expect(await check(onHub.address, 'tags=of-mallory')).toBe(false)
  })

  test('a proof that is named counts for its own account only', async () => {
    expect(await check(`${other}:${onHub.address}`, `qHash=${qHash}`)).toBe(false)
    expect(await check(`${hub}:${onHub.address}`, `qHash=${qHash}`)).toBe(true)
    expect(await check(onHub.address, `qHash=${qHashOther}`)).toBe(false)
    expect((await app.get(`/api/v1/proofs/check?qHash=${qHashOther}`)).body.data.eligible).toBe(true)
  })

  test('are listed apart', async () => {
    const listed = async (name: string): Promise<string[]> => {
      const { body } = await app.get(`/api/v1/proofs/by-wallet/${name}`)
      expect(body.data.totalCount).toBe(body.data.proofs.length)
      return body.data.proofs.map((proof: { qHash: string }) => proof.qHash)
    }
    expect(await listed(onHub.address)).toEqual([qHash])
    expect(await listed(`${hub}:${onHub.address}`)).toEqual([qHash])
    expect(await listed(`did:pkh:${other}:${onHub.address}`)).toEqual([qHashOther])
    expect(await listed(`did:pkh:eip155:1:${onHub.address}`)).toEqual([])
  })

  test('cannot read or check the other by signing for their own chain', async () => {
    const action = { action: 'gate_check_private_proofs', walletAddress: onHub.address }
    const { 'x-signature-method': _, ...headers } = await app.ownerHeaders(onOther, action)
    const about = `/api/v1/proofs/check?address=${hub}:${onHub.address}&includePrivate=true&tags=of-alice`
    expect((await app.get(about, headers)).status).toBe(403)
  })

  test('a model that names the chain is answered about that contract', async () => {
    const token = await app.tokenOf(bob, 'svc:core')
    const eligible = async (wallet: string): Promise<boolean> =>
      (await app.tool(token, 'svc_proofs_check', { wallet, verifiers: ['ownership-basic'], minCount: 2 })).data.eligible
    await app.prove(onOther, asListed('there'))
    expect(await eligible(`${other}:${onHub.address}`)).toBe(true)
    expect(await eligible(`did:pkh:${hub}:${onHub.address}`)).toBe(false)
    expect(await eligible(onHub.address)).toBe(false)
  })

  test('are two buyers, each with its own share, whom a DID names as well as the chain does', async () => {
    const buy = async (wallet: TestWallet, proof: string, walletAddress = wallet.address) => {
      app.wait(1)
      const { chain: _, ...signed } = await app.ownerBody(wallet, {
        action: 'fulfill_gate',
        gateId: 'one-each',
        qHash: proof,
      })
      return app.post('/api/v1/profile/gates/one-each/fulfill', { qHash: proof, ...signed, walletAddress })
    }
    const did = (chain: string) => `did:pkh:${chain}:${onHub.address}`
    expect((await buy(onHub, qHash, did(other))).status).toBe(403)
    const first = await buy(onHub, qHash, did(hub))
    expect([first.status, first.body.data.rewardProof.walletAddress]).toEqual([200, onHub.address])
    const second = await buy(onOther, qHashOther, did(other))
    expect(second.status).toBe(200)
    expect(second.body.data.rewardProof).toMatchObject({ walletAddress: onHub.address, contractOn: other })
    const more = await app.prove(onOther, asListed('more'))
    expect((await buy(onOther, more, did(other))).body.error.code).toBe('GATE_LIMIT_REACHED')
  })

  test('erase each its own purchases', async () => {
    const bought = async (): Promise<string[]> =>
      (await select<{ wallet: string }>(app.parts.db, 'SELECT wallet FROM fulfillments ORDER BY id').all()).map(
        ({ wallet }) => wallet,
      )
    expect(await bought()).toEqual([`${hub}:${onHub.address}`, `${other}:${onHub.address}`])
    app.wait(1)
    const erasing = await app.ownerBody(onOther, { action: 'erase_all_proofs', walletAddress: onOther.address })
    expect((await app.post('/api/v1/proofs/erase-all', erasing)).body.erasedCount).toBe(3)
    expect(await bought()).toEqual([`${hub}:${onHub.address}`])
    expect(await check(onHub.address, 'tags=of-alice')).toBe(true)
    expect(await check(`${other}:${onHub.address}`, 'tags=of-mallory')).toBe(false)
  })
})

describe('a key and a contract at one address', () => {
  test('do not count for each other, and a DID of the key counts on every chain where no contract has proofs', async () => {
    await app.prove(bob, asListed('of-bob'))
    expect(await check(`did:pkh:${other}:${low(bob)}`, 'tags=of-bob')).toBe(true)
    await app.prove(atBob, asListed('of-contract'))
    expect(await check(low(bob), 'tags=of-bob')).toBe(true)
    expect(await check(`did:pkh:${hub}:${low(bob)}`, 'tags=of-bob')).toBe(true)
    expect(await check(low(bob), 'tags=of-contract')).toBe(false)
    expect(await check(`did:pkh:${hub}:${low(bob)}`, 'tags=of-contract')).toBe(false)
    expect(await check(`${other}:${low(bob)}`, 'tags=of-contract')).toBe(true)
    expect(await check(`${other}:${low(bob)}`, 'tags=of-bob')).toBe(false)
  })

  test('the key neither reads nor revokes the proofs of the contract', async () => {
    const qHash = await app.prove(atBob, { privacyLevel: 'private' })
    const reading = await app.ownerHeaders(bob, { action: 'access_private_proof', qHash })
    expect((await app.get(`/api/v1/proofs/${qHash}`, reading)).body.data.walletAddress).toBeUndefined()
    app.wait(1)
    const revoking = await app.ownerBody(bob, { action: 'revoke_proof', qHash })
    expect((await app.post(`/api/v1/proofs/revoke-self/${qHash}`, revoking)).status).toBe(403)
  })
})

describe('a grant of a private proof', () => {
  /** One address again: Alice's contract on the hub chain, Mallory's on the other, and a key. */
  const key = evmWallet(`0x${'7'.repeat(64)}`)
  const atHub = contractWallet(low(key), hub, alice)
  const atOther = contractWallet(low(key), other, mallory)
  const viewers = { key, atHub, atOther }
  let qHash: string
  beforeAll(async () => {
    await placeWallet(twins.anvils[0]!, twins.wallets[0]!, key.address)
    await placeWallet(twins.anvils[1]!, twins.wallets[1]!, key.address)
    qHash = await app.prove(bob, { privacyLevel: 'private' })
  })

  const path = '/api/v1/verification/access'
  const grant = async (viewerWallet: string): Promise<string> => {
    app.wait(1)
    const terms = { qHash, viewerWallet, expiresInSeconds: 900 }
    const { walletAddress, ...signed } = await app.ownerBody(bob, { action: 'grant_proof_access', ...terms })
    const { status, body } = await app.post(`${path}/grant`, { ...terms, ownerWallet: walletAddress, ...signed })
    expect([status, body.error]).toEqual([200, undefined])
    return body.data.viewerWallet
  }
  const withdraw = async (viewerWallet: string): Promise<boolean> => {
    app.wait(1)
    const terms = { qHash, viewerWallet }
    const { walletAddress, ...signed } = await app.ownerBody(bob, { action: 'withdraw_proof_access', ...terms })
    return (await app.post(`${path}/withdraw`, { ...terms, ownerWallet: walletAddress, ...signed })).body.data.wasShared
  }
  const list = async (): Promise<string[]> => {
    app.wait(1)
    const { 'x-signature-method': _, ...headers } = await app.ownerHeaders(bob, { action: 'list_proof_access', qHash })
    const { body } = await app.get(`${path}/${qHash}`, headers)
    return body.data.grants.map(({ viewerWallet }: { viewerWallet: string }) => viewerWallet)
  }
  const readers = async (): Promise<string[]> => {
    const found: string[] = []
    for (const [name, wallet] of Object.entries(viewers)) {
      app.wait(1)
      const action = { action: 'access_private_proof', qHash }
      const { 'x-signature-method': _, ...headers } = await app.ownerHeaders(wallet, action)
      if ((await app.get(`/api/v1/proofs/${qHash}`, headers)).body.data.verifiedVerifiers) found.push(name)
    }
    return found
  }

  test('is for the key where nothing is known of a contract', async () => {
    for (const name of [low(key), `${other}:${low(key)}`, `did:pkh:${hub}:${low(key)}`]) {
      expect(await grant(name)).toBe(low(key))
      expect(await readers()).toEqual(['key'])
      expect(await withdraw(name)).toBe(true)
    }
  })

  test('is for a contract that has signed in, though it has no proofs', async () => {
    await app.signIn(atHub, hub)
    expect(await grant(`did:pkh:${hub}:${low(key)}`)).toBe(`${hub}:${low(key)}`)
    expect(await readers()).toEqual(['atHub'])
    expect(await withdraw(`${hub}:${low(key)}`)).toBe(true)
  })

  test.each([
    ['a DID', `did:pkh:${other}:${low(key)}`],
    ['a CAIP-10 account', `${other}:${low(key)}`],
    ['a CAIP-10 account in capitals', `${other}:${key.address}`],
  ])('opens it to the contract on the chain that %s names, and to nobody else at its address', async (_, name) => {
    await app.prove(atOther, asListed('viewer'))
    expect(await grant(name)).toBe(`${other}:${low(key)}`)
    expect(await readers()).toEqual(['atOther'])
    expect(await list()).toEqual([`${other}:${low(key)}`])
    expect(await withdraw((await list())[0]!)).toBe(true)
    expect([await readers(), await list()]).toEqual([[], []])
  })

  test('by a bare address is for the contract on the hub chain until the key has proofs, and then for the key', async () => {
    await app.prove(atHub, asListed('viewer'))
    expect(await grant(low(key))).toBe(`${hub}:${low(key)}`)
    expect(await readers()).toEqual(['atHub'])
    await app.prove(key, asListed('viewer'))
    expect(await grant(low(key))).toBe(low(key))
    expect(await readers()).toEqual(['key', 'atHub'])
  })

  test('is withdrawn in its listed spelling, whichever account has made proofs since', async () => {
    expect(await withdraw(low(key))).toBe(true)
    expect(await readers()).toEqual(['atHub'])
    expect(await withdraw(low(key))).toBe(true)
    expect([await readers(), await list()]).toEqual([[], []])
    expect(await withdraw(low(key))).toBe(false)
  })

  test('ends with the erasure of its own account, and not with that of another at its address', async () => {
    for (const name of [low(key), `${hub}:${low(key)}`, `${other}:${low(key)}`]) await grant(name)
    expect(await readers()).toEqual(['key', 'atHub', 'atOther'])
    const erase = async (wallet: TestWallet) => {
      app.wait(1)
      const erasing = await app.ownerBody(wallet, { action: 'erase_all_proofs', walletAddress: low(wallet) })
      expect((await app.post('/api/v1/proofs/erase-all', erasing)).status).toBe(200)
      return (await list()).sort()
    }
    expect(await erase(atOther)).toEqual([low(key), `${hub}:${low(key)}`])
    expect(await erase(key)).toEqual([`${hub}:${low(key)}`])
    expect(await readers()).toEqual(['atHub'])
    expect(await erase(atHub)).toEqual([])
  })

  test.each(['eip155:010:', 'did:pkh:eip155:0:', 'did:web:'])(
    'is refused for a malformed account: %s…',
    async (start) => {
      app.wait(1)
      const terms = { qHash, viewerWallet: `${start}${low(key)}`, expiresInSeconds: 900 }
      const { walletAddress, ...signed } = await app.ownerBody(bob, { action: 'grant_proof_access', ...terms })
      const { status, body } = await app.post(`${path}/grant`, { ...terms, ownerWallet: walletAddress, ...signed })
      expect([status, body.error.code, body.error.details.path]).toEqual([
        400,
        'INVALID_WALLET_ADDRESS',
        '/viewerWallet',
      ])
    },
  )
})

describe('a check that asks about the wallet of an agent', () => {
  const eligible = async (name: string, value: string): Promise<boolean> => check(low(alice), `${name}=${value}`)
  beforeAll(async () => {
    app.wait(1)
    const { status, body } = await app.submit(alice, {
      verifierIds: ['agent-delegation'],
      data: {
        controllerWallet: alice.address,
        agentWallet: onHub.address,
        agentChainRef: other,
        scope: 'global',
        permissions: ['publish'],
      },
      options: asListed('delegated'),
    })
    expect([status, body.error]).toEqual([200, undefined])
    for (const [gateId, chain] of [
      ['delegates', other],
      ['delegates-not', hub],
    ] as const)
      await putGate(app.parts, {
        gateId,
        requirements: [
          {
            id: 'r1',
            verifierId: 'agent-delegation',
            match: [{ path: 'agentWallet', op: 'eq', value: `did:pkh:${chain}:${onHub.address}` }],
          },
        ],
      })
  })

  test.each([
    ['a CAIP-10 account', ''],
    ['a DID', 'did:pkh:'],
  ])('takes %s for the account on that chain', async (_, start) => {
    // By a bare address it is the key, or the contract on the hub chain.
    expect(await eligible('agentWallet', onHub.address)).toBe(false)
    expect(await eligible('agentWallet', `${start}${other}:${onHub.address}`)).toBe(true)
    expect(await eligible('agentWallet', `${start}${other}:${twins.wallets[0]!.address}`)).toBe(true)
    expect(await eligible('agentWallet', `${start}${hub}:${onHub.address}`)).toBe(false)
    expect(await eligible('controllerWallet', `${start}${hub}:${low(alice)}`)).toBe(true)
    expect(await eligible('controllerWallet', `${start}${other}:${low(alice)}`)).toBe(false)
    expect(await inBatch(low(alice), { agentWallet: `${start}${other}:${onHub.address}` })).toBe(true)
  })

  test('agrees with a gate that names it in this way', async () => {
    const isAdmitted = async (gateId: string): Promise<boolean> =>
      (await app.get(`/api/v1/proofs/check?gateId=${gateId}&address=${low(alice)}`)).body.data.gate.allRequiredSatisfied
    expect([await isAdmitted('delegates'), await isAdmitted('delegates-not')]).toEqual([true, false])
  })

  test.each([
    ['ownerAddress', hub, /bare address/],
    ['ownerAddress', `did:pkh:${hub}`, /bare address/],
    ['contractAddress', hub, /chainId/],
    ['agentWallet', 'eip155:010', /CAIP-10/],
    ['secondaryWalletAddress', 'did:web', /CAIP-10/],
  ])('refuses %s with %s before the address, which it could not compare', async (name, start, message) => {
    const { status, body } = await app.get(
      `/api/v1/proofs/check?address=${low(alice)}&${name}=${start}:${onHub.address}`,
    )
    expect([status, body.error?.code, body.error?.details.path]).toEqual([400, 'INVALID_WALLET_ADDRESS', `/${name}`])
    expect(body.error.message).toMatch(message)
  })
})

test('an account that runs the code of a contract (EIP-7702) and signs with its key is that key on every chain', async () => {
  await twins.anvils[0]!.rpc('anvil_setCode', [agent.address, `0xef0100${low(twins.wallets[0]!).slice(2)}`])
  await app.prove(agent, asListed('of-agent'))
  for (const name of [low(agent), `${hub}:${low(agent)}`, `did:pkh:${other}:${low(agent)}`])
    expect(await check(name, 'tags=of-agent')).toBe(true)
})

test.each(['eip155:010:0x', 'did:pkh:eip155:0:0x', 'eip155:x:0x', 'did:web:0x'])(
  'a wallet is refused that names no chain: %s…',
  async (start) => {
    const { status, body } = await app.get(`/api/v1/proofs/check?address=${start}${'ab'.repeat(20)}&tags=x`)
    expect([status, body.error.code, body.error.details.path]).toEqual([400, 'INVALID_WALLET_ADDRESS', '/address'])
  },
)
