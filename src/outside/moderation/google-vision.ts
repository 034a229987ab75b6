/**
 * Judges images by SAFE_SEARCH_DETECTION of Google Cloud Vision (REST reference, images.annotate). It flags images that
 * are likely or very likely adult, violent or racy. `spoof` and `medical` are reported as scores and flag nothing.
 */
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { OutsideError, type OutsideFault, UnanswerableError } from '../failure.ts'
import { type CallPolicy, makeEndpoint, parseJson } from '../http/endpoint.ts'
import type { ModerationVerdict, Moderator } from './moderation.ts'
import { quoteMessage } from './quoted.ts'

const source = 'moderation.google_vision'

/** The words of `Likelihood`, as equal steps. `UNKNOWN` is omitted on purpose: unknown is not safe. */
const scoreOf: Readonly<Record<string, number>> = {
  VERY_UNLIKELY: 0,
  UNLIKELY: 0.25,
  POSSIBLE: 0.5,
  LIKELY: 0.75,
  VERY_LIKELY: 1,
}
const flaggedFrom = 0.75

const flagging = ['adult', 'violence', 'racy'] as const
const reported = [...flagging, 'spoof', 'medical'] as const

const Status = Type.Object({ code: Type.Optional(Type.Integer()), message: Type.Optional(Type.String()) })

const Answer = Type.Object({
  responses: Type.Tuple([
    Type.Object({
      error: Type.Optional(Status),
      safeSearchAnnotation: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    }),
  ]),
})

export function openGoogleVision(
  { url, apiKey }: { readonly url: string; readonly apiKey: string },
  policy: CallPolicy,
): Moderator {
  const endpoint = makeEndpoint(source, url, policy)
  return {
    name: 'google-vision',
    async judge(content) {
      if (content.kind !== 'image') throw new TypeError('Google Cloud Vision judges images only')
      const image = { content: Buffer.from(content.bytes).toString('base64') }
      const answer = await endpoint.send({
        method: 'POST',
        path: '/v1/images:annotate',
        headers: { 'content-type': 'application/json', 'x-goog-api-key': apiKey },
        body: JSON.stringify({ requests: [{ image, features: [{ type: 'SAFE_SEARCH_DETECTION' }] }] }),
      })
      if (answer.status === 413) throw makeNotTakenError('it is too large')
      const body = parseJson(source, answer)
      if (answer.status !== 200) throw makeProviderError(answer.status, body)
      return readVerdict(body)
    },
  }
}

function readVerdict(body: unknown): ModerationVerdict {
  if (!Value.Check(Answer, body))
    throw makeMalformedError(
      'answered with something that is no judgment',
      'see whether moderation.google_vision.url is the address of the API',
    )
  const [{ error, safeSearchAnnotation: words = {} }] = body.responses
  // Present members are right, even beside an error: a finding counts, whatever else is missing.
  const isFlagged = flagging.some((name) => (findScore(words[name]) ?? 0) >= flaggedFrom)
  if (error && !isFlagged) throw makeImageFault(error)
  const scores: Record<string, number> = {}
  for (const name of reported) {
    const score = isFlagged ? findScore(words[name]) : requireScore(name, words[name])
    if (score !== undefined) scores[name] = score
  }
  const looked = flagging.filter((name) => scores[name] !== undefined)
  return {
    model: 'Google Cloud Vision v1 SAFE_SEARCH_DETECTION',
    isFlagged,
    categories: Object.fromEntries(looked.map((name) => [name, scores[name]! >= flaggedFrom])),
    scores,
    source,
  }
}

const findScore = (word: unknown): number | undefined =>
  Object.hasOwn(scoreOf, String(word)) ? scoreOf[String(word)] : undefined

/** An `UNKNOWN` member may also be omitted (proto3 JSON mapping). */
function requireScore(name: string, word: unknown): number {
  const score = findScore(word)
  if (score !== undefined) return score
  throw makeMalformedError(
    `could not tell how likely "${name}" is`,
    'try again, or configure another provider in moderation.image_providers',
  )
}

/** google.rpc.Code in the answer for one image, where the request as a whole was accepted. */
const faults: ReadonlyMap<number | undefined, OutsideFault> = new Map([
  [4, 'timeout'],
  [7, 'credentials'],
  [8, 'rate-limited'],
  [13, 'unreachable'],
  [14, 'unreachable'],
  [16, 'credentials'],
])
const invalidArgument = 3

const makeImageFault = ({ code, message }: { code?: number; message?: string }): Error =>
  code === invalidArgument
    ? makeNotTakenError(`it answers ${quoteMessage(message)}`)
    : new OutsideError(
        faults.get(code) ?? 'malformed',
        source,
        `answered with an error in place of a judgment${code === undefined ? '' : ` (code ${code})`}`,
        `it says ${quoteMessage(message)}`,
      )

/** The request is the same for every image, so a wrong argument is the key or the image. */
function makeProviderError(status: number, body: unknown): Error {
  const error = (body as { error?: { message?: unknown; status?: unknown; details?: unknown } } | null)?.error ?? {}
  if (/API_KEY|API key/i.test(`${error.message} ${JSON.stringify(error.details)}`))
    return new OutsideError(
      'credentials',
      source,
      `refused the key (${status})`,
      `set the right moderation.google_vision.api_key: it says ${quoteMessage(error.message)}`,
    )
  if (status === 400 && error.status === 'INVALID_ARGUMENT')
    return makeNotTakenError(`it answers ${quoteMessage(error.message)}`)
  return makeMalformedError(
    `refused the request (${status})`,
    `it says ${quoteMessage(error.message)}: see moderation.google_vision.url`,
  )
}

const makeNotTakenError = (why: string): UnanswerableError =>
  new UnanswerableError(
    'CONTENT_NOT_TAKEN',
    `the provider google-vision does not take this image, ${why}: send another one`,
  )

const makeMalformedError = (happened: string, mend: string): OutsideError =>
  new OutsideError('malformed', source, happened, mend)
