import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { decode, encode } from 'dns-packet'
import { startApp } from '../app.ts'
import { expectRefused, leavesNothing } from '../http/refused.ts'
import { authenticated, cname, type Entry, rcodes, type Script, startDns, txt, types } from '../parts/dns.ts'
import { trustCertificate } from '../parts/dns-certificate.ts'
import { startDoh } from '../parts/dns-over-https.ts'
import { startTwinWallets, type TwinWallets } from '../twin-wallets.ts'
import { alice, bob, mallory, sol, type TestWallet } from '../wallets.ts'
import { asking, evidenceIn, failed, refused } from './ask.ts'

const id = 'ownership-dns-txt'
const domain = 'example.test'
const name = `_svc.${domain}`
const plain = (wallet: TestWallet) => (wallet === sol ? wallet.address : wallet.address.toLowerCase())
const naming = (wallet: TestWallet) => txt(`wallet=${plain(wallet)}`)

const server = await startDns()
const settings = {
  PROOFGATE_LIMITS_ENABLED: 'false',
  PROOFGATE_LOG_LEVEL: 'error',
  PROOFGATE_DNS_RESOLVERS: server.address,
  PROOFGATE_OUTSIDE_ATTEMPTS: '1',
}
const app = await startApp(settings)
const ask = asking(app, id)
afterEach(() => {
  server.zone.clear()
  server.script = undefined
  server.asked.splice(0)
})
afterAll(async () => {
  await app.close()
  await server.stop()
})
const message = ({ body }: { readonly body: { readonly error: { readonly message: string } } }) => body.error.message

describe('ownership-dns-txt (src/guides/wire.md, "ownership-dns-txt"): holds', () => {
  test('when a TXT record names the signer; the evidence says what was read, where and by whom', async () => {
    server.zone.set(name, [naming(alice)])
    const answer = await ask(alice, { domain })
    expect(answer.status).toBe(200)
    expect(evidenceIn(answer)).toEqual({
      input: { domain, walletAddress: plain(alice) },
      domain,
      walletAddress: plain(alice),
      txtName: name,
      txtRecord: `wallet=${plain(alice)}`,
      ttlSeconds: 300,
      authenticated: false,
      sources: ['dns.resolvers[0]'],
      verificationTimestamp: app.now(),
    })
    expect(answer.body.data.verifiedVerifiers[0]).toMatchObject({ verifierId: id, status: 'domain_ownership_verified' })
    expect(server.asked.map(({ name, type }) => ({ name, type }))).toEqual([{ name, type: 16 }])
  })

  test('when one of several records is for the signer, whatever the others are', async () => {
    server.zone.set(name, [txt('v=spf1 -all'), naming(bob), txt(''), naming(alice), txt('wallet=0x12')])
    expect(evidenceIn(await ask(alice, { domain })).txtRecord).toBe(`wallet=${plain(alice)}`)
    expect(evidenceIn(await ask(bob, { domain })).txtRecord).toBe(`wallet=${plain(bob)}`)
  })

  test('when the record comes in two strings', async () => {
    server.zone.set(name, [txt('wallet=', plain(alice))])
    expect((await ask(alice, { domain })).status).toBe(200)
  })

  test('when an alias leads to the record', async () => {
    server.zone.set(name, [cname('proofs.elsewhere.test')])
    server.zone.set('proofs.elsewhere.test', [naming(alice)])
    expect((await ask(alice, { domain })).status).toBe(200)
  })

  test('when the answer is too large for a packet', async () => {
    const others = Array.from({ length: 60 }, (_, index) => txt(`wallet=0x${String(index).padStart(40, '0')}`))
    server.zone.set(name, [...others, naming(alice)])
    expect((await ask(alice, { domain })).status).toBe(200)
    expect(server.asked.map(({ over }) => over)).toEqual(['udp', 'tcp'])
  })

  test('in whatever spelling the domain is given: evidence and look-up have one', async () => {
    server.zone.set(name, [naming(alice)])
    for (const spelling of ['Example.TEST', 'example.test.']) {
      const answer = await ask(alice, { domain: spelling })
      expect(evidenceIn(answer)).toMatchObject({ domain, input: { domain } })
    }
    expect(new Set(server.asked.map((asked) => asked.name))).toEqual(new Set([name]))
  })

  test('for an internationalized domain, asked for in its ASCII form', async () => {
    server.zone.set('_svc.xn--bcher-kva.example', [naming(alice)])
    const answer = await ask(alice, { domain: 'Bücher.example' })
    expect(evidenceIn(answer)).toMatchObject({
      domain: 'xn--bcher-kva.example',
      txtName: '_svc.xn--bcher-kva.example',
    })
  })

  test('for a record that spells an EVM address with the capitals of its checksum: it is the same account', async () => {
    server.zone.set(name, [txt(`wallet=${alice.address}`)])
    expect((await ask(alice, { domain, walletAddress: plain(alice) })).status).toBe(200)
  })

  test('for a Solana wallet, whose address counts letter by letter', async () => {
    server.zone.set(name, [naming(sol)])
    expect(evidenceIn(await ask(sol, { domain }))).toMatchObject({ walletAddress: sol.address })
    server.zone.set(name, [txt(`wallet=${sol.address.toLowerCase()}`)])
    expect(await ask(sol, { domain })).toMatchObject(failed(id, 'WALLET_NOT_LISTED'))
  })

  test('for a record of one chain, where the request gives that chain id', async () => {
    const txtRecord = `wallet=eip155:8453:${plain(alice)}`
    server.zone.set(name, [txt(txtRecord)])
    const withChain = (chainId: unknown) => ({ options: { verifierOptions: { chainId } } })
    expect(evidenceIn(await ask(alice, { domain }, withChain(8453)))).toMatchObject({ txtRecord })
    expect(
      evidenceIn(await ask(alice, { domain }, { options: { verifierOptions: { [id]: { chainId: 8453 } } } })),
    ).toMatchObject({ txtRecord })
    for (const other of [1, '8453', null, undefined])
      expect(await ask(alice, { domain }, withChain(other))).toMatchObject(failed(id, 'WALLET_NOT_LISTED'))
    expect(message(await ask(alice, { domain }))).toContain(
      'names this wallet for the chain 8453 alone: send 8453 as options.verifierOptions.chainId',
    )
  })

  test('for a key, for a record of the chain it signs for', async () => {
    const txtRecord = `wallet=eip155:8453:${plain(alice)}`
    server.zone.set(name, [txt(txtRecord)])
    expect(evidenceIn(await ask(alice, { domain }, { chainId: 8453 }))).toMatchObject({ txtRecord })
  })

  test('with the label of the brand that is configured', async () => {
    const branded = await startApp({ ...settings, PROOFGATE_BRAND: 'acme' })
    server.zone.set('_acme.example.test', [naming(alice)])
    expect(evidenceIn(await asking(branded, id)(alice, { domain }))).toMatchObject({ txtName: '_acme.example.test' })
    await branded.close()
  })
})

describe('ownership-dns-txt: fails, which says how to make it hold', () => {
  test('the name does not exist', async () => {
    const answer = await ask(alice, { domain })
    expect(answer).toMatchObject(failed(id, 'NO_SUCH_NAME'))
    expect(message(answer)).toBe(
      `ownership-dns-txt: there is no name ${name} in the DNS: add the TXT record "wallet=${plain(alice)}" at ${name}; resolvers may take some minutes to see it`,
    )
  })

  test('the name has no TXT record', async () => {
    server.zone.set(name, [])
    const answer = await ask(alice, { domain })
    expect(answer).toMatchObject(failed(id, 'NO_TXT_RECORD'))
    expect(message(answer)).toContain(`add the TXT record "wallet=${plain(alice)}" at ${name}`)
  })

  test.each<[string, Record<string, readonly Entry[]>, string]>([
    [
      'to a name that does not exist',
      { [name]: [cname('gone.elsewhere.test')] },
      'gone.elsewhere.test, which does not exist',
    ],
    [
      'over another one to a name that does not exist',
      { [name]: [cname('one.test')], 'one.test': [cname('gone.test')] },
      'gone.test, which does not exist',
    ],
    [
      'to a name without TXT records',
      { [name]: [cname('empty.elsewhere.test')], 'empty.elsewhere.test': [] },
      'empty.elsewhere.test, which has no TXT record',
    ],
    ['in a circle', { [name]: [cname('one.test')], 'one.test': [cname(name)] }, 'in a circle'],
  ])('a CNAME that leads %s stands in the way', async (_, zone, words) => {
    for (const [owner, entries] of Object.entries(zone)) server.zone.set(owner, entries)
    const answer = await ask(alice, { domain })
    expect(answer).toMatchObject(failed(id, 'CNAME_IN_THE_WAY'))
    expect(message(answer)).toContain(`${name} is a CNAME that leads ${words === 'in a circle' ? '' : 'to '}${words}`)
    expect(message(answer)).toContain(`replace the CNAME by the TXT record "wallet=${plain(alice)}"`)
  })

  /** Answers as resolvers do that give up on aliases they cannot follow. Asked for the alias itself they tell it. */
  const answerServfail: Script = (asked) => [
    asked.answer((packet) => {
      if (asked.type === types.CNAME)
        Object.assign(packet, { header: { ...packet.header, rcode: 0 }, answers: packet.answers.slice(0, 1) })
      else Object.assign(packet, { header: { ...packet.header, rcode: rcodes.servfail }, answers: [] })
    }),
  ]

  test('a CNAME leads in a circle, also where the resolver says no more than SERVFAIL', async () => {
    for (const zone of [
      [
        [name, 'one.test'],
        ['one.test', 'two.test'],
        ['two.test', 'one.test'],
      ],
      [[name, name]],
    ] as const) {
      server.zone.clear()
      for (const [owner, target] of zone) server.zone.set(owner, [cname(target)])
      server.script = answerServfail
      const answer = await ask(alice, { domain })
      expect(answer).toMatchObject(failed(id, 'CNAME_IN_THE_WAY'))
      expect(message(answer)).toContain(`${name} is a CNAME that leads in a circle`)
    }
  })

  test('a CNAME leads to a name without a server: the refusal names both, and what to do', async () => {
    server.zone.set(name, [cname('one.test')])
    server.zone.set('one.test', [cname('silent.test')])
    server.zone.set('silent.test', [])
    server.script = (asked) =>
      asked.name === 'silent.test'
        ? [asked.answer(({ header }) => Object.assign(header, { rcode: rcodes.servfail }))]
        : answerServfail(asked)
    const answer = await leavesNothing(app.parts, () => ask(alice, { domain }))
    expectRefused(
      answer,
      'VERIFIER_UNAVAILABLE',
      /answered SERVFAIL: _svc\.example\.test is a CNAME that leads to silent\.test/,
    )
    expect(message(answer)).toMatch(/replace the CNAME/)
    // A chain without an end is not followed for ever.
    server.asked.splice(0)
    server.script = (asked) => {
      server.zone.set(asked.name, [cname(`a${asked.name}`)])
      return answerServfail(asked)
    }
    expectRefused(await ask(alice, { domain }), 'VERIFIER_UNAVAILABLE', /is a CNAME that leads to a/)
    expect(server.asked.length).toBeLessThan(20)
  })

  test('a DNAME of the domain leads all names below it elsewhere: no CNAME is there to be replaced', async () => {
    server.zone.set(name, [cname('_svc.other.test')])
    server.script = (asked) => {
      const packet = decode(asked.answer())
      const record = { type: 'DNAME', name: domain, data: 'other.test', ttl: 300, class: 'IN' } as const
      return [encode({ ...packet, answers: [record, ...(packet.answers ?? [])] })]
    }
    for (const entries of [undefined, [], [naming(bob)]]) {
      if (entries) server.zone.set('_svc.other.test', entries)
      const answer = await ask(alice, { domain })
      expect(answer).toMatchObject(failed(id, entries?.length ? 'WALLET_NOT_LISTED' : 'DNAME_IN_THE_WAY'))
      expect(message(answer)).toContain(`add the TXT record "wallet=${plain(alice)}" at _svc.other.test`)
      expect(message(answer)).toContain(`${domain} is a DNAME`)
      expect(message(answer)).not.toContain('CNAME that')
    }
    server.zone.set('_svc.other.test', [naming(alice)])
    expect((await ask(alice, { domain })).status).toBe(200)
  })

  test('a CNAME leads to records of others: it says where, because no record can be added beside a CNAME', async () => {
    server.zone.set(name, [cname('proofs.elsewhere.test')])
    server.zone.set('proofs.elsewhere.test', [naming(bob)])
    const answer = await ask(alice, { domain })
    expect(answer).toMatchObject(failed(id, 'WALLET_NOT_LISTED'))
    expect(message(answer)).toContain(`add the TXT record "wallet=${plain(alice)}" at proofs.elsewhere.test`)
    expect(message(answer)).toContain(`${name} is a CNAME that leads there`)
  })

  test.each([
    ['another wallet', `wallet=${plain(mallory)}`],
    ['nothing', ''],
    ['the prefix alone', 'wallet='],
    ['another prefix', `svc=${plain(alice)}`],
    ['the prefix in capitals', `WALLET=${plain(alice)}`],
    ['the address alone', plain(alice)],
    ['the address within a longer text', `v=1 wallet=${plain(alice)}`],
    ['the address and more', `wallet=${plain(alice)} wallet=${plain(bob)}`],
    ['a longer address', `wallet=${plain(alice)}0`],
    ['a shorter address', `wallet=${plain(alice).slice(0, -1)}`],
    ['a space before the address', `wallet= ${plain(alice)}`],
    ['0X for 0x', `wallet=${plain(alice).replace('0x', '0X')}`],
    ['a chain that is none', `wallet=eip155:08453:${plain(alice)}`],
    ['another family of chains', `wallet=solana:8453:${plain(alice)}`],
  ])('no record names the signer: %s', async (_, record) => {
    server.zone.set(name, [txt(record)])
    const answer = await ask(alice, { domain }, { options: { verifierOptions: { chainId: 8453 } } })
    expect(answer).toMatchObject(failed(id, 'WALLET_NOT_LISTED'))
    expect(message(answer)).toContain(`no TXT record of ${name} is for this wallet: add the TXT record`)
  })

  test('the domain itself names the signer, and not the name below it that is asked for', async () => {
    server.zone.set(domain, [naming(alice)])
    expect(await ask(alice, { domain })).toMatchObject(failed(id, 'NO_SUCH_NAME'))
  })

  test('the domain above names the signer', async () => {
    server.zone.set(name, [naming(alice)])
    expect(await ask(alice, { domain: `sub.${domain}` })).toMatchObject(failed(id, 'NO_SUCH_NAME'))
  })

  test('the record was removed: each claim reads the record again', async () => {
    server.zone.set(name, [naming(alice)])
    expect((await ask(alice, { domain })).status).toBe(200)
    server.zone.set(name, [naming(bob)])
    expect(await ask(alice, { domain })).toMatchObject(failed(id, 'WALLET_NOT_LISTED'))
    expect((await ask(bob, { domain })).status).toBe(200)
  })

  test('data.walletAddress is another wallet than the signer: no resolver is asked', async () => {
    server.zone.set(name, [naming(bob)])
    expect(await ask(mallory, { domain, walletAddress: bob.address })).toMatchObject(failed(id, 'WALLET_MISMATCH'))
    expect(server.asked).toEqual([])
  })

  test('no failure leaves data behind', async () => {
    await leavesNothing(app.parts, async () => {
      await ask(alice, { domain })
      server.zone.set(name, [naming(bob)])
      await ask(alice, { domain })
    })
  })
})

describe('ownership-dns-txt: a domain that cannot be looked up is refused without a query', () => {
  const label63 = 'a'.repeat(63)
  test.each([
    ['an IPv4 address', '192.0.2.1', 'IP address'],
    ['an IPv6 address', '[2001:db8::1]', 'IP address'],
    ['300 characters', `${'a.'.repeat(149)}com`, 'must be at most 254 characters long'],
    ['nothing', '', 'must not be empty'],
    [
      '253 characters, which leave no room for the label',
      `${`${label63}.`.repeat(3)}${'a'.repeat(57)}.com`,
      'too long',
    ],
    ['a public suffix', 'co.uk', 'public suffix'],
    ['a public suffix of a company', 'github.io', 'public suffix'],
    ['an address with scheme and path', 'https://example.test/', 'give the name alone'],
    ['a port', 'example.test:53', 'give the name alone'],
    ['a space', ' example.test', 'give the name alone'],
    ['one label', 'test', 'one label'],
    ['two dots at the end', 'example.test..', 'each part between dots'],
    ['characters that stand for another name', 'exam\u00adple.test', 'write it as example.test'],
  ])('%s', async (_, given, hint) => {
    const answer = await leavesNothing(app.parts, () => ask(alice, { domain: given }))
    expect(answer).toMatchObject(refused(id, '/domain'))
    expect(message(answer)).toContain(hint)
    expect(server.asked).toEqual([])
  })

  test('the longest domain that leaves room for the label is asked for', async () => {
    const long = `${`${label63}.`.repeat(3)}${'a'.repeat(56)}`
    expect(`_svc.${long}`).toHaveLength(253)
    server.zone.set(`_svc.${long}`, [naming(alice)])
    expect((await ask(alice, { domain: long })).status).toBe(200)
    expectRefused(await ask(alice, { domain: `${long}a` }), 'INVALID_VERIFIER_DATA', /too long: with "_svc\."/)
  })

  test('no domain, a number, a list', async () => {
    for (const given of [{}, { domain: 5 }, { domain: [domain] }])
      expect(await ask(alice, given)).toMatchObject(refused(id, '/domain'))
  })

  test('another subject than the signer', async () => {
    const answer = await ask(alice, { domain }, { subjectWallet: bob.address })
    expectRefused(answer, 'VALIDATION_ERROR', /subjectWallet/)
  })
})

describe('ownership-dns-txt: a failed look-up is 503 with Retry-After, and stores no proof', () => {
  const failing =
    (rcode: number): Script =>
    (asked) => [
      asked.answer(({ header }) => {
        header.rcode = rcode
      }),
    ]
  const unknown = async (script: Script, hint: RegExp, limit: Record<string, string> = {}) => {
    const own = await startApp({ ...settings, ...limit })
    server.zone.set(name, [naming(alice)])
    server.script = script
    const answer = await leavesNothing(own.parts, () => asking(own, id)(alice, { domain }))
    expectRefused(answer, 'VERIFIER_UNAVAILABLE', hint)
    expect(answer.headers.get('retry-after')).toBe('5')
    expect(answer.body.error.details).toMatchObject({ verifierId: id, source: 'dns.resolvers[0]' })
    await own.close()
  }

  // Only a resolver that hangs gets a short limit, because a busy machine answers late.
  test('a resolver that hangs', () =>
    unknown(() => [], /dns\.resolvers\[0\] did not answer within 1 s/, { PROOFGATE_OUTSIDE_TIMEOUT_SECONDS: '1' }))
  test('SERVFAIL', () => unknown(failing(rcodes.servfail), /answered SERVFAIL/))
  test('REFUSED', () => unknown(failing(rcodes.refused), /answered REFUSED/))
  test('an alias without its end', () =>
    unknown(
      (asked) => [
        asked.answer((packet) => {
          packet.answers = [{ ...packet.answers[0]!, type: 5, domain: 'elsewhere.test' }]
        }),
      ],
      /alias/,
    ))

  test('then the same claim is stored as soon as the look-up works', async () => {
    server.zone.set(name, [naming(alice)])
    const claim = { verifierIds: [id], data: { domain } }
    app.wait(1)
    const signed = await app.signed(alice, claim)
    server.script = failing(rcodes.servfail)
    expect((await app.post('/api/v1/verification', signed)).status).toBe(503)
    server.script = undefined
    expect((await app.post('/api/v1/verification', signed)).status).toBe(200)
  })

  test('unless the next resolver answers, which the evidence then names', async () => {
    const second = await startDns({ [name]: [naming(alice)] })
    const two = await startApp({ ...settings, PROOFGATE_DNS_RESOLVERS: `${server.address},${second.address}` })
    server.script = failing(rcodes.servfail)
    expect(evidenceIn(await asking(two, id)(alice, { domain }))).toMatchObject({ sources: ['dns.resolvers[1]'] })
    await two.close()
    await second.stop()
  })
})

describe('ownership-dns-txt with dns.require_dnssec', () => {
  const validated: Script = (asked) => [
    asked.answer(({ header }) => {
      header.z = authenticated
    }),
  ]
  test('counts only an answer that the resolver validated', async () => {
    const strict = await startApp({ ...settings, PROOFGATE_DNS_REQUIRE_DNSSEC: 'true' })
    const askStrictly = asking(strict, id)
    server.zone.set(name, [naming(alice)])
    const answer = await leavesNothing(strict.parts, () => askStrictly(alice, { domain }))
    expect(answer).toMatchObject(failed(id, 'DNSSEC_REQUIRED'))
    expect(message(answer)).toContain('dns.require_dnssec')
    server.script = validated
    expect(evidenceIn(await askStrictly(alice, { domain }))).toMatchObject({ authenticated: true })
    await strict.close()
  })

  test('an answer that was validated is marked as such without the setting, too', async () => {
    server.zone.set(name, [naming(alice)])
    server.script = validated
    expect(evidenceIn(await ask(alice, { domain }))).toMatchObject({ authenticated: true })
  })
})

test('ownership-dns-txt over HTTPS', async () => {
  const doh = await startDoh('h2', { [name]: [naming(alice)] })
  const restoreTrust = trustCertificate()
  const overHttps = await startApp({
    ...settings,
    PROOFGATE_DNS_RESOLVERS: `https://localhost:${doh.port}/dns-query`,
  })
  try {
    expect((await asking(overHttps, id)(alice, { domain })).status).toBe(200)
    expect(await asking(overHttps, id)(bob, { domain })).toMatchObject(failed(id, 'WALLET_NOT_LISTED'))
  } finally {
    restoreTrust()
    await overHttps.close()
    await doh.stop()
  }
})

describe('ownership-dns-txt and its setting', () => {
  test('is absent without a resolver, and asking for it names the setting', async () => {
    const without = await startApp({ PROOFGATE_LIMITS_ENABLED: 'false' })
    const catalog = await without.get('/api/v1/verification/verifiers')
    expect(catalog.body.data).not.toContain(id)
    const answer = await asking(without, id)(alice, { domain })
    expectRefused(answer, 'VERIFIER_NOT_FOUND', /needs a resolver: set dns\.resolvers/)
    await without.close()
  })

  test('with one it is in the catalog, as a snapshot that is looked up', async () => {
    const { body } = await app.get('/api/v1/verification/verifiers')
    expect(body.data).toContain(id)
    expect(body.metadata[id]).toMatchObject({
      flowType: 'external_lookup',
      expiryType: 'point_in_time',
      allowsDelegatedSubject: false,
      requiredFields: ['domain'],
      optionalFields: ['walletAddress'],
    })
  })

  test('a newer proof of the same domain takes the place of the older one, whatever the spelling', async () => {
    const latest = await startApp(settings)
    server.zone.set(name, [naming(alice)])
    const options = { privacyLevel: 'public', publicDisplay: true }
    await asking(latest, id)(alice, { domain: 'EXAMPLE.test.' }, { options })
    const newer = await asking(latest, id)(alice, { domain }, { options })
    const { body } = await latest.get(`/api/v1/proofs/by-wallet/${alice.address}`)
    expect(body.data.proofs.map(({ qHash }: { qHash: string }) => qHash)).toEqual([newer.body.data.qHash])
    await latest.close()
  })
})

describe('a contract wallet', () => {
  const [here, there] = ['eip155:8453', 'eip155:10']
  let twins: TwinWallets
  let chains: Awaited<ReturnType<typeof startApp>>
  let onHere: TestWallet
  let onThere: TestWallet
  beforeAll(async () => {
    twins = await startTwinWallets(here, there)
    ;({ ofAlice: onHere, ofMallory: onThere } = twins)
    chains = await startApp({ ...settings, ...twins.env })
  })
  afterAll(async () => {
    await chains?.close()
    await twins?.stop()
  })
  const say = (wallet: TestWallet, options: object = {}) => asking(chains, id)(wallet, { domain }, options)
  const withChain = (chainId: number) => ({ options: { verifierOptions: { chainId } } })
  const advice = (wallet: TestWallet, chain: string) =>
    `add the TXT record "wallet=${chain}:${wallet.address}" at ${name}`

  test('is named by its CAIP-10 account only', async () => {
    server.zone.set(name, [txt(`wallet=${here}:${onHere.address}`)])
    expect(evidenceIn(await say(onHere))).toMatchObject({ txtRecord: `wallet=${here}:${onHere.address}` })
  })

  test('is not named by its bare address, which stands for a key, and the refusal names the missing part', async () => {
    server.zone.set(name, [txt(`wallet=${onHere.address}`)])
    for (const [wallet, chain] of [
      [onHere, here],
      [onThere, there],
    ] as const) {
      const answer = await say(wallet)
      expect(answer).toMatchObject(failed(id, 'WALLET_NOT_LISTED'))
      expect(message(answer)).toContain('names the bare address, which stands for a key')
      expect(message(answer)).toContain(advice(wallet, chain))
    }
  })

  test('at the same address of another chain is another account, whatever chain the request names', async () => {
    server.zone.set(name, [txt(`wallet=${here}:${onHere.address}`)])
    for (const options of [{}, withChain(8453), withChain(10)]) {
      const answer = await say(onThere, options)
      expect(answer).toMatchObject(failed(id, 'WALLET_NOT_LISTED'))
      expect(message(answer)).toContain(`names this address on ${here}`)
      expect(message(answer)).toContain(advice(onThere, there))
    }
  })

  test('gets the whole record in the refusal where it is missing', async () => {
    expect(message(await say(onHere))).toContain(advice(onHere, here))
    server.zone.set(name, [txt('v=spf1 -all')])
    expect(message(await say(onHere))).toContain(advice(onHere, here))
  })
})
