/**
 * What a page says about a refusal of the server. Messages of the server are written for the sender of the request, so
 * a page shows one only when it holds no text for programs. Otherwise it shows the sentence of the code, which every
 * code has. Runs in browsers, too, where the words are those of the script; the server passes those of the reader.
 */
import type { ErrorCode } from '../errors.ts'
import * as english from './words/en/errors.ts'

export interface RefusalWords {
  readonly refusals: typeof english.refusals
  readonly errors: typeof english.errors
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
export function writeRefusal({ code, message, isUncertain, requestId }: Told, words: RefusalWords = english): string {
  const { errors, refusals } = words
  if (isUncertain === true) return errors.uncertain
  const withRequest = (sentence: string): string =>
    requestId === undefined ? sentence : errors.request(sentence, requestId)
  if (!isKnown(code)) return withRequest(errors.fault)
  if (neverTold.has(code)) return code === 'INTERNAL_ERROR' ? withRequest(refusals[code]) : refusals[code]
  const sentence = chooseWords(message, refusals[code], words)
  return code === 'SERVICE_UNAVAILABLE' ? withRequest(sentence) : sentence
}

const isKnown = (code: string): code is ErrorCode => Object.hasOwn(english.refusals, code)

/** The text as a sentence, or else the other one: where it is empty, or holds text for programs. */
export const chooseWords = (text: string, otherwise: string, { errors }: RefusalWords = english): string =>
  isForReaders(text) ? errors.told(writeSentence(shorten(text)), otherwise) : otherwise

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
