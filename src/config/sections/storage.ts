/** [storage]: How the database is written and cached. */
import { describeChoice, describeFlag, describeTable, describeWhole } from '../setting.ts'

export const storage = describeTable({
  writer: describeChoice(['auto', 'worker', 'inline'], {
    description:
      'Where the database is written: in a thread of its own (worker) or in the main one (inline). auto takes worker.',
    consequence:
      'inline uses less memory, and makes requests wait while the disk writes: on a disk that hangs nothing answers until the server ends, health neither.',
    default: 'auto',
    example: 'inline',
  }),
  write_timeout_seconds: describeWhole({
    description:
      'After how long without an answer of the disk the server ends (exit code 74), for a supervisor to start it anew.',
    consequence:
      'Shorter ends a server whose disk is only slow. Longer keeps callers waiting. Where the server itself waits in a read, or with writer = "inline", only Linux tells that it is the disk. Commands that look into the data folder give up after it too.',
    unit: 'seconds',
    default: 10,
    example: 10,
    minimum: 2,
    maximum: 300,
  }),
  wal_limit_mb: describeWhole({
    description: 'Size of the write-ahead log at which it is written back to the database.',
    consequence: 'Smaller saves disk. Larger makes for fewer, longer write-backs.',
    unit: 'MiB',
    default: 64,
    example: 64,
    minimum: 1,
    maximum: 4096,
  }),
  cache_mb: describeWhole({
    description: 'Memory for database pages.',
    consequence: 'Smaller reads from disk more often.',
    unit: 'MiB',
    default: 64,
    example: 64,
    minimum: 1,
    maximum: 65_536,
  }),
  min_free_mb: describeWhole({
    description: 'Free space of the disk below which nothing new is stored.',
    consequence:
      'Below it writes get STORAGE_FULL, while reading, revoking and erasing go on. 0 turns the floor off: then only a full disk refuses.',
    unit: 'MiB',
    default: 256,
    example: 256,
    minimum: 0,
    maximum: 1_048_576_000,
  }),
  check_hours: describeWhole({
    description: 'How often the whole database is read for damage, slowly and beside everything else.',
    consequence: 'Damage of what nobody reads is found so late at most. 0 checks only what requests met.',
    unit: 'hours',
    default: 24,
    example: 24,
    minimum: 0,
    maximum: 8760,
  }),
  expect_existing: describeFlag({
    description: 'The data folder was used before: a start without a database in it is refused.',
    consequence:
      'Set it after the first start where the folder is a disk or volume of its own: one that is not mounted leaves an empty folder, and a new server would answer from it.',
    default: false,
    example: true,
  }),
  trust_locks: describeFlag({
    description: 'Start also where the file system of the data folder does not keep file locks.',
    consequence:
      'Without locks nothing keeps a second server or command from the same folder, and two destroy the database. Only for a folder that one process alone can reach.',
    default: false,
    example: true,
  }),
  reserve_mb: describeWhole({
    description: 'Room kept in the file "reserve" of the data folder, for revoking and erasing on a full disk.',
    consequence: '0 keeps none: then a disk that another program fills to the last byte refuses revocations too.',
    unit: 'MiB',
    default: 32,
    example: 32,
    minimum: 0,
    maximum: 1024,
  }),
})
