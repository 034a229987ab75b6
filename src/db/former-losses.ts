/** The data that a database of an earlier build loses when this build migrates it. */
import { flatMapInOrder } from '../in-order.ts'
import type { Reader } from './db.ts'
import { formerMigrations, formerNames } from './former-migrations.ts'
import { label, query } from './query.ts'

export interface Loss {
  readonly count: number
  readonly says: string
  readonly mend: string
}

const selectIsMigrated = query<[]>()`
  SELECT count(*) AS ${label('tables', 'number')} FROM sqlite_schema WHERE name = 'migrations'`
const selectApplied = query<[]>()`
  SELECT name AS ${label('name', 'text')}, sha256 AS ${label('sha256', 'text')} FROM migrations`
/** Each counting statement names its result `count`. */
const selectCount = (counting: string) =>
  query<[now: number]>()`SELECT c.count AS ${label('count', 'number')} FROM (${counting}) c`

/** Only what there is something of. Changes nothing. */
export async function findLosses(db: Reader, now: number): Promise<readonly Loss[]> {
  if ((await db.read(selectIsMigrated).get())?.tables !== 1) return []
  const applied = await db.read(selectApplied).all()
  return flatMapInOrder(applied, async ({ name, sha256 }) => {
    const former = formerMigrations.find((one) => one.name === (formerNames[name] ?? name) && one.sha256 === sha256)
    if (!former?.loses) return []
    const { count: sql, says, mend } = former.loses
    const count = (await db.read(selectCount(sql)).get(now))?.count ?? 0
    return count > 0 ? [{ count, says: says(count), mend }] : []
  })
}
