/**
 * A payment method is added with a folder and one line in each list. A copy of the source gets the folder
 * added/voucher/ and the lines. A process of its own runs added/checks.ts there, because modules read the lists when
 * they load.
 */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { cpSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'
import { temporaryFolders } from '../parts/folders.ts'

setDefaultTimeout(180_000)

const root = new URL('../../', import.meta.url).pathname
const newFolder = temporaryFolders()

const change = (file: string, edit: (text: string) => string): void =>
  writeFileSync(file, edit(readFileSync(file, 'utf8')))

/** The lists of payment methods, each with what its new line names, and where that comes from. */
const lists = {
  'index.ts': { name: 'voucher', from: 'method' },
  'tables.ts': { name: 'voucherSettings', from: 'settings' },
  'views.ts': { name: 'voucher', from: 'view' },
} as const
type List = keyof typeof lists

/** The files of the source that differ are the folder and the given lists. */
function copySource(changed: readonly List[]): string {
  const folder = newFolder()
  for (const part of ['src', 'test', 'migrations'])
    cpSync(join(root, part), join(folder, part), {
      recursive: true,
      filter: (path) => !/\/(node_modules|bench|vectors)$/.test(path),
    })
  for (const part of ['node_modules', 'package.json', 'tsconfig.json', 'bunfig.toml'])
    symlinkSync(join(root, part), join(folder, part))
  const payments = join(folder, 'src/payments')
  cpSync(join(folder, 'test/payments/added/voucher'), join(payments, 'voucher'), { recursive: true })
  for (const file of new Glob('*.ts').scanSync(join(payments, 'voucher')))
    change(join(payments, 'voucher', file), (text) => text.replaceAll("'../../../../src/", "'../../"))
  for (const list of changed) {
    const { name, from } = lists[list]
    const line = `import { ${name} } from './voucher/${from}.ts'\n`
    change(join(payments, list), (text) => line + text.replace(/\]\)?\s*$/, (end) => `, ${name}${end}`))
  }
  renameSync(join(folder, 'test/payments/added/checks.ts'), join(folder, 'test/payments/added/checks.test.ts'))
  return folder
}

async function runChecks(folder: string) {
  const { exited, stderr } = Bun.spawn(
    [process.execPath, 'test', '--timeout', '60000', 'test/payments/added/checks.test.ts'],
    { cwd: folder, stdout: 'ignore', stderr: 'pipe' },
  )
  const report = await new Response(stderr).text()
  const names = (outcome: string) =>
    [...report.matchAll(new RegExp(`^\\(${outcome}\\) an added payment method > (.*?)(?: \\[.*)?$`, 'gm'))].map(
      ([, name]) => name!,
    )
  return { code: await exited, report, passed: names('pass'), failed: [...new Set(names('fail'))] }
}

test('an added payment method appears everywhere with one line in each list', async () => {
  const { code, report, passed, failed } = await runChecks(copySource(['index.ts', 'tables.ts', 'views.ts']))
  expect({ failed, code, report: code === 0 ? '' : report }).toEqual({ failed: [], code: 0, report: '' })
  expect(passed).toHaveLength(8)
})

test('every check fails when the line in the list of methods is missing', async () => {
  const { code, passed } = await runChecks(copySource([]))
  expect({ code, passed }).toEqual({ code: 1, passed: [] })
})
