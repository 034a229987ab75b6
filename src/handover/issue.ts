/** The person agrees that a site is told who they are: a code for its server. */
import { randomBytes } from 'node:crypto'
import { makeAuditStatement } from '../audit/log-store.ts'
import { listAccounts } from '../auth/identify.ts'
import type { Account } from '../auth/identity.ts'
import { hashSha256Hex } from '../auth/sessions/session.ts'
import type { Session } from '../auth/sessions/store.ts'
import { AppError } from '../errors.ts'
import { findFulfillment } from '../gates/fulfill/store.ts'
import { findGate } from '../gates/store.ts'
import { mayHearCode, mayReturnWithCode } from '../http/handover-sites.ts'
import { findChallengeFault } from '../http/pkce.ts'
import { findOriginFault, returnUrlFault } from '../http/return-url.ts'
import { mapInOrder } from '../in-order.ts'
import type { Parts } from '../parts.ts'
import { isProofOwner } from '../proofs/owner.ts'
import { findProof } from '../proofs/store.ts'
import { isSameAccount, parseAccount, writeAccount } from '../wallet/account.ts'
import { insertSiteCode } from './code-store.ts'
import type { AgreeBody } from './wire.ts'

export const siteCodeTtlMs = 60_000

export interface IssuedCode {
  readonly code: string
  readonly origin: string
  /** Unix milliseconds. */
  readonly expiresAt: number
}

/** Errors: VALIDATION_ERROR, FORBIDDEN, WALLET_AUTH_REQUIRED. */
export async function issueSiteCode(parts: Parts, session: Session, asked: AgreeBody): Promise<IssuedCode> {
  const { db } = parts
  const origin = requireSite(parts, asked)
  const { code_challenge: challenge, code_challenge_method: method, gateId } = asked
  const qHashes = [...new Set(asked.qHashes?.map((qHash) => qHash.toLowerCase()))]
  const fault = findChallengeFault(challenge, method)
  if (fault) throw makeWrongError(fault.parameter, fault.why)
  if (gateId !== undefined && qHashes.length !== 1)
    throw makeWrongError('qHashes', 'must have one id if gateId is given: the id of the proof that passed the gate')
  const account = qHashes.length === 0 ? parseAccount(session.account) : await requireMaker(parts, session, qHashes)
  if (gateId !== undefined) await requirePassed(parts, gateId, qHashes[0]!, account)

  const code = `sc_${randomBytes(32).toString('base64url')}`
  const at = parts.now()
  const expiresAt = at + siteCodeTtlMs
  const result = await db.write([
    ...insertSiteCode({
      hash: hashSha256Hex(code),
      sessionHash: session.hash,
      account: writeAccount(account),
      origin,
      challenge: challenge ?? null,
      gate: gateId ?? null,
      qHashes: JSON.stringify(qHashes),
      createdAt: at,
      expiresAt,
    }),
    makeAuditStatement('site_agreed', { profile: session.profile.id, at, site: origin }),
  ])
  if ('refusedAt' in result) throw new AppError('WALLET_AUTH_REQUIRED', 'this browser was signed out: sign in again')
  return { code, origin, expiresAt }
}

const makeWrongError = (name: string, why: string): AppError =>
  new AppError('VALIDATION_ERROR', `${name} ${why}`, { path: `/${name}` })

/** The origin of the site. Errors: VALIDATION_ERROR, FORBIDDEN for one that is not registered. */
function requireSite({ config }: Parts, { returnUrl, origin }: AgreeBody): string {
  if ((returnUrl === undefined) === (origin === undefined))
    throw new AppError('VALIDATION_ERROR', 'send returnUrl, or origin if a window was opened by a page', {
      path: '/',
    })
  const sites = config.pages.handoverSites
  if (origin !== undefined) {
    const fault = findOriginFault(origin)
    if (fault !== undefined) throw makeWrongError('origin', fault)
    if (!mayHearCode(origin, sites)) throw makeUnregisteredError()
    return origin
  }
  const fault = returnUrlFault(returnUrl!)
  if (fault !== undefined) throw makeWrongError('returnUrl', fault)
  const url = new URL(returnUrl!)
  if (!mayReturnWithCode(url.href, sites)) throw makeUnregisteredError()
  return url.origin
}

const makeUnregisteredError = (): AppError =>
  new AppError(
    'FORBIDDEN',
    'this site is not registered, so it cannot learn who signed in: ask the operator to add it to pages.handover_sites',
  )

/** The account of the person that made all of these proofs. Errors: FORBIDDEN. */
async function requireMaker({ db, now }: Parts, { profile }: Session, qHashes: readonly string[]): Promise<Account> {
  const proofs = await mapInOrder(qHashes, (qHash) => findProof(db, qHash))
  // A site that were told of two wallets would learn that they are one person's.
  const maker = (await listAccounts(db, profile, now())).find((account) =>
    proofs.every((proof) => proof !== undefined && isProofOwner(proof, account)),
  )
  if (maker) return maker
  throw new AppError(
    'FORBIDDEN',
    'qHashes must name proofs of one wallet of the person who is signed in: one of them does not exist, or belongs to another wallet',
  )
}

/** Errors: FORBIDDEN. */
async function requirePassed(parts: Parts, gateId: string, qHash: string, account: Account): Promise<void> {
  const gate = await findGate(parts, gateId)
  const fulfillment = gate && gate.status !== 'deleted' ? await findFulfillment(parts.db, gate.id, qHash) : undefined
  if (!fulfillment || !isSameAccount(fulfillment.buyer, account))
    throw new AppError('FORBIDDEN', 'this wallet has not passed the gate with this proof: fulfill the gate first')
}
