/** A port has one server. The second one says who has it, and does not start. */
import { afterEach, expect, test } from 'bun:test'
import { loadConfig } from '../../src/config/load.ts'
import { ListenError, type RunningServer, startServer } from '../../src/start.ts'
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

async function readRefusal(port: number, host = '127.0.0.1'): Promise<string> {
  const failure = await start({ PROOFGATE_PORT: String(port), PROOFGATE_HOST: host }).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(ListenError)
  return (failure as ListenError).message
}

test('a second server on the port of another one is refused, and names port, setting and the other server', async () => {
  const { port } = await start({ PROOFGATE_PORT: '0' })
  expect(await readRefusal(port)).toBe(
    `cannot listen on 127.0.0.1:${port}: another Proofgate (version ${version}) answers there. Stop it, or give this one another port with PROOFGATE_PORT (setting "port")`,
  )
})

test.each([
  ['every IPv4 address', '0.0.0.0'],
  ['every address', '::'],
])('a server that listens on %s has the port of this machine as well', async (_, host) => {
  const { port } = await start({ PROOFGATE_PORT: '0', PROOFGATE_HOST: host })
  expect(await readRefusal(port)).toContain(`another Proofgate (version ${version}) answers there`)
  expect(await readRefusal(port, host)).toContain(`another Proofgate (version ${version}) answers there`)
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
    `cannot listen on 127.0.0.1:${port}: another program uses this port. Stop it, or choose another port with PROOFGATE_PORT (setting "port")`,
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
