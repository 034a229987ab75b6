/** Opens the store of a server whose data is in PostgreSQL: nothing of it is on the disk of this machine. */

import { readDatabaseUrl } from './config/database-url.ts'
import type { Config } from './config/schema.ts'
import { openFreeSpace } from './db/free-space.ts'
import { MasterKeyError } from './db/master-key.ts'
import { openPostgres } from './db/postgres/engine.ts'
import { openReserve } from './db/reserve.ts'
import { watchDamage } from './db/watch-damage.ts'
import { openFaultsMet } from './health/faults-met.ts'
import { tellReplicaFaults, tellServerFaults } from './health/server-faults.ts'
import { openStorageWatch } from './health/storage-watch.ts'
import { admitWrites } from './http/admit-writes.ts'
import type { OpenedStore, StoreParts } from './opened-store.ts'
import type { OnFailure } from './undo-on-failure.ts'

/** Errors: DatabaseUrlError, MigrationError, MasterKeyError, UnreachableError. */
export async function openPostgresStore(
  config: Config,
  text: string,
  { conditions, limiter, log, now }: StoreParts,
  onFailure: OnFailure,
): Promise<OpenedStore> {
  const key = readKey(config)
  const freeSpace = openFreeSpace(undefined, 0)
  const reserve = openReserve(undefined, 0)
  const damage = watchDamage({ file: undefined, conditions, now, everyHours: 0 })
  const faults = openFaultsMet(conditions, damage.note)
  const written = await openPostgres({
    url: readDatabaseUrl(text),
    connections: config.database.connections,
    masterKey: key,
    now: now(),
    noticeFault: faults.notice,
    events: tellServerFaults({ conditions, log }),
    ...(config.database.replicas === undefined
      ? {}
      : {
          replicas: {
            url: readDatabaseUrl(config.database.replicas),
            lagMs: config.database.replicaLagSeconds * 1000,
            events: tellReplicaFaults({ conditions }),
          },
        }),
  })
  onFailure(written.close)
  const storage = openStorageWatch({
    db: written,
    conditions,
    faults,
    freeSpace,
    lookAtFolder: undefined,
    now,
    place: 'database',
  })
  const db = admitWrites(written, {
    freeSpace,
    reserve,
    onReserveUsed: () => {},
    limiter,
    lossToPrevent: storage.lossToPrevent,
  })
  return {
    db,
    key,
    freeSpace,
    reserve,
    storage,
    damage,
    // A server that does not answer is waited for: another one may take over.
    hung: new Promise(() => {}),
    continuous: undefined,
    async close() {
      damage.stop()
      await db.close()
    },
  }
}

/** Checked with the configuration too (config/contradictions.ts). */
function readKey({ masterKey }: Config): Uint8Array {
  if (masterKey !== undefined) return Buffer.from(masterKey, 'hex')
  throw new MasterKeyError(
    'database.url is set, and no master key is configured',
    'name a file with the same key on every server in PROOFGATE_MASTER_KEY_FILE',
  )
}
