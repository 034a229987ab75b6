/**
 * Checks a request before it is signed. Phases 1 and 2 call the same function, so that no wallet signs a text in vain.
 */

import { isOwnerAction, ownerActions } from '../auth/owner-action.ts'
import { AppError } from '../errors.ts'
import type { Parts } from '../parts.ts'
import type { ProofOptions } from '../proofs/record.ts'
import { ownerActionVerifierId } from '../verifiers/roles.ts'
import { areSameAddress, type ChainContext, normalizeAddress, readAddress } from '../wallet/account.ts'
import { requireContext } from '../wallet/context.ts'
import { requireMilliseconds } from '../wallet/unix-milliseconds.ts'
import { makeUnknownActionError } from './action-data.ts'
import { type AskedClaim, listClaims } from './claims.ts'
import { settleOptions } from './options.ts'
import type { SignedRequest, VerificationRequest } from './request.ts'
import { writeCanonicalData } from './signing.ts'

export interface WellFormed {
  readonly context: ChainContext
  readonly claims: readonly AskedClaim[]
  readonly options: ProofOptions
  /** As it stands in the signed text. */
  readonly canonicalData: string
  readonly subject: string
}

/**
 * Does not judge the age of the timestamp, and asks no verifier. `hasIdentity`: whether the caller has a session or an
 * access key. Errors: VALIDATION_ERROR, INVALID_WALLET_ADDRESS, FORBIDDEN, and those of listClaims.
 */
export function requireWellFormed(
  parts: Parts,
  request: VerificationRequest,
  { hasIdentity }: { readonly hasIdentity: boolean },
): WellFormed {
  const { config, catalog } = parts
  const context = requireContext(request, config.signing.hubChainId)
  if (isActionRequest(request)) throw makeNoClaimError(String((request.data as { action?: unknown }).action))
  if (namesNoAction(request)) throw makeUnknownActionError((request.data as { action?: unknown }).action)
  const claims = listClaims(request, catalog, hasIdentity)
  const options = settleOptions(request, parts)
  const canonicalData = writeCanonicalData(request.data, config.limits)
  const subject = requireSubject(request, claims)
  const { signedTimestamp } = request
  if (signedTimestamp !== undefined) requireMilliseconds(signedTimestamp, 'signedTimestamp', '/signedTimestamp')
  return { context, claims, options, canonicalData, subject }
}

/** A claim of ownership-basic names its owner, and may have any other member: it is signed unchanged. */
export const isActionRequest = ({ verifierIds, data }: SignedRequest): boolean =>
  verifierIds.length === 1 &&
  verifierIds[0] === ownerActionVerifierId &&
  'action' in data &&
  isOwnerAction(data.action) &&
  !('owner' in data) &&
  !(ownerActionVerifierId in data)

const claimMembers: readonly string[] = ['owner', 'content', 'contentHash', 'reference', ownerActionVerifierId]

/** Data that can only be meant for an owner action, but names an unknown one. */
const namesNoAction = ({ verifierIds, data }: SignedRequest): boolean =>
  verifierIds.length === 1 &&
  verifierIds[0] === ownerActionVerifierId &&
  'action' in data &&
  !isOwnerAction(data.action) &&
  !claimMembers.some((member) => member in data)

function makeNoClaimError(action: string): AppError {
  const routes: readonly string[] = isOwnerAction(action) ? ownerActions[action].usedAt : []
  return new AppError(
    'INVALID_VERIFIER_DATA',
    `data is that of the owner action ${action}, which makes no proof: send its signature to ${routes[0]}`,
    { verifierId: ownerActionVerifierId, path: '/action' },
  )
}

/**
 * The wallet that the claims are about. It may differ from the signer only if every verifier allows that. It is a bare
 * address: the evidence names its chain, which a chain given here could contradict.
 */
function requireSubject({ subjectWallet, walletAddress }: VerificationRequest, claims: readonly AskedClaim[]): string {
  if (subjectWallet !== undefined && readAddress(subjectWallet) !== subjectWallet)
    throw new AppError(
      'INVALID_WALLET_ADDRESS',
      `subjectWallet is ${subjectWallet}, and is taken as an address without a chain: give the bare address, and the chain, where it matters, in data`,
      { path: '/subjectWallet' },
    )
  if (subjectWallet === undefined || areSameAddress(subjectWallet, walletAddress))
    return normalizeAddress(walletAddress)
  const refusing = claims.filter(({ verifier }) => !verifier.allowsDelegatedSubject).map(({ verifier }) => verifier.id)
  if (refusing.length > 0)
    throw new AppError(
      'VALIDATION_ERROR',
      `subjectWallet may differ from walletAddress only for verifiers that allow a delegated subject; ${refusing.join(', ')} does not`,
      {
        path: '/subjectWallet',
        verifierIds: refusing,
      },
    )
  return normalizeAddress(subjectWallet)
}
