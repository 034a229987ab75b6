/** The guide "More than one machine": a reader types its commands into one terminal, with a real PostgreSQL and HAProxy. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SQL } from 'bun'
import { buildExecutable } from '../../src/build/executable.ts'
import { firstLine } from '../db/child.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { freePort } from '../parts/free-port.ts'
import { isMissing } from '../parts/optional.ts'
import { type PostgresServer, startPostgres } from '../parts/postgres.ts'
import { alignText } from './answers.ts'
import { readPage, root } from './page.ts'
import { openTerminal, type Terminal } from './terminal.ts'

setDefaultTimeout(120_000)

const newFolder = temporaryFolders()
const { blocks, prose } = readPage('src/guides/several-machines.md')
const haproxy = Bun.which('haproxy', { PATH: `${process.env.PATH}:/usr/sbin` })
const psql = Bun.which('psql')

const steps = blocks.flatMap((block, place) => {
  if (block.language !== 'sh') return []
  const next = blocks[place + 1]
  return [{ code: block.code, answer: next?.language === 'text' ? next.code : '' }]
})

/** The program of the administrator, whom readers become by sudo. The server of the test knows the first user only. */
async function makeAdministrator(server: PostgresServer): Promise<void> {
  const first = new SQL({ url: server.url, max: 1 })
  await first.unsafe('CREATE ROLE helper SUPERUSER LOGIN')
  await first.close()
  const helper = new SQL({ url: server.url.replace('proofgate@', 'helper@'), max: 1 })
  await helper.unsafe('ALTER ROLE proofgate RENAME TO postgres')
  await helper.close()
}

/** Makes the data folder of a reader, with a proof in it. */
async function fillFolder(folder: string): Promise<void> {
  const env = { PATH: process.env.PATH!, PROOFGATE_PORT: '0', PROOFGATE_METRICS_PORT: '0' }
  const server = Bun.spawn(['./proofgate', 'serve', '--json'], { cwd: folder, env, stdout: 'pipe', stderr: 'ignore' })
  const { port } = JSON.parse(await firstLine(server.stdout))
  const demo = Bun.spawn(['./proofgate', 'demo', '--url', `http://127.0.0.1:${port}`], { cwd: folder, env })
  expect(await demo.exited).toBe(0)
  server.kill('SIGTERM')
  expect(await server.exited).toBe(0)
}

describe.skipIf(isMissing(haproxy && psql, 'the guide on several machines: apt-get install haproxy postgresql-15'))(
  'the commands of the guide on several machines',
  () => {
    let postgres: PostgresServer
    let terminal: Terminal
    let here: (text: string) => string

    beforeAll(async () => {
      postgres = await startPostgres({ version: 15, isOwn: true })
      await makeAdministrator(postgres)
      const folder = newFolder()
      const built = process.env.EXECUTABLE ?? (await buildExecutable(undefined, { folder: newFolder() })).file
      symlinkSync(built, join(folder, 'proofgate'))
      mkdirSync(join(folder, 'bin'))
      const connect = `exec psql --host 127.0.0.1 --port ${postgres.port} --username postgres --dbname postgres "$@"`
      writeFileSync(join(folder, 'bin/sudo'), `#!/bin/sh\nshift 3\n${connect}\n`, { mode: 0o755 })
      await fillFolder(folder)
      const ports = new Map<string, number>()
      for (const port of ['8080', '8791', '8793']) ports.set(port, await freePort())
      here = (text) =>
        [...ports]
          .reduce((changed, [from, to]) => changed.replaceAll(from, `port-${to}`), text)
          .replaceAll('port-', '')
          .replaceAll('@127.0.0.1/', `@127.0.0.1:${postgres.port}/`)
      terminal = openTerminal(folder)
    })
    afterAll(async () => {
      // It left the shell, and is there still where a step before the last one failed.
      await terminal?.run('kill "$(cat haproxy.pid)"').catch(() => {})
      await terminal?.end()
      await postgres?.stop()
    })

    test.each(steps)('answer as shown: $code', async ({ code, answer }) => {
      const { output, exitCode } = await terminal.run(here(code))
      const { printed, shown } = alignText(output, here(answer))
      expect([printed, exitCode]).toEqual([shown, 0])
    })

    test('the file with the SQL for the database has what the guide shows', async () => {
      const file = await Bun.file(join(root, 'src/packaging/several/database.sql')).text()
      expect(steps[0]!.code).toContain(`\n${file}SQL\n`)
    })

    test('commands that the guide says refuse, do', async () => {
      const [, row = ''] = /^\| (`export`[^|]*) \| refuse/m.exec(prose)!
      const commands = [...row.matchAll(/`([^`]+)`/g)].map(([, command = '']) => command)
      const operands: Readonly<Record<string, string>> = {
        import: ' a.tar',
        'move-domain': ' https://other.example.com',
        export: ' --all',
      }
      const settings = 'PROOFGATE_DATABASE_URL_FILE=database.url PROOFGATE_MASTER_KEY_FILE=master.key'
      for (const command of commands) {
        const { output, exitCode } = await terminal.run(
          `${settings} ./proofgate ${command}${operands[command] ?? ''} 2>&1`,
        )
        expect([command, output, exitCode]).toEqual([command, expect.stringContaining('in PostgreSQL'), 2])
      }
    })
  },
)
