/** Adds missing facts to proofs (migrations 0003 and 0025), at the start and before any answer. */
import type { Parts } from '../parts.ts'
import { guardWrites } from '../processes/guard.ts'
import { LeaseLostError } from '../processes/processes.ts'
import { beatEveryMs } from '../processes/timing.ts'
import type { Catalog } from '../verifiers/index.ts'
import { listFacts } from './facts.ts'
import { listWithoutFacts, recordFacts } from './facts-backfill-store.ts'
import type { ProofRecord } from './record.ts'
import { visibilities } from './visibility.ts'

/**
 * In batches, each with its progress in one write: a process that is killed goes on where it stood. Returns how many
 * proofs were given facts. Where another process does it, this one waits until it is done. Throws when the store cannot be written.
 */
export async function backfillFacts(
  { db, catalog, processes }: Pick<Parts, 'db' | 'processes'> & { readonly catalog: Pick<Catalog, 'known'> },
  batch = 500,
): Promise<number> {
  const lease = processes.openLease('facts')
  const guarded = guardWrites(db, lease, 'facts')
  let count = 0
  for (;;) {
    const old = await listWithoutFacts(db, batch)
    const last = old.at(-1)
    if (!last) return count
    if (!(await lease.hold())) {
      await Bun.sleep(beatEveryMs)
      continue
    }
    const facts = old.flatMap(({ id, accountId, visibility, record }) =>
      listFacts(JSON.parse(record) as ProofRecord, visibility === visibilities.private, catalog.known).map(
        (fact52) => [accountId, fact52, id] as const,
      ),
    )
    try {
      const result = await guarded.write(recordFacts(facts, last.id))
      if (!('changes' in result)) throw new Error('the progress of the facts is missing from the database')
      count += old.length
    } catch (error) {
      if (!(error instanceof LeaseLostError)) throw error
    }
  }
}
