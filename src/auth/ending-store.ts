/**
 * Counts the effects of keys, grants and links, which end with them: SQL only. Triggers end them in the revoking
 * statement (migrations/0010_sources.sql).
 */

import type { Db, SqlValue, Statement, WriteResult } from '../db/db.ts'
import { standsGrant, standsProof } from '../db/erasing.ts'
import { label, query } from '../db/query.ts'
import { askInWrite, readAnswer } from '../db/rows-changed.ts'
import { agentDelegationId, agentIdentityId } from '../verifiers/roles.ts'

/**
 * Whether a source is still valid; its parameters are kind, id and link. A request may run while its source is revoked.
 */
export const writeSourceCondition = (kind: string, id: string, link: string): string => `
  (${kind} <> 'access-key' OR EXISTS (SELECT 1 FROM access_keys k WHERE k.key_id = ${id} AND k.revoked_at IS NULL))
  AND (${kind} <> 'oauth-grant' OR EXISTS (SELECT 1 FROM oauth_families f WHERE f.handle = ${id} AND f.revoked_at IS NULL))
  AND (CAST(${link} AS BIGINT) IS NULL OR EXISTS (
    SELECT 1 FROM wallet_links w JOIN proofs l ON l.id = w.proof_id
    WHERE w.proof_id = CAST(${link} AS BIGINT) AND l.revoked_at IS NULL AND l.superseded = 0
      AND ${standsProof('l')}))`

/** The effects that would end with a source. A superseded delegation has no effect, so it is not counted. */
export interface EndsWith {
  readonly delegations: number
  readonly agents: number
  readonly accessGrants: number
}

/** True if neither the viewer nor the proof is being erased. */
const givesSomething = `${standsGrant('g')}
  AND EXISTS (SELECT 1 FROM proofs given WHERE given.id = g.proof_id AND ${standsProof('given')})`

const countStanding = <Params extends readonly SqlValue[]>(proofs: string, grants: string) => query<Params>()`
  SELECT
    count(*) FILTER (WHERE s.verifier = '${agentDelegationId}') AS ${label('delegations', 'number')},
    count(*) FILTER (WHERE s.verifier = '${agentIdentityId}') AS ${label('agents', 'number')},
    (SELECT count(*) FROM access_grants g
     WHERE ${grants} AND (g.expires_at IS NULL OR g.expires_at > ?1) AND ${givesSomething}) AS ${label('accessGrants', 'number')}
  FROM proof_sources s JOIN proofs p ON p.id = s.proof_id
   WHERE ${proofs} AND p.revoked_at IS NULL AND p.superseded = 0 AND (p.expires_at IS NULL OR p.expires_at > ?1)
     AND ${standsProof('p')}`

const nothing: EndsWith = { delegations: 0, agents: 0, accessGrants: 0 }

const selectEndingWithKey = countStanding<[number, string]>(
  "s.source_id = ?2 AND s.source_id <> ''",
  "g.source_id = ?2 AND g.source_id <> ''",
)

/** Counts the effects that would end if the access key were revoked. */
export const countEndingWithKey = async (db: Db, keyId: string, now: number): Promise<EndsWith> =>
  (await db.read(selectEndingWithKey).get(now, keyId)) ?? nothing

/**
 * Counts the same in the write that revokes the key. Something may be made with the key at the same moment, and either
 * its source has ended then, or it is counted.
 */
export const askEndingWithKey = (keyId: string, now: number): Statement => askInWrite(selectEndingWithKey, now, keyId)

/** What ended with the write; nothing where it was refused. */
export const readEnded = (result: WriteResult): EndsWith => readAnswer(result, selectEndingWithKey) ?? nothing

const handlesOf = 'SELECT handle FROM oauth_families WHERE profile = ?2 AND client = ?3'

/** Counts the effects that end when the person disconnects the client. */
export const countEndingWithClient = async (db: Db, profile: number, client: string, now: number): Promise<EndsWith> =>
  (await db
    .read(
      countStanding<[number, number, string]>(
        `s.source_id IN (${handlesOf}) AND s.source_id <> ''`,
        `g.source_id IN (${handlesOf}) AND g.source_id <> ''`,
      ),
    )
    .get(now, profile, client)) ?? nothing

const handlesOfAll = 'SELECT handle FROM oauth_families WHERE CAST(?2 AS TEXT) IS NULL OR client = ?2'

const selectEndingOfClient = countStanding<[number, string | null]>(
  `s.source_id IN (${handlesOfAll}) AND s.source_id <> ''`,
  `g.source_id IN (${handlesOfAll}) AND g.source_id <> ''`,
)

/** Counts the effects that would end if the operator removed the client, for all people; with null, every client. */
export const countEndingOfClient = async (db: Db, client: string | null, now: number): Promise<EndsWith> =>
  (await db.read(selectEndingOfClient).get(now, client)) ?? nothing

/** Counts the same in the write that removes it. */
export const askEndingOfClient = (client: string | null, now: number): Statement =>
  askInWrite(selectEndingOfClient, now, client)

const runsOf = `
  SELECT CAST(?2 AS BIGINT) UNION ALL
  SELECT old.proof_id FROM proofs link JOIN proof_facts old
  ON old.account_id = link.account_id AND old.fact52 = -link.scope52 AND old.proof_id < link.id
  WHERE link.id = ?2`

/** Counts the effects that end when the link is revoked. Older runs of the same link count as this one. */
export const countEndingWithLink = async (db: Db, linkProof: number, now: number): Promise<EndsWith> =>
  (await db
    .read(countStanding<[number, number]>(`s.link_proof IN (${runsOf})`, `g.link_proof IN (${runsOf})`))
    .get(now, linkProof)) ?? nothing

/** Whether an effect of a grant still stands. `f` is the family, ?1 the time. */
export const familyLeftSomething = `(
  EXISTS (SELECT 1 FROM proof_sources s JOIN proofs p ON p.id = s.proof_id
          WHERE s.source_id = f.handle AND s.source_id <> '' AND p.revoked_at IS NULL AND (p.expires_at IS NULL OR p.expires_at > ?1)
            AND ${standsProof('p')})
  OR EXISTS (SELECT 1 FROM access_grants g
             WHERE g.source_id = f.handle AND g.source_id <> '' AND (g.expires_at IS NULL OR g.expires_at > ?1)
               AND ${givesSomething}))`
