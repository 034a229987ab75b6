/** Whether a server could start on a database: what it requires of its schema, its rights and its key. */
import { type Connection, schemaName } from '../db/postgres/connection.ts'
import { describeError } from '../db/postgres/errors.ts'
import { requireTables } from '../db/postgres/find-primary.ts'
import { isSameMark, readMark } from '../db/postgres/key-mark.ts'
import type { Found } from './found.ts'

const setting = 'database.url'

/** Of the server that takes writes. */
export async function examineDatabaseUse(connection: Connection, masterKey?: Uint8Array): Promise<readonly Found[]> {
  const { rows } = await connection.runPlain(
    `SELECT quote_ident(current_user) AS user, has_database_privilege(current_database(), 'CREATE') AS "mayCreate",
       to_regnamespace('${schemaName}') IS NOT NULL AS "isThere",
       coalesce(has_schema_privilege(to_regnamespace('${schemaName}')::oid, 'USAGE, CREATE'), false) AS "mayUse"`,
  )
  const { user, mayCreate, isThere, mayUse } = rows[0] as {
    user: string
    mayCreate: boolean
    isThere: boolean
    mayUse: boolean
  }
  const mend = `as its administrator: ${isThere ? `ALTER SCHEMA ${schemaName} OWNER TO ${user}` : `CREATE SCHEMA ${schemaName} AUTHORIZATION ${user}`}`
  if (!isThere && !mayCreate)
    return [
      {
        setting,
        level: 'fail',
        says: `the database has no schema "${schemaName}", and ${user} may not make one`,
        mend,
      },
    ]
  if (isThere && !mayUse)
    return [{ setting, level: 'fail', says: `${user} may not use the schema "${schemaName}" of the database`, mend }]
  return isThere ? examineTables(connection, masterKey) : [isNew]
}

const isNew: Found = {
  setting,
  level: 'ok',
  says: 'no server has used the database yet: the first one makes its tables',
}

async function examineTables(connection: Connection, masterKey: Uint8Array | undefined): Promise<readonly Found[]> {
  try {
    const mark = await readMark(connection)
    if (mark === undefined) return [isNew]
    await requireTables(connection)
    return masterKey && !isSameMark(mark, masterKey) ? [isOtherKey] : []
  } catch (error) {
    return [{ setting, level: 'fail', says: describeError(error), mend: 'restore the tables, or the rights on them' }]
  }
}

const isOtherKey: Found = {
  setting: 'master_key',
  level: 'fail',
  says: 'it is not the key of the servers on this database, so none starts with it',
  mend: 'set PROOFGATE_MASTER_KEY (setting "master_key") to their key',
}
