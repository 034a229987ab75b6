/** The SQL of agents that are found by name: listed proofs alone, by an index, for any signer. */

import type { Db } from '../db/db.ts'
import { standsProof } from '../db/erasing.ts'
import { pick, query } from '../db/query.ts'
import { finalities } from './finality.ts'

/** agent_id: who calls itself so. granted_to: who lets the agent with this wallet act. */
export type AgentColumn = 'agent_id' | 'granted_to'

/** The first three conditions are those of the indexes proofs_agents and proofs_granted, word by word. */
const writeCounts = (column: AgentColumn): string => `
  FROM proofs p WHERE p.${column} = ?1
    AND p.superseded = 0 AND p.revoked_at IS NULL AND p.status <> 'expired'
    AND (p.expires_at IS NULL OR p.expires_at > ?2)
    AND (p.finality IS NULL OR p.finality <> ${finalities.replaced}) AND ${standsProof('p')}`

const selectAccount = (column: AgentColumn) => query<[name: string, now: number, after: number]>()`
  SELECT ${pick('proofs p', { account: 'accountId' })} ${writeCounts(column)} AND p.account_id > ?3 ORDER BY p.account_id LIMIT 1`

const selectNewest = (column: AgentColumn) => query<[name: string, now: number, account: number, most: number]>()`
  SELECT ${pick('proofs p', 'id')} ${writeCounts(column)} AND p.account_id = ?3 ORDER BY p.id DESC LIMIT ?4`

export interface Named {
  readonly column: AgentColumn
  readonly name: string
  readonly now: number
}

/** Accounts (accounts.id) with such a proof, the oldest first, each by one step in the index, up to a limit. */
export async function findNamedAccounts(db: Db, { column, name, now }: Named, most: number): Promise<number[]> {
  const step = db.read(selectAccount(column))
  const found: number[] = []
  while (found.length < most) {
    const next = await step.get(name, now, found.at(-1) ?? 0)
    if (!next) break
    found.push(next.account)
  }
  return found
}

/** Positions of the newest such proofs of one account, the newest first. */
export const findNamedIds = async (
  db: Db,
  { column, name, now }: Named,
  account: number,
  most: number,
): Promise<number[]> => (await db.read(selectNewest(column)).all(name, now, account, most)).map(({ id }) => id)
