/** The master key, and the data sealed by it. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { loadConfig } from '../../src/config/load.ts'
import { MasterKeyError, requireMasterKey } from '../../src/db/master-key.ts'
import { makeSealer } from '../../src/db/seal.ts'
import { openParts } from '../../src/start.ts'
import { runScript, src } from './child.ts'
import { temporaryFolders } from './store.ts'

const newFolder = temporaryFolders()
setDefaultTimeout(60_000)

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)
const hex = (key: Uint8Array): string => Buffer.from(key).toString('hex')

describe('the master key', () => {
  test('is made once, for its owner alone, and kept', () => {
    const folder = newFolder()
    const key = requireMasterKey(undefined, folder)
    expect(key).toHaveLength(32)
    expect(modeOf(join(folder, 'master.key'))).toBe('600')
    expect(readFileSync(join(folder, 'master.key'), 'utf8')).toBe(`${hex(key)}\n`)
    expect(hex(requireMasterKey(undefined, folder))).toBe(hex(key))
    expect(readdirSync(folder)).toEqual(['master.key'])
  })

  test('differs between folders', () => {
    expect(hex(requireMasterKey(undefined, newFolder()))).not.toBe(hex(requireMasterKey(undefined, newFolder())))
  })

  test('from the configuration comes first, and no file is written', () => {
    const folder = newFolder()
    expect(hex(requireMasterKey('ab'.repeat(32), folder))).toBe('ab'.repeat(32))
    expect(readdirSync(folder)).toEqual([])
  })

  test('lives and dies with the process when there is no folder', () => {
    expect(hex(requireMasterKey(undefined, undefined))).not.toBe(hex(requireMasterKey(undefined, undefined)))
  })

  test.each([
    ['empty', ''],
    ['cut short', 'ab'.repeat(31)],
    ['too long', 'ab'.repeat(33)],
    ['of other letters', 'xy'.repeat(32)],
    ['raw bytes', '\0'.repeat(32)],
  ])('that is %s is refused, never replaced: what it sealed would be lost', (_, text) => {
    const folder = newFolder()
    writeFileSync(join(folder, 'master.key'), text)
    expect(() => requireMasterKey(undefined, folder)).toThrow(MasterKeyError)
    expect(() => requireMasterKey(undefined, folder)).toThrow(/64 hexadecimal digits: restore it from a backup/)
    expect(readFileSync(join(folder, 'master.key'), 'utf8')).toBe(text)
  })

  test('is refused with the reason when it cannot be read', () => {
    const folder = newFolder()
    mkdirSync(join(folder, 'master.key'))
    expect(() => requireMasterKey(undefined, folder)).toThrow(/cannot read .*EISDIR/)
  })

  test('made by several starts at once is one key', async () => {
    const folder = newFolder()
    const script = `
      const { requireMasterKey } = await import(${JSON.stringify(src('db/master-key.ts'))})
      while (Date.now() < ${Date.now() + 1_000});
      console.log(Buffer.from(requireMasterKey(undefined, ${JSON.stringify(folder)})).toString('hex'))`
    const starts = Array.from({ length: 6 }, () => runScript(script))
    const keys = await Promise.all(starts.map(({ stdout }) => new Response(stdout).text()))
    expect(new Set(keys).size).toBe(1)
    expect(keys[0]).toMatch(/^[0-9a-f]{64}\n$/)
    expect(readdirSync(folder)).toEqual(['master.key'])
  })
})

describe('the data folder', () => {
  test('is made for its owner alone', async () => {
    const folder = join(newFolder(), 'deep', 'data')
    const config = await loadConfig({ env: { PROOFGATE_DATA: folder }, cwd: '/' })
    const opened = await openParts(config, config.data, Date.now)
    expect(modeOf(folder)).toBe('700')
    await opened.close()
  })

  test('keeps the mode its owner gave it', async () => {
    const folder = newFolder()
    chmodSync(folder, 0o750)
    const config = await loadConfig({ env: { PROOFGATE_DATA: folder }, cwd: '/' })
    const opened = await openParts(config, config.data, Date.now)
    await opened.close()
    expect(modeOf(folder)).toBe('750')
  })
})

describe('sealing', () => {
  const key = new Uint8Array(32).fill(7)
  const { seal, open } = makeSealer(key)

  test('opens the text that it sealed, whatever it contains', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.string({ maxLength: 20 }), (text, context) => {
        const plain = text.toWellFormed()
        expect(open(seal(plain, context), context)).toBe(plain)
      }),
      { numRuns: 200 },
    )
  })

  test('never seals the same text the same way twice', () => {
    expect(new Set(Array.from({ length: 100 }, () => seal('same', 'context'))).size).toBe(100)
  })

  test('hides the text', () => {
    const sealed = seal('attack at dawn', 'context')
    expect(sealed).toStartWith('v1.')
    expect(Buffer.from(sealed.split('.')[2]!, 'base64url').toString('latin1')).not.toContain('attack')
  })

  test('does not open under another context: a text moved to another row stays shut', () => {
    expect(() => open(seal('text', 'content:a'), 'content:b')).toThrow()
  })

  test('does not open under another key', () => {
    expect(() => makeSealer(new Uint8Array(32).fill(8)).open(seal('text', 'context'), 'context')).toThrow()
  })

  test('does not open when any part of it was altered', () => {
    const sealed = seal('text', 'context')
    const [version, iv, body] = sealed.split('.') as [string, string, string]
    const flipped = (part: string, at: number): string => {
      const bytes = Buffer.from(part, 'base64url')
      bytes[at]! ^= 1
      return bytes.toString('base64url')
    }
    const bodyBytes = Buffer.from(body, 'base64url').length
    for (let at = 0; at < 12; at++) expect(() => open(`${version}.${flipped(iv, at)}.${body}`, 'context')).toThrow()
    for (let at = 0; at < bodyBytes; at++)
      expect(() => open(`${version}.${iv}.${flipped(body, at)}`, 'context')).toThrow()
    for (const broken of [
      '',
      'v1',
      'v1..',
      `v2.${iv}.${body}`,
      `${version}.${iv}.`,
      `${version}.${iv}.AAAA`,
      sealed.slice(0, -8),
    ])
      expect(() => open(broken, 'context')).toThrow()
  })

  test('does not take a shortened tag for a whole one', () => {
    const [version, iv, body] = seal('', 'context').split('.') as [string, string, string]
    for (let length = 0; length < 16; length++) {
      const short = Buffer.from(body, 'base64url').subarray(0, length).toString('base64url')
      expect(() => open(`${version}.${iv}.${short}`, 'context')).toThrow()
    }
  })
})
