/** The data that a database of an earlier build loses when this build migrates it. */
import type { Db } from './db.ts'
import { formerMigrations, formerNames } from './former-migrations.ts'

export interface Loss {
  readonly count: number
  readonly says: string
  readonly mend: string
}

interface Applied {
  readonly name: string
  readonly sha256: string
}

/** Only what there is something of. Changes nothing. */
export function findLosses(db: Pick<Db, 'prepare'>, now: number): readonly Loss[] {
  const isNew = !db.prepare<object, []>("SELECT 1 FROM sqlite_schema WHERE name = 'migrations'").get()
  if (isNew) return []
  const applied = db.prepare<Applied, []>('SELECT name, sha256 FROM migrations').all()
  return applied.flatMap(({ name, sha256 }) => {
    const former = formerMigrations.find((one) => one.name === (formerNames[name] ?? name) && one.sha256 === sha256)
    if (!former?.loses) return []
    const { count: sql, says, mend } = former.loses
    const { count } = db.prepare<{ count: number }, [number]>(sql).get(now)!
    return count > 0 ? [{ count, says: says(count), mend }] : []
  })
}
