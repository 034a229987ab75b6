import { describe, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../../src/commands/command.ts'
import { verify } from '../../src/commands/verify.ts'
import { ConfigError } from '../../src/config/load.ts'
import { temporaryFolders } from '../parts/folders.ts'
import vectors from '../vectors/envelopes.json' with { type: 'json' }
import { alice } from '../wallets.ts'
import { run } from './terminal.ts'

const newFolder = temporaryFolders()

const vector = (name: string) => {
  const { request, did, qHash, signature, signatureMethod } = vectors.find((one) => one.name === name)!
  return { qHash, did, ...request, signature, signatureMethod } as Record<string, unknown>
}
const evm = vector('evm ownership-basic')
const solana = vector('solana ownership-basic')
const signedAt = evm.signedTimestamp as number

const check = (proof: unknown, args: string[] = [], given = {}) =>
  run(verify, ['-', ...args], { now: () => signedAt + 1000, stdin: JSON.stringify(proof), ...given })
const checkText = (stdin: string | Uint8Array) => run(verify, ['-'], { stdin })

/** The EVM vector with something else in it, signed by its own wallet over its own six lines. */
async function signedOver(lines: readonly string[]): Promise<string> {
  return alice.sign(lines.join('\n'))
}

describe('proofgate verify', () => {
  test.each([
    ['the EVM proof of CAIP-380', evm],
    ['a Solana proof', solana],
    ['a proof whose qHash is written in capitals', { ...evm, qHash: `0x${String(evm.qHash).slice(2).toUpperCase()}` }],
    ['the whole answer of a create', { success: true, data: { qHash: evm.qHash, portableProof: evm } }],
    ['the data of that answer', { qHash: evm.qHash, receipt: {}, portableProof: evm }],
  ])('is content with %s', async (_, proof) => {
    const { code, out, err } = await check(proof)
    expect(out).toContain('VALID  0x')
    expect(out).not.toContain('NOT')
    expect(err).toBe('')
    expect(code).toBe(0)
  })

  const record = {
    qHash: evm.qHash,
    did: evm.did,
    walletAddress: String(evm.walletAddress).toLowerCase(),
    verifierIds: evm.verifierIds,
    signedTimestamp: evm.signedTimestamp,
    status: 'verified',
    portableProof: evm,
  }

  test.each([
    ['an answer', { success: true, qHash: evm.qHash, data: record }],
    ['its data', record],
  ])('is content with %s that names the proof in it', async (_, answer) => {
    expect((await check(answer)).code).toBe(0)
  })

  test.each([
    ['qHash', `0x${'0'.repeat(64)}`],
    ['did', 'did:pkh:eip155:84532:0x1111111111111111111111111111111111111111'],
    ['walletAddress', '0x1111111111111111111111111111111111111111'],
    ['verifierIds', ['proof-of-human']],
    ['verifierIds', 'ownership-basic'],
    ['signedTimestamp', 5],
  ])('rejects a record with another %s than the proof in it', async (member, value) => {
    const changed = { ...record, [member]: value }
    for (const answer of [
      changed,
      { success: true, data: changed },
      { success: true, [member]: value, data: record },
    ]) {
      const { code, json } = await check(answer, ['--json'])
      expect(code).toBe(1)
      expect(json).toMatchObject({ usable: true, valid: false, checks: { qHash: true, did: true, signature: true } })
      expect(json.faults).toEqual([`record: its ${member} is not that of the portable proof in it`])
    }
    const { out } = await check(changed)
    expect(out).toStartWith('NOT VALID  ')
    expect(out).toContain(`NOT  record     its ${member} is not that`)
    expect(out).toContain('the record around it is about another')
  })

  test('explains the meaning and the limits of "valid"', async () => {
    const { out } = await check(evm)
    expect(out).toContain('The wallet signed exactly this request')
    expect(out).toContain('does not say that the claim holds, nor that the proof was not revoked')
    expect(out).toContain(`GET /api/v1/proofs/${evm.qHash}`)
  })

  test.each([
    [
      'the content',
      { data: { content: 'CAIP-380 interoperability fixturE', nonce: 'example-1' } },
      ['qHash', 'signature'],
    ],
    ['the time', { signedTimestamp: signedAt + 1 }, ['qHash', 'signature']],
    ['the verifiers', { verifierIds: ['wallet-link'] }, ['qHash', 'signature']],
    ['the chain', { chainId: 1 }, ['qHash', 'did', 'signature']],
    ['the qHash', { qHash: `0x${'0'.repeat(64)}` }, ['qHash']],
    ['the did', { did: 'did:pkh:eip155:84532:0x1111111111111111111111111111111111111111' }, ['did']],
    ['the wallet', { walletAddress: '0x1111111111111111111111111111111111111111' }, ['qHash', 'did', 'signature']],
    ['the signature', { signature: String(evm.signature).replace('c448', 'c449') }, ['signature']],
    ['the signature, for none', { signature: '0x00' }, ['signature']],
    ['the method', { signatureMethod: 'ed25519' }, ['signature']],
  ])('notices a change of %s', async (_, change, failing) => {
    const { code, json } = await check({ ...evm, ...change }, ['--json'])
    expect(code).toBe(1)
    expect(json.valid).toBe(false)
    expect(Object.keys(json.checks).filter((name) => !json.checks[name])).toEqual(failing)
    expect(json.faults).toHaveLength(failing.length)
  })

  test('rejects the chain in place of the chainId as another proof', async () => {
    const { chainId: _, ...rest } = evm
    const { code, json } = await check({ ...rest, chain: 'eip155:84532' }, ['--json'])
    expect(code).toBe(1)
    expect(json.checks).toEqual({ qHash: false, did: true, signature: true })
  })

  test('leaves a signature by another wallet undecided, which may be that of a contract wallet', async () => {
    const { out } = await check({ ...evm, signature: await alice.sign('something else') })
    expect(out).toContain('contract wallet (EIP-1271, EIP-6492), its signature requires chain state')
    const { json } = await check({ ...evm, signature: `0x${'ab'.repeat(400)}` }, ['--json'])
    expect(json.notes[0]).toContain('requires chain state')
    expect((await check({ ...solana, signature: evm.signature }, ['--json'])).json.notes).toEqual([])
  })

  test('a text signed under an older title is valid only when that title is named', async () => {
    const data = JSON.stringify(evm.data)
    const signature = await signedOver([
      'Older Request',
      `Wallet: ${evm.walletAddress}`,
      'Chain: 84532',
      'Verifiers: ownership-basic',
      `Data: ${data}`,
      `Timestamp: ${signedAt}`,
    ])
    const older = { ...evm, signature }
    expect((await check(older)).code).toBe(1)
    expect((await check(older, ['--title', 'Older Request'])).code).toBe(0)

    const cwd = newFolder()
    writeFileSync(join(cwd, 'proofgate.toml'), '[signing]\naccepted_titles = ["Older Request"]')
    expect((await check(older, ['--config', 'proofgate.toml'], { cwd })).code).toBe(0)
    expect((await check(older, [], { cwd })).code).toBe(1)
  })

  test('age is shown and does not change the verdict', async () => {
    const old = await check(evm, [], { now: () => signedAt + 3_600_000 })
    expect(old.code).toBe(0)
    expect(old.out).toContain('the signature is 3600 s old and may be at most 300 s; age does not make a proof invalid')
    const { json, code } = await check(evm, ['--json', '--max-age', '7200'], { now: () => signedAt + 3_600_000 })
    expect({ fresh: json.fresh, code }).toEqual({ fresh: true, code: 0 })
    expect((await check(evm, ['--json'], { now: () => signedAt + 3_600_000 })).json.fresh).toBe(false)
  })

  test('reads a file, from the working directory', async () => {
    const cwd = newFolder()
    writeFileSync(join(cwd, 'proof.json'), JSON.stringify(evm, null, 2))
    expect((await run(verify, ['proof.json'], { cwd })).code).toBe(0)
  })

  test('prints colors for people only', async () => {
    expect((await check(evm, [], { isPerson: true })).out).toContain('\u001b[')
    expect((await check(evm)).out).not.toContain('\u001b[')
  })
})

describe('proofgate verify cannot use', () => {
  const without = (name: string) => Object.fromEntries(Object.entries(evm).filter(([key]) => key !== name))

  test.each([
    ['a proof without a signature', without('signature'), 'the member "signature" is missing'],
    ['a proof without a chain', without('chainId'), 'exactly one of the members "chainId" and "chain"'],
    ['a proof with both kinds of chain', { ...evm, chain: 'eip155:84532' }, 'exactly one of the members'],
    ['a proof with one member more', { ...evm, note: 1 }, 'the member "note" does not belong'],
    [
      'a member of another type',
      { ...evm, signedTimestamp: '1784582400000' },
      '"signedTimestamp" must be Unix milliseconds',
    ],
    ['a time that is no whole number', { ...evm, signedTimestamp: 1.5 }, '"signedTimestamp" must be'],
    ['data that is a list', { ...evm, data: [] }, '"data" must be an object'],
    ['a qHash that is too short', { ...evm, qHash: '0x12' }, '"qHash" must be 0x and 64 hexadecimal digits'],
    ['an address that is none', { ...evm, walletAddress: '0x12' }, 'an EVM address is 0x followed by 40'],
    ['a Solana proof with an EVM address', { ...solana, walletAddress: evm.walletAddress }, 'a Solana address is'],
    ['an EVM chain without number', { ...without('chainId'), chain: 'eip155:base' }, 'by its number after "eip155:"'],
    ['no verifiers', { ...evm, verifierIds: [] }, '"verifierIds" must be a list of verifier ids'],
    ['two verifiers in one id, which would be signed alike', { ...evm, verifierIds: ['a,b'] }, '"verifierIds" must be'],
    ['a line feed in a verifier id', { ...evm, verifierIds: ['a\nData: {}'] }, '"verifierIds" must be'],
    ['a list', [evm], 'a portable proof is a JSON object'],
    ['null', null, 'a portable proof is a JSON object'],
    ['an error answer', { success: false, error: {} }, 'this is an error answer'],
    [
      'an answer without a portable proof',
      { success: true, data: { qHash: evm.qHash } },
      'there is no portable proof in it',
    ],
    ['an unrelated object', { hello: 1 }, 'there is no portable proof in it'],
    ['members of the prototype', JSON.parse('{"__proto__": {}, "walletAddress": "x"}'), '"__proto__" does not belong'],
  ])('%s', async (_, proof, message) => {
    const { code, err, out } = await check(proof)
    expect(err).toStartWith('standard input: ')
    expect(err).toContain(message)
    expect({ code, out }).toEqual({ code: 2, out: '' })
  })

  test.each([
    ['an empty file', '', 'this is not JSON: it is empty'],
    ['a text', 'hello', 'this is not JSON'],
    ['half a file', JSON.stringify(evm).slice(0, 100), 'this is not JSON'],
    ['bytes that are no text', Uint8Array.of(0x7b, 0xff), 'it is not UTF-8 text'],
    ['more than a megabyte', ' '.repeat(1_048_577), 'it is larger than 1048576 bytes'],
    ['nesting without end', '['.repeat(1_000_000), 'this is not JSON'],
    ['a member that is there twice', `{"qHash":"0x00",${JSON.stringify(evm).slice(1)}`, '"qHash" is there twice'],
    [
      'a member of data that is there twice, once with an escape',
      JSON.stringify(evm).replace('"data":{', '"data":{"c\\u006fntent":"other",'),
      '"content" is there twice',
    ],
  ])('%s', async (_, text, message) => {
    const { code, err } = await checkText(text)
    expect(err).toContain(message)
    expect(code).toBe(2)
  })

  test.each([65, 5000, 100_000])('data nested %i levels deep is not valid, and no reason to break', async (depth) => {
    const text = JSON.stringify({ ...evm, data: { a: 0 } }).replace(
      '{"a":0}',
      `${'{"a":'.repeat(depth)}0${'}'.repeat(depth)}`,
    )
    for (const args of [['-'], ['-', '--json']])
      expect((await run(verify, args, { stdin: text })).code).toBeOneOf([1, 2])
  })

  test('accepts the same name in two objects, whatever braces a text holds', async () => {
    const data = { content: '{"a":1,"a":2}', nested: [{ content: '\\"' }, { content: '"' }] }
    const { json } = await check({ ...evm, data }, ['--json'])
    expect(json.usable).toBe(true)
  })

  test('a file that is not there, and a folder', async () => {
    const cwd = newFolder()
    mkdirSync(join(cwd, 'folder'))
    expect((await run(verify, ['none.json'], { cwd })).err).toBe('none.json: there is no such file\n')
    expect((await run(verify, ['folder'], { cwd })).err).toBe('folder: this is a folder, not a file\n')
  })

  test('unusable input is reported in JSON as well', async () => {
    expect((await check({ hello: 1 }, ['--json'])).json).toMatchObject({ usable: false, valid: false })
  })

  test('strips terminal control characters of the file', async () => {
    const { out } = await check({ ...evm, data: { content: '\u001b[2J\u202e\u009b' } }, [], { isPerson: false })
    expect([...'\u001b\u202e\u009b'].filter((control) => out.includes(control))).toEqual([])
    expect((await check({ ...evm, '\u001b[2J': 1 })).err).not.toContain('\u001b')
  })

  test.each([
    [[], 'name the file'],
    [['a', 'b'], '"b" is one argument too many'],
    [['-', '--max-age', 'x'], '--max-age must be a whole number of seconds'],
    [['-', '--title', 'two\nlines'], '--title must be one line'],
    [['-', '--titel', 'x'], 'there is no option --titel; did you mean --title?'],
  ])('the call %j', async (args, message) => {
    const fault = await run(verify, args).catch((error) => error)
    expect(fault).toBeInstanceOf(UsageError)
    expect(fault.message).toContain(message)
  })

  test('a configuration that is wrong, when one is named', async () => {
    expect(await run(verify, ['-', '--config', 'none.toml']).catch((error) => error)).toBeInstanceOf(ConfigError)
  })
})

describe('proofgate verify --lines', () => {
  const lines = (proofs: readonly unknown[]) => proofs.map((one) => `${JSON.stringify(one)}\n`).join('')

  test('checks every line of a file, and counts', async () => {
    const { code, out } = await run(verify, ['-', '--lines'], { stdin: lines([evm, solana]) })
    expect(out).toContain(`VALID      ${evm.qHash}`)
    expect(out).toContain(`VALID      ${solana.qHash}`)
    expect(out).toContain('2 of 2 valid, 0 not valid, 0 undecided, 0 unusable')
    expect(code).toBe(0)
  })

  test('is how a file that ends in .jsonl is read, with or without a last line feed', async () => {
    const cwd = newFolder()
    writeFileSync(join(cwd, 'proofs.jsonl'), `${JSON.stringify(evm)}\r\n\n${JSON.stringify(solana)}`)
    const { code, out } = await run(verify, ['proofs.jsonl', '--json'], { cwd })
    const told = out.trim().split('\n')
    expect(told.map((line) => JSON.parse(line))).toEqual([
      { line: 1, usable: true, valid: true, qHash: evm.qHash },
      { line: 3, usable: true, valid: true, qHash: solana.qHash },
      { valid: 2, notValid: 0, undecided: 0, unusable: 0 },
    ])
    expect(code).toBe(0)
  })

  test('one changed line makes the file not valid, an unreadable one makes it unusable; the rest is reported', async () => {
    const changed = { ...evm, signedTimestamp: signedAt + 1 }
    const notValid = await run(verify, ['-', '--lines'], { stdin: lines([evm, changed]) })
    expect(notValid.out).toContain('1 of 2 valid, 1 not valid')
    expect(notValid.code).toBe(1)
    const unusable = await run(verify, ['-', '--lines'], { stdin: `${lines([evm])}{"a":\n${lines([solana])}` })
    expect(unusable.out).toContain('UNUSABLE   line 2')
    expect(unusable.out).toContain('2 of 3 valid')
    expect(unusable.code).toBe(2)
  })

  test.each([
    ['nothing at all', ''],
    ['empty lines', '\n\n'],
    ['a line past any proof', `${' '.repeat(1_048_577)}\n`],
    ['bytes that are no text', new Uint8Array([0x7b, 0xff, 0x0a])],
  ])('refuses %s', async (_, stdin) => {
    expect((await run(verify, ['-', '--lines'], { stdin })).code).toBe(2)
  })

  test('reads a file that is far longer than one proof may be', async () => {
    const { code, out } = await run(verify, ['-', '--lines'], { stdin: lines(Array<unknown>(2_500).fill(evm)) })
    expect(out).toContain('2500 of 2500 valid')
    expect(code).toBe(0)
  })
})
