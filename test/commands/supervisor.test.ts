/** What the server tells the program that started it: systemd by its socket, s6 by a line. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { firstLine } from '../db/child.ts'
import { inject, injectMainThread, startFaulty } from '../health/fault-stage.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { isMissing } from '../parts/optional.ts'
import { program } from '../parts/program.ts'

setDefaultTimeout(60_000)

const newFolder = temporaryFolders()
const tools = ['cc', 'strace'].filter((name) => !Bun.which(name))
const lacksTools = isMissing(
  process.platform === 'linux' && tools.length === 0,
  'reports to the service manager: Linux with cc and strace (apt-get install gcc libc6-dev strace)',
)

const running: Bun.Subprocess[] = []
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL')
  await Promise.all(running.map((child) => child.exited))
})

function serve(env: Record<string, string>, { args = [] as string[], stdio = [] as number[] } = {}) {
  const folder = newFolder()
  const child = Bun.spawn([...program, 'serve', '--json', ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', PROOFGATE_DATA: join(folder, 'data'), PROOFGATE_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe', ...stdio],
  })
  running.push(child)
  return child as Bun.Subprocess<'ignore', 'pipe', 'pipe'>
}

describe.skipIf(lacksTools)('the socket of the service manager', () => {
  const listener = join(newFolder(), 'notify-listener')
  beforeAll(() => {
    const source = join(import.meta.dir, 'notify-listener.c')
    const { success, stderr } = Bun.spawnSync(['cc', '-o', listener, source])
    if (!success) throw new Error(String(stderr))
  })

  /** The messages that arrive at the address, each with its lines. */
  async function listen(address: string) {
    const child = Bun.spawn([listener, address], { stdout: 'pipe', stderr: 'inherit' })
    running.push(child)
    const messages: string[][] = []
    const { promise: isOpen, resolve } = Promise.withResolvers<void>()
    void (async () => {
      let text = ''
      for await (const bytes of child.stdout.pipeThrough(new TextDecoderStream())) {
        text += bytes
        const parts = text.split('\n\n')
        text = parts.pop()!
        messages.push(...parts.map((part) => part.split('\n')))
        if (messages.length > 0) resolve()
      }
    })()
    await isOpen
    messages.length = 0
    return {
      messages,
      count: (line: string): number => messages.flat().filter((one) => one === line).length,
      async hear(pattern: RegExp): Promise<string> {
        for (;;) {
          const found = messages.flat().find((line) => pattern.test(line))
          if (found !== undefined) return found
          await Bun.sleep(20)
        }
      },
    }
  }

  test.each([
    ['a path', () => join(newFolder(), 'notify')],
    ['an abstract name', () => `@proofgate-test-${crypto.randomUUID()}`],
  ])('at %s gets READY when the server answers, and STOPPING at the stop', async (_, makeAddress) => {
    const address = makeAddress()
    const manager = await listen(address)
    const child = serve({ NOTIFY_SOCKET: address })

    await manager.hear(/^READY=1$/)
    const status = await manager.hear(/^STATUS=/)
    const url = /^STATUS=Ready at (http:\S+)$/.exec(status)?.[1]
    expect((await fetch(`${url}/api/v1/health/ready`)).status).toBe(200)
    expect(manager.messages).toEqual([['READY=1', status]])

    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
    await manager.hear(/^STOPPING=1$/)
    expect(manager.messages.at(-1)).toEqual(['STOPPING=1', 'STATUS=Stopping', 'EXTEND_TIMEOUT_USEC=20000000'])
  })

  test('is told that the server works only while the store answers', async () => {
    const address = join(newFolder(), 'notify')
    const manager = await listen(address)
    const server = await startFaulty(newFolder(), {
      NOTIFY_SOCKET: address,
      WATCHDOG_USEC: '400000',
      PROOFGATE_STORAGE_WRITE_TIMEOUT_SECONDS: '300',
    })
    await manager.hear(/^WATCHDOG=1$/)

    const disk = await inject(server.pid, 'fsync,fdatasync:delay_enter=6000000')
    const proving = server.prove('late')
    await manager.hear(/^STATUS=Not ready: /)
    const told = manager.count('WATCHDOG=1')
    for (let turn = 0; turn < 10; turn++) {
      expect((await server.send('/health/live')).status).toBe(200)
      await Bun.sleep(100)
    }
    expect(manager.count('WATCHDOG=1')).toBe(told)

    await disk.end()
    manager.messages.length = 0
    expect((await proving).status).toBe(200)
    await manager.hear(/^STATUS=Ready/)
    await manager.hear(/^WATCHDOG=1$/)
    expect(await server.stop()).toBe(0)
  })

  test('is not told that the server works while its event loop stands still', async () => {
    const address = join(newFolder(), 'notify')
    const manager = await listen(address)
    const server = await startFaulty(newFolder(), {
      NOTIFY_SOCKET: address,
      WATCHDOG_USEC: '100000',
      PROOFGATE_STORAGE_WRITE_TIMEOUT_SECONDS: '2',
    })
    await server.prove('kept')
    await manager.hear(/^WATCHDOG=1$/)
    const disk = await injectMainThread(server.pid, 'pread64:delay_enter=600000000')
    manager.messages.length = 0
    void server.prove('never answered').catch(() => {})
    expect(await server.exited).toBe(74)
    await disk.end()
    expect(await server.log).toContain('the disk has not answered for 2 s')
    // 40 would fit into these 2 seconds.
    expect(manager.count('WATCHDOG=1')).toBeLessThan(10)
  })

  test('of another process is not fed', async () => {
    const address = join(newFolder(), 'notify')
    const manager = await listen(address)
    const child = serve({ NOTIFY_SOCKET: address, WATCHDOG_USEC: '200000', WATCHDOG_PID: '1' })
    await manager.hear(/^READY=1$/)
    await Bun.sleep(500)
    child.kill('SIGTERM')
    await manager.hear(/^STOPPING=1$/)
    expect(manager.count('WATCHDOG=1')).toBe(0)
  })

  test.each([
    ['is gone', () => join(newFolder(), 'nobody')],
    ['is a word', () => 'vsock:2:1'],
    ['is too long', () => `/${'a'.repeat(120)}`],
  ])('that %s is a warning, and the server runs', async (_, makeAddress) => {
    const child = serve({ NOTIFY_SOCKET: makeAddress(), WATCHDOG_USEC: '200000' })
    expect(await firstLine(child.stdout)).toStartWith('{"ready":true')
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
    expect(await new Response(child.stderr).text()).toContain('the service manager cannot be told')
  })
})

describe('--ready-fd', () => {
  test('gets a newline when the server is ready', async () => {
    const file = join(newFolder(), 'ready')
    const descriptor = openSync(file, 'w')
    const child = serve({}, { args: ['--ready-fd', '3'], stdio: [descriptor] })
    closeSync(descriptor)
    const port = JSON.parse(await firstLine(child.stdout)).port
    expect((await fetch(`http://127.0.0.1:${port}/api/v1/health/ready`)).status).toBe(200)
    expect(readFileSync(file, 'utf8')).toBe('\n')
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
  })

  test.each([
    ['77', '--ready-fd 77: this file descriptor is not open'],
    ['1', '--ready-fd takes the number of an open file descriptor from 3 on, not "1"'],
    ['x', '--ready-fd takes the number of an open file descriptor from 3 on, not "x"'],
  ])('%s is refused', async (value, message) => {
    const child = serve({}, { args: ['--ready-fd', value] })
    expect(await new Response(child.stderr).text()).toContain(message)
    expect(await child.exited).toBe(2)
  })
})
