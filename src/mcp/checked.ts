/** Gate checks for a model: the JSON API's operation with typed arguments, for the person who is signed in. */

import type { Identity } from '../auth/identity.ts'
import { type CheckAnswer, makeCaller } from '../gates/check/check.ts'
import { runMeasuredCheck } from '../gates/check/measured-check.ts'
import { type CheckTerms, checkRequest } from '../gates/check/request.ts'
import type { Parts } from '../parts.ts'
import type { CheckWork } from '../proofs/check-work.ts'
import { type NamedAccount, writeName } from '../wallet/account.ts'
import { findOwn } from './wallets.ts'

/** Private proofs count for wallets of the person's own, as far as the credential is good for seeing them. */
export const canSeePrivate = async (identity: Identity, named: NamedAccount): Promise<boolean> =>
  (await findOwn(identity, named)) !== undefined && identity.scopes.has('profile')

/** Errors: those of a gate check. */
export async function runCheck(
  identity: Identity,
  named: NamedAccount,
  terms: Omit<CheckTerms, 'address'>,
  parts: Parts,
  /** Shared by the checks of one call. */
  work: CheckWork,
): Promise<CheckAnswer> {
  const isPrivate = await canSeePrivate(identity, named)
  const request = checkRequest(
    { ...terms, address: writeName(named), includePrivate: isPrivate, includeQHashes: isPrivate },
    parts,
  )
  return runMeasuredCheck(parts, request, await makeCaller(request, { identity }, parts), { work })
}
