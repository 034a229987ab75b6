import { expect, test } from 'bun:test'
import { exitCodes } from '../src/commands/command.ts'
import { findCommand } from '../src/commands/index.ts'
import { conditionNames } from '../src/condition-names.ts'

test('the tables of the guide on faults have every condition that can begin, and no other', async () => {
  const text = await Bun.file(new URL('../src/guides/faults.md', import.meta.url)).text()
  const rows = text.split('\n').filter((line) => line.startsWith('|'))
  const seen = rows.flatMap((row) => (row.split(' | ')[1] ?? '').match(/`[a-z]+(-[a-z]+)+`/g) ?? [])
  const named = new Set(seen.map((name) => name.replaceAll('`', '')))
  expect([...named].sort()).toEqual([...conditionNames])
})

test('the help of serve has a supervisor start again after the exit codes of which the guide says so', async () => {
  const text = await Bun.file(new URL('../src/guides/faults.md', import.meta.url)).text()
  const codes = [...text.matchAll(/^\| (\d+) \| .* \| (yes|no|after)[^|]*\|$/gm)]
  const [advice = ''] = /^After .*$/m.exec(findCommand('serve')!.help.join('\n')) ?? []
  const [again = '', never = ''] = advice.split('but not after')
  const named = (part: string) => part.match(/\b\d+\b/g)?.filter((code) => code !== '128')
  expect(named(again)).toEqual(codes.filter(([, , start]) => start === 'yes').map(([, code]) => code!))
  expect(named(never)).toEqual(
    codes.filter(([, code, start]) => start !== 'yes' && !['0', '1'].includes(code!)).map(([, code]) => code!),
  )
})

test('the table of exit codes has every code that the program ends with', async () => {
  const text = await Bun.file(new URL('../src/guides/faults.md', import.meta.url)).text()
  const section = text.split('## Exit codes')[1]!.split('\n## ')[0]!
  const codes = [...section.matchAll(/^\| (\d+) \|/gm)].map(([, code]) => Number(code))
  expect(codes).toEqual(Object.values(exitCodes))
})
