/**
 * The seller of a gate as its checkout shows it, before anybody signs in. It uses stored rows alone: no name server is
 * asked while somebody reads the page.
 */
import type { Parts } from '../../parts.ts'
import { makeHolder } from '../../proofs/account-store.ts'
import { CheckWork } from '../../proofs/check-work.ts'
import { domainVerifierId } from '../../verifiers/roles.ts'
import { parseAccount, showAccount } from '../../wallet/account.ts'
import { findMatches, isNameable } from '../check/find-matches.ts'
import type { Gate } from '../gate.ts'
import { findAppearance } from './store.ts'

export interface ShownSeller {
  readonly walletAddress: string
  readonly contractOn?: string | undefined
  /** The name that the owner gave. Nobody has checked it. */
  readonly name: string | null
  /** A domain that a public proof of the owner's wallet shows. */
  readonly domain?: { readonly name: string; readonly provedAt: number; readonly qHash?: string }
  readonly color: string | null
  readonly picture?: { readonly digest: string; readonly width: number; readonly height: number }
}

/** A domain may have another owner by now, so that older proofs of it do not count. */
const domainAgeMs = 365 * 86_400_000
/** The newest proofs are read. */
const mostRead = 20

export async function describeSeller(parts: Parts, gate: Gate): Promise<ShownSeller> {
  const row = await findAppearance(parts.db, gate.id)
  const { walletAddress, contractOn } = showAccount(parseAccount(gate.owner))
  const domain = await findDomain(parts, gate.owner)
  return {
    walletAddress,
    ...(contractOn === undefined ? {} : { contractOn }),
    name: row?.seller ?? null,
    ...(domain ? { domain } : {}),
    color: row?.color ?? null,
    ...(row && row.digest !== null && row.width !== null && row.height !== null
      ? { picture: { digest: row.digest, width: row.width, height: row.height } }
      : {}),
  }
}

/** Revoked, expired, replaced and private proofs do not count. */
async function findDomain(parts: Parts, owner: string): Promise<ShownSeller['domain']> {
  const viewer = { holder: makeHolder(parseAccount(owner)), withPrivate: false, work: new CheckWork() }
  const proofCriteria = { verifierIds: [domainVerifierId], requireAll: true, conditions: [], tags: [] }
  const since = parts.now() - domainAgeMs
  const { matches } = await findMatches(parts, viewer, { proofCriteria, since, enough: 1, limit: mostRead })
  const [match] = matches
  const name = match?.rows.find(({ verifierId }) => verifierId === domainVerifierId)?.data.domain
  if (!match || typeof name !== 'string') return undefined
  const { qHash, createdAt } = match.proof
  return { name, provedAt: createdAt, ...(isNameable(match.proof, viewer, undefined) ? { qHash } : {}) }
}
