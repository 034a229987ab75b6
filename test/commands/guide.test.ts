/** `proofgate guide`: the list, one guide as text of the terminal's width, and names that are misspelled. */
import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../../src/commands/command.ts'
import { guide } from '../../src/commands/guide.ts'
import { layOutTable } from '../../src/commands/guide-table.ts'
import { formatGuide } from '../../src/commands/guide-text.ts'
import { decisions, guideGroups } from '../../src/guides/index.ts'
import { everyGuide } from '../../src/guides/links.ts'
import { readTitle } from '../../src/guides/outline.ts'
import { useFolder } from '../parts/folders.ts'
import { run } from './terminal.ts'

const widest = (text: string): number => Math.max(...text.split('\n').map((line) => Bun.stringWidth(line)))

describe('proofgate guide', () => {
  test('lists every guide below its group, one line each', async () => {
    const { code, out } = await run(guide, [])
    expect(code).toBe(0)
    for (const { title, guides } of guideGroups.filter((group) => group.guides.length > 0)) {
      expect(out).toMatch(new RegExp(`^${title}$`, 'm'))
      for (const { name, summary } of guides)
        expect(out).toMatch(new RegExp(`^  ${name} +${RegExp.escape(summary)}$`, 'm'))
    }
    expect(out).not.toContain('\u001b')
  })

  test('lists the decisions by their titles', async () => {
    const { out } = await run(guide, ['decisions'])
    for (const { name, markdown } of decisions)
      expect(out).toMatch(new RegExp(`^  ${name} +${RegExp.escape(readTitle(markdown))}$`, 'm'))
  })

  test('prints the list, the decisions and a guide as JSON', async () => {
    const names = guideGroups.flatMap(({ guides }) => guides.map(({ name }) => name))
    const { json: list } = await run(guide, ['--json'])
    expect(list.guides.map(({ name }: { name: string }) => name)).toEqual(names)
    const { json: listed } = await run(guide, ['decisions', '--json'])
    expect(listed.decisions).toHaveLength(decisions.length)
    const { code, json } = await run(guide, [listed.decisions[0].name, '--json'])
    expect(code).toBe(0)
    expect(json).toEqual({
      name: listed.decisions[0].name,
      title: listed.decisions[0].title,
      markdown: expect.any(String),
    })
  })

  test.each([...everyGuide.keys()])('prints %s with its title, as plain text within 80 columns', async (path) => {
    const { code, out, err } = await run(guide, [path])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const { markdown } = everyGuide.get(path)!
    expect(out.replace(/\s+/g, ' ')).toStartWith(`${readTitle(markdown)} ===`)
    expect(Bun.stripANSI(out)).toBe(out)
    expect(out).not.toMatch(/^#{1,6} |^<!-- \w+ -->$|[\uE000-\uF8FF]/m)
    // Lines of code stay as they are typed, so that they can be copied.
    const prose = out.split('\n').filter((line) => !line.startsWith('    ') && !/https?:\/\//.test(line))
    expect(widest(prose.join('\n'))).toBeLessThanOrEqual(80)
  })

  test('names the addresses and the brand of the configuration', async () => {
    await useFolder(async (cwd) => {
      writeFileSync(join(cwd, 'proofgate.toml'), 'base_url = "https://proofs.example.net"\nbrand = "acme"\n')
      const { out } = await run(guide, ['network', '--markdown'], { cwd })
      expect(out).toContain('https://proofs.example.net/api/v1/health')
      expect(out).not.toContain('http://127.0.0.1:8787')
      expect((await run(guide, ['checks'], { cwd })).out).toContain('acme_proofs_check')
    })
  })

  test('prints all the same where the configuration is wrong, and says that it does not use it', async () => {
    await useFolder(async (cwd) => {
      writeFileSync(join(cwd, 'proofgate.toml'), 'port = "eighty"\n')
      const { code, out, err } = await run(guide, ['network'], { cwd })
      expect(code).toBe(0)
      expect(out).toContain('http://127.0.0.1:8787/')
      expect(err).toContain('proofgate check-config says why')
    })
  })

  test.each([
    ['netwrok', 'did you mean "network"?'],
    ['xyzzyxyzzy', 'proofgate guide lists them'],
  ])('refuses %s: %s', async (name, says) => {
    const asked = run(guide, [name])
    expect(asked).rejects.toBeInstanceOf(UsageError)
    expect(asked).rejects.toThrow(says)
  })

  test('takes the file name of a guide for its name', async () => {
    expect((await run(guide, ['network.md'])).out).toBe((await run(guide, ['network'])).out)
  })

  test('uses colors for a person only, and the width of the terminal', async () => {
    const person = await run(guide, ['network'], { isPerson: true, columns: 60 })
    expect(person.out).toContain('\u001b[1m')
    expect(Bun.stripANSI(person.out)).toBe((await run(guide, ['network'], { columns: 60 })).out)
    const lines = person.out.split('\n').filter((line) => !/^ {4}|https?:/.test(line))
    expect(widest(lines.join('\n'))).toBeLessThanOrEqual(60)
  })
})

describe('the text of a guide', () => {
  const format = (markdown: string, columns = 60): string =>
    formatGuide(markdown, { path: 'network', columns, isPerson: false })

  test('keeps commands as they are typed, below lists too', () => {
    expect(format('- one\n  more\n\n  ```sh\n  curl   -s x | y\n  ```\n- two\n  - three\n')).toBe(
      '  - one more\n\n        curl   -s x | y\n\n  - two\n\n      - three\n',
    )
  })

  test('says how to reach another guide, and writes other addresses out', () => {
    expect(format('[a](faults.md#exit-codes) [b](#host) [c](https://x.example/y) [d](../errors.ts) <e>', 200)).toBe(
      'a (guide faults) b c (https://x.example/y) d (src/errors.ts) <e>\n',
    )
  })

  test('wraps the lines of a list below their own text', () => {
    expect(format(`- ${'word '.repeat(12)}`, 40)).toBe(
      '  - word word word word word word word\n    word word word word word\n',
    )
  })

  test('lays a table out in columns, with space between rows of several lines', () => {
    expect(format('| A | B |\n| --- | --- |\n| `x\\|y` | one two three |\n| z | four |\n', 14)).toBe(
      'A    B\n---  ---------\nx|y  one two\n     three\n\nz    four\n',
    )
  })
})

test('a table never gets wider than the terminal, however long its words are', () => {
  const rows = [
    ['Setting', 'Default', 'What it is'],
    ['x'.repeat(90), 'y'.repeat(50), 'word '.repeat(30)],
  ]
  for (const columns of [40, 80, 100])
    expect(widest(layOutTable(rows, columns).join('\n'))).toBeLessThanOrEqual(columns)
})
