/** A file that a setting names must exist at the start. The error names the setting, the path and the remedy. */
import { describe, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TSchema } from '@sinclair/typebox'
import { ConfigError, loadConfig } from '../../src/config/load.ts'
import { isTable, isUnion, nameVariable, readEntrySchema } from '../../src/config/outline.ts'
import { settings } from '../../src/settings.ts'
import { startServer } from '../../src/start.ts'
import { program } from '../parts/program.ts'
import { folders } from './folder.ts'

const folder = folders()

/**
 * Lists the variable of each secret, which a file may hold. Tables with names chosen by the operator are listed as
 * `one`.
 */
function secretVariables(schema: TSchema, path: readonly string[] = []): string[] {
  if (schema.secret) return [nameVariable(path)]
  const entry = readEntrySchema(schema)
  if (entry) return secretVariables(entry, [...path, 'one'])
  if (isUnion(schema)) return schema.anyOf.flatMap((variant) => secretVariables(variant, path))
  if (!isTable(schema)) return []
  return Object.entries(schema.properties).flatMap(([name, member]) => secretVariables(member, [...path, name]))
}
const secrets = [...new Set(secretVariables(settings))].map((variable) => `${variable}_FILE`)

/** Settings whose words say that they name a file or a folder. */
function describedAsPlaces(schema: TSchema, path: readonly string[] = []): string[] {
  if (isTable(schema))
    return Object.entries(schema.properties).flatMap(([name, member]) => describedAsPlaces(member, [...path, name]))
  return /^the name of a (file|folder)$/.test(String(schema.expected)) || schema.names ? [path.join('.')] : []
}

interface Row {
  /** Name of the setting, as the operator writes it. */
  readonly name: string
  readonly env: (path: string) => Record<string, string>
  readonly toml?: (path: string) => string
  /** Content that makes the file valid. */
  readonly content: string
}

const rows: readonly Row[] = [
  {
    name: 'risk.deny_list',
    env: () => ({}),
    toml: (path) => `[risk]\ndeny_list = "${path}"`,
    content: '# nobody\n',
  },
  {
    name: 'PROOFGATE_RISK_DENY_LIST',
    env: (path) => ({ PROOFGATE_RISK_DENY_LIST: path }),
    content: '# nobody\n',
  },
  { name: 'PROOFGATE_CONFIG', env: (path) => ({ PROOFGATE_CONFIG: path }), content: '' },
  ...secrets.map(
    (variable): Row => ({ name: variable, env: (path) => ({ [variable]: path }), content: `${'a1'.repeat(32)}\n` }),
  ),
]

test('the rows are all settings that name a place', () => {
  expect(describedAsPlaces(settings)).toEqual(['data', 'risk.deny_list', 'backup.to'])
  expect(secrets).toContain('PROOFGATE_MASTER_KEY_FILE')
  expect(secrets).toContain('PROOFGATE_PAYMENTS_STRIPE_SECRET_KEY_FILE')
  expect(secrets.length).toBeGreaterThan(10)
})

async function said(cwd: string, env: Record<string, string>): Promise<string> {
  try {
    await loadConfig({ env, cwd })
    return ''
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
}

const placed = ({ env, toml }: Row, path: string) => {
  const cwd = folder(toml ? { 'proofgate.toml': toml(path) } : {})
  return { cwd, env: env(path) }
}

describe.each(rows)('$name', (row) => {
  test.each(['nowhere/one.txt', '/nowhere/one.txt'])('stops the start when it does not exist (%s)', async (path) => {
    const { cwd, env } = placed(row, path)
    const message = await said(cwd, env)
    expect(message).toContain(row.name)
    expect(message).toContain('there is no such file')
    expect(message).toContain(path.startsWith('/') ? path : join(cwd, path))
    expect(message).toContain('put the right file there')
  })

  test('stops the start when it is a folder', async () => {
    const { cwd, env } = placed(row, 'one')
    mkdirSync(join(cwd, 'one'))
    const message = await said(cwd, env)
    expect(message).toContain(row.name)
    expect(message).toContain(`this is a folder, not a file`)
    expect(message).toContain(join(cwd, 'one'))
  })

  test('is accepted when it exists below the working directory', async () => {
    const { cwd, env } = placed(row, 'one')
    writeFileSync(join(cwd, 'one'), row.content)
    expect(await said(cwd, env)).not.toContain('file')
  })
})

async function start(cwd: string, args: readonly string[], env: Record<string, string>) {
  const child = Bun.spawn([...program, 'serve', ...args], {
    cwd,
    env: { PATH: process.env.PATH ?? '', PROOFGATE_PORT: '0', ...env },
    // A server that starts all the same must not stay.
    timeout: 30_000,
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const err = await new Response(child.stderr).text()
  return { code: await child.exited, err }
}

describe('the executable does not start', () => {
  const missing = '/nowhere/one.txt'
  test.each<[string, readonly string[], Record<string, string>, string]>([
    ['risk.deny_list', [], { PROOFGATE_RISK_DENY_LIST: missing }, 'PROOFGATE_RISK_DENY_LIST'],
    ['a secret', [], { PROOFGATE_MASTER_KEY_FILE: missing }, 'PROOFGATE_MASTER_KEY_FILE'],
    ['--config', ['--config', missing], {}, '--config'],
    ['PROOFGATE_CONFIG', [], { PROOFGATE_CONFIG: missing }, 'PROOFGATE_CONFIG'],
  ])('without the file of %s', async (_, args, env, named) => {
    const { code, err } = await start(folder(), args, env)
    expect(code).toBe(78)
    expect(err).toContain(named)
    expect(err).toContain(`there is no such file`)
    expect(err).toContain(missing)
  })

  test('with a data folder that is a file', async () => {
    const cwd = folder({ one: 'x' })
    const { code, err } = await start(cwd, [], { PROOFGATE_DATA: 'one' })
    expect(code).not.toBe(0)
    expect(err).toContain(join(cwd, 'one'))
    expect(err).toContain('move that file away')
  })
})

test('a server starts with every file in its place, and makes the data folder where there is none', async () => {
  const cwd = folder({
    'proofgate.toml': 'data = "new/data"\n[risk]\ndeny_list = "lists/deny.txt"',
    'lists/deny.txt': '# nobody\n',
    'key.txt': 'a1'.repeat(32),
  })
  const env = { PROOFGATE_PORT: '0', PROOFGATE_MASTER_KEY_FILE: 'key.txt', PROOFGATE_CONFIG: 'proofgate.toml' }
  const config = await loadConfig({ env, cwd })
  expect(config.data).toBe(join(cwd, 'new/data'))
  const server = await startServer(config, { folder: config.data })
  expect((await fetch(`${server.addresses.baseUrl}/api/v1/health`)).status).toBe(200)
  await server.stop()
})
