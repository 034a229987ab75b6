/** Health and answers to clients during real faults of the disk and of the data folder, and the data afterwards. */
import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import {
  closeSync,
  cpSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { healthcheck } from '../../src/commands/healthcheck.ts'
import { run } from '../commands/terminal.ts'
import { faultsIn, inspect } from '../db/store.ts'
import { temporaryFolders } from '../parts/folders.ts'
import { isMissing } from '../parts/optional.ts'
import { type FaultyServer, inject, mountDisk, startFaulty, type Told } from './fault-stage.ts'

setDefaultTimeout(60_000)

const mounted: { end(): void }[] = []
// Before the folders go.
afterAll(() => {
  for (const disk of mounted) disk.end()
})
const newFolder = temporaryFolders()
function newDisk(...command: readonly string[]): string | undefined {
  const folder = newFolder()
  const disk = mountDisk(folder, ...command)
  if (!disk) return undefined
  mounted.push(disk)
  return folder
}

const refused = (told: Told): string => {
  expect(told).toMatchObject({ status: 503, body: { success: false, error: { code: 'SERVICE_UNAVAILABLE' } } })
  return told.body.error.message
}
const failing = (name: string, { body }: Told) =>
  body.error.details.conditions.find((one: { name: string }) => one.name === name)

async function onServer(
  folder: string,
  work: (server: FaultyServer) => Promise<void>,
  env: Record<string, string> = {},
): Promise<void> {
  const server = await startFaulty(folder, env)
  try {
    await work(server)
  } finally {
    await server.kill()
  }
}

describe('while the server runs', () => {
  test('a file or the folder that is moved away stops the storing, and nothing else, until it is back', async () => {
    const folder = join(newFolder(), 'data')
    await onServer(folder, async (server) => {
      const proof = (await server.prove('kept')).body.data.qHash
      for (const [path, name, words] of [
        [join(folder, 'proofgate.sqlite'), 'data-files-lost', 'the database file was removed or moved away'],
        [join(folder, 'proofgate.sqlite-wal'), 'data-files-lost', 'the write-ahead log of the database was removed'],
        [join(folder, 'master.key'), 'master-key-lost', 'the master key beside the database was removed'],
        [folder, 'data-files-lost', 'the data folder was removed, moved away or unmounted'],
      ] as const) {
        renameSync(path, `${path}.away`)
        const told = await server.fails(name)
        expect(refused(told)).toContain(words)
        expect(refused(told)).toContain('nothing is stored any more')
        expect(
          JSON.stringify({ ...told.body.error, details: { ...told.body.error.details, conditions: [] } }),
        ).not.toContain(folder)
        expect(failing(name, told)).toMatchObject({ level: 'failing', count: 1, mend: expect.stringContaining('back') })
        expect(refused(await server.prove(`not kept: ${path}`))).toContain('Nothing of this request was stored')
        expect((await server.send(`/proofs/${proof}`)).status).toBe(200)
        expect((await server.send('/health/live')).status).toBe(200)

        renameSync(`${path}.away`, path)
        await server.recovers()
        expect((await server.prove(`kept after ${path}`)).status).toBe(200)
      }
      expect(await server.stop()).toBe(0)
    })
    expect(faultsIn(folder)).toEqual([])
    expect(inspect(folder, (db) => db.query('SELECT count(*) AS count FROM proofs').get())).toEqual({ count: 5 })
  })

  test('writes to a deleted database are refused, from the very next write on', async () => {
    const folder = newFolder()
    await onServer(folder, async (server) => {
      expect((await server.prove('before')).status).toBe(200)
      rmSync(join(folder, 'proofgate.sqlite'))
      const answers = await Promise.all(Array.from({ length: 8 }, (_, turn) => server.prove(`after ${turn}`)))
      for (const answer of answers) refused(answer)
      await server.fails('data-files-lost')
      // A copy of it under its name is not the file that is open.
      writeFileSync(join(folder, 'proofgate.sqlite'), 'a copy')
      expect(
        refused(await server.until('/health/ready', ({ body }) => /was replaced by/.test(body.error?.message))),
      ).toContain('the database file was replaced by another file')
      refused(await server.prove('after all'))
    })
  })

  test.each(['-wal', '-shm'])(
    'a stop repairs a deleted %s by copying the log into the database, as health and the guide say',
    async (end) => {
      const folder = newFolder()
      await onServer(folder, async (server) => {
        const proof = (await server.prove('in the log')).body.data.qHash
        rmSync(join(folder, `proofgate.sqlite${end}`))
        const { mend } = failing('data-files-lost', await server.fails('data-files-lost'))
        const guide = await Bun.file(new URL('../../src/guides/faults.md', import.meta.url)).text()
        const row = guide.split('\n').find((line) => line.startsWith('| ') && line.includes(`\`${end}\``))
        for (const told of [mend, row]) {
          expect(told).toContain('SIGTERM')
          expect(told).toContain('copies the log into the database')
          expect(told).not.toMatch(/do not stop it/i)
        }
        expect(await server.stop()).toBe(0)
        expect(faultsIn(folder)).toEqual([])
        await onServer(folder, async (again) => {
          expect((await again.send(`/proofs/${proof}`)).status).toBe(200)
          expect((await again.send('/health/ready')).status).toBe(200)
        })
      })
    },
  )

  test('a new file with the same master key is accepted, another key is refused, and a lost lock is a warning', async () => {
    const folder = newFolder()
    const key = join(folder, 'master.key')
    await onServer(folder, async (server) => {
      const text = readFileSync(key, 'utf8')
      writeFileSync(key, `${'0'.repeat(64)}\n`)
      expect(refused(await server.fails('master-key-lost'))).toContain('replaced by another one')
      refused(await server.prove('sealed by a key that is gone'))
      rmSync(key)
      writeFileSync(key, text, { mode: 0o600 })
      await server.recovers()
      expect((await server.prove('kept')).status).toBe(200)

      rmSync(join(folder, 'proofgate.sqlite.lock'))
      const warned = await server.until('/health', ({ body }) => body.data.conditions.length > 0)
      expect(warned).toMatchObject({
        status: 200,
        body: { data: { conditions: [{ name: 'data-lock-lost', level: 'warning' }] } },
      })
      expect(warned.body.data.issues).toEqual([expect.stringContaining('a second server could start')])
      expect((await server.send('/health/ready')).status).toBe(200)
    })
  })

  test('a master key that is lost in another way is reported again, and failed background writes add no line', async () => {
    const folder = newFolder()
    const key = join(folder, 'master.key')
    const server = await startFaulty(folder, { PROOFGATE_LOG_FORMAT: 'json' })
    rmSync(key)
    await server.fails('master-key-lost')
    writeFileSync(key, `${'0'.repeat(64)}\n`)
    await server.until('/health/ready', ({ body }) => /was replaced by/.test(body.error?.message))
    // Stores the numbers and the clock, or tries to.
    expect(await server.stop()).toBe(0)
    const told = (await server.log)
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line))
      .filter(({ level }) => level === 'error' || level === 'warn')
    expect(told).toEqual([
      expect.objectContaining({
        condition: 'master-key-lost',
        message: expect.stringContaining('was removed or moved'),
      }),
      expect.objectContaining({ condition: 'master-key-lost', message: expect.stringContaining('was replaced by') }),
    ])
  })

  test('a damaged page is reported from the first request that meets it until the restart', async () => {
    const folder = newFolder()
    const file = join(folder, 'proofgate.sqlite')
    let proof = ''
    await onServer(folder, async (server) => {
      proof = (await server.prove('damaged')).body.data.qHash
      await server.stop()
    })
    cpSync(file, `${file}.backup`)
    const page = inspect(folder, (db) => ({
      ...db.query<{ rootpage: number }, []>("SELECT rootpage FROM sqlite_schema WHERE name = 'proofs'").get()!,
      ...db.query<{ page_size: number }, []>('PRAGMA page_size').get()!,
    }))
    await onServer(folder, async (server) => {
      await server.recovers()
      writeSync(
        openSync(file, 'r+'),
        Buffer.alloc(page.page_size, 0xa5),
        0,
        page.page_size,
        (page.rootpage - 1) * page.page_size,
      )
      expect((await server.send(`/proofs/${proof}`)).status).toBe(500)
      const told = await server.fails('database-damaged')
      expect(refused(told)).toMatch(/is being checked|the database is damaged/)
      await server.until('/health/ready', ({ body }) => /is damaged \(table proofs\)/.test(body.error?.message))
      const { code, err } = await run(healthcheck, [], {
        env: { PROOFGATE_PORT: server.port, PROOFGATE_HOST: '127.0.0.1' },
      })
      expect(code).toBe(1)
      expect(err).toContain('not ready: the database is damaged')
      expect(err).toContain('what to do: stop the server')
    })
    renameSync(`${file}.backup`, file)
    for (const end of ['-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
    await onServer(folder, async (server) => {
      await server.recovers()
      expect((await server.send(`/proofs/${proof}`)).status).toBe(200)
    })
  })
})

const smallDisk = newDisk('-t', 'tmpfs', '-o', 'size=8m', 'tmpfs')

test.skipIf(isMissing(smallDisk, 'a full disk: run as root, who may mount one'))(
  'a full disk is reported, and the server goes on by itself when there is space',
  async () => {
    await onServer(join(smallDisk!, 'data'), async (server) => {
      expect((await server.prove('before')).status).toBe(200)
      const ballast = openSync(join(smallDisk!, 'ballast'), 'a')
      for (const size of [65_536, 4_096])
        try {
          while (writeSync(ballast, Buffer.alloc(size)) > 0);
        } catch (error) {
          expect(error).toMatchObject({ code: 'ENOSPC' })
        }
      closeSync(ballast)
      const told = await server.fails('disk-full')
      expect(refused(told)).toContain('the disk that holds the data is full')
      // The log may still have room that it took before.
      let last = await server.prove(`0 ${'x'.repeat(40_000)}`)
      for (let turn = 1; last.status === 200 && turn < 200; turn++)
        last = await server.prove(`${turn} ${'x'.repeat(40_000)}`)
      expect(last).toMatchObject({ status: 503, body: { error: { code: 'STORAGE_FULL' } } })
      rmSync(join(smallDisk!, 'ballast'))
      await server.recovers()
      expect((await server.prove(`after ${'x'.repeat(40_000)}`)).status).toBe(200)
      expect(await server.stop()).toBe(0)
    })
    expect(faultsIn(join(smallDisk!, 'data'))).toEqual([])
  },
)

const image = join(newFolder(), 'disk.img')
const makesImage =
  Bun.which('mkfs.ext4', { PATH: `${process.env.PATH}:/sbin:/usr/sbin` }) !== null &&
  Bun.spawnSync(['sh', '-c', `truncate -s 24M '${image}' && PATH="$PATH:/sbin:/usr/sbin" mkfs.ext4 -q '${image}'`])
    .success
const abortable = makesImage ? newDisk('-o', 'loop', image) : undefined

async function expectReadOnlyReport(server: FaultyServer): Promise<void> {
  // A kernel may answer the first sync with EIO, and only a later one with EROFS.
  const told = await server.until('/health/ready', ({ body }) =>
    body.error?.message.includes('the disk failed a commit and cannot be written to any more'),
  )
  refused(told)
  expect(failing('storage-uncertain', told).mend).toMatch(/fsck.*mount it for writing again, and start the server/)
}

test.skipIf(isMissing(abortable, 'an aborted file system: run as root with mkfs.ext4'))(
  'a file system that the system aborted is reported, and no write to it is acknowledged',
  async () => {
    const folder = join(abortable!, 'data')
    mkdirSync(folder)
    await onServer(folder, async (server) => {
      const proof = (await server.prove('before')).body.data.qHash
      expect(Bun.spawnSync(['mount', '-o', 'remount,abort', abortable!]).success).toBe(true)
      await expectReadOnlyReport(server)
      refused(await server.prove('after'))
      expect((await server.send(`/proofs/${proof}`)).status).toBe(200)
    })
  },
)

// In CI they fail where strace is missing.
describe.skipIf(isMissing(Bun.which('strace') || process.env.CI, 'faults of a disk: apt-get install strace'))(
  'with a disk',
  () => {
    test('answering with errors is reported by health without a new write, until it ends', async () => {
      await onServer(newFolder(), async (server) => {
        await server.recovers()
        const fault = await inject(server.pid, 'fsync,fdatasync:error=EIO')
        const told = await server.fails('storage-uncertain')
        expect(refused(told)).toContain('the disk failed a commit')
        expect(told.body.error.details.lastCommit).toMatchObject({ result: 'failed' })
        expect(told.body.error.details.conditions.map(({ name }: { name: string }) => name)).toEqual([
          'storage-uncertain',
        ])
        refused(await server.prove('not kept'))
        await fault.end()
        await server.recovers()
        const after = await server.until('/health/ready', ({ body }) => body.details?.lastCommit.result === 'stored')
        expect(after).toMatchObject({ status: 200, body: { details: { conditions: [] } } })
      })
    })

    test('failing a commit and then read-only is reported as read-only', async () => {
      await onServer(newFolder(), async (server) => {
        await server.recovers()
        const failed = await inject(server.pid, 'fsync,fdatasync:error=EIO')
        const told = await server.fails('storage-uncertain')
        expect(refused(told)).not.toContain('cannot be written to any more')
        await failed.end()
        const readOnly = await inject(server.pid, 'fsync,fdatasync,pwrite64:error=EROFS')
        await expectReadOnlyReport(server)
        await readOnly.end()
        await server.recovers()
      })
    })

    test('failing a read is reported by health until a check of the whole database passes', async () => {
      const folder = newFolder()
      await onServer(folder, async (server) => {
        await server.recovers()
        for (let turn = 0; turn < 3; turn++) await server.prove(`kept ${turn}`)
        await server.stop()
      })
      const file = join(folder, 'proofgate.sqlite')
      await onServer(folder, async (server) => {
        await server.recovers()
        const fault = await inject(server.pid, 'pread64:error=EIO:when=1', file)
        const told = await server.until('/health/ready', ({ status }) => status === 503)
        expect(refused(told)).toMatch(/is being checked|reads with an error/)
        await fault.end()
        await server.recovers()
        expect((await server.prove('after')).status).toBe(200)
      })
    })

    test('hanging is reported by health meanwhile, and liveness does not wait', async () => {
      await onServer(newFolder(), async (server) => {
        await server.recovers()
        const fault = await inject(server.pid, 'fsync,fdatasync:delay_enter=6000000')
        const waiting = server.prove('kept late')
        const told = await server.fails('writes-wait')
        expect(refused(told)).toContain('a write has been waiting for the disk')
        expect(told.body.error.details.waitingMs).toBeGreaterThan(2_000)
        expect((await server.send('/health/live')).status).toBe(200)
        await fault.end()
        expect((await waiting).status).toBe(200)
        await server.recovers()
      })
    })

    test('hanging even when it looks up names is reported by health, which answers all the same', async () => {
      const folder = newFolder()
      await onServer(folder, async (server) => {
        await server.recovers()
        const fault = await inject(server.pid, 'stat,statx,newfstatat:delay_enter=4000000', folder)
        expect(refused(await server.fails('disk-hangs'))).toContain('has not answered for more than 2 seconds')
        expect((await server.send('/health/live')).status).toBe(200)
        await fault.end()
        await server.recovers()
      })
    })

    test('hiding its free space is reported by health, and requests are answered all the same', async () => {
      const withFloor = { PROOFGATE_STORAGE_MIN_FREE_MB: '1' }
      const work = async (server: FaultyServer) => {
        await server.recovers()
        const fault = await inject(server.pid, 'statfs,fstatfs:delay_enter=120000000')
        expect(refused(await server.fails('disk-hangs'))).toContain('has not answered for more than 2 seconds')
        expect((await server.send('/health/live')).status).toBe(200)
        // The free space measured before the fault still counts.
        expect((await server.prove('kept')).status).toBe(200)
        await fault.end()
        await server.recovers()
      }
      await onServer(newFolder(), work, withFloor)
    })
  },
)
