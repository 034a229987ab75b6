/** Metrics of the database: its writer, its files, and the work that waits in it. */
import { type Family, makeValue, type Value } from '../metric-family.ts'
import type { Db, ReplicaFigures } from './db.ts'
import { readLogBytes } from './file-sizes.ts'
import type { FreeSpace } from './free-space.ts'
import { readQueueLengths } from './queue-lengths.ts'

interface DatabaseParts {
  readonly db: Db
  readonly freeSpace: FreeSpace
  readonly config: { readonly data: string }
}

export const writerFamilies: readonly Family<Pick<DatabaseParts, 'db'>>[] = [
  {
    name: 'proofgate_write_group_size',
    type: 'histogram',
    help: 'Writes that shared one commit.',
    read: ({ db }) => [{ distribution: db.writerFigures.sizes }],
  },
  {
    name: 'proofgate_write_group_seconds',
    type: 'histogram',
    help: 'How long the writer took for a group of writes.',
    read: ({ db }) => [{ distribution: db.writerFigures.seconds }],
  },
  {
    name: 'proofgate_commit_seconds',
    type: 'histogram',
    help: 'How long a COMMIT took: writing the log and waiting until it is on the disk (fsync).',
    read: ({ db }) => [{ distribution: db.writerFigures.commitSeconds }],
  },
  {
    name: 'proofgate_write_groups_failed_total',
    type: 'counter',
    help: 'Groups of writes that could not be stored, or of which that is not known.',
    read: ({ db }) => makeValue(db.writerFigures.countFailed()),
  },
  {
    name: 'proofgate_write_queue_length',
    type: 'gauge',
    help: 'Writes that have no answer yet.',
    read: ({ db }) => makeValue(db.writerFigures.countWaiting()),
  },
  {
    name: 'proofgate_write_queue_oldest_seconds',
    type: 'gauge',
    help: 'How long the oldest write has been waiting.',
    read({ db }) {
      const { waitingSince } = db.writerState()
      return makeValue(waitingSince === undefined ? 0 : (performance.now() - waitingSince) / 1000)
    },
  },
]

/** Nothing where database.replicas is not set. */
export const replicaFamilies: readonly Family<Pick<DatabaseParts, 'db'>>[] = [
  {
    name: 'proofgate_replica_used',
    type: 'gauge',
    help: 'Whether a replica of the database answers reads that may be old: 1, or 0 while it is away, too old, or takes writes.',
    read: ({ db }) => readReplicas(db, ({ state }) => (state === 'used' ? 1 : 0)),
  },
  {
    name: 'proofgate_replica_lag_seconds',
    type: 'gauge',
    help: 'How old the answers of a replica of the database may be.',
    read: ({ db }) => readReplicas(db, ({ lagMs }) => (lagMs === undefined ? undefined : lagMs / 1000)),
  },
  {
    name: 'proofgate_replica_reads_total',
    type: 'counter',
    help: 'Reads that a replica of the database answered.',
    read: ({ db }) => readReplicas(db, ({ answered }) => answered),
  },
  {
    name: 'proofgate_replica_reads_failed_total',
    type: 'counter',
    help: 'Reads that a replica of the database did not answer in time: the server that takes writes was asked instead.',
    read: ({ db }) => readReplicas(db, ({ failed }) => failed),
  },
]

const readReplicas = (db: Db, read: (replica: ReplicaFigures) => number | undefined): readonly Value[] =>
  (db.listReplicas?.() ?? []).flatMap((replica) => {
    const value = read(replica)
    return value === undefined ? [] : [{ labels: { replica: replica.server }, value }]
  })

export const diskFamilies: readonly Family<DatabaseParts>[] = [
  {
    name: 'proofgate_database_bytes',
    type: 'gauge',
    help: 'Size of the database.',
    read: async ({ db }) => makeValue(await db.measureBytes()),
  },
  {
    name: 'proofgate_wal_bytes',
    type: 'gauge',
    help: 'Size of the write-ahead log beside the database.',
    read: async ({ config }) => makeValue(await readLogBytes(config.data)),
  },
  {
    name: 'proofgate_disk_free_bytes',
    type: 'gauge',
    help: 'Free space of the disk of the data folder.',
    read: ({ freeSpace }) => makeValue(freeSpace.readBytes()),
  },
  {
    name: 'proofgate_disk_size_bytes',
    type: 'gauge',
    help: 'Size of the disk of the data folder.',
    read: ({ freeSpace }) => makeValue(freeSpace.read()?.totalBytes),
  },
  {
    name: 'proofgate_disk_floor_bytes',
    type: 'gauge',
    help: 'Free space below which nothing new is stored (storage.min_free_mb).',
    read: ({ freeSpace }) => makeValue(freeSpace.floorBytes),
  },
]

export const queueFamilies: readonly Family<Pick<DatabaseParts, 'db'>>[] = [
  {
    name: 'proofgate_queue_length',
    type: 'gauge',
    help: 'Work that waits in the database, by queue, up to 100000.',
    read: async ({ db }) =>
      (await readQueueLengths(db)).map(({ name, length }) => ({ labels: { queue: name }, value: length })),
  },
]
