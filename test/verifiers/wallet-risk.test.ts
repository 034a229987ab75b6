/** wallet-risk over HTTP, with cloud providers behind it. On chains: wallet-risk-embedded.test.ts. */
import { afterEach, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { walletRisk } from '../../src/verifiers/wallet-risk/rule.ts'
import { startApp } from '../app.ts'
import { expectRefused, leavesNothing } from '../http/refused.ts'
import { webacyAt } from '../outside/risk/opened.ts'
import { temporaryFolder } from '../parts/folders.ts'
import { type Fault, goplusSays, startGoplus, startWebacy, webacySays } from '../parts/risk-providers.ts'
import { alice, bob, mallory, sol } from '../wallets.ts'
import { asking, evidenceIn, failed, refused } from './ask.ts'

const id = 'wallet-risk'
const webacy = startWebacy()
const goplus = startGoplus()
const folder = temporaryFolder()
const denyList = join(folder, 'deny.txt')
writeFileSync(denyList, '')

const env = {
  PROOFGATE_LIMITS_ENABLED: 'false',
  PROOFGATE_OUTSIDE_ATTEMPTS: '1',
  PROOFGATE_RISK_DENY_LIST: denyList,
  PROOFGATE_RISK_SELECTABLE: 'goplus',
  PROOFGATE_RISK_GOPLUS_URL: goplus.url,
  ...webacyAt(webacy.url),
}
const app = await startApp(env)
const ask = asking(app, id)
const plain = alice.address.toLowerCase()
const mixer = { tag: 'mixer', severity: 'medium', description: 'Has used a mixer' }

afterEach(() => {
  webacy.fault = undefined
  webacy.says.clear()
  webacy.sanctioned.clear()
  webacy.asked.length = 0
  goplus.says.clear()
  writeFileSync(denyList, '')
})

describe('wallet-risk (src/guides/wire.md, "wallet-risk") holds', () => {
  test('for a harmless wallet, with what the SDK sends: the wallet in checksum case, and chain 1', async () => {
    webacy.says.set(plain, webacySays(30.5, [mixer]))
    const answer = await ask(alice, { walletAddress: alice.address, chainId: 1 })
    expect(answer.status).toBe(200)
    expect(answer.body.data.verifiedVerifiers[0]).toMatchObject({ verified: true, status: 'wallet_risk_verified' })
    expect(evidenceIn(answer)).toEqual({
      input: { walletAddress: plain, chain: 'eth', chainId: 1, provider: 'webacy' },
      provider: 'webacy',
      chosenByCaller: false,
      asked: [
        {
          provider: 'webacy',
          answered: true,
          overallRisk: 30.5,
          riskLevel: 'medium',
          sanctioned: false,
          poisoned: false,
          checked: ['sanctions', 'activity', 'poisoning'],
        },
      ],
      overallRisk: 30.5,
      riskLevel: 'medium',
      sanctioned: false,
      poisoned: false,
      policyVerified: true,
      checked: ['sanctions', 'activity', 'poisoning'],
      issues: [mixer],
      sources: ['risk.deny_list', 'risk.webacy'],
      verificationTimestamp: app.now(),
    })
  })

  test.each<[string, object, object, string]>([
    ['eth when nothing is said', {}, { chain: 'eth', chainId: 1 }, 'eth'],
    ['a chain by its name', { chain: 'base' }, { chain: 'base', chainId: 8453 }, 'base'],
    ['a chain by its id', { chainId: 8453 }, { chain: 'base', chainId: 8453 }, 'base'],
    ['a chain by both', { chain: 'bsc', chainId: 56 }, { chain: 'bsc', chainId: 56 }, 'bsc'],
    ['Polygon by its id', { chainId: 137 }, { chain: 'pol', chainId: 137 }, 'pol'],
    ['Optimism by its id', { chainId: 10 }, { chain: 'opt', chainId: 10 }, 'opt'],
    ['Arbitrum by its id', { chainId: 42_161 }, { chain: 'arb', chainId: 42_161 }, 'arb'],
    ['Sei, for an EVM wallet', { chain: 'sei' }, { chain: 'sei', chainId: 1329 }, 'sei'],
  ])('on %s', async (_, named, input, asked) => {
    const answer = await ask(alice, { walletAddress: alice.address, ...named })
    expect(evidenceIn(answer).input).toMatchObject(input)
    expect(webacy.asked).toContain(`/addresses/${plain}?chain=${asked}`)
  })

  test('by another provider, when the request names one that is free to choose', async () => {
    goplus.says.set(plain, goplusSays({ gas_abuse: '1' }))
    const answer = await ask(alice, { walletAddress: alice.address, provider: 'goplus' })
    expect(evidenceIn(answer)).toMatchObject({
      input: { provider: 'goplus' },
      provider: 'goplus',
      chosenByCaller: true,
      asked: [{ provider: 'goplus', answered: true }],
      riskLevel: 'medium',
      overallRisk: 45,
      checked: ['sanctions', 'activity'],
    })
    expect(webacy.asked).toEqual([])
  })

  test('for a poisoned wallet, with that flag: gates decide', async () => {
    webacy.says.set(plain, webacySays(20, [{ tag: 'address_poisoning' }]))
    expect(evidenceIn(await ask(alice, { walletAddress: alice.address }))).toMatchObject({ poisoned: true })
  })

  test('for the wallet of another person, named as the subject', async () => {
    webacy.says.set(bob.address.toLowerCase(), webacySays(7))
    const answer = await ask(alice, { walletAddress: bob.address }, { subjectWallet: bob.address })
    expect(evidenceIn(answer)).toMatchObject({ overallRisk: 7, input: { walletAddress: bob.address.toLowerCase() } })
    expect(answer.body.data.subjectWallet).toBe(bob.address.toLowerCase())
  })

  test('for a Solana wallet that signs for itself', async () => {
    const answer = await ask(sol, { walletAddress: sol.address, chain: 'sol' })
    expect(evidenceIn(answer).input).toEqual({ walletAddress: sol.address, chain: 'sol', provider: 'webacy' })
  })

  test.each([
    ['btc', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
    ['ton', 'Ef_8uRo6OBbQ97jCx2EIuKm8Wmt6Vb15-KsQHFLbKSMiYIny'],
    ['sui', `0x${'ab'.repeat(32)}`],
    ['stellar', 'GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7'],
  ])('for a wallet of %s as the subject', async (chain, address) => {
    const answer = await ask(alice, { walletAddress: address, chain }, { subjectWallet: address })
    expect(evidenceIn(answer)).toMatchObject({ input: { walletAddress: address, chain }, riskLevel: 'low' })
  })

  test('leaving out the descriptions when the request wants no details', async () => {
    webacy.says.set(plain, webacySays(30, [mixer]))
    const answer = await ask(alice, { walletAddress: alice.address, includeDetails: false })
    expect(evidenceIn(answer).issues).toEqual([{ tag: 'mixer', severity: 'medium' }])
  })

  test('with public evidence that gates match, without the words of the provider', async () => {
    webacy.says.set(plain, webacySays(30, [mixer]))
    const answer = await ask(alice, { walletAddress: alice.address }, { options: { privacyLevel: 'public' } })
    const { body } = await app.get(`/api/v1/proofs/${answer.body.data.qHash}`)
    expect(body.data.verifiedVerifiers[0].data).toEqual({
      ...evidenceIn(answer),
      issues: [{ tag: 'mixer', severity: 'medium' }],
      asked: [{ provider: 'webacy', answered: true, checked: ['sanctions', 'activity', 'poisoning'] }],
    })
    expect(JSON.stringify(body)).not.toContain(mixer.description)
  })

  test('once per wallet and chain: a later proof takes the place of the earlier one', async () => {
    const one = evidenceIn(await ask(alice, { walletAddress: alice.address }))
    const later = evidenceIn(await ask(alice, { walletAddress: plain, provider: 'goplus' }))
    const elsewhere = evidenceIn(await ask(alice, { walletAddress: alice.address, chain: 'base' }))
    expect(walletRisk.writeScope(later)).toBe(walletRisk.writeScope(one))
    expect(walletRisk.writeScope(elsewhere)).not.toBe(walletRisk.writeScope(one))
  })
})

describe('wallet-risk fails', () => {
  test('for a sanctioned wallet, and names the provider', async () => {
    webacy.sanctioned.add(plain)
    const answer = await leavesNothing(app.parts, () => ask(alice, { walletAddress: alice.address }))
    expect(answer).toMatchObject(failed(id, 'WALLET_SANCTIONED'))
    expect(answer.body.error.message).toContain('risk.webacy')
  })

  test('for a wallet above risk.max_level, with its level and the limit', async () => {
    webacy.says.set(plain, webacySays(50.1))
    const answer = await leavesNothing(app.parts, () => ask(alice, { walletAddress: alice.address }))
    expect(answer).toMatchObject(failed(id, 'RISK_TOO_HIGH'))
    expect(answer.body.error.message).toMatch(/is high \(50\.1 of 100, says webacy\).*up to medium/)
  })

  test('for another wallet than the signer, unless it is the subject', async () => {
    const answer = await ask(alice, { walletAddress: bob.address })
    expect(answer).toMatchObject(failed(id, 'WALLET_MISMATCH'))
    expect(webacy.asked).toEqual([])
    expect(await ask(alice, { walletAddress: alice.address }, { subjectWallet: bob.address })).toMatchObject(
      failed(id, 'WALLET_MISMATCH'),
    )
  })

  test.each(['eip155:8453', 'did:pkh:eip155:8453'])('for a subject that is named with a chain: %s', async (chain) => {
    const answer = await ask(mallory, { walletAddress: alice.address }, { subjectWallet: `${chain}:${alice.address}` })
    expect(answer.body.error).toMatchObject({
      code: 'INVALID_WALLET_ADDRESS',
      message: expect.stringContaining('without a chain'),
      details: { path: '/subjectWallet' },
    })
  })

  test('as soon as the operator’s list names the wallet, whatever the provider thinks, and no longer', async () => {
    const statuses: number[] = []
    const submit = async () => statuses.push((await ask(mallory, { walletAddress: mallory.address })).status)
    await submit()
    writeFileSync(denyList, `# since today\n${mallory.address} # as a test\n`)
    webacy.asked.length = 0
    await submit()
    expect(webacy.asked).toEqual([])
    writeFileSync(denyList, '')
    await submit()
    expect(statuses).toEqual([200, 400, 200])
  })

  test('next to a claim that holds: its row does not count as verified', async () => {
    webacy.sanctioned.add(plain)
    const answer = await app.submit(alice, {
      verifierIds: [id, 'ownership-basic'],
      data: { [id]: { walletAddress: alice.address }, 'ownership-basic': { owner: alice.address, content: 'x' } },
      options: { privacyLevel: 'public' },
    })
    expect(answer.body.status).toBe('partially_verified')
    const seen = await app.get(`/api/v1/proofs/${answer.body.data.qHash}`)
    for (const { body } of [answer, seen]) {
      const [row] = body.data.verifiedVerifiers
      expect(row).toMatchObject({ verified: false, data: { reason: 'WALLET_SANCTIONED' } })
      expect(row.data.policyVerified).toBeUndefined()
    }
  })
})

describe('risk.max_level', () => {
  test.each<[string, number, string | undefined]>([
    ['low', 23, undefined],
    ['low', 23.1, 'RISK_TOO_HIGH'],
    ['medium', 50, undefined],
    ['medium', 51, 'RISK_TOO_HIGH'],
    ['high', 100, undefined],
    ['critical', 100, undefined],
  ])('%s with a risk of %p', async (level, overallRisk, reason) => {
    webacy.says.set(plain, webacySays(overallRisk))
    const strict = await startApp({ ...env, PROOFGATE_RISK_MAX_LEVEL: level })
    const answer = await asking(strict, id)(alice, { walletAddress: alice.address })
    expect(answer.body.error?.details.reason).toBe(reason)
    expect(answer.status).toBe(reason ? 400 : 200)
  })

  test('critical lets no sanctioned wallet in', async () => {
    webacy.sanctioned.add(plain)
    const lax = await startApp({ ...env, PROOFGATE_RISK_MAX_LEVEL: 'critical' })
    expect(await asking(lax, id)(alice, { walletAddress: alice.address })).toMatchObject(
      failed(id, 'WALLET_SANCTIONED'),
    )
  })
})

describe('wallet-risk refuses', () => {
  const wallet = alice.address
  test.each<[string, object, string, RegExp]>([
    ['no wallet', {}, '/walletAddress', /is missing/],
    ['a name', { walletAddress: 'alice.near' }, '/walletAddress', /must be/],
    ['an address cut short', { walletAddress: wallet.slice(0, -1) }, '/walletAddress', /must be/],
    ['a CAIP-2 id for a chain', { walletAddress: wallet, chain: 'eip155:1' }, '/chain', /one of eth, base/],
    ['a chain of nobody', { walletAddress: wallet, chain: 'doge' }, '/chain', /one of eth, base/],
    ['a chain id of 0', { walletAddress: wallet, chainId: 0 }, '/chainId', /must be at least 1/],
    [
      'a chain id in words',
      { walletAddress: wallet, chainId: '1' },
      '/chainId',
      /must be a whole number, and is a text/,
    ],
    ['a provider of nobody', { walletAddress: wallet, provider: 'oracle' }, '/provider', /one of embedded, webacy/],
    [
      'details in words',
      { walletAddress: wallet, includeDetails: 'yes' },
      '/includeDetails',
      /must be true or false, and is a text/,
    ],
    ['two chains', { walletAddress: wallet, chain: 'eth', chainId: 8453 }, '/chainId', /is eth, but .* of base/],
    ['a chain id beside Solana', { walletAddress: sol.address, chain: 'sol', chainId: 1 }, '/chainId', /is sol/],
    ['an EVM wallet on Solana', { walletAddress: wallet, chain: 'sol' }, '/walletAddress', /no.* address of sol/],
    ['a Solana wallet on eth', { walletAddress: sol.address, chain: 'eth' }, '/walletAddress', /address of eth/],
    ['a Solana wallet without its chain', { walletAddress: sol.address }, '/chain', /which network/],
  ])('%s', async (_, data, path, hint) => {
    const answer = await leavesNothing(app.parts, () => ask(alice, data))
    expect(answer).toMatchObject(refused(id, path))
    expect(answer.body.error.message).toMatch(hint)
  })

  test.each([
    ['chainalysis', 'risk.chainalysis.api_key', env],
    ['goplus', 'risk.goplus.enabled', { ...env, PROOFGATE_RISK_SELECTABLE: '' }],
    ['webacy', 'risk.webacy.api_key', { ...env, PROOFGATE_RISK_PROVIDER: 'goplus', PROOFGATE_RISK_WEBACY_API_KEY: '' }],
  ])(
    '%s where it is not configured: it names the missing settings, and the judges',
    async (provider, setting, settings) => {
      const other = await startApp(settings)
      const answer = await asking(other, id)(alice, { walletAddress: wallet, provider })
      expect(answer).toMatchObject(refused(id, '/provider'))
      expect(answer.body.error.message).toContain(setting)
      expect(answer.body.error.message).toContain(`${provider} is not in risk.selectable, and is not configured`)
      expect(answer.body.error.message).toMatch(/(webacy|goplus) (will )?judge/)
    },
  )

  test('a network that the provider does not know, with the chains it knows', async () => {
    const other = await startApp({ ...env, PROOFGATE_RISK_PROVIDER: 'goplus' })
    const data = { walletAddress: sol.address, chain: 'sol' }
    const answer = await leavesNothing(other.parts, () => asking(other, id)(sol, data))
    expectRefused(answer, 'INVALID_VERIFIER_DATA', /goplus does not know wallets of sol here: name one of eth, base/)
  })
})

describe('wallet-risk gives no verdict', () => {
  test.each<[Fault, string, string]>([
    ['its key is refused (401)', 'credentials', '5'],
    ['it has a fault of its own (500)', 'unreachable', '5'],
    ['it answers with HTML', 'malformed', '5'],
    ['it answers with an error object and 200', 'malformed', '5'],
    ['it hangs', 'timeout', '5'],
    ['it wants fewer calls (429)', 'rate-limited', '17'],
  ])('when %s: 503 with Retry-After, and nothing is stored', async (fault, kind, retryAfter) => {
    // A short limit only for the provider that never answers: a busy machine takes longer to answer.
    const fresh = await startApp({
      ...env,
      ...(fault === 'it hangs' ? { PROOFGATE_OUTSIDE_TIMEOUT_SECONDS: '1' } : {}),
    })
    webacy.fault = fault
    const answer = await leavesNothing(fresh.parts, () => asking(fresh, id)(alice, { walletAddress: alice.address }))
    expectRefused(answer, 'VERIFIER_UNAVAILABLE', /risk\.webacy .*nothing was stored/)
    expect(answer.headers.get('retry-after')).toBe(retryAfter)
    expect(answer.body.error.details).toEqual({ verifierId: id, source: 'risk.webacy', fault: kind })
    expect(JSON.stringify(answer.body)).not.toContain(webacy.url)
  })

  test('when the operator’s list cannot be read, though the provider could', async () => {
    writeFileSync(denyList, `${bob.address}\nnot an address\n`)
    const answer = await leavesNothing(app.parts, () => ask(alice, { walletAddress: alice.address }))
    expectRefused(answer, 'VERIFIER_UNAVAILABLE', /risk\.deny_list .* line 2/)
    expect(JSON.stringify(answer.body)).not.toContain(folder)
  })

  test('until the provider is back, and then the same request holds', async () => {
    webacy.fault = 'it answers with HTML'
    const claim = await app.signed(alice, { verifierIds: [id], data: { walletAddress: alice.address, chain: 'arb' } })
    expect((await app.post('/api/v1/verification', claim)).status).toBe(503)
    webacy.fault = undefined
    expect((await app.post('/api/v1/verification', claim)).status).toBe(200)
  })
})

describe('the catalog', () => {
  test.each<[string, Record<string, string>]>([
    ['nothing is configured', {}],
    ['the provider has no key', { PROOFGATE_RISK_PROVIDER: 'webacy' }],
    ['one of several has no key', { PROOFGATE_RISK_DENY_LIST: denyList, PROOFGATE_RISK_PROVIDERS: 'embedded,webacy' }],
    [
      'only a Solana chain is there',
      { PROOFGATE_CHAINS_SOL_CHAIN: 'solana:mainnet', PROOFGATE_CHAINS_SOL_RPC: 'http://127.0.0.1:9' },
    ],
  ])('has no wallet-risk when %s, and says what would bring it', async (_, settings) => {
    const bare = await startApp(settings)
    expect((await bare.get('/api/v1/verification/verifiers')).body.data).not.toContain(id)
    const answer = await bare.submit(alice, { verifierIds: [id], data: { walletAddress: alice.address } })
    expectRefused(answer, 'VERIFIER_NOT_FOUND', /risk\.deny_list.*\[chains\.<name>\].*risk\.webacy\.api_key/)
  })

  test.each<[string, Record<string, string>]>([
    ['a deny list', { PROOFGATE_RISK_DENY_LIST: denyList }],
    ['GoPlus, which needs no key', { PROOFGATE_RISK_PROVIDER: 'goplus' }],
    ['an EVM chain', { PROOFGATE_CHAINS_BASE_CHAIN: 'eip155:8453', PROOFGATE_CHAINS_BASE_RPC: 'http://127.0.0.1:9' }],
  ])('has it with %s', async (_, settings) => {
    const { body } = await (await startApp(settings)).get('/api/v1/verification/verifiers')
    expect(body.data).toContain(id)
    expect(body.metadata[id]).toMatchObject({ requiredFields: ['walletAddress'], expiryType: 'point_in_time' })
  })
})
