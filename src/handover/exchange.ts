/**
 * The server of a site learns who came from it. A code works once, within a minute, with the values that it is bound
 * to.
 */

import { makeAuditStatement } from '../audit/log-store.ts'
import { identifyKey, listAccounts, readSentKey } from '../auth/identify.ts'
import { hashSha256Hex } from '../auth/sessions/session.ts'
import { findSession, type Session } from '../auth/sessions/store.ts'
import { AppError } from '../errors.ts'
import { findFulfillment } from '../gates/fulfill/store.ts'
import { findGate } from '../gates/store.ts'
import { findOnlySite } from '../http/handover-sites.ts'
import { fitsChallenge } from '../http/pkce.ts'
import { flatMapInOrder } from '../in-order.ts'
import type { Parts } from '../parts.ts'
import { linkStands } from '../profiles/store.ts'
import { readStatuses } from '../proofs/read.ts'
import { findProof } from '../proofs/store.ts'
import {
  type ChainContext,
  isEvmAddress,
  isSameAccount,
  parseAccount,
  writeChain,
  writeDid,
} from '../wallet/account.ts'
import { dropSiteCode, findSiteCode, type SiteCodeRow } from './code-store.ts'
import { siteCodeTtlMs } from './issue.ts'
import type { ExchangeBody, Told } from './wire.ts'

/**
 * A missing value burns nothing; a wrong value burns the code. Errors: VALIDATION_ERROR, WALLET_AUTH_REQUIRED for a bad
 * access key, FORBIDDEN. All faults of a code give the same refusal, so that it does not reveal which codes exist.
 */
export async function exchangeSiteCode(parts: Parts, headers: Headers, asked: ExchangeBody): Promise<Told> {
  const { db, config, now } = parts
  const partner = await readPartner(parts, headers)
  const site = asked.origin || findOnlySite(config.pages.handoverSites)
  // A code_verifier does not replace the site: the challenge of a link is public, and another site can forward it.
  if (site === undefined)
    throw new AppError(
      'VALIDATION_ERROR',
      'origin is missing: send the origin of your site, such as https://app.example.com, also with a code_verifier. Several sites may be told here (a loopback address stands for every port), and a code that a person brought to another one would let that site sign in to yours as them',
      { path: '/origin' },
    )
  const hash = hashSha256Hex(asked.code)
  const row = await findSiteCode(db, hash)
  const session = row && (await findLiveSession(parts, row))
  if (!row || !session) throw makeUnusableError()
  const { profile } = session
  const codeVerifier = asked.code_verifier || undefined
  if (row.challenge !== null && codeVerifier === undefined)
    throw new AppError(
      'VALIDATION_ERROR',
      'code_verifier is missing: the link that led to this code had a code_challenge',
      { path: '/code_verifier' },
    )
  // A verifier without a challenge means that the challenge was removed from the link (RFC 9700 section 4.8.2).
  const isRightVerifier =
    row.challenge === null ? codeVerifier === undefined : fitsChallenge(codeVerifier, row.challenge)
  const isRightSite = site === row.origin
  if (!isRightVerifier || !isRightSite) {
    const why = isRightVerifier ? 'origin' : 'code_verifier'
    await db.write(
      [
        dropSiteCode(hash),
        makeAuditStatement('site_code_refused', { profile: profile.id, at: now(), site: row.origin, why }),
      ],
      'free',
    )
    throw makeUnusableError()
  }
  const told = await buildTold(parts, row, session)
  if (!told) throw makeUnusableError()
  const result = await db.write(
    [
      dropSiteCode(hash),
      makeAuditStatement('site_told', { profile: profile.id, at: now(), site: row.origin, partner }),
    ],
    'free',
  )
  // Lost the race: another exchange used the code.
  if ('refusedAt' in result) throw makeUnusableError()
  return told
}

const makeUnusableError = (): AppError =>
  new AppError(
    'FORBIDDEN',
    'the code is not valid: it was used, expired, belongs to another site, or its code_verifier was wrong, or the person signed out. Send the person to sign in again',
  )

/** The access key of a partner, for the log. Errors: WALLET_AUTH_REQUIRED for an invalid key. */
async function readPartner(parts: Parts, headers: Headers): Promise<string | undefined> {
  const key = readSentKey(headers)
  return key === undefined ? undefined : (await identifyKey(parts, key)).source.id
}

/** The session of a valid code. A code with a longer lifetime than any was made by a clock that was ahead. */
async function findLiveSession(
  { db, now }: Parts,
  { sessionHash, expiresAt }: SiteCodeRow,
): Promise<Session | undefined> {
  const at = now()
  if (expiresAt <= at || expiresAt > at + siteCodeTtlMs) return undefined
  const session = await findSession(db, sessionHash)
  return session && session.expiresAt > at && (await linkStands(db, session, at)) ? session : undefined
}

/** Undefined when the person no longer has the wallet, or a proof is gone. */
async function buildTold(parts: Parts, row: SiteCodeRow, { profile }: Session): Promise<Told | undefined> {
  const { db, config, now } = parts
  const account = parseAccount(row.account)
  if (!(await listAccounts(db, profile, now())).some((own) => isSameAccount(own, account))) return undefined
  const qHashes = JSON.parse(row.qHashes) as string[]
  const statuses = await readStatuses(parts, qHashes)
  const proofs = await flatMapInOrder(qHashes, async (qHash, at) => {
    const proof = await findProof(db, qHash)
    return proof ? [{ qHash, verifierIds: [...proof.record.verifierIds], status: statuses[at]!.status }] : []
  })
  if (proofs.length < qHashes.length) return undefined
  const { wallet, contractOn } = account
  const context: ChainContext = contractOn
    ? { chain: contractOn }
    : isEvmAddress(wallet)
      ? { chainId: config.signing.hubChainId }
      : { chain: 'solana:mainnet' }
  return {
    walletAddress: wallet,
    chain: writeChain(context),
    did: writeDid(context, wallet),
    subjectId: profile.subject,
    origin: row.origin,
    agreedAt: row.createdAt,
    gate: row.gate === null ? null : await buildPassage(parts, row.gate, proofs[0]!),
    proofs,
  }
}

/** The proof still counts if it is neither revoked nor expired: it need not meet the gate's current age limit. */
async function buildPassage(
  parts: Parts,
  gateId: string,
  { qHash, status }: Told['proofs'][number],
): Promise<Told['gate']> {
  const gate = await findGate(parts, gateId)
  const fulfillment = gate && (await findFulfillment(parts.db, gate.id, qHash))
  const isThere = gate !== undefined && gate.status !== 'deleted'
  const counts = status !== 'revoked' && status !== 'expired'
  return {
    gateId,
    qHash,
    passed: isThere && counts && fulfillment?.state === 'granted',
    passedAt: fulfillment?.fulfilledAt ?? null,
  }
}
