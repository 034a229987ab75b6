/** A data folder is used where file locks hold, which is proven once for each folder and mount. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { exitCodes } from '../../src/commands/command.ts'
import { explainUnshared, selectMount } from '../../src/db/mounts.ts'
import { requireLocks } from '../../src/db/prove-locks.ts'
import { compileLibrary, hasCompiler, locksText } from '../parts/preload.ts'
import { program } from '../parts/program.ts'
import { temporaryFolders } from './store.ts'

const newFolder = temporaryFolders()
setDefaultTimeout(60_000)
const memoryFile = (folder: string): string => join(folder, 'proofgate.sqlite.locks')

/** The program on the folder: its first line when it is ready, or what it says when it ends. */
function start(folder: string, env: Record<string, string> = {}, args = ['serve', '--json'], before: string[] = []) {
  const child = Bun.spawn([...before, ...program, ...args], {
    env: { PATH: process.env.PATH ?? '', PROOFGATE_DATA: folder, PROOFGATE_PORT: '0', ...env },
    cwd: '/',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  return {
    child,
    async ready(): Promise<void> {
      const { value } = await child.stdout.getReader().read()
      expect(JSON.parse(new TextDecoder().decode(value))).toMatchObject({ ready: true })
    },
    async refusal(): Promise<string> {
      const err = await new Response(child.stderr).text()
      expect(await child.exited).toBe(exitCodes.unavailable)
      return err
    },
    async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
      child.kill(signal)
      await child.exited
    },
  }
}

describe('where locks hold', () => {
  test('are proven at the first start and remembered, and leave no other file in the folder', async () => {
    const folder = newFolder()
    await requireLocks(folder)
    expect(readdirSync(folder)).toEqual(['proofgate.sqlite.locks'])
    const { mtimeMs, ino } = statSync(memoryFile(folder))
    await requireLocks(folder)
    expect(statSync(memoryFile(folder))).toMatchObject({ mtimeMs, ino })
  })

  test('a copied folder is proven anew', async () => {
    const [folder, copy] = [newFolder(), newFolder()]
    await requireLocks(folder)
    cpSync(memoryFile(folder), memoryFile(copy))
    await requireLocks(copy)
    expect(readFileSync(memoryFile(copy), 'utf8')).not.toBe(readFileSync(memoryFile(folder), 'utf8'))
  })

  test('a second server is refused, a container with processes of its own included, until the first is killed', async () => {
    const folder = newFolder()
    const first = start(folder)
    await first.ready()
    expect(await start(folder).refusal()).toContain('another Proofgate already uses this data folder')
    if (process.getuid?.() === 0 && Bun.spawnSync(['unshare', '-pf', 'true'], { stderr: 'ignore' }).success) {
      const inside = start(folder, {}, undefined, ['unshare', '-pf', '--mount-proc', '--kill-child'])
      expect(await inside.refusal()).toContain('another Proofgate already uses this data folder')
    }
    await first.stop('SIGKILL')
    const next = start(folder)
    await next.ready()
    await next.stop()
  })
})

if (process.env.CI) test('CI has a compiler', () => expect(hasCompiler).toBe(true))

if (hasCompiler)
  describe('where locks do not hold', () => {
    const folderOfLibraries = newFolder()
    const given = { LD_PRELOAD: compileLibrary(folderOfLibraries, 'given', locksText()) }
    const refused = { LD_PRELOAD: compileLibrary(folderOfLibraries, 'refused', locksText(true)) }

    test('the server is refused with the reason and the setting, at each start, and stores nothing', async () => {
      const folder = newFolder()
      for (const _ of [1, 2]) {
        const refusal = await start(folder, given).refusal()
        expect(refusal).toContain(`the file system of ${folder}`)
        expect(refusal).toContain('a second process was given a lock that the first one held')
        expect(refusal).toContain('PROOFGATE_STORAGE_TRUST_LOCKS=true (setting storage.trust_locks)')
      }
      expect(readdirSync(folder)).toEqual([])
    })

    test('a copy of a folder that was proven elsewhere is refused', async () => {
      const [proven, copy] = [newFolder(), join(newFolder(), 'copy')]
      const server = start(proven)
      await server.ready()
      await server.stop()
      cpSync(proven, copy, { recursive: true })
      expect(existsSync(memoryFile(copy))).toBe(true)
      expect(await start(copy, given).refusal()).toContain('does not keep file locks')
    })

    test('a command beside a server is refused as well', async () => {
      const folder = newFolder()
      const server = start(folder)
      await server.ready()
      await server.stop()
      rmSync(memoryFile(folder))
      expect(await start(folder, given, ['keys', 'list']).refusal()).toContain('does not keep file locks')
      expect((await start(folder, {}, ['keys', 'list']).child.exited) as number).toBe(exitCodes.done)
    })

    test('the setting starts it all the same, and the next server without it is refused', async () => {
      const folder = newFolder()
      const first = start(folder, { ...given, PROOFGATE_STORAGE_TRUST_LOCKS: 'true' })
      await first.ready()
      expect(existsSync(memoryFile(folder))).toBe(false)
      expect(await start(folder, given).refusal()).toContain('does not keep file locks')
      await first.stop()
    })

    test('a file system that gives no locks at all is not called a folder in use', async () => {
      const refusal = await start(newFolder(), refused).refusal()
      expect(refusal).toContain('it has no locks')
      expect(refusal).not.toContain('another Proofgate')
    })
  })

describe('how a folder is mounted', () => {
  const lines = [
    '21 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw,errors=remount-ro',
    '30 21 0:41 / /srv rw,relatime - tmpfs tmpfs rw,size=8192k',
    '31 30 0:52 /data /srv/my\\040data rw,relatime shared:7 master:2 - nfs4 nas:/data rw,vers=4.2,local_lock=none',
    '32 31 0:53 / /srv/my\\040data/in rw - nfs nas:/in rw,vers=3,nolock,local_lock=all',
    '33 21 0:54 / /srvx rw - cifs //nas/x rw,nobrl',
  ].join('\n')

  test.each([
    ['/srv/my data/pg', 'nfs4', undefined],
    ['/srv/my data/in/pg', 'nfs', 'nolock'],
    ['/srvx', 'cifs', 'nobrl'],
    ['/srv', 'tmpfs', undefined],
    ['/home/x', 'ext4', undefined],
  ])('%s is on %s, and its mount options show who else may reach it', (path, type, option) => {
    const mount = selectMount(path, lines)!
    expect(mount.type).toBe(type)
    if (option) expect(explainUnshared(mount)).toContain(`"${option}"`)
    else expect(explainUnshared(mount)).toBeUndefined()
  })

  test('a folder that takes no new file is left to the error of the store', async () => {
    const folder = join(newFolder(), 'file')
    writeFileSync(folder, '')
    await requireLocks(folder)
    mkdirSync(`${folder}s`)
    await requireLocks(`${folder}s/none`)
  })
})
