/**
 * Wrong answers. The provider answered, and its answer does not belong to this sign-in: a refusal that names the claim.
 * A missing answer, or one outside the protocol, is an outage (refusals.ts).
 */
import type { Library } from './metadata.ts'
import { SignInRefused, type TokenFault } from './social.ts'

interface Words {
  /** After "the answer of the provider". */
  readonly says: string
  /** For the operator, in the log. */
  readonly mend: string
}

const tellProvider = 'tell the provider, if it happens more than once'
const seeClock = 'see whether the clock of this machine is right'
const seeKeys = 'see whether issuer and jwks_uri are those of the provider'

const words: Readonly<Record<TokenFault, Words>> = {
  wrong_nonce: { says: 'holds an ID token that was made for another sign-in (nonce)', mend: tellProvider },
  wrong_audience: {
    says: 'holds an ID token that was issued to another client (aud, azp)',
    mend: 'see whether client_id is right',
  },
  wrong_issuer: {
    says: 'does not name the expected issuer (iss)',
    mend: 'see whether issuer is written exactly as the provider writes it',
  },
  token_expired: { says: 'holds an ID token that has expired (exp)', mend: seeClock },
  token_not_yet_valid: { says: 'holds an ID token that is not valid yet (nbf)', mend: seeClock },
  wrong_signature: { says: 'holds an ID token with a signature that is not of the provider', mend: seeKeys },
  unknown_key: { says: 'holds an ID token signed with a key that the provider does not publish', mend: seeKeys },
  wrong_algorithm: {
    says: 'holds an ID token that is signed or encrypted in a way that does not count here (alg)',
    mend: 'have the provider sign ID tokens for this client with a key pair (RS256, PS256, ES256, EdDSA), unencrypted',
  },
  wrong_account: { says: 'names two different persons (sub)', mend: tellProvider },
  incomplete_token: { says: 'holds an ID token without a claim that it must have', mend: tellProvider },
  no_token: { says: 'holds no ID token that can be read', mend: 'see whether scopes has "openid"' },
}

const isTokenFault = (word: string): word is TokenFault => Object.hasOwn(words, word)

export const makeTokenRefusal = (fault: TokenFault): SignInRefused =>
  new SignInRefused(fault, `the answer of the provider ${words[fault].says}`, words[fault].mend)

/** For people, after "the answer of the provider". Undefined for every other reason. */
export const describeTokenFault = (reason: string): string | undefined =>
  isTokenFault(reason) ? words[reason].says : undefined

const byClaim: Readonly<Record<string, TokenFault>> = {
  nonce: 'wrong_nonce',
  aud: 'wrong_audience',
  azp: 'wrong_audience',
  iss: 'wrong_issuer',
  exp: 'token_expired',
  nbf: 'token_not_yet_valid',
}

/** The token fault behind a library error. Undefined for other errors. */
export function findTokenFault(error: unknown, library: Library): TokenFault | undefined {
  const { OperationProcessingError, UnsupportedOperationError } = library
  if (!(error instanceof OperationProcessingError || error instanceof UnsupportedOperationError)) return undefined
  const { code, message } = error
  const cause = (error.cause ?? {}) as { readonly claim?: unknown; readonly claims?: unknown }
  if (code === library.JWT_CLAIM_COMPARISON || code === library.JWT_TIMESTAMP_CHECK)
    return byClaim[String(cause.claim)] ?? 'incomplete_token'
  if (code === library.KEY_SELECTION) return 'unknown_key'
  if (/"iss" \(issuer\) (response parameter|missing)/.test(message)) return 'wrong_issuer'
  if (message === 'JWT signature verification failed') return 'wrong_signature'
  if (/^unsupported JWS algorithm$|JWT "(alg|crit)" header|^JWE/.test(message)) return 'wrong_algorithm'
  if (cause.claims !== undefined) return 'incomplete_token'
  return /"id_token"|\bJWT\b/.test(message) ? 'no_token' : undefined
}
