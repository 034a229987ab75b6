/** The last step: a finished sign-in becomes a token for one proof of one wallet, once. */

import { hashSha256Hex } from '../auth/sessions/session.ts'
import { AppError } from '../errors.ts'
import { describeTokenFault } from '../outside/social/wrong-token.ts'
import type { Parts } from '../parts.ts'
import { normalizeAddress } from '../wallet/account.ts'
import { readBrowserSecret } from './browser.ts'
import {
  type Failure,
  type Finished,
  hashBrowserSecret,
  isSameSecret,
  requireProvider,
  sealContext,
  signInTtlMs,
  stateForm,
} from './sign-in.ts'
import { findSignIn, markExchanged } from './sign-in-store.ts'
import { makeSocialToken } from './token.ts'

export interface Exchange {
  readonly internalSocialToken: string
  readonly provider: string
  readonly handle?: string
  readonly expiresAt: number
}

/** Errors: NOT_FOUND, VALIDATION_ERROR, FORBIDDEN, CONFLICT, VERIFICATION_FAILED, SERVICE_UNAVAILABLE. */
export async function exchangeSignIn(
  parts: Parts,
  id: string,
  { state, walletAddress }: { readonly state: string; readonly walletAddress: string },
  headers: Headers,
): Promise<Exchange> {
  const { db, sealer } = parts
  requireProvider(parts, id)
  const now = parts.now()
  const hash = hashSha256Hex(state)
  const row = stateForm.test(state) ? await findSignIn(db, hash) : undefined
  if (!row || row.expiresAt <= now) throw makeOverError()
  if (row.stage === 'exchanged') throw makeUsedError()
  if (row.stage === 'failed') throw makeFailedError(row.failure as Failure)
  if (row.stage !== 'signed-in' || row.sealed === null)
    throw new AppError(
      'CONFLICT',
      'the person has not come back from the provider yet: finish the sign-in there first',
      {
        reason: 'NOT_FINISHED',
      },
    )

  const finished: Finished = JSON.parse(sealer.open(row.sealed, sealContext('signed-in', hash)))
  const browser = readBrowserSecret(parts, headers)
  if (browser === undefined || !isSameSecret(hashBrowserSecret(browser), finished.browser))
    throw new AppError('FORBIDDEN', 'this sign-in was begun in another browser: start it again here', {
      reason: 'ANOTHER_BROWSER',
    })
  if (finished.provider !== id)
    throw new AppError('FORBIDDEN', `this sign-in was at ${finished.provider}, and not at ${id}`, {
      reason: 'ANOTHER_PROVIDER',
    })
  if (normalizeAddress(walletAddress) !== finished.wallet)
    throw new AppError(
      'FORBIDDEN',
      `this sign-in was begun for the wallet ${finished.wallet}: start it again for this one`,
      {
        reason: 'ANOTHER_WALLET',
      },
    )
  if (!(await markExchanged(db, hash, now))) throw makeUsedError()

  const { token, expiresAt } = makeSocialToken(parts, finished)
  const { handle } = finished.signedIn.account
  return { internalSocialToken: token, provider: id, ...(handle === undefined ? {} : { handle }), expiresAt }
}

const makeOverError = (): AppError =>
  new AppError(
    'NOT_FOUND',
    `there is no such sign-in: it is over after ${signInTtlMs / 60_000} minutes. Start it again`,
    {
      reason: 'UNKNOWN_STATE',
    },
  )

const makeUsedError = (): AppError =>
  new AppError('CONFLICT', 'this sign-in was exchanged before: start it again', { reason: 'ALREADY_EXCHANGED' })

function describeRefusal(failure: Failure): string {
  const fault = describeTokenFault(failure)
  return fault === undefined ? 'the provider refused the sign-in' : `the answer of the provider ${fault}`
}

const makeFailedError = (failure: Failure): AppError =>
  failure === 'provider_unavailable'
    ? new AppError('SERVICE_UNAVAILABLE', 'the provider gave no usable answer: start the sign-in again later', {
        reason: failure,
      })
    : new AppError(
        'VERIFICATION_FAILED',
        failure === 'access_denied'
          ? 'the sign-in was not agreed to at the provider: start it again, and agree there'
          : `${describeRefusal(failure)}: start it again. If the same happens once more, tell the operator of this server`,
        { reason: failure },
      )
