/**
 * What a page says about a refusal of the server. Messages of the server are written for whoever sends the request, so a
 * page shows one only when it holds no text for programs. Otherwise it shows the sentence of the code, which every code
 * has. Runs in browsers, too.
 */
import type { ErrorCode } from '../errors.ts'

const again = 'Try again in a moment.'
const fault = `Something failed on this server. ${again}`
const outdated = 'This page no longer fits the server. Reload it, then try again.'
const signedOut = 'You are signed out. Nothing was changed. Sign in again, then try again.'

/** A sentence for each code. */
export const refusalSentences: Readonly<Record<ErrorCode, string>> = {
  VALIDATION_ERROR: 'Something that was entered does not fit. Check it, then try again.',
  INVALID_WALLET_ADDRESS: 'This is not a wallet address of that network. Check it, then try again.',
  INVALID_VERIFIER_DATA: 'Something in the form does not fit. Check each field, then try again.',
  INVALID_VERIFIER_COMBINATION: 'These checks do not go together. Make one proof after the other.',
  INVALID_VERIFIER_FLOW_COMBINATION: 'These checks do not go together. Make one proof after the other.',
  VERIFIER_NOT_FOUND: 'This server does not offer this check. Ask its operator.',
  VERIFICATION_FAILED: 'What was entered does not match what was found. Check each field and the wallet.',
  PROOF_NOT_VERIFIED: 'This proof is revoked or expired. Make a new one.',
  GATE_REQUIREMENTS_NOT_MET: 'Your proofs do not meet the requirements of this gate.',
  GATE_CHECK_INCOMPLETE: 'This wallet has too many proofs to check at once. Ask the owner of the gate.',
  GATE_MISCONFIGURED: 'This gate is not set up correctly. Ask its owner.',
  GATE_NOT_STARTED: 'This gate is not open yet.',
  GATE_ENDED: 'This gate is closed.',
  SIGNATURE_INVALID: 'The signature does not belong to this wallet. Choose the wallet again, then sign again.',
  EXPIRED_SIGNATURE: 'The text was signed too late, and is no longer good. Try again: you get a new one.',
  WALLET_AUTH_REQUIRED: signedOut,
  PAYMENT_REQUIRED: 'This has a price, and no payment was found yet.',
  FORBIDDEN: 'This wallet may not do that. Sign in with the wallet that it belongs to.',
  NOT_FOUND: 'This is not here, or you may not see it.',
  PROOF_NOT_FOUND: 'This proof is not here, or you may not see it.',
  GATE_NOT_FOUND: 'This gate is not here, or you may not see it.',
  METHOD_NOT_ALLOWED: outdated,
  CONFLICT: 'This was changed elsewhere, or was done before. Reload the page to see how it is now.',
  PAYMENT_ALREADY_USED: 'This payment was used before. Each payment is good once.',
  GATE_SOLD_OUT: 'All places of this gate are taken.',
  GATE_LIMIT_REACHED: 'This wallet has passed this gate as often as it may.',
  FULFILLMENT_SUSPENDED: 'The payment for this was taken back, so it is withheld.',
  PAYLOAD_TOO_LARGE: 'This is more than the server takes at once. Make it shorter, then try again.',
  UNSUPPORTED_MEDIA_TYPE: outdated,
  RATE_LIMIT_EXCEEDED: 'Too many requests. Wait a minute, then try again.',
  HEADERS_TOO_LARGE: outdated,
  INTERNAL_ERROR: fault,
  SERVICE_UNAVAILABLE: fault,
  STORAGE_FULL: 'The disk of this server is nearly full, so nothing new is stored. Tell its operator.',
  VERIFIER_UNAVAILABLE: `It could not be looked up, because a source outside of this server did not answer. ${again}`,
}

/** Their messages are about the request as such, and help nobody who looks at a page. */
const neverTold: ReadonlySet<string> = new Set<ErrorCode>([
  'WALLET_AUTH_REQUIRED',
  'METHOD_NOT_ALLOWED',
  'UNSUPPORTED_MEDIA_TYPE',
  'HEADERS_TOO_LARGE',
  'PAYLOAD_TOO_LARGE',
  'INTERNAL_ERROR',
])

export interface Told {
  readonly code: string
  readonly message: string
  /** The server does not know whether the change was stored. */
  readonly isUncertain?: boolean
  readonly requestId?: string | undefined
}

/** Whole sentences, whatever the code and the message are: a proxy in between answers with anything. */
export function writeRefusal({ code, message, isUncertain, requestId }: Told): string {
  if (isUncertain === true)
    return 'It is not known whether this was stored. Reload the page and look, before you try again.'
  if (!isKnown(code)) return withRequest(fault, requestId)
  if (code === 'INTERNAL_ERROR' || code === 'SERVICE_UNAVAILABLE')
    return withRequest(!neverTold.has(code) && isForReaders(message) ? writeSentence(message) : fault, requestId)
  return neverTold.has(code) ? refusalSentences[code] : chooseWords(message, refusalSentences[code])
}

const withRequest = (sentence: string, requestId: string | undefined): string =>
  requestId === undefined ? sentence : `${sentence} If it stays, tell the operator: request ${requestId}.`

const isKnown = (code: string): code is ErrorCode => Object.hasOwn(refusalSentences, code)

/** The text as a sentence, or else the other one: where it is empty, or holds text for programs. */
export const chooseWords = (text: string, otherwise: string): string =>
  isForReaders(text) ? writeSentence(shorten(text)) : otherwise

/** Ids of verifiers, which the pages call by their labels. */
const verifierId =
  /\b(ownership-(basic|dns-txt|licensed|org-oauth|pseudonym|social)|agent-(identity|delegation)|ai-content-moderation|(contract|nft)-ownership|proof-of-human|token-holding|wallet-(link|risk))\b/

const programText: readonly RegExp[] = [
  // Codes, settings and members: NOT_FOUND, app_links, qHash, data.owner, items[0].
  /[A-Za-z0-9]_[A-Za-z0-9]/,
  /\b(data|options|body|query|params|details|definition|monetization|fulfillment|audience|proof|message)\.[a-z]/,
  /\b[a-z]+\[\d*\]/i,
  // Headers, methods and paths.
  /\b(x-[a-z]+|content-type|retry-after|set-cookie|user-agent|authorization header)\b/i,
  /\b(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\b/,
  /(^|[\s(])\/[a-z.]/,
  // Data and markup.
  /[{}`]|=>|"[^"\s]*":/,
  /\b(JSON|HTTP|CSRF|RPC|header|parameter|endpoint|boolean|null|undefined|base64url|media type)s?\b/i,
  /\b(the|a) (body|member|method|path|query|request)\b/i,
  /\bstatus \d{3}\b/i,
  verifierId,
]

/** camelCase. Longer words are addresses and ids, which people read, too. */
const hasMemberName = (text: string): boolean =>
  text.split(/[^A-Za-z0-9]+/).some((word) => word.length < 30 && /^[a-z]+[A-Z]/.test(word))

/** Whether a text is without names of members, codes, headers, paths and settings. */
export const isForReaders = (text: string): boolean =>
  text.trim() !== '' && !hasMemberName(text) && !programText.some((pattern) => pattern.test(text))

const longest = 300

/** Texts of others may be long. */
const shorten = (text: string): string => (text.length > longest ? `${text.slice(0, longest)} …` : text)

/** The text with a capital letter and an end. */
export function writeSentence(text: string): string {
  const begun = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?…]$/.test(begun) ? begun : `${begun}.`
}
