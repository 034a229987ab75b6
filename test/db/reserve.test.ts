/** Another program fills the disk to its last byte: requests that delete or revoke still work. */

import { afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  rmSync,
  statfsSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openConditions } from '../../src/conditions.ts'
import { type DiskSpace, judgeDisk, openFreeSpace } from '../../src/db/free-space.ts'
import { nameReserveFile, openReserve, reserveSliceBytes } from '../../src/db/reserve.ts'
import { openDiskWatch } from '../../src/health/watch-disk.ts'
import { openLog } from '../../src/log.ts'
import { startApp, type TestApp } from '../app.ts'
import { startFaulty } from '../health/fault-stage.ts'
import { isMissing } from '../parts/optional.ts'
import { program } from '../parts/program.ts'
import { select } from '../parts/select.ts'
import { alice } from '../wallets.ts'
import { firstLine } from './child.ts'

setDefaultTimeout(60_000)

const oneMiB = 1_048_576
const oneGiB = 1_024 * oneMiB
const cannotMount = isMissing(process.getuid?.() === 0, 'a disk without a free byte: run as root, who may mount one')
const mounted: string[] = []
afterEach(() => {
  for (const folder of mounted.splice(0)) {
    Bun.spawnSync(['umount', '-l', folder])
    rmSync(folder, { recursive: true })
  }
})

function mountDisk(options: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'proofgate-reserve-'))
  expect(Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', options, 'tmpfs', folder]).success).toBe(true)
  mounted.push(folder)
  return folder
}

/** Another program that takes all the space there is, again and again. */
function fill(disk: string): void {
  const handle = openSync(join(disk, 'ballast'), 'a')
  try {
    for (const size of [1_048_576, 65_536, 4_096, 1])
      while (true)
        try {
          writeSync(handle, Buffer.alloc(size, 1))
        } catch {
          break
        }
  } finally {
    closeSync(handle)
  }
  expect(freeBytesOf(disk)).toBe(0)
}
const freeBytesOf = (disk: string): number => {
  const { bavail, bsize } = statfsSync(disk)
  return bavail * bsize
}

const quiet = openLog(() => {})

/** Looks as often as it takes to make the reserve whole. */
async function fillReserve({ parts }: TestApp): Promise<void> {
  const watch = openDiskWatch(parts)
  await watch.look()
  await watch.look()
}

const env = {
  PROOFGATE_LIMITS_ENABLED: 'false',
  PROOFGATE_STORAGE_WRITER: 'inline',
  PROOFGATE_STORAGE_MIN_FREE_MB: '8',
  PROOFGATE_STORAGE_RESERVE_MB: '32',
}

describe.skipIf(cannotMount)('on a disk without a free byte', () => {
  test('health says that it is full until more than the reserve is freed', async () => {
    const disk = mountDisk('size=160m')
    const app = await startApp(env, join(disk, 'data'))
    const names = async () => {
      await app.parts.storage.look()
      return app.parts.conditions.list().map(({ name }) => name)
    }
    await fillReserve(app)
    await app.parts.db.forgetDeleted()
    fill(disk)
    expect(await names()).toContain('disk-full')
    // Frees a slice, as a revocation does that finds no room.
    expect(await app.parts.reserve.giveUp()).toBe(true)
    expect(freeBytesOf(disk)).toBe(reserveSliceBytes)
    expect(await names()).toContain('disk-full')
    rmSync(join(disk, 'ballast'))
    expect(await names()).not.toContain('disk-full')
    await app.close()
  })

  test('revoking, ending a session, revoking a key, signing in and erasing work with a reserve, again and again', async () => {
    const disk = mountDisk('size=160m')
    const folder = join(disk, 'data')
    const app = await startApp(env, folder)
    const revoke = async (qHash: string) =>
      app.post(
        `/api/v1/proofs/revoke-self/${qHash}`,
        await app.ownerBody(alice, { action: 'revoke_proof', qHash }, app.now()),
      )
    const proofs: string[] = []
    for (let turn = 0; turn < 12; turn++) proofs.push(await app.prove(alice))
    const { headers } = await app.signIn(alice)
    const key = await app.post('/api/v1/auth/profile-keys', { name: 'k' }, headers)
    expect(key.status).toBeLessThan(300)
    await fillReserve(app)
    expect(statSync(nameReserveFile(folder)).blocks * 512).toBe(32 * oneMiB)

    let revoked = 0
    for (const qHash of proofs) {
      app.wait(1)
      // An empty log leaves no pages that could be overwritten without new space.
      await app.parts.db.forgetDeleted()
      fill(disk)
      expect((await revoke(qHash)).status).toBe(200)
      revoked++
      if (app.parts.reserve.heldBytes() <= 20 * oneMiB) break
    }
    expect(revoked).toBeGreaterThan(2)
    expect(app.parts.conditions.list()).toContainEqual(
      expect.objectContaining({
        name: 'reserve-used',
        level: 'warning',
        says: expect.stringMatching(/of 32 MiB are left/),
      }),
    )
    fill(disk)
    // New data takes no space of the reserve.
    const held = app.parts.reserve.heldBytes()
    const claim = { verifierIds: ['ownership-basic'], data: { owner: alice.address, content: 'new' } }
    expect((await app.submit(alice, claim)).body.error.code).toBe('STORAGE_FULL')
    expect(app.parts.reserve.heldBytes()).toBe(held)

    const session = await app.signIn(alice)
    fill(disk)
    const remove = await app.request(`/api/v1/auth/profile-keys/${key.body.data.keyId}`, {
      method: 'DELETE',
      headers: session.headers,
    })
    expect(remove.status).toBe(200)
    fill(disk)
    expect((await app.post('/api/v1/auth/logout-everywhere', {}, session.headers)).status).toBe(200)
    fill(disk)
    const erased = await app.post(
      '/api/v1/proofs/erase-all',
      await app.ownerBody(alice, { action: 'erase_all_proofs', walletAddress: alice.address.toLowerCase() }),
    )
    expect(erased.status).toBe(200)
    expect((await select<{ n: number }>(app.parts.db, 'SELECT count(*) AS n FROM proofs').get())?.n).toBe(0)
    await app.close()
  })

  test('new data cannot use the reserve, even without a floor', async () => {
    const disk = mountDisk('size=64m')
    const app = await startApp({ ...env, PROOFGATE_STORAGE_MIN_FREE_MB: '0' }, join(disk, 'data'))
    await fillReserve(app)
    await app.parts.db.forgetDeleted()
    fill(disk)
    const claim = { verifierIds: ['ownership-basic'], data: { owner: alice.address, content: 'new' } }
    expect((await app.submit(alice, claim)).body.error.code).toBe('STORAGE_FULL')
    expect(app.parts.reserve.heldBytes()).toBe(32 * oneMiB)
    await app.close()
  })

  test('a revocation is refused without a reserve', async () => {
    const disk = mountDisk('size=48m')
    const app = await startApp({ ...env, PROOFGATE_STORAGE_RESERVE_MB: '0' }, join(disk, 'data'))
    const qHash = await app.prove(alice)
    await app.parts.db.forgetDeleted()
    fill(disk)
    const answer = await app.post(
      `/api/v1/proofs/revoke-self/${qHash}`,
      await app.ownerBody(alice, { action: 'revoke_proof', qHash }, app.now()),
    )
    expect(answer).toMatchObject({ status: 503, body: { error: { code: 'STORAGE_FULL' } } })
    expect(answer.body.error.message).toContain('is used up, or was never made')
    expect(answer.body.error.message).not.toContain('revoking and erasing still work')
    await app.close()
  })

  test('a server with a reserve starts, and says that some of it is used', async () => {
    const disk = mountDisk('size=96m')
    const folder = join(disk, 'data')
    const before = await startApp(env, folder)
    await fillReserve(before)
    await before.close()
    fill(disk)
    const server = Bun.spawn([...program, 'serve', '--json'], {
      env: { PATH: process.env.PATH, ...env, PROOFGATE_DATA: folder, PROOFGATE_PORT: '0' },
      cwd: '/',
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const { port } = JSON.parse(await firstLine(server.stdout))
    expect((await fetch(`http://127.0.0.1:${port}/api/v1/health/live`)).status).toBe(200)
    const told = /of the room that is kept for revoking.* 28 of 32 MiB/
    expect(await firstLine(server.stderr, told)).toMatch(told)
    server.kill('SIGTERM')
    expect(await server.exited).toBe(0)
  })
})

describe.skipIf(cannotMount)('the reserve', () => {
  test('is made soon after the start of a server, before a disk can fill up', async () => {
    const folder = join(mountDisk('size=96m'), 'data')
    const server = await startFaulty(folder, { ...env, PROOFGATE_STORAGE_WRITER: 'worker' })
    const startedAt = performance.now()
    while (statSync(nameReserveFile(folder), { throwIfNoEntry: false })?.size !== 32 * oneMiB) await Bun.sleep(50)
    // It begins after a second. The look that always came is the one after 10 seconds.
    expect(performance.now() - startedAt).toBeLessThan(9_000)
    expect(await server.stop()).toBe(0)
  })

  const open = (disk: string, floorMb = 4, wantedMb = 12) => {
    const conditions = openConditions({ log: quiet, now: Date.now })
    const parts = {
      freeSpace: openFreeSpace(disk, floorMb * oneMiB),
      reserve: openReserve(disk, wantedMb * oneMiB),
      conditions,
    }
    return { ...parts, watch: openDiskWatch(parts), names: () => conditions.list().map(({ name }) => name) }
  }

  test('is made, given up slice by slice, and made anew only when there is room again', async () => {
    const disk = mountDisk('size=64m')
    const { reserve, watch, names } = open(disk)
    await watch.look()
    expect(existsSync(nameReserveFile(disk))).toBe(false)
    await watch.look()
    expect([reserve.heldBytes(), statSync(nameReserveFile(disk)).blocks * 512]).toEqual([12 * oneMiB, 12 * oneMiB])
    expect(names()).toEqual([])

    fill(disk)
    expect(await reserve.giveUp(10 * oneMiB)).toBe(false)
    expect(await reserve.giveUp()).toBe(true)
    expect(freeBytesOf(disk)).toBe(reserveSliceBytes)
    await watch.look()
    expect(names()).toEqual(['disk-low', 'reserve-used'])
    expect(reserve.heldBytes()).toBe(8 * oneMiB)
    while (await reserve.giveUp()) fill(disk)
    expect([reserve.heldBytes(), existsSync(nameReserveFile(disk))]).toEqual([0, false])

    // Room for the floor and the reserve, but then the disk would be low.
    truncateSync(join(disk, 'ballast'), 64 * oneMiB - 14 * oneMiB)
    await watch.look()
    expect(freeBytesOf(disk)).toBeGreaterThan(12 * oneMiB)
    expect(reserve.heldBytes()).toBeLessThan(12 * oneMiB)

    rmSync(join(disk, 'ballast'))
    await watch.look()
    expect([reserve.heldBytes(), names()]).toEqual([12 * oneMiB, []])
  })

  test('is taken over from an earlier run, and made as large as possible when it exceeds the disk', async () => {
    const disk = mountDisk('size=32m')
    const { reserve, watch } = open(disk, 4, 1_024)
    await watch.look()
    await watch.look()
    expect(reserve.heldBytes()).toBeGreaterThan(0)
    expect(freeBytesOf(disk)).toBeGreaterThan(4 * oneMiB)
    expect(openReserve(disk, oneGiB).heldBytes()).toBe(reserve.heldBytes())
  })
})

describe('the warning before a disk is full', () => {
  const disk = (totalGiB: number, freeGiB: number): DiskSpace => ({
    totalBytes: totalGiB * oneGiB,
    freeBytes: freeGiB * oneGiB,
    inodes: undefined,
  })
  const floor = 0.25 * oneGiB
  test.each([
    // A small volume does not warn for ever, a very large one not with much room.
    [2, 1, 'ok'],
    [2, 0.4, 'late'],
    [50, 6, 'ok'],
    [50, 5, 'early'],
    [50, 1.2, 'late'],
    [4_000, 11, 'ok'],
    [4_000, 10, 'early'],
    [4_000, 1.2, 'late'],
    [4_000, 0.2, 'below-floor'],
    [0, 1, 'ok'],
  ])('on %d GiB with %d GiB free: %s', (total, free, level) => {
    expect(judgeDisk(disk(total, free), floor, false)).toBe(level as never)
  })

  test('stays until there is a quarter more room', () => {
    expect(judgeDisk(disk(50, 6), floor, true)).toBe('early')
    expect(judgeDisk(disk(50, 6.6), floor, true)).toBe('ok')
  })

  test('comes when the inodes run out', () => {
    const few = { ...disk(50, 40), inodes: { free: 900, total: 3_000_000 } }
    expect(judgeDisk(few, floor, false)).toBe('inodes')
    expect(judgeDisk({ ...few, inodes: { free: 1_200, total: 3_000_000 } }, floor, true)).toBe('inodes')
    expect(judgeDisk({ ...few, inodes: { free: 1_200, total: 3_000_000 } }, floor, false)).toBe('ok')
  })
})
