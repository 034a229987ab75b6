import { afterEach, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from '../db/store.ts'
import { definitionOf, digestOf, gatesPath } from '../gates/gate.ts'
import { type Server, startOnFiles } from '../journeys/server.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { program } from '../parts/program.ts'
import { alice } from '../wallets.ts'

const newFolder = temporaryFolders()

setDefaultTimeout(120_000)

let server: Server | undefined
afterEach(async () => {
  await server?.stop()
  server = undefined
})

const owner = alice.address.toLowerCase()
const dying = existsSync('/usr/bin/setpriv') ? ['/usr/bin/setpriv', '--pdeathsig', 'KILL'] : []

/** The command as a process of its own, as an operator starts it. */
async function gates(data: string, ...args: string[]) {
  const child = Bun.spawn([...dying, ...program, 'gates', ...args], {
    env: { PATH: process.env.PATH ?? '', PROOFGATE_DATA: data },
    cwd: data,
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { out, err, code }
}

const policyOf = (name: string, gateIds: readonly string[] = ['club']): string =>
  JSON.stringify({
    owner,
    gates: gateIds.map((gateId) => ({ ...definitionOf(), gateId, name })),
  })

const faults = (folder: string): unknown[] =>
  inspect(folder, (db) => db.query('PRAGMA integrity_check').all().concat(db.query('PRAGMA foreign_key_check').all()))

async function applyOverHttp(server: Server, definition: { gateId: string }): Promise<number> {
  const action = {
    action: 'apply_gate',
    gateId: definition.gateId,
    digest: digestOf(definition),
    audience: server.audience,
  }
  const { status } = await server.post(gatesPath, { definition, ...(await alice.signAction(action, Date.now())) })
  return status
}

const nameOf = async (server: Server): Promise<string | undefined> =>
  (await server.get(`${gatesPath}/club`)).body.data?.gate.name

test('a running server sees applied, rolled back and removed gates at once, and after a restart', async () => {
  const folder = newFolder()
  const file = join(folder, 'policy.json')
  server = await startOnFiles(folder, { PROOFGATE_DATA: folder })
  writeFileSync(file, policyOf('Club'))
  expect(await gates(folder, 'apply', file, '--yes')).toMatchObject({ code: 0, err: '' })
  expect(await nameOf(server)).toBe('Club')

  writeFileSync(file, policyOf('The club'))
  await gates(folder, 'apply', file, '--yes')
  expect(await nameOf(server)).toBe('The club')
  await gates(folder, 'rollback', 'club', '1')
  expect(await nameOf(server)).toBe('Club')

  await server.stop()
  server = await startOnFiles(folder, { PROOFGATE_DATA: folder })
  expect((await server.get(`${gatesPath}/club`)).body.data.gate).toMatchObject({ name: 'Club', version: 3 })
  await gates(folder, 'remove', 'club')
  expect((await server.get(`${gatesPath}/club`)).status).toBe(404)
})

test('server and command write at the same time, and neither loses a write', async () => {
  const folder = newFolder()
  server = await startOnFiles(folder, { PROOFGATE_DATA: folder, PROOFGATE_LIMITS_ENABLED: 'false' })
  const running = server
  const rounds = 4
  // A gate takes 1,000 versions.
  const gateAt = (at: number): string => `served_${Math.floor(at / 500)}`
  let isDone = false
  const served: Promise<number[]> = (async () => {
    const statuses: number[] = []
    for (let at = 0; !isDone; at++)
      statuses.push(await applyOverHttp(running, definitionOf({ gateId: gateAt(at), name: `Served ${at}` })))
    return statuses
  })()
  const applied: number[] = []
  for (let at = 0; at < rounds; at++) {
    const file = join(folder, `policy-${at}.json`)
    writeFileSync(file, policyOf(`Applied ${at}`, ['club', `gate_${at}`]))
    const { code, err } = await gates(folder, 'apply', file, '--yes')
    expect(err).toBe('')
    applied.push(code)
  }
  isDone = true
  const statuses = await served
  expect(applied).toEqual(Array(rounds).fill(0))
  expect(statuses.filter((status) => status !== 200)).toEqual([])

  const versionOf = async (gateId: string) => (await running.get(`${gatesPath}/${gateId}`)).body.data.gate.version
  expect(await versionOf('club')).toBe(rounds)
  let versions = 0
  for (let at = 0; at < statuses.length; at += 500) versions += await versionOf(gateAt(at))
  expect(versions).toBe(statuses.length)
  for (let at = 0; at < rounds; at++) expect(await versionOf(`gate_${at}`)).toBe(1)
  await running.stop()
  server = undefined
  expect(faults(folder)).toEqual([{ integrity_check: 'ok' }])
})

test('the folder of a server that is stopped takes a file, and the server starts with its gates', async () => {
  const folder = newFolder()
  const file = join(folder, 'policy.json')
  await (await startOnFiles(folder, { PROOFGATE_DATA: folder })).stop()
  writeFileSync(file, policyOf('Club'))
  expect((await gates(folder, 'apply', file, '--yes')).code).toBe(0)
  server = await startOnFiles(folder, { PROOFGATE_DATA: folder })
  expect(await nameOf(server)).toBe('Club')
})

test('the log is left to the server: a command copies nothing of it into the database', async () => {
  const folder = newFolder()
  const file = join(folder, 'policy.json')
  server = await startOnFiles(folder, { PROOFGATE_DATA: folder })
  writeFileSync(file, policyOf('Club'))
  await gates(folder, 'apply', file, '--yes')
  expect(Bun.file(join(folder, 'proofgate.sqlite-wal')).size).toBeGreaterThan(0)
  expect(await nameOf(server)).toBe('Club')
})
