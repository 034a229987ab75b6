/** Signatures and keys against the real minisign (Debian's package), in both directions. */
import { describe, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { signContent, verifySignature } from '../../src/release/minisign.ts'
import {
  parsePublicKey,
  parseSignature,
  type Signature,
  writePublicKey,
  writePublicKeyLine,
  writeSignature,
} from '../../src/release/minisign-text.ts'
import { derivePublicKey, generateSecretKey, parseSecretKey, writeSecretKey } from '../../src/release/secret-key.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { isMissing } from '../parts/optional.ts'

const folder = temporaryFolders()

const minisign = Bun.which('minisign') !== null
/** The costs of minisign itself take a gigabyte. */
const costs = { operations: 2 ** 16, memory: 2 ** 20 }
const content = 'proofgate 1.0.0\n'
const key = generateSecretKey()
const publicKey = derivePublicKey(key)
const signed = signContent(content, key, { trusted: 'file proofgate, version 1.0.0' })

describe('a signature of ours', () => {
  test('verifies, and gives its trusted comment', () => {
    expect(verifySignature(signed, content, publicKey)).toMatchObject({
      trustedComment: 'file proofgate, version 1.0.0',
    })
  })

  test('of a file is the one of its bytes', () => {
    const file = join(folder(), 'large')
    const bytes = new Uint8Array(3_000_001).fill(7)
    writeFileSync(file, bytes)
    const text = signContent({ file }, key, { trusted: 'x' })

    expect(verifySignature(text, bytes, publicKey).trustedComment).toBe('x')
    expect(verifySignature(text, { file }, publicKey).trustedComment).toBe('x')
  })

  test('verifies with Windows line ends', () => {
    expect(verifySignature(signed.replaceAll('\n', '\r\n'), content, publicKey).trustedComment).toContain('1.0.0')
  })

  test.each(['two\nlines', 'a\0b'])('is not made with the comment %j', (trusted) => {
    expect(() => signContent(content, key, { trusted })).toThrow('a comment of a signature is one line')
  })

  test('is not made with a comment that minisign could not read', () => {
    expect(() => signContent(content, key, { trusted: 'x'.repeat(9000) })).toThrow('has at most')
  })
})

describe('refused, each with its own sentence:', () => {
  const other = derivePublicKey(generateSecretKey())
  const alter = (change: Partial<Signature>): string => writeSignature({ ...parseSignature(signed), ...change })
  const flip = (bytes: Uint8Array): Uint8Array => bytes.map((byte, index) => (index === 0 ? byte ^ 1 : byte))
  const lines = signed.split('\n')
  const { bytes, globalBytes } = parseSignature(signed)

  test.each([
    ['another key', signed, content, other, 'was made with the key'],
    ['the same id and another key', signed, content, { ...other, keyId: publicKey.keyId }, 'is not of this content'],
    ['an altered file', signed, `${content} `, publicKey, 'is not of this content'],
    ['an altered signature', alter({ bytes: flip(bytes) }), content, publicKey, 'is not of this content'],
    [
      'an altered trusted comment',
      alter({ trustedComment: 'version 0.9.0' }),
      content,
      publicKey,
      'trusted comment of the signature was altered',
    ],
    [
      'an altered signature of the comment',
      alter({ globalBytes: flip(globalBytes) }),
      content,
      publicKey,
      'trusted comment of the signature was altered',
    ],
    [
      'the older algorithm over the same bytes',
      alter({ algorithm: 'Ed' }),
      content,
      publicKey,
      'is not of this content',
    ],
    ['no signature', 'hello\n', content, publicKey, 'is no minisign signature'],
    ['an empty file', '', content, publicKey, 'is no minisign signature'],
    ['missing lines', lines.slice(0, 2).join('\n'), content, publicKey, 'is truncated: it has four lines'],
    ['more lines', `${signed}more\n`, content, publicKey, 'more than four lines'],
    [
      'a cut line',
      [lines[0], lines[1]!.slice(0, 40), ...lines.slice(2)].join('\n'),
      content,
      publicKey,
      'is truncated: it has 30 bytes',
    ],
    [
      'a line cut within base64',
      [lines[0], lines[1]!.slice(0, 41), ...lines.slice(2)].join('\n'),
      content,
      publicKey,
      'is no base64',
    ],
    [
      'a cut last line',
      [...lines.slice(0, 3), lines[3]!.slice(0, 40)].join('\n'),
      content,
      publicKey,
      'of the trusted comment is truncated',
    ],
    ['no trusted comment', [...lines.slice(0, 2), 'comment: x', lines[3]].join('\n'), content, publicKey, 'third line'],
    [
      'another algorithm',
      [lines[0], Buffer.concat([Buffer.from('Xy'), key.keyId, bytes]).toString('base64'), ...lines.slice(2)].join('\n'),
      content,
      publicKey,
      'is of the algorithm "Xy"',
    ],
  ])('%s', (_, text, signedContent, trusted, says) => {
    expect(() => verifySignature(text, signedContent, trusted)).toThrow(says)
  })

  test('a key that verifies every message, as the strict rules of RFC 8032 say', () => {
    const identity = { keyId: key.keyId, bytes: Buffer.concat([Buffer.from([1]), Buffer.alloc(31)]) }
    const forged = Buffer.concat([identity.bytes, Buffer.alloc(32)])

    expect(() => verifySignature(alter({ bytes: forged, globalBytes: forged }), content, identity)).toThrow(
      'is not of this content',
    )
  })

  test.each([
    [
      'a public key of another algorithm',
      Buffer.concat([Buffer.from('XX'), Buffer.alloc(40)]).toString('base64'),
      'algorithm "XX"',
    ],
    ['a truncated public key', writePublicKeyLine(publicKey).slice(0, 40), 'truncated'],
    ['a public key without its comment', `hello\n${writePublicKeyLine(publicKey)}\n`, 'no minisign public key'],
  ])('%s', (_, text, says) => {
    expect(() => parsePublicKey(text)).toThrow(says)
  })
})

describe('a secret key', () => {
  const sealed = writeSecretKey(key, { passphrase: 'one', costs })
  const alterBytes = (text: string, at: number, byte: number, count = 1): string => {
    const [comment, line] = text.split('\n')
    const bytes = Buffer.from(line!, 'base64').fill(byte, at, at + count)
    return `${comment}\n${bytes.toString('base64')}\n`
  }

  test('is read as it was written', () => {
    expect(parseSecretKey(writeSecretKey(key))).toEqual(key)
    expect(parseSecretKey(writeSecretKey(key, { passphrase: 'correct horse', costs }), 'correct horse')).toEqual(key)
  })

  test.each([
    ['under another passphrase', sealed, 'two', 'passphrase of the secret key is wrong'],
    ['without its passphrase', sealed, undefined, 'needs its passphrase'],
    ['that is truncated', writeSecretKey(key).slice(0, 100), undefined, 'truncated'],
    ['that is altered', alterBytes(writeSecretKey(key), 70, 1), undefined, 'altered'],
    ['whose costs no machine has memory for', alterBytes(sealed, 38, 0xff, 13), 'one', 'asks for more memory'],
  ])('%s is refused', (_, text, passphrase, says) => {
    expect(() => parseSecretKey(text, passphrase)).toThrow(says)
  })
})

describe.skipIf(isMissing(minisign || process.env.CI, 'signatures of the real minisign: apt-get install minisign'))(
  'minisign',
  () => {
    const run = (args: readonly string[], input = '') => {
      const { exitCode, stdout, stderr } = Bun.spawnSync(['minisign', ...args], { stdin: Buffer.from(input) })
      return { exitCode, says: `${stdout}${stderr}` }
    }

    test('makes keys and signatures that we verify, in both of its algorithms', () => {
      const place = folder()
      const [pub, sec, file] = ['pub', 'sec', 'file'].map((name) => join(place, name)) as [string, string, string]
      writeFileSync(file, content)
      expect(run(['-G', '-W', '-f', '-p', pub, '-s', sec]).exitCode).toBe(0)
      const theirs = parsePublicKey(readFileSync(pub, 'utf8'))
      expect(run(['-S', '-s', sec, '-m', file, '-x', `${file}.sig`, '-t', 'list 7']).exitCode).toBe(0)
      expect(run(['-S', '-l', '-s', sec, '-m', file, '-x', `${file}.old`, '-t', 'list 6']).exitCode).toBe(0)

      const [newer, older] = ['sig', 'old'].map((end) => readFileSync(`${file}.${end}`, 'utf8')) as [string, string]
      expect([parseSignature(newer).algorithm, parseSignature(older).algorithm]).toEqual(['ED', 'Ed'])
      expect(verifySignature(newer, { file }, theirs).trustedComment).toBe('list 7')
      expect(verifySignature(older, { file }, theirs).trustedComment).toBe('list 6')
      expect(() => verifySignature(older, `${content}x`, theirs)).toThrow('is not of this content')
      expect(readFileSync(pub, 'utf8')).toBe(writePublicKey(theirs))
      expect(derivePublicKey(parseSecretKey(readFileSync(sec, 'utf8')))).toEqual(theirs)
    })

    test.each([
      ['plain', undefined],
      ['under a passphrase', { passphrase: 'correct horse', costs }],
    ])('signs with our secret key, %s, and verifies what we signed', (_, sealing) => {
      const place = folder()
      const [pub, sec, file] = ['pub', 'sec', 'file'].map((name) => join(place, name)) as [string, string, string]
      writeFileSync(file, content)
      writeFileSync(pub, writePublicKey(publicKey))
      writeFileSync(sec, writeSecretKey(key, sealing))
      writeFileSync(`${file}.minisig`, signed)

      expect(run(['-V', '-m', file, '-p', pub])).toMatchObject({ exitCode: 0 })
      expect(run(['-V', '-m', file, '-P', writePublicKeyLine(publicKey)]).says).toContain('version 1.0.0')
      writeFileSync(`${file}.minisig`, signed.replace('1.0.0', '0.9.0'))
      expect(run(['-V', '-m', file, '-p', pub]).exitCode).toBe(1)

      const made = run(['-S', '-s', sec, '-m', file, '-x', `${file}.sig`, '-t', 'theirs'], `${sealing?.passphrase}\n`)
      expect(made.exitCode).toBe(0)
      expect(verifySignature(readFileSync(`${file}.sig`, 'utf8'), content, publicKey).trustedComment).toBe('theirs')
    })
  },
)
