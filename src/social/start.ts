/** The first step: where to send the person, and the data kept until the return. */
import { randomBytes } from 'node:crypto'
import { hashSha256Hex } from '../auth/sessions/session.ts'
import { AppError } from '../errors.ts'
import { isReturnTo } from '../pages/return-to.ts'
import type { Parts } from '../parts.ts'
import { findScope } from '../request-scope.ts'
import { explainNoBareAddress, looksLikeAddress, normalizeAddress } from '../wallet/account.ts'
import { makeBrowserCookie, makeBrowserSecret, readBrowserSecret } from './browser.ts'
import {
  buildRedirectUri,
  hashBrowserSecret,
  type Pending,
  requireProvider,
  sealContext,
  signInTtlMs,
} from './sign-in.ts'
import { insertSignIn } from './sign-in-store.ts'

export interface Started {
  readonly authorizationUrl: string
  readonly state: string
  readonly expiresAt: number
  readonly setCookie: string
}

/** Limit of open sign-ins; above it, the network with the most loses its oldest (sign-in-store.ts). */
const mostStarted = 10_000

const makeSecret = (): string => randomBytes(32).toString('base64url')

/** Errors: NOT_FOUND, VALIDATION_ERROR, INVALID_WALLET_ADDRESS, OutsideError. */
export async function startSignIn(
  parts: Parts,
  id: string,
  { walletAddress, returnTo = '/verify' }: { readonly walletAddress: string; readonly returnTo?: string | undefined },
  headers: Headers,
): Promise<Started> {
  const provider = requireProvider(parts, id)
  if (!looksLikeAddress(walletAddress))
    throw new AppError(
      'INVALID_WALLET_ADDRESS',
      `walletAddress is ${explainNoBareAddress(walletAddress, 'A sign-in is for the wallet on any chain')}`,
      {
        path: '/walletAddress',
      },
    )
  if (!isReturnTo(returnTo))
    throw new AppError(
      'VALIDATION_ERROR',
      'returnTo must be a page of this server, such as /verify, with or without a query',
      { path: '/returnTo' },
    )
  const state = makeSecret()
  const browser = readBrowserSecret(parts, headers) ?? makeBrowserSecret()
  const pending: Pending = {
    provider: id,
    wallet: normalizeAddress(walletAddress),
    browser: hashBrowserSecret(browser),
    nonce: makeSecret(),
    codeVerifier: makeSecret(),
    returnTo: dropOutcome(returnTo),
  }
  const authorizationUrl = await provider.authorizationUrl({
    ...pending,
    state,
    redirectUri: buildRedirectUri(parts, id),
  })
  const hash = hashSha256Hex(state)
  const expiresAt = parts.now() + signInTtlMs
  const sealed = parts.sealer.seal(JSON.stringify(pending), sealContext('started', hash))
  const network = findScope()?.network ?? null
  await insertSignIn(parts.db, { hash, sealed, expiresAt, network }, mostStarted)
  return { authorizationUrl, state, expiresAt, setCookie: makeBrowserCookie(parts, browser) }
}

/** Removes the outcome of an earlier sign-in from the return address. */
function dropOutcome(returnTo: string): string {
  const [path = '', query] = returnTo.split(/\?(.*)/s)
  const kept = (query ?? '').split('&').filter((one) => one !== '' && !/^oauth(State|Error)=/.test(one))
  return kept.length > 0 ? `${path}?${kept.join('&')}` : path
}
