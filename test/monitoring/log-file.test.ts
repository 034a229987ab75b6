/** The log in a file: it goes on under its name after a rotation, and a disk that takes nothing stops no server. */
import { afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type LogFile, openLogFile } from '../../src/log-file.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { isMissing } from '../parts/optional.ts'
import { program } from '../parts/program.ts'
import { mountSmallDisk, type SmallDisk } from '../parts/small-disk.ts'
import { readSamples } from './read-page.ts'
import { type MonitoredServer, startMonitored } from './server.ts'

setDefaultTimeout(60_000)
const newFolder = temporaryFolders()
const servers: MonitoredServer[] = []
const files: LogFile[] = []
let disk: SmallDisk | undefined
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop('SIGKILL')
  for (const file of files.splice(0)) await file.close()
  disk?.end()
  disk = undefined
})

const canMount = (() => {
  const tried = mountSmallDisk(1)
  tried?.end()
  return tried !== undefined
})()
const lacksDisk = isMissing(canMount, 'a full disk of the log: root that may mount')
const lacksLogrotate = isMissing(
  Bun.which('logrotate', { PATH: `${process.env.PATH}:/usr/sbin` }) !== null,
  'rotation of the log: apt-get install logrotate',
)

function open(path: string) {
  const told: (string | number)[] = []
  const file = openLogFile(path, { tellLost: (count) => told.push(count), tellRefused: (reason) => told.push(reason) })
  files.push(file)
  return { file, told }
}

async function start(env: Record<string, string>) {
  const folder = newFolder()
  const path = join(folder, 'proofgate.log')
  const server = await startMonitored(folder, {
    PROOFGATE_LOG_FILE: path,
    PROOFGATE_LOG_FORMAT: 'json',
    PROOFGATE_LOG_ACCESS: 'true',
    PROOFGATE_LIMITS_ENABLED: 'false',
    ...env,
  })
  servers.push(server)
  const ask = async (): Promise<number> => (await fetch(`${server.url}/api/v1/health/live`)).status
  return { folder, path, server, ask }
}

/** Waits until the file has a line with this text. */
async function readUntil(path: string, text: string): Promise<string> {
  for (;;) {
    const written = existsSync(path) ? readFileSync(path, 'utf8') : ''
    if (written.includes(text)) return written
    await Bun.sleep(20)
  }
}

describe('a log file', () => {
  test('keeps what it has, and the order of the lines', async () => {
    const path = join(newFolder(), 'a.log')
    writeFileSync(path, 'before\n')
    const { file } = open(path)
    for (let line = 0; line < 1000; line++) file.write(`line ${line}\n`)
    await file.flush()
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
    expect(lines).toEqual(['before', ...Array.from({ length: 1000 }, (_, line) => `line ${line}`)])
  })

  test('goes on under its name when it was renamed or removed', async () => {
    const folder = newFolder()
    const path = join(folder, 'a.log')
    const { file } = open(path)
    file.write('one\n')
    await file.flush()
    renameSync(path, join(folder, 'a.log.1'))
    while (!existsSync(path)) {
      file.write('two\n')
      await Bun.sleep(50)
    }
    await file.flush()
    expect(readFileSync(join(folder, 'a.log.1'), 'utf8')).toStartWith('one\n')
    rmSync(path)
    while (!existsSync(path)) {
      file.write('three\n')
      await Bun.sleep(50)
    }
  })

  test('goes on in the old file where the new one cannot be opened, and tells it once', async () => {
    const folder = newFolder()
    mkdirSync(join(folder, 'logs'))
    const { file, told } = open(join(folder, 'logs', 'a.log'))
    renameSync(join(folder, 'logs'), join(folder, 'moved'))
    for (const line of ['one\n', 'two\n']) {
      file.reopen()
      file.write(line)
      await file.flush()
    }
    expect(readFileSync(join(folder, 'moved', 'a.log'), 'utf8')).toBe('one\ntwo\n')
    expect(told).toEqual([expect.stringContaining('ENOENT')])
  })

  test('drops what waits for more than four million bytes, and counts it', async () => {
    const { file, told } = open(join(newFolder(), 'a.log'))
    const line = `${'x'.repeat(1_048_575)}\n`
    for (let count = 0; count < 7; count++) file.write(line)
    expect(file.countLost()).toBe(2)
    await file.flush()
    expect(told).toEqual([2])
  })
})

describe('the log file of a server', () => {
  test('has all lines to the last one, and standard error has none', async () => {
    const { path, server, ask } = await start({})
    expect(await ask()).toBe(200)
    expect(await server.stop()).toBe(0)
    const events = readFileSync(path, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).event)
    expect(events).toContain('answer-given')
    expect(events.at(-1)).toBe('server-stopped')
    expect(await server.said).toBe('')
  })

  test('is opened anew by SIGUSR1', async () => {
    const { folder, path, server, ask } = await start({})
    renameSync(path, join(folder, 'old.log'))
    server.child.kill('SIGUSR1')
    await readUntil(path, 'log-reopened')
    await ask()
    await readUntil(path, 'answer-given')
    expect(server.child.exitCode).toBeNull()
  })

  test.skipIf(lacksLogrotate)('is rotated by logrotate as the guide says, and no line is lost', async () => {
    const { folder, path, ask } = await start({})
    const guide = readFileSync(new URL('../../src/guides/monitoring.md', import.meta.url), 'utf8')
    const [, shown = ''] = /```text logrotate\n([\s\S]*?)```/.exec(guide) ?? []
    const config = shown.replace('/var/log/proofgate/*.log', join(folder, '*.log'))
    expect(config).toContain(folder)
    writeFileSync(join(folder, 'rotate.conf'), config, { mode: 0o644 })
    let asked = 0
    const askOften = async (times: number): Promise<void> => {
      for (let time = 0; time < times; time++, asked++) await ask()
    }
    await askOften(20)
    await readUntil(path, 'answer-given')
    const rotated = Bun.spawnSync(
      ['logrotate', '--force', '--state', join(folder, 'state'), join(folder, 'rotate.conf')],
      {
        env: { PATH: `${process.env.PATH}:/usr/sbin` },
      },
    )
    expect([String(rotated.stderr), rotated.exitCode]).toEqual(['', 0])
    while (!existsSync(path)) await askOften(5)
    await askOften(20)
    const count = (file: string): number => readFileSync(file, 'utf8').split('answer-given').length - 1
    while (count(path) + count(`${path}.1`) < asked) await Bun.sleep(20)
    expect(count(`${path}.1`)).toBeGreaterThan(0)
  })

  test.skipIf(lacksDisk)('on a full disk loses lines and stops nothing, and says so afterwards', async () => {
    disk = mountSmallDisk(1)!
    const path = join(disk.folder, 'proofgate.log')
    const { server, ask } = await start({ PROOFGATE_LOG_FILE: path })
    writeFileSync(join(disk.folder, 'filler'), Buffer.alloc(900_000))
    const readLost = async () => (await readSamples(server.metricsUrl)).get('proofgate_log_lines_lost_total')!
    while ((await readLost()) === 0) expect(await ask()).toBe(200)
    expect(await ask()).toBe(200)
    rmSync(join(disk.folder, 'filler'))
    expect(await ask()).toBe(200)
    const written = await readUntil(path, 'log-lines-lost')
    const lines = written
      .trimEnd()
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}'))
    // The line of the request that found room again may follow.
    expect(lines.slice(-2).map((line) => JSON.parse(line).event)).toContain('log-lines-lost')
    expect(await server.stop()).toBe(0)
    expect(await server.said).toContain('ENOSPC')
  })

  test('that cannot be opened ends the start with exit code 69 and the name of the setting', async () => {
    const folder = newFolder()
    const child = Bun.spawn([...program, 'serve'], {
      env: {
        PATH: process.env.PATH ?? '',
        PROOFGATE_DATA: join(folder, 'data'),
        PROOFGATE_PORT: '0',
        PROOFGATE_LOG_FILE: join(folder, 'none', 'a.log'),
      },
      stderr: 'pipe',
      stdout: 'ignore',
    })
    const [said, code] = await Promise.all([new Response(child.stderr).text(), child.exited])
    expect([said, code]).toEqual([expect.stringContaining('(setting "log.file")'), 69])
  })
})
