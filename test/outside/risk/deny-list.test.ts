/** The operator's list: a real file that changes while it is asked. */
import { describe, expect, test } from 'bun:test'
import { mkdirSync, renameSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDenyList } from '../../../src/outside/risk/deny-list.ts'
import { temporaryFolder } from '../../parts/folders.ts'
import { outageOf } from './opened.ts'

const folder = temporaryFolder()

let files = 0
function fileWith(text: string | Uint8Array): string {
  const path = join(folder, `list-${files++}.txt`)
  writeFileSync(path, text)
  return path
}
const address = (digit: string) => `0x${digit.repeat(40)}`
const sol = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'

describe('a deny list', () => {
  test('holds the addresses of its lines, EVM ones in every spelling and others as they are', async () => {
    const list = openDenyList(fileWith(`${address('a')}\n${sol}\n${address('B')}`))
    expect(await list.has(address('A'))).toBe(true)
    expect(await list.has(address('b'))).toBe(true)
    expect(await list.has(sol)).toBe(true)
    expect(await list.has(sol.toLowerCase())).toBe(false)
    expect(await list.has(address('c'))).toBe(false)
  })

  test('reads comments, blank lines, line ends of Windows and a byte order mark', async () => {
    const text = `\uFEFF# a list\r\n\r\n  ${address('a')}  # why\r\n\t${address('b')}\r\n#${address('c')}\r\n`
    const list = openDenyList(fileWith(text))
    expect(await list.state()).toMatchObject({ entries: 2 })
    expect(await list.has(address('b'))).toBe(true)
    expect(await list.has(address('c'))).toBe(false)
  })

  test('holds addresses of networks that wallet-risk does not know, as published lists do', async () => {
    const litecoin = 'LNwgtMxcKUQ51dw7bQL1yPQjBVZh6QEqsd'
    expect(
      await openDenyList(fileWith(`${litecoin}\nbitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a`)).has(litecoin),
    ).toBe(true)
  })

  test('may be empty', async () => {
    expect(await openDenyList(fileWith('')).state()).toMatchObject({ entries: 0 })
  })

  test('is read again when the file is replaced, added to or emptied', async () => {
    const path = fileWith(address('a'))
    const list = openDenyList(path)
    expect(await list.has(address('b'))).toBe(false)

    writeFileSync(`${path}.new`, `${address('a')}\n${address('b')}\n`)
    renameSync(`${path}.new`, path)
    expect(await list.has(address('b'))).toBe(true)

    writeFileSync(path, address('c'), { flag: 'a' })
    expect(await list.has(address('c'))).toBe(true)

    truncateSync(path)
    expect(await list.has(address('a'))).toBe(false)
  })

  test('is read again when it has another text of the same length and the same time', async () => {
    const path = fileWith(address('a'))
    utimesSync(path, 1000, 1000)
    const list = openDenyList(path)
    expect(await list.has(address('b'))).toBe(false)
    writeFileSync(path, address('b'))
    utimesSync(path, 1000, 1000)
    expect(await list.has(address('b'))).toBe(true)
  })

  test('answers many at once, also while it is read', async () => {
    const lines = Array.from({ length: 120_000 }, (_, index) => `0x${index.toString(16).padStart(40, '0')}`)
    const list = openDenyList(fileWith(lines.join('\n')))
    const answers = await Promise.all([lines[0]!, lines[119_999]!, address('f')].map((one) => list.has(one)))
    expect(answers).toEqual([true, true, false])
  })
})

describe('an unusable deny list gives no verdict', () => {
  test.each<[string, string]>([
    ['a word', 'Mallory'],
    ['an EVM address cut short', address('a').slice(0, -1)],
    ['an EVM address with a digit too many', `${address('a')}0`],
    ['an EVM address with a letter that is no digit', `0x${'g'.repeat(40)}`],
    ['two addresses', `${address('a')} ${address('b')}`],
    ['two addresses with a comma', `${address('a')},${address('b')}`],
    ['a name in front', `mallory ${address('a')}`],
    ['an endless word', 'a'.repeat(200)],
  ])('%s in a line', async (_, line) => {
    const path = fileWith(`# first\n${address('1')}\n${line}\n`)
    const { fault, source, message } = await outageOf(openDenyList(path).has(address('9')))
    expect({ fault, source }).toEqual({ fault: 'malformed', source: 'risk.deny_list' })
    expect(message).toContain('line 3')
    // The name of the file says where this server keeps things, and a line may hold anything.
    expect(message).not.toContain(folder)
    expect(message).not.toContain(line)
  })

  test.each<[string, () => string, RegExp]>([
    ['it is not there', () => join(folder, 'nowhere.txt'), /is not there/],
    ['it is below a file', () => join(fileWith(''), 'list.txt'), /is not there/],
    [
      'it is a folder',
      () => {
        mkdirSync(join(folder, 'sub'))
        return join(folder, 'sub')
      },
      /is not a file/,
    ],
    ['it is a device', () => '/dev/zero', /is not a file/],
    ['it is not text', () => fileWith(new Uint8Array([0xff, 0xfe, 0x30, 0x00])), /not UTF-8/],
    [
      'it is larger than 64 MiB',
      () => {
        const path = fileWith('')
        truncateSync(path, 64 * 1024 * 1024 + 1)
        return path
      },
      /larger than/,
    ],
  ])('%s', async (_, make, happened) => {
    const { source, message } = await outageOf(openDenyList(make()).has(address('a')))
    expect(source).toBe('risk.deny_list')
    expect(message).toMatch(happened)
    expect(message).not.toContain(folder)
  })

  test('it is a pipe without a writer', async () => {
    const path = join(folder, 'pipe')
    expect(Bun.spawnSync(['mkfifo', path]).exitCode).toBe(0)
    expect((await outageOf(openDenyList(path).has(address('a')))).message).toContain('is not a file')
  })

  test('it was readable before, and its old content is not used; once it is repaired, it answers', async () => {
    const path = fileWith(address('a'))
    const list = openDenyList(path)
    expect(await list.has(address('a'))).toBe(true)
    rmSync(path)
    await outageOf(list.has(address('a')))
    writeFileSync(path, 'nonsense')
    await outageOf(list.has(address('a')))
    writeFileSync(path, address('b'))
    expect(await list.has(address('a'))).toBe(false)
    expect(await list.has(address('b'))).toBe(true)
  })
})
