import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import fc from 'fast-check'
import { privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage, parseSiweMessage } from 'viem/siwe'
import {
  addChecksum,
  parseMessage,
  parseTime,
  type SignInMessage,
  writeMessage,
} from '../../src/auth/sign-in/message.ts'
import { AppError } from '../../src/errors.ts'
import { alice, sol } from '../wallets.ts'

setDefaultTimeout(120_000)
const runs = Number(process.env.FUZZ_RUNS ?? 2000)

const ethereum: SignInMessage = {
  namespace: 'eip155',
  domain: 'proofs.example.com',
  address: alice.address,
  statement: 'Sign in: all of it, (really) & for free.',
  uri: 'https://proofs.example.com/verify?intent=login#top',
  chainId: '8453',
  nonce: 'a1b2c3d4e5f6',
  issuedAt: '2026-01-01T00:00:00.000Z',
  expirationTime: '2026-01-01T00:10:00Z',
  notBefore: '2025-12-31T23:59:59.5+00:00',
  requestId: 'req-1',
  resources: ['https://example.com/terms', 'ipfs://bafy/x'],
}
const { expirationTime, notBefore, requestId, resources, statement, ...bare } = ethereum
const solana: SignInMessage = { ...bare, namespace: 'solana', address: sol.address, chainId: 'mainnet' }

const refusal = (text: string): string => {
  try {
    parseMessage(text)
  } catch (error) {
    expect(error).toBeInstanceOf(AppError)
    expect((error as AppError).code).toBe('VALIDATION_ERROR')
    return (error as AppError).message
  }
  throw new Error(`was read: ${JSON.stringify(text)}`)
}

describe('a sign-in message', () => {
  test.each([
    ['with everything', ethereum],
    ['with nothing optional', bare],
    ['of a Solana wallet', solana],
    ['of a Solana wallet that writes the whole chain id', { ...solana, chainId: 'solana:mainnet' }],
    ['with a scheme', { ...ethereum, scheme: 'https' }],
    ['with an address in lower case', { ...ethereum, address: alice.address.toLowerCase() }],
    ['with a port', { ...ethereum, domain: '127.0.0.1:8787' }],
    ['of an IPv6 host', { ...ethereum, domain: '[::1]:8787', uri: 'http://[::1]:8787' }],
    ['with an empty request id and no resources in the list', { ...ethereum, requestId: '', resources: [] }],
    ['whose statement looks like a field', { ...bare, statement: 'URI: https://evil.example' }],
  ])('%s is read as it was written', (_, message) => {
    expect(parseMessage(writeMessage(message as SignInMessage))).toEqual(message as SignInMessage)
  })

  test('is written as viem writes and reads it', () => {
    const theirs = createSiweMessage({
      address: alice.address as `0x${string}`,
      domain: ethereum.domain,
      statement: 'Sign in.',
      uri: ethereum.uri,
      version: '1',
      chainId: 8453,
      nonce: ethereum.nonce,
      issuedAt: new Date(ethereum.issuedAt),
      expirationTime: new Date('2026-01-01T00:10:00.000Z'),
      notBefore: new Date('2026-01-01T00:00:00.000Z'),
      requestId: 'req-1',
      resources: [...(ethereum.resources ?? [])],
    })
    expect(writeMessage(parseMessage(theirs))).toBe(theirs)
    expect(parseSiweMessage(theirs).nonce).toBe(parseMessage(theirs).nonce)
    const { statement: _, ...rest } = parseMessage(theirs)
    const short = createSiweMessage({
      address: alice.address as `0x${string}`,
      domain: rest.domain,
      uri: rest.uri,
      version: '1',
      chainId: 8453,
      nonce: rest.nonce,
      issuedAt: new Date(rest.issuedAt),
    })
    expect(writeMessage(parseMessage(short))).toBe(short)
  })

  test('may lack the second blank line for Solana without a statement, but not for Ethereum', () => {
    const short = (message: SignInMessage) => writeMessage(message).replace('\n\n\n', '\n\n')
    expect(parseMessage(short(solana))).toEqual(solana)
    expect(refusal(short(bare))).toMatch(/the lines of EIP-4361/)
  })

  const lines = writeMessage(ethereum).split('\n')
  const without = (label: string) => lines.filter((line) => !line.startsWith(label)).join('\n')
  const instead = (label: string, line: string) => lines.map((one) => (one.startsWith(label) ? line : one)).join('\n')
  const twice = (label: string) => lines.flatMap((one) => (one.startsWith(label) ? [one, one] : [one])).join('\n')
  const swapped = (a: string, b: string) =>
    lines
      .map((one) => {
        if (one.startsWith(a)) return lines.find((line) => line.startsWith(b))
        return one.startsWith(b) ? lines.find((line) => line.startsWith(a)) : one
      })
      .join('\n')
  const wrongChecksum = `0x${alice.address
    .slice(2)
    .replace(/[a-f]/, (digit) => digit.toUpperCase())
    .replace(/[A-F](?=[^A-F]*$)/, (digit) => digit.toLowerCase())}`

  test.each<[string, string, RegExp]>([
    ['nothing', '', /does not begin/],
    ['carriage returns', lines.join('\r\n'), /only ASCII/],
    ['a carriage return at the end', `${lines.join('\n')}\r`, /only ASCII/],
    ['a line feed at the end', `${lines.join('\n')}\n`, /resource that is no/],
    ['a line feed at the end, without resources', `${writeMessage(bare)}\n`, /the lines of EIP-4361/],
    ['a line feed before it', `\n${lines.join('\n')}`, /does not begin/],
    ['another line after it', `${writeMessage(bare)}\nX: y`, /the lines of EIP-4361/],
    ['a tab', instead('Nonce', 'Nonce:\ta1b2c3d4e5f6'), /only ASCII/],
    ['a letter that only looks like one', instead('Nonce', 'Nonce: а1b2c3d4e5f6'), /only ASCII/],
    ['two blanks', instead('Nonce', 'Nonce:  a1b2c3d4e5f6'), /"Nonce:"/],
    ['a blank at the end of a line', instead('Nonce', 'Nonce: a1b2c3d4e5f6 '), /"Nonce:"/],
    ['a label in lower case', instead('Nonce', 'nonce: a1b2c3d4e5f6'), /"Nonce:"/],
    ['no URI', without('URI'), /"URI:"/],
    ['no version', without('Version'), /"Version:"/],
    ['no chain', without('Chain ID'), /"Chain ID:"/],
    ['no nonce', without('Nonce'), /"Nonce:"/],
    ['no time', without('Issued'), /"Issued At:"/],
    ['two URIs', twice('URI'), /"Version:"/],
    ['two nonces', twice('Nonce'), /"Issued At:"/],
    ['two expirations', twice('Expiration'), /the lines of EIP-4361/],
    ['two lists of resources', twice('Resources'), /resource that is no/],
    ['fields in another order', swapped('Nonce', 'Issued'), /"Nonce:"/],
    ['optional fields in another order', swapped('Expiration', 'Not Before'), /the lines of EIP-4361/],
    ['another version', instead('Version', 'Version: 2'), /"Version:"/],
    ['chain 0', instead('Chain', 'Chain ID: 0'), /"Chain ID:"/],
    ['a chain with a leading zero', instead('Chain', 'Chain ID: 01'), /"Chain ID:"/],
    ['a chain in hexadecimal', instead('Chain', 'Chain ID: 0x1'), /"Chain ID:"/],
    ['the whole chain id, for Ethereum', instead('Chain', 'Chain ID: eip155:1'), /"Chain ID:"/],
    ['a short nonce', instead('Nonce', 'Nonce: a1b2c3d'), /"Nonce:"/],
    ['a nonce with other characters', instead('Nonce', 'Nonce: a1b2c3d4-e5'), /"Nonce:"/],
    ['a URI with a blank', instead('URI', 'URI: https://a.example/ b'), /"URI:"/],
    ['a URI with a backslash', instead('URI', 'URI: https:\\\\a.example'), /"URI:"/],
    ['a URI that is a path', instead('URI', 'URI: /verify'), /"URI:"/],
    ['a time without a zone', instead('Issued', 'Issued At: 2026-01-01T00:00:00'), /RFC 3339/],
    ['a day that there is not', instead('Issued', 'Issued At: 2026-02-30T00:00:00Z'), /RFC 3339/],
    ['a time in words', instead('Expiration', 'Expiration Time: tomorrow'), /RFC 3339/],
    ['a request id with a blank', instead('Request', 'Request ID: a b'), /"Request ID:"/],
    ['a resource that is no URI', lines.join('\n').replace('- ipfs://bafy/x', '- x'), /resource that is no/],
    ['too many resources', `${lines.join('\n')}${'\n- a:b'.repeat(40)}`, /more than 32/],
    ['a wrong checksum', instead('0x', wrongChecksum), /EIP-55/],
    ['an address in capitals', instead('0x', `0x${alice.address.slice(2).toUpperCase()}`), /EIP-55/],
    ['an address cut short', instead('0x', alice.address.slice(0, -1)), /no EVM address/],
    ['a Solana address in an Ethereum message', instead('0x', sol.address), /no EVM address/],
    [
      'another kind of account',
      instead(ethereum.domain, `${ethereum.domain} wants you to sign in with your Bitcoin account:`),
      /does not begin/,
    ],
    [
      'a domain with a path',
      instead(ethereum.domain, 'a.example/b wants you to sign in with your Ethereum account:'),
      /does not begin/,
    ],
    ['a statement with a quote', lines.join('\n').replace('for free', '"for free"'), /statement/],
    ['a statement of two lines', lines.join('\n').replace(': all', '\nall'), /"URI:"/],
    ['too much', instead('Request', `Request ID: ${'a'.repeat(5000)}`), /longer than 4096/],
  ])('with %s is refused, and it is said why', (_, text, reason) => {
    expect(refusal(text)).toMatch(reason)
  })

  test('times are read as RFC 3339 has them', () => {
    expect(parseTime('2026-01-01T00:00:00Z')).toBe(1_767_225_600_000)
    expect(parseTime('2026-01-01T01:30:00.25+01:30')).toBe(1_767_225_600_250)
    expect(parseTime('2025-12-31T23:00:00.123456789-01:00')).toBe(1_767_225_600_123)
    expect(parseTime('2024-02-29T00:00:00Z')).toBeNumber()
    for (const wrong of ['2025-02-29T00:00:00Z', '2026-01-01T24:00:00Z', '2026-01-01 00:00:00Z', '2026-1-1T00:00:00Z'])
      expect(parseTime(wrong)).toBeUndefined()
  })
})

const hexKey = fc.uint8Array({ minLength: 32, maxLength: 32 }).filter((bytes) => bytes[0] !== 0 && bytes[0] !== 255)
const ofCharacters = (characters: string, minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...characters), minLength, maxLength })
const alphanumeric = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
const time = fc
  .date({ min: new Date('1970-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .chain((date) => fc.constantFrom(date.toISOString(), date.toISOString().replace(/\.\d+Z$/, '+05:30')))
const uri = fc
  .tuple(fc.constantFrom('https:', 'ipfs:', 'did:'), ofCharacters(`${alphanumeric}-._~:/?#[]@!$&'()*+,;=`, 1, 40))
  .map((both) => both.join(''))
const message: fc.Arbitrary<SignInMessage> = fc
  .record(
    {
      domain: ofCharacters(`${alphanumeric}-.:`, 1, 30),
      key: hexKey,
      uri,
      chain: fc.integer({ min: 1, max: 999_999_999 }),
      nonce: ofCharacters(alphanumeric, 8, 80),
      issuedAt: time,
      scheme: fc.constantFrom('https', 'http', 'app+x'),
      statement: ofCharacters(`${alphanumeric}-._~:/?#[]@!$&'()*+,;= `, 1, 60),
      expirationTime: time,
      notBefore: time,
      requestId: ofCharacters(`${alphanumeric}-._~!$&'()*+,;=:@`, 0, 20),
      resources: fc.array(uri, { maxLength: 4 }),
      isSolana: fc.boolean(),
    },
    { requiredKeys: ['domain', 'key', 'uri', 'chain', 'nonce', 'issuedAt'] },
  )
  .map(({ key, chain, isSolana, ...rest }) =>
    isSolana
      ? { ...rest, namespace: 'solana' as const, address: sol.address, chainId: `solana:${chain}` }
      : {
          ...rest,
          namespace: 'eip155' as const,
          address: privateKeyToAccount(`0x${Buffer.from(key).toString('hex')}`).address,
          chainId: String(chain),
        },
  )

describe('any written message', () => {
  test('is read again, and is the same', () => {
    fc.assert(
      fc.property(message, (one) => {
        expect(parseMessage(writeMessage(one))).toEqual(one)
      }),
      { numRuns: runs },
    )
  })

  test('is never read as the same when a character is changed, added or left out', () => {
    fc.assert(
      fc.property(message, fc.nat(), fc.integer({ min: 0, max: 127 }), fc.nat(2), (one, place, code, kind) => {
        const text = writeMessage(one)
        const at = place % text.length
        const end = kind === 0 ? at : at + 1
        const changed = text.slice(0, at) + (kind === 2 ? '' : String.fromCharCode(code)) + text.slice(end)
        const isShortForm = one.namespace === 'solana' && changed === text.replace('\n\n\n', '\n\n')
        if (changed === text || isShortForm) return
        let read: SignInMessage
        try {
          read = parseMessage(changed)
        } catch (error) {
          expect(error).toBeInstanceOf(AppError)
          return
        }
        expect(read).not.toEqual(one)
      }),
      { numRuns: runs * 2 },
    )
  })

  test('differs from arbitrary text, which is refused with a reason and without a fault', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary', maxLength: 300 }),
          fc
            .array(fc.oneof(fc.constantFrom(...writeMessage(ethereum).split('\n')), fc.string()), { maxLength: 20 })
            .map((lines) => lines.join('\n')),
        ),
        (text) => {
          try {
            expect(writeMessage(parseMessage(text))).toBe(text)
          } catch (error) {
            expect(error).toBeInstanceOf(AppError)
          }
        },
      ),
      { numRuns: runs },
    )
  })

  test('is checksummed as viem does by EIP-55', () => {
    fc.assert(
      fc.property(hexKey, (key) => {
        const { address } = privateKeyToAccount(`0x${Buffer.from(key).toString('hex')}`)
        expect(addChecksum(address.toLowerCase())).toBe(address)
      }),
      { numRuns: 50 },
    )
  })
})
