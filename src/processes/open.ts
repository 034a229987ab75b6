/** The part that a process plays among those that share its database. */
import type { Db } from '../db/db.ts'
import { countRowsChanged } from '../db/rows-changed.ts'
import type { Parts } from '../parts.ts'
import { type Repeated, repeat } from '../repeat.ts'
import { openBeatWatch } from './beat-watch.ts'
import { openSettingsWatch } from './compare-settings.ts'
import { type KeptLease, openSharedLease } from './lease.ts'
import type { LeaseName } from './lease-names.ts'
import type { Lease, LiveProcess, Processes } from './processes.ts'
import {
  beatProcess,
  findProcess,
  type LeaseRow,
  listLeases,
  listProcesses,
  type ProcessRow,
  removeDeadProcess,
  removeProcess,
} from './store.ts'
import { beatEveryMs, deadAfterMs } from './timing.ts'

export interface OpenedProcesses extends Processes {
  /** Enters this process, and beats until it is stopped: then it leaves. Errors: those of the store. */
  join(): Promise<Repeated>
  /** One beat, and a look at the others. Errors: those of the store. */
  look(): Promise<void>
  /** Gives all leases back, so that others go on at once, and takes none again. The process is still there. */
  giveBack(): Promise<void>
  leave(): Promise<void>
}

interface Tools {
  readonly db: Db
  readonly log: Parts['log']
  readonly conditions: Parts['conditions']
  /** Milliseconds of a clock that only counts on. */
  readonly readUptime: () => number
  readonly own: LiveProcess
}

export const openProcesses = (tools: Tools): OpenedProcesses => (tools.db.isShared ? openShared(tools) : beAlone(tools))

const beAlone = ({ own }: Tools): OpenedProcesses => {
  const lease: Lease = { hold: async () => true, isHeld: () => true, readFence: () => 0, guard: () => [] }
  return {
    mark: null,
    listLive: async () => [own],
    hasEnded: async (run) => run !== own.id,
    openLease: () => lease,
    join: async () => ({ stop: async () => {} }),
    look: async () => {},
    giveBack: async () => {},
    leave: async () => {},
    countLive: () => 1,
  }
}

const writeLeaseCounter = ({ fence, beats }: LeaseRow): string => `${fence} ${beats}`

function openShared({ db, log, conditions, readUptime, own }: Tools): OpenedProcesses {
  const leases = new Map<LeaseName, KeptLease>()
  const processWatch = openBeatWatch(readUptime)
  const leaseWatch = openBeatWatch(readUptime)
  const settingsWatch = openSettingsWatch({ own, conditions, readUptime })
  let beats = 0
  let live = 1
  /** Those that were removed, until they are there again. */
  const lost = new Set<string>()
  let lookedAt: number | undefined
  let looking: Promise<void> | undefined
  /** Whether it looks at the others from time to time. */
  let isIn = false
  let isOver = false
  let isLeft = false
  let nextLook = Promise.withResolvers<void>()

  async function beat(): Promise<void> {
    const kept = [...leases]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .flatMap(([, lease]) => lease.readBeat() ?? [])
    beats++
    const statements = [beatProcess(own, beats), ...kept.map(({ statement }) => statement)]
    const result = await db.write(statements, 'free')
    for (const [index, { note }] of kept.entries()) note(countRowsChanged(result, index + 1) > 0)
  }

  async function watchOthers(): Promise<void> {
    let rows: readonly ProcessRow[] = []
    await processWatch.look(async () => {
      rows = await listProcesses(db)
      return new Map(rows.map((row) => [row.id, String(row.beats)]))
    })
    await leaseWatch.look(async () => new Map((await listLeases(db)).map((row) => [row.name, writeLeaseCounter(row)])))
    const others = rows.filter(({ id }) => id !== own.id)
    const dead = others.filter(({ id, beats }) => processWatch.isStill(id, String(beats)))
    const living = others.filter((row) => !dead.includes(row))
    live = 1 + living.length
    living.forEach(tellBack)
    settingsWatch.look(living)
    for (const row of dead) await removeDead(row)
  }

  async function removeDead(row: ProcessRow): Promise<void> {
    if (!(await removeDeadProcess(db, row))) return
    lost.add(row.id)
    log.warn('another server on this database did not show itself for ten seconds: the others go on with its work', {
      event: 'process-lost',
      run: row.id,
      host: row.host,
      startedAt: new Date(row.startedAt).toISOString(),
      mend: 'see on its machine why it ended or stands still. Where it goes on, it takes part again by itself',
    })
  }

  function tellBack({ id, host }: ProcessRow): void {
    if (!lost.delete(id)) return
    log.info('another server that was taken for dead is there again', { event: 'process-back', run: id, host })
  }

  /** Beats are late by as much as this process was stopped, or its machine slept. */
  function tellStandstill(): void {
    const stillMs = readUptime() - (lookedAt ?? readUptime())
    if (stillMs < deadAfterMs) return
    log.warn('this server stood still, and the others may have taken it for dead: it takes part again', {
      event: 'stood-still',
      seconds: Math.round(stillMs / 1000),
      mend: 'see what stopped it: a machine that slept or was moved, too little CPU, or a signal',
    })
  }

  /** While its own beats are not stored, a process cannot tell dead ones from a database that is away. */
  async function lookOnce(): Promise<void> {
    isIn = true
    tellStandstill()
    try {
      await beat()
      await watchOthers()
    } finally {
      lookedAt = readUptime()
    }
    nextLook.resolve()
    nextLook = Promise.withResolvers()
  }

  const look = async (): Promise<void> => {
    if (isLeft) return
    looking ??= lookOnce().finally(() => {
      looking = undefined
    })
    return looking
  }

  async function giveBack(): Promise<void> {
    isOver = true
    const given = [...leases.values()].flatMap((lease) => lease.leave() ?? [])
    if (given.length > 0) await db.write(given, 'free')
  }

  async function leave(): Promise<void> {
    isLeft = true
    nextLook.resolve()
    // A beat that is under way would enter this process again.
    await looking?.catch(() => {})
    await giveBack()
    await db.write([removeProcess(own.id)], 'free')
  }

  return {
    mark: own.id,
    countLive: () => live,
    async listLive() {
      const rows = await listProcesses(db)
      const others = rows.filter(({ id, beats }) => id !== own.id && !processWatch.isStill(id, String(beats)))
      return [own, ...others.map(({ beats: _, ...one }) => one)]
    },
    async hasEnded(run) {
      if (run === own.id) return false
      const asked = await findProcess(db, run)
      if (!asked) return true
      while (isIn && !isLeft) {
        await nextLook.promise
        const now = await findProcess(db, run)
        if (!now) return true
        if (now.beats > asked.beats) return false
      }
      return false
    },
    openLease(name) {
      const known = leases.get(name)
      if (known) return known
      const lease = openSharedLease(name, {
        db,
        run: own.id,
        readUptime,
        isDead: (row) => leaseWatch.isStill(row.name, writeLeaseCounter(row)),
        tell: (what, work) =>
          what === 'lost'
            ? log.warn('this server stood still for too long, and another one does its work now', {
                event: 'work-lost',
                work,
                mend: 'see what kept this server or its database from answering',
              })
            : log.info('this server goes on with the work of another one', { event: 'work-taken-over', work }),
      })
      if (isOver) lease.leave()
      leases.set(name, lease)
      return lease
    },
    look,
    giveBack,
    leave,
    async join() {
      await look()
      const beating = repeat({
        everyMs: beatEveryMs,
        waitMs: 0,
        look: () =>
          look().catch((error) =>
            log.count({
              level: 'warn',
              event: 'beat-unstored',
              message: 'this server could not show the others on its database that it lives',
              error,
              fields: {
                mend: 'look at the database and at the way to it: the others take over the work after ten seconds',
              },
            }),
          ),
      })
      return {
        async stop() {
          await beating.stop()
          await leave().catch(() => {})
        },
      }
    },
  }
}
