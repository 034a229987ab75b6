/** What in the database hangs on the public addresses: SQL and nothing else. */
import type { Reader } from '../db/db.ts'
import { label, query, type RowOf } from '../db/query.ts'
import { serverBoundVerifierId } from '../verifiers/roles.ts'

const countAffected = query<[number, string, string, string]>()`
  SELECT
    (SELECT count(*) FROM sessions WHERE expires_at > ?1) AS ${label('sessions', 'number')},
    (SELECT count(*) FROM oauth_families WHERE revoked_at IS NULL AND expires_at > ?1) AS ${label('grants', 'number')},
    (SELECT count(DISTINCT profile) FROM oauth_families WHERE revoked_at IS NULL AND expires_at > ?1)
      AS ${label('grantingPeople', 'number')},
    (SELECT count(*) FROM oauth_codes WHERE consumed_at IS NULL AND expires_at > ?1)
      + (SELECT count(*) FROM oauth_requests WHERE expires_at > ?1) AS ${label('signInsUnderWay', 'number')},
    (SELECT count(*) FROM oauth_families WHERE resource <> ?2) AS ${label('otherResources', 'number')},
    (SELECT count(*) FROM access_keys WHERE revoked_at IS NULL) AS ${label('accessKeys', 'number')},
    (SELECT count(*) FROM share_links WHERE expires_at > ?1) AS ${label('shareLinks', 'number')},
    (SELECT count(*) FROM fulfillments) AS ${label('receipts', 'number')},
    (SELECT count(*) FROM checkouts WHERE expires_at > ?1) AS ${label('checkouts', 'number')},
    (SELECT count(*) FROM quotes WHERE expires_at > ?1) AS ${label('quotes', 'number')},
    (SELECT count(*) FROM proofs WHERE revoked_at IS NULL AND superseded = 0) AS ${label('proofs', 'number')},
    (SELECT count(*) FROM proofs
     WHERE revoked_at IS NULL AND superseded = 0
       AND instr(record, '"${serverBoundVerifierId}"') > 0 AND instr(record, ?3) > 0) AS ${label('humanProofs', 'number')},
    (SELECT count(*) FROM gates WHERE status <> 'deleted') AS ${label('gates', 'number')},
    (SELECT count(*) FROM gates g JOIN gate_versions v ON v.gate = g.id AND v.version = g.version
     WHERE g.status <> 'deleted' AND instr(v.definition, ?4) > 0) AS ${label('gatesWithAddress', 'number')},
    (SELECT count(*) FROM operator_link WHERE expires_at > ?1) AS ${label('operatorLinks', 'number')}`

export type Affected = RowOf<typeof countAffected>

export interface AskedAddresses {
  readonly now: number
  /** The resource of the tokens after the move. */
  readonly resource: string
  /** Host name of the old auth address, without a port. */
  readonly oldName: string
  /** Host of the old base address, with its port. */
  readonly oldHost: string
}

export async function countAffectedRows(db: Reader, asked: AskedAddresses): Promise<Affected> {
  const { now, resource, oldName, oldHost } = asked
  const counted = await db.read(countAffected).get(now, resource, `"domain":${JSON.stringify(oldName)}`, oldHost)
  if (!counted) throw new Error('a count gives one row')
  return counted
}
