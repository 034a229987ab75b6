/** Processes that share a database: which of them live, and which one has a lease. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { openConditions } from '../../src/conditions.ts'
import { loadConfig } from '../../src/config/load.ts'
import { openDb } from '../../src/db/db.ts'
import { makeLog } from '../../src/log.ts'
import { guardWrites } from '../../src/processes/guard.ts'
import { openProcesses } from '../../src/processes/open.ts'
import { LeaseLostError } from '../../src/processes/processes.ts'
import { openParts } from '../../src/start.ts'
import { select } from '../parts/select.ts'
import { openWorld, passSeconds, type TestProcess } from './world.ts'

const listIds = async ({ processes }: TestProcess) => (await processes.listLive()).map(({ id }) => id).toSorted()

async function startTwo() {
  const world = await openWorld()
  const [one, other] = [world.startProcess('one'), world.startProcess('two')]
  for (const { processes } of [one, other]) await processes.look()
  const [lease, otherLease] = [one, other].map(({ processes }) => processes.openLease('sweep')) as [
    ReturnType<typeof one.processes.openLease>,
    ReturnType<typeof one.processes.openLease>,
  ]
  return { world, one, other, lease, otherLease }
}

describe('a process', () => {
  test('is seen by the others from its first beat until it stops', async () => {
    const { world, one, other } = await startTwo()
    expect(await listIds(one)).toEqual(['one', 'two'])
    await passSeconds(world, 30, [one, other])
    expect(await listIds(one)).toEqual(['one', 'two'])
    expect(one.processes.countLive()).toBe(2)
    await other.processes.leave()
    expect(await listIds(one)).toEqual(['one'])
    await one.processes.look()
    expect(one.processes.countLive()).toBe(1)
  })

  test('that died is seen as living for ten seconds, and then removed by whoever sees it', async () => {
    const { world, one } = await startTwo()
    await passSeconds(world, 9, [one])
    expect(await listIds(one)).toEqual(['one', 'two'])
    await passSeconds(world, 2, [one])
    expect(await listIds(one)).toEqual(['one'])
    expect(one.listEvents()).toEqual(['process-lost'])
    expect(await select(world.db, 'SELECT id FROM live_processes').all()).toEqual([{ id: 'one' }])
  })

  test('that was taken for dead and goes on is there again', async () => {
    const { world, one, other } = await startTwo()
    await passSeconds(world, 12, [one])
    expect(await listIds(one)).toEqual(['one'])
    await other.processes.look()
    expect(await listIds(one)).toEqual(['one', 'two'])
  })

  test('that was stopped for a minute says so, and the others say that it was away and is back', async () => {
    const { world, one, other, otherLease, lease } = await startTwo()
    expect(await otherLease.hold()).toBe(true)
    await passSeconds(world, 60, [one])
    expect(await lease.hold()).toBe(true)
    for (const { processes } of [other, one]) await processes.look()
    expect(one.listEvents()).toEqual(['process-lost', 'work-taken-over', 'process-back'])
    expect(other.listEvents()).toEqual(['stood-still', 'work-lost'])
    expect([otherLease.isHeld(), lease.isHeld()]).toEqual([false, true])
    await passSeconds(world, 5, [one, other])
    expect([one.listEvents().length, other.listEvents().length]).toEqual([3, 2])
  })

  test('does not say that it stood still where the database did', async () => {
    const { world, one } = await startTwo()
    one.cut()
    const looking = one.processes.look()
    world.wait(60_000)
    one.mend()
    await looking
    await one.processes.look()
    expect(one.listEvents()).not.toContain('stood-still')
  })

  test('is not taken for dead by one that stood still itself', async () => {
    const { world, one, other } = await startTwo()
    await passSeconds(world, 2, [one, other])
    world.wait(60_000)
    await one.processes.look()
    expect(await listIds(one)).toEqual(['one', 'two'])
    await passSeconds(world, 30, [one, other])
    expect(await listIds(one)).toEqual(['one', 'two'])
  })

  test('does not enter again by a beat that was under way when it stopped', async () => {
    const { world, one, other } = await startTwo()
    one.cut()
    const looking = one.processes.look()
    const leaving = one.processes.leave()
    one.mend()
    await Promise.all([looking, leaving])
    await one.processes.look()
    expect(await select(world.db, 'SELECT id FROM live_processes').all()).toEqual([{ id: other.id }])
  })
})

describe('whether a run has ended', () => {
  test('is known at once of one that stopped or never was, and of oneself', async () => {
    const { one, other } = await startTwo()
    await other.processes.leave()
    expect(await one.processes.hasEnded('two')).toBe(true)
    expect(await one.processes.hasEnded('never')).toBe(true)
    expect(await one.processes.hasEnded('one')).toBe(false)
  })

  test('is no as soon as it beats after the question', async () => {
    const { world, one, other } = await startTwo()
    let answer: boolean | undefined
    const asking = one.processes.hasEnded('two').then((ended) => {
      answer = ended
    })
    await passSeconds(world, 1, [one])
    expect(answer).toBeUndefined()
    await passSeconds(world, 2, [other, one])
    await asking
    expect(answer).toBe(false)
  })

  test('is yes once its death is seen', async () => {
    const { world, one } = await startTwo()
    const asking = one.processes.hasEnded('two')
    await passSeconds(world, 12, [one])
    expect(await asking).toBe(true)
  })

  test('is not claimed by a process that stops meanwhile', async () => {
    const { one } = await startTwo()
    const asking = one.processes.hasEnded('two')
    await one.processes.leave()
    expect(await asking).toBe(false)
  })
})

describe('a lease', () => {
  test('is held by one process, as long as that one beats', async () => {
    const { world, one, other, lease, otherLease } = await startTwo()
    expect([await lease.hold(), await otherLease.hold()]).toEqual([true, false])
    for (let times = 0; times < 30; times++) {
      await passSeconds(world, 1, [one, other])
      expect([await lease.hold(), lease.isHeld(), await otherLease.hold()]).toEqual([true, true, false])
    }
  })

  test('goes to another process at once when its holder stops', async () => {
    const { one, lease, otherLease } = await startTwo()
    expect(await lease.hold()).toBe(true)
    await one.processes.leave()
    expect([await lease.hold(), lease.isHeld(), await otherLease.hold()]).toEqual([false, false, true])
    expect(otherLease.readFence()).toBe(lease.readFence() + 1)
  })

  test('goes to another process after ten seconds when its holder died, and not before', async () => {
    const { world, other, lease, otherLease } = await startTwo()
    expect(await lease.hold()).toBe(true)
    for (let second = 1; second <= 10; second++) {
      await passSeconds(world, 1, [other])
      expect(await otherLease.hold()).toBe(false)
    }
    await passSeconds(world, 1, [other])
    expect(await otherLease.hold()).toBe(true)
    expect(other.listEvents()).toContain('work-taken-over')
  })

  test('is not acted on by a holder that stood still, before others may take it', async () => {
    const { world, other, lease, otherLease } = await startTwo()
    expect(await lease.hold()).toBe(true)
    await passSeconds(world, 5, [other])
    expect([lease.isHeld(), await otherLease.hold()]).toEqual([false, false])
  })

  test('stays with a holder whose beats come late', async () => {
    const { world, one, other, lease, otherLease } = await startTwo()
    expect(await lease.hold()).toBe(true)
    for (let times = 0; times < 5; times++) {
      await passSeconds(world, 8, [other])
      expect(await otherLease.hold()).toBe(false)
      await one.processes.look()
      expect([await lease.hold(), lease.readFence()]).toEqual([true, 1])
    }
  })

  test('stays with its holder while the database is away for all', async () => {
    const { world, one, other, lease, otherLease } = await startTwo()
    expect(await lease.hold()).toBe(true)
    await passSeconds(world, 3, [one, other])
    world.wait(60_000)
    await other.processes.look()
    expect([lease.isHeld(), await otherLease.hold()]).toEqual([false, false])
    await one.processes.look()
    await passSeconds(world, 20, [other, one])
    expect([await lease.hold(), lease.readFence(), await otherLease.hold()]).toEqual([true, 1, false])
  })

  test('is held, though the answer to taking it was lost', async () => {
    const { world, one, lease } = await startTwo()
    await world.db.write([
      { sql: "INSERT INTO leases (name, holder, fence, beats) VALUES ('sweep', 'one', 7, 1)", params: [] },
    ])
    expect([await lease.hold(), lease.readFence()]).toEqual([true, 7])
    await passSeconds(world, 8, [one])
    expect(lease.isHeld()).toBe(true)
  })

  test('that was taken over is lost to the holder before, who tells it', async () => {
    const { world, one, other, lease, otherLease } = await startTwo()
    expect(await lease.hold()).toBe(true)
    await passSeconds(world, 12, [other])
    expect(await otherLease.hold()).toBe(true)
    await one.processes.look()
    expect([await lease.hold(), lease.isHeld(), otherLease.isHeld()]).toEqual([false, false, true])
    expect(one.listEvents()).toContain('work-lost')
  })

  test('is not taken when its holder beats while it is being taken', async () => {
    const { world, one, other, lease, otherLease } = await startTwo()
    expect(await lease.hold()).toBe(true)
    await passSeconds(world, 12, [other])
    other.cut()
    const taking = otherLease.hold()
    other.letThrough()
    await Bun.sleep(0)
    await one.processes.look()
    other.mend()
    expect([await taking, await lease.hold(), lease.readFence()]).toEqual([false, true, 1])
  })

  test('that is free goes to one of two that take it at the same moment', async () => {
    const { world, one, other, lease, otherLease } = await startTwo()
    await lease.hold()
    await one.processes.leave()
    const third = world.startProcess('three')
    const thirdLease = third.processes.openLease('sweep')
    for (const { cut } of [other, third]) cut()
    const taking = [otherLease.hold(), thirdLease.hold()]
    // Both have read it when the first one takes it.
    for (const { letThrough } of [other, third]) letThrough()
    await Bun.sleep(0)
    for (const { mend } of [other, third]) mend()
    expect((await Promise.all(taking)).toSorted()).toEqual([false, true])
  })

  test('of another name is held by another process', async () => {
    const { one, other } = await startTwo()
    expect(await one.processes.openLease('sweep').hold()).toBe(true)
    expect(await other.processes.openLease('publishing').hold()).toBe(true)
  })
})

const note = (text: string) => ({ sql: 'INSERT INTO notes (text) VALUES (?1)', params: [text] })

async function startTwoWithNotes() {
  const two = await startTwo()
  const { world, one, other, lease, otherLease } = two
  await world.db.write([{ sql: 'CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT) STRICT', params: [] }])
  return {
    ...two,
    listNotes: async () =>
      (await select<{ text: string }>(world.db, 'SELECT text FROM notes ORDER BY id').all()).map(({ text }) => text),
    guarded: guardWrites(one.road, lease, 'sweep'),
    otherGuarded: guardWrites(other.road, otherLease, 'sweep'),
  }
}

describe('a write of the work under a lease', () => {
  test('of its holder is stored, with the counts of its own statements', async () => {
    const { lease, guarded, listNotes } = await startTwoWithNotes()
    await lease.hold()
    expect(await guarded.write([note('a'), note('b')])).toEqual({ changes: [1, 1] })
    const missing = { sql: "DELETE FROM notes WHERE text = 'z'", params: [], must: true }
    expect(await guarded.write([note('c'), missing])).toEqual({ refusedAt: 1 })
    expect(await listNotes()).toEqual(['a', 'b'])
  })

  test('of a former holder is refused whole, though it believes in its lease', async () => {
    const { world, one, other, lease, otherLease, guarded, otherGuarded, listNotes } = await startTwoWithNotes()
    await lease.hold()
    // The machine of the holder sleeps, and its clock does not count that.
    one.sleepWithoutCounting(12_000)
    await passSeconds(world, 12, [other])
    expect([await otherLease.hold(), lease.isHeld()]).toEqual([true, true])
    await otherGuarded.write([note('of the new one')])
    await expect(guarded.write([note('late')])).rejects.toThrow(LeaseLostError)
    expect(await listNotes()).toEqual(['of the new one'])
  })

  test('that was on its way when the lease was taken is refused whole', async () => {
    const { world, one, other, lease, otherLease, guarded, listNotes } = await startTwoWithNotes()
    await lease.hold()
    one.cut()
    const late = guarded.write([note('late')])
    await passSeconds(world, 12, [other])
    expect(await otherLease.hold()).toBe(true)
    one.mend()
    await expect(late).rejects.toThrow(LeaseLostError)
    expect(await listNotes()).toEqual([])
  })

  test('is refused after the lease was given back, and before it was ever held', async () => {
    const { one, lease, guarded, otherGuarded, listNotes } = await startTwoWithNotes()
    await expect(otherGuarded.write([note('early')])).rejects.toThrow(LeaseLostError)
    await lease.hold()
    await one.processes.leave()
    await expect(guarded.write([note('late')])).rejects.toThrow(LeaseLostError)
    expect(await listNotes()).toEqual([])
  })

  test('keeps the lease from being taken: it is a beat', async () => {
    const { world, other, lease, otherLease, guarded } = await startTwoWithNotes()
    await lease.hold()
    for (let times = 0; times < 30; times++) {
      await passSeconds(world, 1, [other])
      if (times % 5 === 0) await guarded.write([note('still here')])
      expect(await otherLease.hold()).toBe(false)
    }
  })
})

type Event =
  | { readonly do: 'wait'; readonly ms: number }
  | {
      readonly do: 'seconds' | 'look' | 'hold' | 'write' | 'stand' | 'go' | 'step' | 'end' | 'sleep'
      readonly at: number
    }

const at = fc.nat({ max: 2 })
const anEvent = (mayEnd: boolean): fc.Arbitrary<Event> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 100, max: 6_000 }) }) },
    { weight: 5, arbitrary: fc.record({ do: fc.constant('seconds' as const), at }) },
    {
      weight: 10,
      arbitrary: fc.record({ do: fc.constantFrom('look' as const, 'hold' as const, 'write' as const), at }),
    },
    {
      weight: 5,
      arbitrary: fc.record({ do: fc.constantFrom('stand' as const, 'go' as const, 'step' as const), at }),
    },
    { weight: mayEnd ? 1 : 0, arbitrary: fc.record({ do: fc.constantFrom('end' as const), at }) },
    { weight: mayEnd ? 0 : 1, arbitrary: fc.record({ do: fc.constantFrom('sleep' as const), at }) },
  )

/** Plays a schedule with three processes. Returns how often the lease changed hands. */
async function play(events: readonly Event[], { clocksCount }: { readonly clocksCount: boolean }): Promise<number> {
  const world = await openWorld()
  await world.db.write([
    { sql: 'CREATE TABLE notes (id INTEGER PRIMARY KEY, writer TEXT, fence INTEGER) STRICT', params: [] },
  ])
  const all = ['a', 'b', 'c'].map((id) => {
    const one = world.startProcess(id)
    const lease = one.processes.openLease('publishing')
    return {
      ...one,
      lease,
      guarded: guardWrites(one.road, lease, 'publishing'),
      isOver: false,
      busy: [] as Promise<unknown>[],
    }
  })
  type Player = (typeof all)[number]
  /** One that stands still does nothing more; what it asked before may be done meanwhile. */
  const run = async (one: Player, work: () => Promise<unknown>): Promise<void> => {
    if (one.isOver || one.isCut()) return
    const busy = work().catch((error) => {
      if (!(error instanceof LeaseLostError)) throw error
    })
    one.busy.push(busy)
    await busy
  }
  const write = ({ guarded, lease, id }: Player) =>
    guarded.write([{ sql: 'INSERT INTO notes (writer, fence) VALUES (?1, ?2)', params: [id, lease.readFence()] }])
  const requireOneHolder = (): void => {
    const holders = all.filter(({ lease, isOver }) => !isOver && lease.isHeld()).map(({ id }) => id)
    if (clocksCount) expect(holders.length).toBeLessThanOrEqual(1)
  }
  for (const event of events) {
    const one = all['at' in event ? event.at : 0]!
    switch (event.do) {
      case 'wait':
        world.wait(event.ms)
        break
      case 'seconds':
        // All others go on as they should.
        for (let second = 0; second < 12; second++) {
          world.wait(1_000)
          for (const other of all)
            if (other !== one) await run(other, () => other.processes.look().then(() => other.lease.hold()))
          requireOneHolder()
        }
        break
      case 'look':
        await run(one, () => one.processes.look())
        break
      case 'hold':
        await run(one, () => one.lease.hold())
        break
      case 'write':
        await run(one, () => write(one))
        break
      case 'stand':
        // In the middle of whatever it does.
        if (!one.isOver && !one.isCut()) {
          one.cut()
          one.busy.push(
            one.processes.look(),
            one.lease.hold(),
            write(one).catch(() => {}),
          )
        }
        break
      case 'step':
        one.letThrough()
        await Bun.sleep(0)
        break
      case 'go':
        one.mend()
        await Promise.all(one.busy.splice(0))
        break
      case 'sleep':
        one.sleepWithoutCounting(20_000)
        break
      case 'end':
        await run(one, () => one.processes.leave())
        one.isOver ||= !one.isCut()
    }
    requireOneHolder()
  }
  for (const one of all) one.mend()
  await Promise.all(all.flatMap(({ busy }) => busy))
  const notes = await select<{ writer: string; fence: number }>(
    world.db,
    'SELECT writer, fence FROM notes ORDER BY id',
  ).all()
  expect(notes.map(({ fence }) => fence)).toEqual(notes.map(({ fence }) => fence).toSorted((a, b) => a - b))
  const writers = new Map(notes.map(({ writer, fence }) => [fence, writer]))
  for (const { writer, fence } of notes) expect(writers.get(fence)).toBe(writer)
  return writers.size
}

describe('in 500 random schedules of three processes', () => {
  const listOf = (mayEnd: boolean) => fc.array(anEvent(mayEnd), { minLength: 30, maxLength: 60 })

  test('a lease has one holder at a time, and stores the writes of one holder after the other', async () => {
    let changes = 0
    await fc.assert(
      fc.asyncProperty(listOf(true), async (events) => {
        changes += await play(events, { clocksCount: true })
      }),
      { numRuns: 500 },
    )
    expect(changes).toBeGreaterThan(500)
  }, 120_000)

  test('with machines that sleep and clocks that do not count it, writes of one holder follow those of the other', async () => {
    let changes = 0
    await fc.assert(
      fc.asyncProperty(listOf(false), async (events) => {
        changes += await play(events, { clocksCount: false })
      }),
      { numRuns: 500 },
    )
    expect(changes).toBeGreaterThan(500)
  }, 120_000)
})

describe('where a database is not shared', () => {
  test('the one process holds every lease, and neither asks nor writes anything for it', async () => {
    const db = await openDb({ folder: undefined, writer: 'inline', cacheBytes: 1e6, walLimitBytes: 1e6, now: 0 })
    let asked = 0
    const counted = {
      ...db,
      read: ((query) => {
        asked++
        return db.read(query)
      }) as typeof db.read,
      write: ((...write) => {
        asked++
        return db.write(...write)
      }) as typeof db.write,
    }
    const own = { id: 'only', startedAt: 0, version: '1', host: 'here', settings: null }
    const log = makeLog({ level: 'error', format: 'text', now: () => 0 })
    const conditions = openConditions({ log, now: () => 0 })
    const processes = openProcesses({ db: counted, log, conditions, readUptime: () => 0, own })
    const beating = await processes.join()
    const lease = processes.openLease('publishing')

    expect([await lease.hold(), lease.isHeld(), lease.guard()]).toEqual([true, true, []])
    expect(guardWrites(counted, lease, 'publishing')).toBe(counted)
    expect(await processes.listLive()).toEqual([own])
    expect(await processes.hasEnded('only')).toBe(false)
    expect(await processes.hasEnded('the run before')).toBe(true)
    await beating.stop()
    expect(asked).toBe(0)
  })

  test('a server has no rows of processes and leases', async () => {
    const config = await loadConfig({ env: { PROOFGATE_LOG_LEVEL: 'error' }, cwd: '/nonexistent' })
    const { parts, close } = await openParts(config, undefined, () => 1_767_225_600_000)
    expect([parts.processes.mark, await parts.processes.openLease('sweep').hold()]).toEqual([null, true])
    expect(await select(parts.db, 'SELECT id FROM live_processes UNION ALL SELECT name FROM leases').all()).toEqual([])
    await close()
  })
})
