/** A port has one server. The second one says who has it, and does not start. */
import { afterEach, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { loadConfig } from '../../src/config/load.ts'
import { ListenError } from '../../src/listen.ts'
import { type RunningServer, startServer } from '../../src/start.ts'
import { version } from '../../src/version.ts'
import { temporaryFolders } from '../parts/folders.ts'

const newFolder = temporaryFolders()
const running: RunningServer[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop()))
})

async function start(env: Readonly<Record<string, string>>): Promise<RunningServer> {
  const folder = newFolder()
  const config = await loadConfig({ env: { ...env }, cwd: folder })
  const server = await startServer(config, { folder })
  running.push(server)
  return server
}

/** As the system tells on Linux. Servers of these tests run in the process of the test. */
const tells = process.platform === 'linux'
const holder = tells ? `, process ${process.pid}` : ''
const stranger = tells ? ` (${readFileSync('/proc/self/comm', 'utf8').trim()}, process ${process.pid})` : ''

async function readRefusal(port: number, host = '127.0.0.1'): Promise<string> {
  const failure = await start({ PROOFGATE_PORT: String(port), PROOFGATE_HOST: host }).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(ListenError)
  return (failure as ListenError).message
}

test('a second server on the port of another one is refused, and names port, setting and the other server', async () => {
  const { port } = await start({ PROOFGATE_PORT: '0' })
  expect(await readRefusal(port)).toBe(
    `cannot listen on 127.0.0.1:${port}: another Proofgate (version ${version}${holder}) answers there. Stop it, or give this one another port with PROOFGATE_PORT (setting "port")`,
  )
})

test.each([
  ['every IPv4 address', '0.0.0.0'],
  ['every address', '::'],
])('a server that listens on %s has the port of this machine as well', async (_, host) => {
  const { port } = await start({ PROOFGATE_PORT: '0', PROOFGATE_HOST: host })
  expect(await readRefusal(port)).toContain(`another Proofgate (version ${version}${holder}) answers there`)
  expect(await readRefusal(port, host)).toContain(`another Proofgate (version ${version}${holder}) answers there`)
})

test.each([
  ['a page', () => new Response('<html>')],
  ['an answer without a version', () => Response.json({ success: true, data: { status: 'ok' } })],
  ['a version that is none', () => Response.json({ data: { version: '1\u001b[2J', services: { database: 'ok' } } })],
  [
    'an answer without end',
    () => new Response(new ReadableStream({ pull: (to) => to.enqueue(new Uint8Array(65_536)) })),
  ],
  ['no answer', () => new Promise<Response>(() => {})],
])('another program on the port that gives %s is not called a Proofgate', async (_, fetch) => {
  const other = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch })
  const { port } = other
  expect(await readRefusal(port!)).toBe(
    `cannot listen on 127.0.0.1:${port}: another program${stranger} uses this port. Stop it, or choose another port with PROOFGATE_PORT (setting "port")`,
  )
  await other.stop(true)
})

test('an address that this machine does not have is named with its setting', async () => {
  const message = await readRefusal(18_787, '192.0.2.1')
  expect(message).toStartWith('cannot listen on 192.0.2.1:18787 (')
  expect(message).toContain('PROOFGATE_HOST (setting "host")')
  expect(message).not.toContain('Proofgate (')
})

test('a server that was stopped leaves its port to the next one at once', async () => {
  const first = await start({ PROOFGATE_PORT: '0' })
  const health = `http://127.0.0.1:${first.port}/api/v1/health`
  expect((await fetch(health)).status).toBe(200)
  await first.stop()
  await start({ PROOFGATE_PORT: String(first.port) })
  expect((await fetch(health)).status).toBe(200)
})

if (tells)
  test('a process that this user may not look into is left out, and the refusal is the same otherwise', async () => {
    const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('') })
    const script = `const { findPortHolder } = await import(${JSON.stringify(new URL('../../src/health/port-holder.ts', import.meta.url).pathname)})
      console.log(JSON.stringify(findPortHolder(${server.port}) ?? 'nobody'))`
    const look = async (before: readonly string[]) => {
      const child = Bun.spawn([...before, process.execPath, '-e', script], { cwd: '/', stdout: 'pipe' })
      return JSON.parse(await new Response(child.stdout).text())
    }
    expect(await look([])).toMatchObject({ pid: process.pid })
    if (process.getuid?.() === 0)
      expect(await look(['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups'])).toBe('nobody')
    await server.stop(true)
    expect(await look([])).toBe('nobody')
  })
