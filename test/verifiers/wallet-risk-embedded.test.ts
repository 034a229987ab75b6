/** wallet-risk over HTTP with the embedded provider: a real chain, an oracle on it, and the operator's list. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Hex } from 'viem'
import { startApp, type TestApp } from '../app.ts'
import { expectRefused, leavesNothing } from '../http/refused.ts'
import { type Anvil, startAnvil } from '../parts/anvil.ts'
import { type Deployed, deploy } from '../parts/contracts/contracts.ts'
import { temporaryFolder } from '../parts/folders.ts'
import { alice, bob, mallory, sol } from '../wallets.ts'
import { asking, evidenceIn, failed } from './ask.ts'

const id = 'wallet-risk'
const folder = temporaryFolder()
const denyList = join(folder, 'deny.txt')
let anvil: Anvil
let oracle: Deployed
let env: Record<string, string>
let app: TestApp
let ask: ReturnType<typeof asking>

beforeAll(async () => {
  anvil = await startAnvil({ chainId: 8453 })
  oracle = await deploy(anvil, 'SanctionsOracle')
  env = {
    PROOFGATE_LIMITS_ENABLED: 'false',
    PROOFGATE_CHAINS_BASE_CHAIN: 'eip155:8453',
    PROOFGATE_CHAINS_BASE_RPC: anvil.url,
    PROOFGATE_CHAINS_BASE_SANCTIONS_ORACLE: oracle.address,
  }
  app = await startApp(env)
  ask = asking(app, id)
  await anvil.send({ to: alice.address as Hex, value: 1n })
})
afterAll(async () => {
  await anvil?.stop()
})

const on = (wallet: { readonly address: string }, chain = 'base') => ({ walletAddress: wallet.address, chain })

describe('wallet-risk with the embedded provider', () => {
  test('holds for a wallet in use, and names the block and the provider', async () => {
    const answer = await ask(alice, on(alice))
    const blockNumber = Number(await anvil.publicClient.getBlockNumber())
    expect(evidenceIn(answer)).toEqual({
      input: { walletAddress: alice.address.toLowerCase(), chain: 'base', chainId: 8453, provider: 'embedded' },
      provider: 'embedded',
      chosenByCaller: false,
      asked: [
        {
          provider: 'embedded',
          answered: true,
          overallRisk: 0,
          riskLevel: 'low',
          sanctioned: false,
          poisoned: false,
          checked: ['sanctions', 'activity'],
        },
      ],
      overallRisk: 0,
      riskLevel: 'low',
      sanctioned: false,
      poisoned: false,
      policyVerified: true,
      checked: ['sanctions', 'activity'],
      issues: [],
      sources: ['chains.base.rpc[0]'],
      blockNumber,
      blocks: [{ chain: 'eip155:8453', blockNumber }],
      verificationTimestamp: app.now(),
    })
  })

  test('holds for a fresh wallet at the standard limit, and not below it', async () => {
    expect(evidenceIn(await ask(bob, on(bob)))).toMatchObject({
      riskLevel: 'medium',
      overallRisk: 40,
      issues: [{ tag: 'fresh_wallet', severity: 'medium' }],
    })
    const strict = await startApp({ ...env, PROOFGATE_RISK_MAX_LEVEL: 'low' })
    expect(await asking(strict, id)(bob, on(bob))).toMatchObject(failed(id, 'RISK_TOO_HIGH'))
    expect((await asking(strict, id)(alice, on(alice))).status).toBe(200)
  })

  test('fails once the oracle names the wallet, and holds again when it does not', async () => {
    await oracle.write('set', [alice.address, true])
    const answer = await leavesNothing(app.parts, () => ask(alice, on(alice)))
    expect(answer).toMatchObject(failed(id, 'WALLET_SANCTIONED'))
    await oracle.write('set', [alice.address, false])
    expect((await ask(alice, on(alice))).status).toBe(200)
  })

  test('holds for a contract as the subject, and says that it is one', async () => {
    const subject = { address: oracle.address }
    const answer = await ask(mallory, on(subject), { subjectWallet: oracle.address })
    expect(evidenceIn(answer)).toMatchObject({ riskLevel: 'low', issues: [{ tag: 'contract', severity: 'low' }] })
  })

  test('refuses a chain that is not configured where it knows no sanctions, with the chains that are', async () => {
    const bare = await startApp({ ...env, PROOFGATE_CHAINS_BASE_SANCTIONS_ORACLE: '' })
    for (const claim of [{ chainId: 1 }, { chainId: 56 }, { chain: 'eth' }, {}]) {
      const data = { walletAddress: alice.address, ...claim }
      const answer = await leavesNothing(bare.parts, () => asking(bare, id)(alice, data))
      expectRefused(answer, 'INVALID_VERIFIER_DATA', /(eth|bsc) is not one of them: name one of base .*risk\.deny_list/)
      expect(answer.body.error.details.reason).toBe('CHAIN_NOT_COVERED')
    }
  })

  test('refuses a wallet of another network without a list, and judges it by the list with one', async () => {
    const refusal = await leavesNothing(app.parts, () => ask(sol, on(sol, 'sol')))
    expectRefused(refusal, 'INVALID_VERIFIER_DATA', /risk\.deny_list/)

    writeFileSync(denyList, '')
    const listing = await startApp({ ...env, PROOFGATE_RISK_DENY_LIST: denyList })
    expect(evidenceIn(await asking(listing, id)(sol, on(sol, 'sol')))).toMatchObject({
      riskLevel: 'low',
      checked: ['sanctions'],
      sources: ['risk.deny_list'],
    })
    writeFileSync(denyList, sol.address)
    expect(await asking(listing, id)(sol, on(sol, 'sol'))).toMatchObject(failed(id, 'WALLET_SANCTIONED'))
  })

  test('gives 503 when the chain does not answer, and stores no proof', async () => {
    const cut = await startApp({ ...env, PROOFGATE_CHAINS_BASE_RPC: 'http://127.0.0.1:9' })
    const answer = await leavesNothing(cut.parts, () => asking(cut, id)(alice, on(alice)))
    expectRefused(answer, 'VERIFIER_UNAVAILABLE', /chains\.base\.rpc\[0\]/)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('gives 503 when the oracle is not a contract, and stores no proof', async () => {
    const wrong = await startApp({ ...env, PROOFGATE_CHAINS_BASE_SANCTIONS_ORACLE: alice.address })
    const answer = await leavesNothing(wrong.parts, () => asking(wrong, id)(alice, on(alice)))
    expectRefused(answer, 'VERIFIER_UNAVAILABLE', /chains\.base\.sanctions_oracle/)
  })
})

describe('a chain that is not configured, which clients fill in', () => {
  const elsewhere = { walletAddress: alice.address, chainId: 1 }
  const publicly = { options: { privacyLevel: 'public' } }

  test('is answered by the oracles of other chains, and the evidence names who was asked, who was unavailable, and why', async () => {
    const answer = await ask(alice, elsewhere, publicly)
    const evidence = evidenceIn(answer)
    const blockNumber = Number(await anvil.publicClient.getBlockNumber())
    const asked = {
      provider: 'embedded',
      answered: true,
      checked: ['sanctions'],
      chains: ['base'],
      notAsked: [{ chain: 'eth', reason: 'CHAIN_NOT_CONFIGURED' }],
    }
    expect(evidence).toEqual({
      input: { walletAddress: alice.address.toLowerCase(), chain: 'eth', chainId: 1, provider: 'embedded' },
      provider: 'embedded',
      chosenByCaller: false,
      asked: [{ ...asked, overallRisk: 0, riskLevel: 'low', sanctioned: false, poisoned: false }],
      overallRisk: 0,
      riskLevel: 'low',
      sanctioned: false,
      poisoned: false,
      policyVerified: true,
      checked: ['sanctions'],
      issues: [],
      sources: ['chains.base.rpc[0]'],
      blocks: [{ chain: 'eip155:8453', blockNumber }],
      verificationTimestamp: app.now(),
    })
    const shown = await app.get(`/api/v1/proofs/${answer.body.data.qHash}`)
    expect(shown.body.data.verifiedVerifiers[0].data.asked).toEqual([asked])
  })

  test('has sanctions that gates count, no level, and no judge of that chain', async () => {
    await ask(alice, elsewhere, publicly)
    const eligible = async (query: string) =>
      (await app.get(`/api/v1/proofs/check?address=${alice.address}&verifierId=${id}&chainId=1&${query}`)).body.data
        .eligible
    expect([
      await eligible('sanctioned=false'),
      await eligible('riskLevel=low'),
      await eligible('provider=embedded'),
    ]).toEqual([true, false, false])
  })

  test.each([{ chainId: 1 }, { chainId: 137 }, { chain: 'arb' }, {}])(
    'does not bypass an oracle: %o',
    async (named) => {
      await oracle.write('set', [alice.address, true])
      const answer = await leavesNothing(app.parts, () => ask(alice, { walletAddress: alice.address, ...named }))
      expect(answer).toMatchObject(failed(id, 'WALLET_SANCTIONED'))
      await oracle.write('set', [alice.address, false])
    },
  )

  test('does not bypass an oracle that does not answer: 503', async () => {
    const cut = await startApp({ ...env, PROOFGATE_CHAINS_BASE_RPC: 'http://127.0.0.1:9' })
    const answer = await leavesNothing(cut.parts, () => asking(cut, id)(alice, elsewhere))
    expectRefused(answer, 'VERIFIER_UNAVAILABLE', /chains\.base\.rpc\[0\]/)
  })

  test('is answered by the operator’s list alone where no oracle exists, and no chain is asked', async () => {
    writeFileSync(denyList, bob.address)
    const listing = await startApp({
      ...env,
      PROOFGATE_RISK_DENY_LIST: denyList,
      PROOFGATE_CHAINS_BASE_SANCTIONS_ORACLE: '',
      PROOFGATE_CHAINS_BASE_RPC: 'http://127.0.0.1:9',
    })
    const evidence = evidenceIn(await asking(listing, id)(alice, elsewhere))
    expect(evidence).toMatchObject({ checked: ['sanctions'], sources: ['risk.deny_list'] })
    expect(evidence.asked).toEqual([
      {
        provider: 'embedded',
        answered: true,
        overallRisk: 0,
        riskLevel: 'low',
        sanctioned: false,
        poisoned: false,
        checked: [],
        chains: [],
        notAsked: [{ chain: 'eth', reason: 'CHAIN_NOT_CONFIGURED' }],
      },
    ])
    const listed = await leavesNothing(listing.parts, () =>
      asking(listing, id)(bob, { walletAddress: bob.address, chainId: 1 }),
    )
    expect(listed).toMatchObject(failed(id, 'WALLET_SANCTIONED'))
  })

  test('does not bypass a limit that depends on a chain: the answer names a usable chain', async () => {
    const strict = await startApp({ ...env, PROOFGATE_RISK_MAX_LEVEL: 'low' })
    expect(await asking(strict, id)(bob, on(bob))).toMatchObject(failed(id, 'RISK_TOO_HIGH'))
    const answer = await leavesNothing(strict.parts, () =>
      asking(strict, id)(bob, { walletAddress: bob.address, chainId: 1 }),
    )
    expectRefused(answer, 'INVALID_VERIFIER_DATA', /risk\.max_level is low.*name one of base/)
  })

  test('is refused when no setting names it, and may be left out', async () => {
    const answer = await leavesNothing(app.parts, () => ask(alice, { walletAddress: alice.address, chainId: 99_999 }))
    expectRefused(answer, 'INVALID_VERIFIER_DATA', /nobody here knows the chain eip155:99999: leave chainId out/)
    expect((await ask(alice, { walletAddress: alice.address })).status).toBe(200)
  })
})

test('wallet-risk is absent without any configuration, and the answer names the settings that bring it', async () => {
  const bare = await startApp()
  const answer = await asking(bare, id)(alice, { walletAddress: alice.address, chainId: 1 })
  expectRefused(answer, 'VERIFIER_NOT_FOUND', /risk\.deny_list.*\[chains\.<name>\].*sanctions_oracle/)
})
