/** The server as a process: its log, its end, and the next start's knowledge of it. */
import { Database } from 'bun:sqlite'
import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { findUncleanEnd } from '../../src/running-mark.ts'
import { firstLine } from '../db/child.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { program } from '../parts/program.ts'

setDefaultTimeout(60_000)
const newFolder = temporaryFolders()
const main = join(import.meta.dir, '../../src/main.ts')
/** The source: a built program loads no library. */
const unruly = [process.execPath, '--preload', join(import.meta.dir, 'unruly-library.ts'), main]
const qHash = (number: number) => `0x${number.toString(16).padStart(64, '0')}`

type Line = Record<string, unknown> & { readonly level: string; readonly message: string }
const running: Bun.Subprocess[] = []
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL')
  await Promise.all(running.map((child) => child.exited))
})

async function start(folder = newFolder(), env: Record<string, string> = {}, command = program) {
  const logFile = join(folder, `log-${crypto.randomUUID()}`)
  const child = Bun.spawn([...command, 'serve', '--json'], {
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? '',
      PROOFGATE_DATA: folder,
      PROOFGATE_PORT: '0',
      PROOFGATE_LOG_FORMAT: 'json',
      PROOFGATE_LIMITS_ENABLED: 'false',
      ...env,
    },
    stdout: 'pipe',
    stderr: Bun.file(logFile),
  })
  running.push(child)
  const ready = await firstLine(child.stdout)
  if (!ready.startsWith('{')) throw new Error(`no server: ${ready} ${readFileSync(logFile, 'utf8')}`)
  const url = `http://127.0.0.1:${JSON.parse(ready).port}`
  const text = () => readFileSync(logFile, 'utf8')
  const lines = (): Line[] =>
    text()
      .trimEnd()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
  const server = {
    child,
    folder,
    port: Number(new URL(url).port),
    text,
    lines,
    get: (path: string) => fetch(url + path),
    async until(message: string): Promise<Line> {
      for (;;) {
        const found = lines().find((line) => line.message.includes(message))
        if (found) return found
        if (child.exitCode !== null) throw new Error(`ended without "${message}": ${text()}`)
        await Bun.sleep(20)
      }
    },
    misbehave: (how: string) => writeFileSync(join(folder, how), ''),
    async end(signal: NodeJS.Signals): Promise<number> {
      child.kill(signal)
      return child.exited
    },
    kill: () => server.end('SIGKILL'),
  }
  return server
}

const mark = (folder: string) => join(folder, 'running.json')
const issues = async (server: Awaited<ReturnType<typeof start>>): Promise<string[]> =>
  ((await (await server.get('/api/v1/health')).json()) as { data: { issues: string[] } }).data.issues

describe('a signal', () => {
  test.each(['SIGINT', 'SIGHUP', 'SIGXCPU'] as const)(
    '%s is logged before the server stops in order',
    async (signal) => {
      const server = await start()
      const isClean = signal === 'SIGINT'
      const code = isClean ? 0 : 128 + constants.signals[signal]

      expect(await server.end(signal)).toBe(code)
      expect(server.lines().map(({ message }) => message)).toEqual([
        `${signal} came: the server stops`,
        'the server stopped',
      ])
      expect(server.lines().at(-1)!.exitCode).toBe(code)
      expect(existsSync(mark(server.folder))).toBe(false)
    },
  )

  test('after the server has stopped does not change the exit code', async () => {
    const server = await start()
    server.child.kill('SIGTERM')
    await server.until('the server stopped')
    expect(await server.end('SIGTERM')).toBe(0)
    expect(server.lines().map(({ message }) => message)).toEqual([
      'SIGTERM came: the server stops',
      'the server stopped',
    ])
  })

  test('meant for other programs is logged and ends nothing', async () => {
    const server = await start()
    for (const signal of ['SIGUSR1', 'SIGUSR2'] as const) {
      server.child.kill(signal)
      expect(await server.until(`${signal} came and changes nothing`)).toMatchObject({ level: 'warn' })
    }
    expect((await server.get('/api/v1/health/live')).status).toBe(200)
  })

  test('stays ignored if it was ignored at the start, as under nohup', async () => {
    const server = await start(newFolder(), {}, ['/usr/bin/env', '--ignore-signal=HUP', ...program])
    server.child.kill('SIGHUP')
    server.child.kill('SIGUSR1')
    await server.until('SIGUSR1 came')
    expect((await server.get('/api/v1/health/live')).status).toBe(200)
    expect(server.text()).not.toContain('SIGHUP')
  })

  test('repeated during the stop ends the server at once, and the next start knows', async () => {
    const server = await start(newFolder(), { PROOFGATE_STORAGE_WRITER: 'worker' })
    await server.get('/api/v1/health')
    // A shell that holds the database keeps the stop from writing its numbers.
    const shell = new Database(join(server.folder, 'proofgate.sqlite'))
    shell.run('BEGIN IMMEDIATE')
    server.child.kill('SIGTERM')
    await server.until('SIGTERM came: the server stops')
    // Sooner it counts as the same one, delivered twice.
    await Bun.sleep(500)
    expect(await server.end('SIGTERM')).toBe(143)
    expect(server.lines().at(-1)!.message).toBe('SIGTERM came during the stop: the server ends at once')
    shell.close()

    const next = await start(server.folder)
    expect(next.lines()[0]).toMatchObject({ condition: 'unclean-end', ending: 'SIGTERM came during the stop' })
  })
})

test('a log without a reader does not end the server', async () => {
  const folder = newFolder()
  const child = Bun.spawn([...program, 'serve', '--json'], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', PROOFGATE_DATA: folder, PROOFGATE_PORT: '0' },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  try {
    const { port } = JSON.parse(await firstLine(child.stdout))
    await child.stderr.cancel()
    for (let turn = 0; turn < 5; turn++) {
      child.kill('SIGUSR1')
      await Bun.sleep(100)
      expect((await fetch(`http://127.0.0.1:${port}/api/v1/health/live`)).status).toBe(200)
    }
  } finally {
    child.kill('SIGKILL')
    await child.exited
  }
})

describe('an unhandled failure', () => {
  test('by an error is logged with its stack, the server stops in order, and the next start reports it', async () => {
    const server = await start(newFolder(), {}, unruly)
    server.misbehave('throw')
    expect(await server.child.exited).toBe(70)
    expect(server.lines()).toEqual([
      expect.objectContaining({
        level: 'error',
        message: 'an error was caught nowhere: the server stops',
        exitCode: 70,
        error: expect.stringMatching(/^TypeError: the library fell over\n[\s\S]*unruly-library/),
      }),
      expect.objectContaining({ message: 'the server stopped', exitCode: 70 }),
    ])
    // The stop was in order: the database was closed.
    expect(existsSync(join(server.folder, 'proofgate.sqlite-wal'))).toBe(false)

    const next = await start(server.folder)
    expect(next.lines()[0]).toMatchObject({
      level: 'warn',
      condition: 'unclean-end',
      ending: expect.stringContaining('TypeError: the library fell over'),
    })
    expect(await next.end('SIGTERM')).toBe(0)
    expect((await start(server.folder)).lines()).toEqual([])
  })

  test('by a rejected promise is logged, and the server goes on', async () => {
    const server = await start(newFolder(), {}, unruly)
    server.misbehave('reject')
    const line = await server.until('work failed that nobody waits for')
    expect(line).toMatchObject({ level: 'error', error: expect.stringContaining('the library gave up') })
    expect((await server.get('/api/v1/health/live')).status).toBe(200)
    expect(await server.end('SIGTERM')).toBe(0)
  })

  test('by an unexpected exit is logged', async () => {
    const server = await start(newFolder(), {}, unruly)
    server.misbehave('exit')
    expect(await server.child.exited).toBe(3)
    expect(server.lines()).toMatchObject([{ level: 'error', message: expect.stringContaining('without'), exitCode: 3 }])
  })
})

describe.each(['json', 'text'])('every line of the log in %s', (format) => {
  test('has the one form, also the output of libraries and the runtime', async () => {
    const server = await start(newFolder(), { PROOFGATE_LOG_FORMAT: format }, unruly)
    server.misbehave('print')
    while (!server.text().includes('a deprecated thing')) await Bun.sleep(20)
    await server.end('SIGTERM')
    const lines = server.text().trimEnd().split('\n')
    expect(lines.length).toBeGreaterThan(4)
    for (const line of lines)
      if (format === 'json')
        expect(JSON.parse(line)).toMatchObject({ time: expect.any(String), level: expect.any(String) })
      else expect(line).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z (error|warn |info |debug) \S/)
    expect(server.text()).toContain('printed first\\nforged second line')
  })
})

test('a start that fails says so in JSON where the log is JSON, and leaves no mark', async () => {
  const server = await start()
  const folder = newFolder()
  const child = Bun.spawn([...program, 'serve'], {
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? '',
      PROOFGATE_DATA: folder,
      PROOFGATE_PORT: String(server.port),
      PROOFGATE_LOG_FORMAT: 'json',
    },
    stderr: 'pipe',
  })
  const said = (await new Response(child.stderr).text()).trimEnd().split('\n')
  expect(await child.exited).toBe(69)
  expect(said.map((line) => JSON.parse(line))).toMatchObject([
    {
      level: 'error',
      message: 'the server could not start',
      exitCode: 69,
      error: expect.stringContaining('cannot listen'),
    },
  ])
  expect(existsSync(mark(folder))).toBe(false)
})

test('a thousand requests that meet the same fault make a handful of lines, with their count and newest ids', async () => {
  const server = await start()
  const beside = new Database(join(server.folder, 'proofgate.sqlite'))
  beside.run('ALTER TABLE proofs RENAME TO lost')
  beside.close()
  let id = ''
  for (let round = 0; round < 10; round++) {
    const answers = await Promise.all(
      Array.from({ length: 100 }, async (_, turn) => {
        const answer = await server.get(`/api/v1/proofs/${qHash(round * 100 + turn)}`)
        return { status: answer.status, body: (await answer.json()) as { requestId: string } }
      }),
    )
    for (const { status } of answers) expect(status).toBe(500)
    id = answers[0]!.body.requestId
  }
  expect(server.lines()).toHaveLength(1)
  expect(server.lines()[0]).toMatchObject({
    message: 'a request failed',
    error: expect.stringContaining('no such table'),
  })

  const last = (await (await server.get(`/api/v1/proofs/${qHash(7)}`)).json()) as { requestId: string }
  expect(last.requestId).not.toBe(id)
  await server.end('SIGTERM')
  const counted = server.lines().filter(({ message }) => message === 'a request failed')
  expect(counted).toHaveLength(2)
  expect(counted[1]).toMatchObject({ count: 1_000, requestIds: expect.stringContaining(last.requestId) })
  expect(server.text().length).toBeLessThan(10_000)
})

describe('the end of the previous run', () => {
  test('by a kill is reported by the next start in log and health, and a clean stop is not', async () => {
    const first = await start()
    await first.kill()
    const second = await start(first.folder)
    expect(second.lines()).toMatchObject([
      {
        level: 'warn',
        condition: 'unclean-end',
        message: expect.stringContaining('the process was killed or crashed while the machine ran on'),
        pid: first.child.pid,
        lastSeenAt: expect.any(String),
        mend: expect.stringContaining('memory'),
      },
    ])
    expect(await issues(second)).toEqual([expect.stringContaining('did not end cleanly')])
    expect((await second.get('/api/v1/health/ready')).status).toBe(200)
    await second.end('SIGTERM')
    const third = await start(first.folder)
    expect(third.lines()).toEqual([])
    expect(await issues(third)).toEqual([])
  })

  test('by the system is reported for a missing page of the database', async () => {
    const first = await start()
    expect(await first.end('SIGBUS')).not.toBe(0)
    const second = await start(first.folder)
    expect(second.lines()).toMatchObject([{ level: 'warn', condition: 'unclean-end', pid: first.child.pid }])
    expect(await second.end('SIGTERM')).toBe(0)
  })

  test('with the machine is recognized by the boot id of the system', async () => {
    const first = await start()
    await first.kill()
    const left = JSON.parse(readFileSync(mark(first.folder), 'utf8'))
    writeFileSync(mark(first.folder), JSON.stringify({ ...left, bootId: crypto.randomUUID() }))
    const next = await start(first.folder)
    expect(next.lines()[0]!.message).toContain('the machine stopped or was restarted')
  })

  test.each(['', '{"pid":', 'null', '[]', '{"pid":"x"}'])('with a mark of %j is not reported', (text) => {
    const folder = newFolder()
    writeFileSync(mark(folder), text)
    expect(findUncleanEnd(folder)).toBeUndefined()
  })
})
