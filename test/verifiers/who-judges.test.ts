/** The operator chooses the judges: the ones that a request may name, and those that gates count, over HTTP. */
import { afterAll, afterEach, describe, expect, spyOn, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Answer, startApp } from '../app.ts'
import { expectRefused, leavesNothing } from '../http/refused.ts'
import { openaiEnv, visionEnv } from '../outside/moderation/opened.ts'
import { base64, png } from '../outside/moderation/pictures.ts'
import { webacyAt } from '../outside/risk/opened.ts'
import { startAnvil } from '../parts/anvil.ts'
import { deploy } from '../parts/contracts/contracts.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { openaiRefusal, startOpenai, startVision, visionAnswer } from '../parts/moderation-providers.ts'
import {
  type Fault,
  goplusRefuses,
  goplusSays,
  providerKey,
  startChainalysis,
  startGoplus,
  startWebacy,
  webacySays,
} from '../parts/risk-providers.ts'
import { alice, sol } from '../wallets.ts'
import { asking, evidenceIn, failed, refused } from './ask.ts'

const newFolder = temporaryFolders()

const webacy = startWebacy()
const goplus = startGoplus()
const chainalysis = startChainalysis()
const risk = 'wallet-risk'
const moderation = 'ai-content-moderation'
const plain = alice.address.toLowerCase()
const once = {
  PROOFGATE_LIMITS_ENABLED: 'false',
  PROOFGATE_OUTSIDE_ATTEMPTS: '1',
}
/** Only a provider that never answers gets a short limit, because a busy machine answers late. */
const shortLimit = { PROOFGATE_OUTSIDE_TIMEOUT_SECONDS: '1' }

afterEach(() => {
  webacy.sanctioned.clear()
  webacy.saysOfSanctions.clear()
  webacy.faultOf.risk = undefined
  webacy.faultOf.sanctions = undefined
  for (const server of [webacy, goplus, chainalysis]) {
    server.fault = undefined
    server.says.clear()
    server.asked.length = 0
  }
})

describe('a caller who looks for a weaker judge', () => {
  test('is refused for wallets: another configured provider may not be named', async () => {
    webacy.sanctioned.add(plain)
    const app = await startApp({
      ...once,
      ...webacyAt(webacy.url),
      PROOFGATE_RISK_GOPLUS_ENABLED: 'true',
      PROOFGATE_RISK_GOPLUS_URL: goplus.url,
    })
    const ask = asking(app, risk)
    expect(await ask(alice, { walletAddress: alice.address })).toMatchObject(failed(risk, 'WALLET_SANCTIONED'))
    const answer = await leavesNothing(app.parts, () =>
      ask(alice, { walletAddress: alice.address, provider: 'goplus' }),
    )
    expect(answer).toMatchObject(refused(risk, '/provider'))
    expect(goplus.asked).toEqual([])
    await app.close()
  })

  test('is refused for pictures', async () => {
    const openai = startOpenai()
    const vision = startVision()
    const app = await startApp({ ...once, ...openaiEnv(openai), ...visionEnv(vision) })
    const answer = await leavesNothing(app.parts, () =>
      asking(app, moderation)(alice, {
        content: base64(png()),
        contentType: 'image/png',
        provider: 'openai',
      }),
    )
    expect(answer).toMatchObject(refused(moderation, '/provider'))
    expect(openai.taken).toEqual([])
    await Promise.all([openai.stop(), vision.stop(), app.close()])
  })
})

/** Each asks the same three, under another policy. */
const three = (policy: string, more: object = {}) =>
  startApp({
    ...once,
    PROOFGATE_RISK_PROVIDERS: 'webacy,goplus,chainalysis',
    PROOFGATE_RISK_POLICY: policy,
    PROOFGATE_RISK_WEBACY_API_KEY: providerKey,
    PROOFGATE_RISK_WEBACY_URL: webacy.url,
    PROOFGATE_RISK_GOPLUS_URL: goplus.url,
    PROOFGATE_RISK_CHAINALYSIS_API_KEY: providerKey,
    PROOFGATE_RISK_CHAINALYSIS_URL: chainalysis.url,
    ...more,
  })
type Heard = { readonly provider: string; readonly answered: boolean; readonly reason?: string }
const listHeard = (answer: Answer) =>
  evidenceIn(answer).asked.map(({ provider, answered, reason }: Heard) => [provider, reason ?? answered])

describe('several judges of wallets', () => {
  const wallet = { walletAddress: alice.address }

  test('are all asked, the worst answer counts, and the evidence has each answer', async () => {
    const app = await three('all')
    webacy.says.set(plain, webacySays(12, [{ tag: 'dust' }]))
    goplus.says.set(plain, goplusSays({ gas_abuse: '1' }))
    const evidence = evidenceIn(await asking(app, risk)(alice, wallet))
    expect(evidence).toMatchObject({
      provider: 'goplus',
      chosenByCaller: false,
      overallRisk: 45,
      riskLevel: 'medium',
      sanctioned: false,
      checked: ['sanctions', 'activity', 'poisoning'],
      issues: [
        { tag: 'gas_abuse', severity: 'medium' },
        { tag: 'dust', severity: 'low' },
      ],
      sources: ['risk.webacy', 'risk.goplus', 'risk.chainalysis'],
    })
    const said = { answered: true, sanctioned: false, poisoned: false }
    expect(evidence.asked).toEqual([
      {
        ...said,
        provider: 'webacy',
        overallRisk: 12,
        riskLevel: 'low',
        checked: ['sanctions', 'activity', 'poisoning'],
      },
      { ...said, provider: 'goplus', overallRisk: 45, riskLevel: 'medium', checked: ['sanctions', 'activity'] },
      { ...said, provider: 'chainalysis', overallRisk: 0, riskLevel: 'low', checked: ['sanctions'] },
    ])
    await app.close()
  })

  test.each(['all', 'any', 'fallback'])('refuse a wallet that the first finds sanctioned, under %s', async (policy) => {
    const app = await three(policy)
    webacy.sanctioned.add(plain)
    expect(await asking(app, risk)(alice, wallet)).toMatchObject(failed(risk, 'WALLET_SANCTIONED'))
    await app.close()
  })

  test.each(['all', 'any'])(
    'refuse a wallet that the last finds sanctioned, also while another is away, under %s',
    async (policy) => {
      const app = await three(policy)
      chainalysis.says.set(plain, { identifications: [{ category: 'sanctions' }] })
      expect(await asking(app, risk)(alice, wallet)).toMatchObject(failed(risk, 'WALLET_SANCTIONED'))
      webacy.fault = 'it has a fault of its own (500)'
      expect(await asking(app, risk)(alice, wallet)).toMatchObject(failed(risk, 'WALLET_SANCTIONED'))
      await app.close()
    },
  )

  test('under all, no proof is made while one is down', async () => {
    const app = await three('all')
    chainalysis.fault = 'it has a fault of its own (500)'
    const answer = await leavesNothing(app.parts, () => asking(app, risk)(alice, wallet))
    expectRefused(answer, 'VERIFIER_UNAVAILABLE', /risk\.chainalysis/)
    await app.close()
  })

  test('under any, unavailable ones are listed, and one must answer', async () => {
    const app = await three('any', shortLimit)
    webacy.fault = 'its key is refused (401)'
    goplus.fault = 'it has a fault of its own (500)'
    expect(listHeard(await asking(app, risk)(alice, wallet))).toEqual([
      ['webacy', 'UNAVAILABLE'],
      ['goplus', 'UNAVAILABLE'],
      ['chainalysis', true],
    ])
    chainalysis.fault = 'it hangs'
    const answer = await leavesNothing(app.parts, () => asking(app, risk)(alice, wallet))
    expectRefused(answer, 'VERIFIER_UNAVAILABLE', /risk\.webacy/)
    await app.close()
  })

  test.each<[string, string, Fault | object]>([
    ['any', 'risk.webacy', 'its key is refused (401)'],
    ['fallback', 'risk.webacy', 'its key is refused (403)'],
    ['any', 'risk.goplus', goplusRefuses(4012, 'wrong signature')],
  ])(
    'under %s, a refused key of %s is told in the log, once in a while: it never mends itself',
    async (policy, source, fault) => {
      const lines = spyOn(process.stderr, 'write').mockImplementation(() => true)
      const told = () =>
        lines.mock.calls.filter(([line]) => `${line}`.includes('a provider refuses the key of this server'))
      try {
        const app = await three(policy)
        if (typeof fault === 'string') webacy.fault = fault
        else goplus.says.set(plain, fault)
        for (const _ of [1, 2]) expect((await asking(app, risk)(alice, wallet)).status).toBe(200)
        expect(told().map(([line]) => `${line}`)).toEqual([expect.stringContaining(`source=${source}`)])
        app.wait(11 * 60_000)
        await asking(app, risk)(alice, wallet)
        // The server does this each minute.
        app.parts.log.tellCounts(true)
        expect(told()).toHaveLength(2)
        await app.close()
      } finally {
        lines.mockRestore()
      }
    },
  )

  test('under fallback, the next is asked only when the one before could not be', async () => {
    const app = await three('fallback')
    goplus.asked.length = 0
    expect(listHeard(await asking(app, risk)(alice, wallet))).toEqual([['webacy', true]])
    expect(goplus.asked).toEqual([])
    webacy.fault = 'it has a fault of its own (500)'
    expect(listHeard(await asking(app, risk)(alice, wallet))).toEqual([
      ['webacy', 'UNAVAILABLE'],
      ['goplus', true],
    ])
    await app.close()
  })

  test.each(['any', 'fallback'])('an unreadable answer does not count as unavailable, under %s', async (policy) => {
    const app = await three(policy)
    webacy.fault = 'it answers with other JSON'
    const answer = await leavesNothing(app.parts, () => asking(app, risk)(alice, wallet))
    expectRefused(answer, 'VERIFIER_UNAVAILABLE', /risk\.webacy/)
    await app.close()
  })

  test('judges that do not know the chain are listed and not asked; with no other judge, the request is refused', async () => {
    const app = await three('all')
    goplus.asked.length = 0
    expect(listHeard(await asking(app, risk)(sol, { walletAddress: sol.address, chain: 'sol' }))).toEqual([
      ['webacy', true],
      ['goplus', 'NOT_COVERED'],
      ['chainalysis', true],
    ])
    expect(goplus.asked).toEqual([])
    await app.close()
    const two = await three('all', { PROOFGATE_RISK_PROVIDERS: 'goplus,chainalysis' })
    const ton = 'Ef_8uRo6OBbQ97jCx2EIuKm8Wmt6Vb15-KsQHFLbKSMiYIny'
    const answer = await asking(two, risk)(alice, { walletAddress: ton, chain: 'ton' }, { subjectWallet: ton })
    expectRefused(answer, 'INVALID_VERIFIER_DATA', /goplus does not know wallets of ton here/)
    await two.close()
  })

  test('one of them may not be named alone, and one that is free to choose may', async () => {
    const app = await three('all', {
      PROOFGATE_RISK_PROVIDERS: 'webacy,chainalysis',
      PROOFGATE_RISK_SELECTABLE: 'goplus',
    })
    const ask = asking(app, risk)
    const answer = await ask(alice, { ...wallet, provider: 'chainalysis' })
    expect(answer).toMatchObject(refused(risk, '/provider'))
    expect(answer.body.error.message).toContain(
      'data.provider may be goplus, or be left out: then webacy and chainalysis judge',
    )
    expect(evidenceIn(await ask(alice, { ...wallet, provider: 'goplus' }))).toMatchObject({
      provider: 'goplus',
      chosenByCaller: true,
      asked: [{ provider: 'goplus' }],
    })
    await app.close()
  })

  test('the operator’s list stands before one that a request chose', async () => {
    const folder = newFolder()
    writeFileSync(join(folder, 'deny.txt'), alice.address)
    const app = await three('all', {
      PROOFGATE_RISK_PROVIDERS: 'webacy',
      PROOFGATE_RISK_SELECTABLE: 'goplus',
      PROOFGATE_RISK_DENY_LIST: join(folder, 'deny.txt'),
    })
    expect(await asking(app, risk)(alice, { ...wallet, provider: 'goplus' })).toMatchObject(
      failed(risk, 'WALLET_SANCTIONED'),
    )
    await app.close()
  })

  test('the catalog names the judges that are asked and those that a request may name', async () => {
    const app = await three('any', {
      PROOFGATE_RISK_PROVIDERS: 'webacy,chainalysis',
      PROOFGATE_RISK_SELECTABLE: 'goplus',
    })
    const { body } = await app.get('/api/v1/verification/verifiers')
    expect(body.metadata[risk].judges).toEqual([
      { asked: ['webacy', 'chainalysis'], policy: 'any', selectable: ['goplus'] },
    ])
    expect(body.metadata['ai-content-moderation'].judges).toEqual([
      { kind: 'text', asked: ['embedded'], policy: 'all', selectable: [] },
      { kind: 'image', asked: [], policy: 'all', selectable: [] },
    ])
    expect(body.metadata['ownership-basic']).not.toHaveProperty('judges')
    await app.close()
  })
})

describe('one judge of wallets that makes several calls', () => {
  const wallet = { walletAddress: alice.address }
  const policies = ['all', 'any', 'fallback'] as const
  const broken: readonly Fault[] = ['it has a fault of its own (500)', 'it hangs', 'it answers with other JSON']

  test.each(policies.flatMap((policy) => broken.map((fault) => [policy, fault] as const)))(
    'refuses a sanctioned wallet under %s, also when of its other call %s',
    async (policy, fault) => {
      const app = await three(policy, fault === 'it hangs' ? shortLimit : {})
      webacy.sanctioned.add(plain)
      webacy.faultOf.risk = fault
      const answer = await leavesNothing(app.parts, () => asking(app, risk)(alice, wallet))
      expect(answer).toMatchObject(failed(risk, 'WALLET_SANCTIONED'))
      await app.close()
    },
  )

  test.each(policies)(
    'makes no proof under %s from an answer about the sanctions of another wallet',
    async (policy) => {
      const app = await three(policy)
      webacy.saysOfSanctions.set(plain, { address: `0x${'1'.repeat(40)}`, is_sanctioned: false })
      const answer = await leavesNothing(app.parts, () => asking(app, risk)(alice, wallet))
      expectRefused(answer, 'VERIFIER_UNAVAILABLE', /risk\.webacy/)
      webacy.saysOfSanctions.set(plain, { address: alice.address, is_sanctioned: false })
      expect((await asking(app, risk)(alice, wallet)).status).toBe(200)
      await app.close()
    },
  )

  test.each(['any', 'fallback'])(
    'does not count as unavailable under %s when one call fails and the other is unreadable',
    async (policy) => {
      const app = await three(policy)
      webacy.faultOf.risk = 'it has a fault of its own (500)'
      webacy.faultOf.sanctions = 'it answers with other JSON'
      const answer = await leavesNothing(app.parts, () => asking(app, risk)(alice, wallet))
      expectRefused(answer, 'VERIFIER_UNAVAILABLE', /risk\.webacy/)
      await app.close()
    },
  )

  test.each(policies)('refuses under %s a wallet that GoPlus finds sanctioned in a partial answer', async (policy) => {
    const app = await three(policy, { PROOFGATE_RISK_PROVIDERS: 'goplus,chainalysis' })
    goplus.says.set(plain, { ...goplusSays({ sanctioned: '1' }), code: 2 })
    expect(await asking(app, risk)(alice, wallet)).toMatchObject(failed(risk, 'WALLET_SANCTIONED'))
    goplus.says.set(plain, goplusSays({ sanctioned: '1', mixer: '' }))
    expect(await asking(app, risk)(alice, wallet)).toMatchObject(failed(risk, 'WALLET_SANCTIONED'))
    await app.close()
  })
})

describe('an EVM wallet on a chain that one of its judges does not know', () => {
  const onSei = { walletAddress: alice.address, chain: 'sei' }
  const two = (policy: string, providers = 'goplus,chainalysis', more: object = {}) =>
    three(policy, { PROOFGATE_RISK_PROVIDERS: providers, ...more })

  test.each(['all', 'any', 'fallback'])('is refused under %s where it is sanctioned on Ethereum', async (policy) => {
    const app = await two(policy)
    goplus.says.set(plain, goplusSays({ sanctioned: '1' }))
    for (const chain of [{ chain: 'eth' }, { chain: 'sei' }, { chainId: 84_532 }]) {
      const answer = await asking(app, risk)(alice, { walletAddress: alice.address, ...chain })
      expect(answer).toMatchObject(failed(risk, 'WALLET_SANCTIONED'))
    }
    await app.close()
  })

  test.each(['all', 'any', 'fallback'])(
    'is refused under %s for its flags on Ethereum, whichever chain is named',
    async (policy) => {
      const app = await two(policy)
      goplus.says.set(plain, goplusSays({ phishing_activities: '1' }))
      for (const chain of [{ chain: 'eth' }, { chain: 'sei' }, { chainId: 1329 }, { chainId: 84_532 }]) {
        const answer = await leavesNothing(app.parts, () =>
          asking(app, risk)(alice, { walletAddress: alice.address, ...chain }),
        )
        expect(answer).toMatchObject(failed(risk, 'RISK_TOO_HIGH'))
      }
      expect((await asking(app, risk)(alice, onSei)).body.error.message).toContain('80 of 100, says goplus about eth')
      await app.close()
    },
  )

  test.each(['all', 'any', 'fallback'])(
    'is refused under %s on a chain without a judge, and may leave the chain out',
    async (policy) => {
      const app = await two(policy, 'goplus,chainalysis,webacy')
      const asked = [webacy, goplus, chainalysis]
      const answer = await leavesNothing(app.parts, () =>
        asking(app, risk)(alice, { walletAddress: alice.address, chainId: 99_999 }),
      )
      expect(answer).toMatchObject(refused(risk, '/chainId'))
      expect(answer.body.error.message).toContain('nobody here knows the chain eip155:99999')
      expect(answer.body.error.message).toContain('leave chainId out')
      expect(asked.flatMap((server) => server.asked)).toEqual([])
      expect((await asking(app, risk)(alice, { walletAddress: alice.address })).status).toBe(200)
      await app.close()
    },
  )

  test.each(['all', 'any', 'fallback'])(
    'has no risk level for a gate under %s, where its activity on that chain was not checked',
    async (policy) => {
      const app = await two(policy)
      await asking(app, risk)(alice, onSei, { options: { privacyLevel: 'public' } })
      const eligible = async (query: string) =>
        (await app.get(`/api/v1/proofs/check?address=${plain}&verifierIds=wallet-risk&${query}`)).body.data.eligible
      expect([await eligible('sanctioned=false'), await eligible('riskLevel=low')]).toEqual([true, false])
      await app.close()
    },
  )

  test('is asked about on Ethereum, and the evidence says so, to strangers as well', async () => {
    const app = await two('all')
    goplus.says.set(plain, goplusSays({ gas_abuse: '1' }))
    const made = await asking(app, risk)(alice, onSei, { options: { privacyLevel: 'public' } })
    expect(goplus.asked).toEqual([`/api/v1/address_security/${plain}?chain_id=1`])
    const evidence = evidenceIn(made)
    expect(evidence).toMatchObject({ provider: 'goplus', overallRisk: 45, checked: ['sanctions'] })
    const beside = {
      provider: 'goplus',
      answered: true,
      checked: ['sanctions'],
      chains: ['eth'],
      notAsked: [{ chain: 'sei', reason: 'CHAIN_NOT_COVERED' }],
    }
    expect(evidence.asked).toEqual([
      { ...beside, overallRisk: 45, riskLevel: 'medium', sanctioned: false, poisoned: false },
      expect.not.objectContaining({ chains: expect.anything() }),
    ])
    const shown = await app.get(`/api/v1/proofs/${made.body.data.qHash}`)
    expect(shown.body.data.verifiedVerifiers[0].data.asked[0]).toEqual(beside)
    await app.close()
  })

  test('does not meet a gate that asks for this judge', async () => {
    const app = await two('all')
    const eligible = async (provider: string) =>
      (await app.get(`/api/v1/proofs/check?address=${plain}&verifierIds=wallet-risk&provider=${provider}`)).body.data
        .eligible
    await asking(app, risk)(alice, onSei, { options: { privacyLevel: 'public' } })
    expect([await eligible('goplus'), await eligible('chainalysis')]).toEqual([false, true])
    await asking(app, risk)(
      alice,
      { walletAddress: alice.address, chain: 'eth' },
      { options: { privacyLevel: 'public' } },
    )
    expect(await eligible('goplus')).toBe(true)
    await app.close()
  })

  test('is proved under all only when that judge answers, and under any also without', async () => {
    goplus.fault = 'it has a fault of its own (500)'
    const strict = await two('all')
    const answer = await leavesNothing(strict.parts, () => asking(strict, risk)(alice, onSei))
    expectRefused(answer, 'VERIFIER_UNAVAILABLE', /risk\.goplus/)
    await strict.close()
    const lax = await two('any')
    expect(listHeard(await asking(lax, risk)(alice, onSei))).toEqual([
      ['goplus', 'UNAVAILABLE'],
      ['chainalysis', true],
    ])
    await lax.close()
  })

  test.each(['all', 'any', 'fallback'])(
    'is judged on Ethereum under %s where no judge knows the chain, as strictly as there, and has no level',
    async (policy) => {
      const app = await two(policy, 'goplus,webacy')
      const claim = { walletAddress: alice.address, chainId: 84_532 }
      const evidence = evidenceIn(await asking(app, risk)(alice, claim))
      expect(evidence).toMatchObject({ checked: ['sanctions'], input: { chain: 'eip155:84532' } })
      for (const { chains } of evidence.asked) expect(chains).toEqual(['eth'])
      goplus.says.set(plain, goplusSays({ phishing_activities: '1' }))
      expect(await asking(app, risk)(alice, claim)).toMatchObject(failed(risk, 'RISK_TOO_HIGH'))
      goplus.says.set(plain, goplusSays({ sanctioned: '1' }))
      expect(await asking(app, risk)(alice, claim)).toMatchObject(failed(risk, 'WALLET_SANCTIONED'))
      goplus.fault = webacy.fault = 'it has a fault of its own (500)'
      expectRefused(await asking(app, risk)(alice, claim), 'VERIFIER_UNAVAILABLE', /risk\.goplus/)
      await app.close()
    },
  )

  test.each(['all', 'any', 'fallback'])(
    'is not left under %s to the oracles of other chains alone, where another knows the chain',
    async (policy) => {
      const anvil = await startAnvil({ chainId: 31_337 })
      const oracle = await deploy(anvil, 'SanctionsOracle')
      const app = await two(policy, 'embedded,goplus', {
        PROOFGATE_CHAINS_LOCAL_CHAIN: 'eip155:31337',
        PROOFGATE_CHAINS_LOCAL_RPC: anvil.url,
        PROOFGATE_CHAINS_LOCAL_SANCTIONS_ORACLE: oracle.address,
      })
      const claim = { walletAddress: alice.address, chainId: 1 }
      expect((await asking(app, risk)(alice, claim)).status).toBe(200)
      goplus.fault = 'it has a fault of its own (500)'
      expectRefused(await asking(app, risk)(alice, claim), 'VERIFIER_UNAVAILABLE', /risk\.goplus/)
      await oracle.write('set', [alice.address, true])
      expect(await asking(app, risk)(alice, claim)).toMatchObject(failed(risk, 'WALLET_SANCTIONED'))
      await app.close()
      await anvil.stop()
    },
  )

  test('is refused for the findings of Webacy on Ethereum', async () => {
    const app = await two('all', 'webacy,chainalysis')
    const onBaseSepolia = { walletAddress: alice.address, chainId: 84_532 }
    expect(evidenceIn(await asking(app, risk)(alice, onBaseSepolia)).asked[0]).toMatchObject({
      provider: 'webacy',
      checked: ['sanctions'],
      chains: ['eth'],
    })
    expect(webacy.asked.toSorted()).toEqual([
      `/addresses/${plain}?chain=eth`,
      `/addresses/sanctioned/${plain}?chain=eth`,
    ])
    webacy.says.set(plain, webacySays(60))
    expect(await asking(app, risk)(alice, onBaseSepolia)).toMatchObject(failed(risk, 'RISK_TOO_HIGH'))
    webacy.sanctioned.add(plain)
    expect(await asking(app, risk)(alice, onBaseSepolia)).toMatchObject(failed(risk, 'WALLET_SANCTIONED'))
    await app.close()
  })

  test.each(['all', 'any', 'fallback'])(
    'is not left under %s to a judge of the named chain alone, where another judges it on every chain',
    async (policy) => {
      const anvil = await startAnvil({ chainId: 31_337 })
      const app = await two(policy, 'embedded,goplus', {
        PROOFGATE_CHAINS_LOCAL_CHAIN: 'eip155:31337',
        PROOFGATE_CHAINS_LOCAL_RPC: anvil.url,
      })
      const claim = { walletAddress: alice.address, chainId: 31_337 }
      expect((await asking(app, risk)(alice, claim)).status).toBe(200)
      goplus.says.set(plain, goplusSays({ phishing_activities: '1' }))
      expect(await asking(app, risk)(alice, claim)).toMatchObject(failed(risk, 'RISK_TOO_HIGH'))
      goplus.fault = 'it has a fault of its own (500)'
      expectRefused(await asking(app, risk)(alice, claim), 'VERIFIER_UNAVAILABLE', /risk\.goplus/)
      await app.close()
      await anvil.stop()
    },
  )

  test.each(['all', 'any', 'fallback'])(
    'is not left to the operator’s list alone under %s, where another can be asked on Ethereum',
    async (policy) => {
      const folder = newFolder()
      writeFileSync(join(folder, 'deny.txt'), `0x${'1'.repeat(40)}`)
      const app = await two(policy, 'embedded,goplus', { PROOFGATE_RISK_DENY_LIST: join(folder, 'deny.txt') })
      expect((await asking(app, risk)(alice, onSei)).status).toBe(200)
      goplus.says.set(plain, goplusSays({ sanctioned: '1' }))
      expect(await asking(app, risk)(alice, onSei)).toMatchObject(failed(risk, 'WALLET_SANCTIONED'))
      goplus.fault = 'it has a fault of its own (500)'
      const answer = await leavesNothing(app.parts, () => asking(app, risk)(alice, onSei))
      expectRefused(answer, 'VERIFIER_UNAVAILABLE', /risk\.goplus/)
      await app.close()
    },
  )
})

describe('several judges of content', async () => {
  const openai = startOpenai()
  const vision = startVision()
  const env = {
    ...once,
    PROOFGATE_MODERATION_TEXT_PROVIDERS: 'embedded,openai',
    PROOFGATE_MODERATION_IMAGE_PROVIDERS: 'google-vision,openai',
    PROOFGATE_MODERATION_OPENAI_URL: openai.url,
    PROOFGATE_MODERATION_OPENAI_API_KEY: openai.key,
    PROOFGATE_MODERATION_GOOGLE_VISION_URL: vision.url,
    PROOFGATE_MODERATION_GOOGLE_VISION_API_KEY: vision.key,
  }
  const text = { content: 'Good morning', contentType: 'text/plain' }
  const image = { content: base64(png()), contentType: 'image/png' }
  afterEach(() => {
    openai.answerWith(undefined)
    vision.answerWith(undefined)
  })
  afterAll(() => Promise.all([openai.stop(), vision.stop()]))

  test('are all asked about the kinds that they judge, and the evidence has each', async () => {
    const app = await startApp(env)
    const ask = asking(app, moderation)
    const evidence = evidenceIn(await ask(alice, text))
    expect(listHeard(await ask(alice, text))).toEqual([
      ['embedded', true],
      ['openai', true],
    ])
    expect(evidence).toMatchObject({ provider: 'embedded', sources: ['moderation.text', 'moderation.openai'] })
    expect(evidence.categories).toMatchObject({ profanity: false, 'hate/threatening': false })
    expect(listHeard(await ask(alice, image))).toEqual([
      ['google-vision', true],
      ['openai', true],
    ])
    await app.close()
  })

  test('flag a content that one of them flags, and name the judge', async () => {
    const app = await startApp(env)
    const ask = asking(app, moderation)
    const readMessage = async (content: string) => (await ask(alice, { ...text, content })).body.error.message
    expect(await readMessage('I will kill you')).toBe(`${moderation}: openai flags this content: violence`)
    expect(await readMessage('shit, I will kill you')).toBe(
      `${moderation}: embedded and openai flag this content: profanity, violence`,
    )
    await app.close()
  })

  test.each<[string, number]>([
    ['all', 503],
    ['any', 200],
    ['fallback', 200],
  ])('under %s, where the second is away, the answer is %p', async (policy, status) => {
    const app = await startApp({ ...env, PROOFGATE_MODERATION_POLICY: policy })
    openai.answerWith(() => new Response('', { status: 502 }))
    expect((await asking(app, moderation)(alice, text)).status).toBe(status)
    await app.close()
  })

  test.each(['all', 'any', 'fallback'])(
    'under %s, a finding counts also where the rest of the answer is missing',
    async (policy) => {
      const app = await startApp({ ...env, PROOFGATE_MODERATION_POLICY: policy })
      const [found] = visionAnswer({ adult: 'VERY_LIKELY', racy: undefined }).responses
      for (const more of [{}, { error: { code: 14, message: 'later' } }]) {
        vision.answerWith(() => Response.json({ responses: [{ ...found, ...more }] }))
        const answer = await leavesNothing(app.parts, () => asking(app, moderation)(alice, image))
        expect(answer.body.error.message).toBe(`${moderation}: google-vision flags this content: adult`)
      }
      await app.close()
    },
  )

  test.each(['any', 'fallback'])(
    'a picture that the first does not take goes to no other judge, under %s',
    async (policy) => {
      const app = await startApp({
        ...env,
        PROOFGATE_MODERATION_POLICY: policy,
        PROOFGATE_MODERATION_IMAGE_PROVIDERS: 'openai,google-vision',
      })
      openai.answerWith(() => openaiRefusal(400, { code: 'image_too_large', message: 'Too large.' }))
      const answer = await leavesNothing(app.parts, () => asking(app, moderation)(alice, image))
      expectRefused(answer, 'INVALID_VERIFIER_DATA', /openai does not take this image/)
      await app.close()
    },
  )
})

describe('a gate that asks for sanctioned=false', async () => {
  const anvil = await startAnvil({ chainId: 8453 })
  afterAll(() => anvil.stop())
  await anvil.send({ to: alice.address as `0x${string}`, value: 1n })

  test('does not count a proof without a check of sanctions, and says why', async () => {
    const app = await startApp({
      ...once,
      PROOFGATE_CHAINS_BASE_CHAIN: 'eip155:8453',
      PROOFGATE_CHAINS_BASE_RPC: anvil.url,
    })
    const made = await asking(app, risk)(
      alice,
      { walletAddress: alice.address, chain: 'base' },
      { options: { privacyLevel: 'public' } },
    )
    expect(made.body.data.verifiedVerifiers[0].data.checked).toEqual(['activity'])
    const check = async (query: string) =>
      (await app.get(`/api/v1/proofs/check?address=${alice.address}&verifierIds=wallet-risk&${query}&explain=true`))
        .body.data
    const { eligible, explain } = await check('sanctioned=false')
    expect(eligible).toBe(false)
    expect(explain[0]).toMatchObject({
      code: 'NOT_CHECKED',
      message: expect.stringContaining(
        'sanctioned is false, because nobody who judged it looked at sanctions (lists of sanctioned wallets)',
      ),
    })
    expect((await check('checked=activity&provider=embedded')).eligible).toBe(true)
    expect((await check('riskLevel=low')).eligible).toBe(true)
    expect((await check('checked=activity,sanctions')).eligible).toBe(false)
    await app.close()
  })
})

describe('a gate that asks for a level of risk', () => {
  const wallet = { walletAddress: alice.address }
  const publicly = { options: { privacyLevel: 'public' } }
  const filters = ['riskLevel=low', 'riskLevel=low&sanctioned=false']

  async function explained(app: Awaited<ReturnType<typeof startApp>>, query: string) {
    const path = `/api/v1/proofs/check?address=${alice.address}&verifierIds=${risk}&explain=true&${query}`
    return (await app.get(path)).body.data
  }

  test('does not count a wallet that was checked for sanctions only, and says what is missing', async () => {
    const app = await three('all', { PROOFGATE_RISK_PROVIDERS: 'chainalysis' })
    expect(evidenceIn(await asking(app, risk)(alice, wallet, publicly))).toMatchObject({
      riskLevel: 'low',
      checked: ['sanctions'],
    })
    for (const filter of filters) {
      const { eligible, explain } = await explained(app, filter)
      expect(eligible).toBe(false)
      expect(explain[0]).toMatchObject({
        code: 'NOT_CHECKED',
        message: expect.stringContaining(
          'riskLevel is low, because nobody who judged it looked at activity (what the wallet did)',
        ),
        nearest: { failed: [{ code: 'NOT_CHECKED', path: 'riskLevel', unchecked: ['activity'] }] },
      })
    }
    expect((await explained(app, 'sanctioned=false')).eligible).toBe(true)
    const { body } = await app.get('/openapi.json')
    expect(JSON.stringify(body)).toContain('Counts only where somebody looked at what the wallet did')
    await app.close()
  })

  test('does not count a wallet on a chain that is unknown to the judge with levels', async () => {
    const app = await three('all', { PROOFGATE_RISK_PROVIDERS: 'goplus,chainalysis' })
    await asking(app, risk)(alice, { ...wallet, chain: 'sei' }, publicly)
    expect((await explained(app, 'riskLevel=low')).explain[0].code).toBe('NOT_CHECKED')
    await asking(app, risk)(alice, { ...wallet, chain: 'eth' }, publicly)
    expect((await explained(app, 'riskLevel=low')).eligible).toBe(true)
    await app.close()
  })

  test('does not count a wallet where, under any, the judge with levels was down', async () => {
    const app = await three('any', { PROOFGATE_RISK_PROVIDERS: 'webacy,chainalysis' })
    webacy.fault = 'it has a fault of its own (500)'
    await asking(app, risk)(alice, wallet, publicly)
    expect((await explained(app, 'riskLevel=low')).explain[0].code).toBe('NOT_CHECKED')
    webacy.fault = undefined
    await asking(app, risk)(alice, wallet, publicly)
    expect((await explained(app, 'riskLevel=low')).eligible).toBe(true)
    await app.close()
  })

  test('does not count a verdict of the operator’s list alone', async () => {
    const folder = newFolder()
    writeFileSync(join(folder, 'deny.txt'), `0x${'1'.repeat(40)}`)
    const app = await startApp({ ...once, PROOFGATE_RISK_DENY_LIST: join(folder, 'deny.txt') })
    await asking(app, risk)(alice, wallet, publicly)
    expect((await explained(app, 'sanctioned=false')).eligible).toBe(true)
    expect((await explained(app, 'riskLevel=low')).explain[0].code).toBe('NOT_CHECKED')
    await app.close()
  })
})
