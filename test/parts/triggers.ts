/** Triggers of tests, in the form of the engine that the tests run on. */
import type { Statement } from '../../src/db/db.ts'
import { isOnPostgres } from './test-database.ts'

interface Trigger {
  readonly name: string
  /** For example `BEFORE DELETE ON proofs`. */
  readonly at: string
  readonly when?: string
  /** A statement. Undefined: the change fails, as on a disk that fails. */
  readonly does?: string
}

export function makeTrigger({ name, at, when = 'true', does }: Trigger): readonly Statement[] {
  const texts = isOnPostgres
    ? [
        `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
           IF ${when} THEN ${does ?? "RAISE EXCEPTION 'the disk fails'"}; END IF;
           RETURN NEW;
         END $$`,
        `CREATE TRIGGER ${name} ${at} FOR EACH ROW EXECUTE FUNCTION ${name}()`,
      ]
    : [`CREATE TRIGGER ${name} ${at} WHEN ${when} BEGIN ${does ?? "SELECT raise(ABORT, 'the disk fails')"}; END`]
  return texts.map((sql) => ({ sql, params: [] }))
}

export const dropTrigger = (name: string): readonly Statement[] => [
  { sql: isOnPostgres ? `DROP FUNCTION ${name} CASCADE` : `DROP TRIGGER ${name}`, params: [] },
]
