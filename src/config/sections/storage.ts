/** [storage]: How the database is written and cached. */
import { oneOf, table, whole } from '../setting.ts'

export const storage = table({
  writer: oneOf(['auto', 'worker', 'inline'], {
    description:
      'Where the database is written: in a thread of its own (worker) or in the main one (inline). auto takes inline on a single core with a fast disk, else worker.',
    consequence: 'inline makes requests wait while the disk writes, and uses less memory.',
    default: 'auto',
    example: 'inline',
  }),
  wal_limit_mb: whole({
    description: 'Size of the write-ahead log at which it is written back to the database.',
    consequence: 'Smaller saves disk. Larger makes for fewer, longer write-backs.',
    unit: 'MiB',
    default: 64,
    example: 64,
    minimum: 1,
    maximum: 4096,
  }),
  cache_mb: whole({
    description: 'Memory for database pages.',
    consequence: 'Smaller reads from disk more often.',
    unit: 'MiB',
    default: 64,
    example: 64,
    minimum: 1,
    maximum: 65_536,
  }),
  min_free_mb: whole({
    description: 'Free space of the disk below which nothing new is stored.',
    consequence:
      'Below it writes get STORAGE_FULL, while reading, revoking and erasing go on. 0 turns the floor off: then only a full disk refuses.',
    unit: 'MiB',
    default: 256,
    example: 256,
    minimum: 0,
    maximum: 1_048_576_000,
  }),
})
