/**
 * Judges text and images by any endpoint with `POST /moderations` as OpenAI publishes it (API reference, Moderations).
 * Categories and limits are the provider's; nothing is weighed here.
 */
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { OutsideError, UnanswerableError } from '../failure.ts'
import { type CallPolicy, makeEndpoint, parseJson } from '../http/endpoint.ts'
import type { ContentKind, JudgedContent, ModerationSettings, ModerationVerdict, Moderator } from './moderation.ts'
import { quoteMessage } from './quoted.ts'

const source = 'moderation.openai'

/** Names and model enter the evidence, so they are bounded. */
const describePerCategory = <Value extends TSchema>(value: Value) =>
  Type.Record(Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9/_. -]{0,63}$' }), value, {
    additionalProperties: false,
    minProperties: 1,
    maxProperties: 64,
  })

const Result = Type.Object({
  flagged: Type.Boolean(),
  // null: the model does not know the category.
  categories: describePerCategory(Type.Union([Type.Boolean(), Type.Null()])),
  category_scores: describePerCategory(Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()])),
  category_applied_input_types: Type.Optional(describePerCategory(Type.Array(Type.String()))),
})

const Answer = Type.Object({
  model: Type.String({ pattern: '^[ -~]{1,128}$' }),
  results: Type.Array(Result, { minItems: 1, maxItems: 64 }),
})

export function openOpenai(settings: ModerationSettings['openai'], policy: CallPolicy): Moderator {
  const endpoint = makeEndpoint(source, settings.url, policy)
  const { apiKey, model } = settings
  return {
    name: 'openai',
    async judge(content) {
      const answer = await endpoint.send({
        method: 'POST',
        path: '/moderations',
        headers: {
          'content-type': 'application/json',
          ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
        },
        body: JSON.stringify({ model, input: [makeInput(content)] }),
      })
      if (answer.status === 413) throw makeNotTakenError(content.kind, 'it is too large')
      const body = parseJson(source, answer)
      if (answer.status !== 200) throw makeProviderError(answer.status, body, content.kind)
      return readVerdict(body, content.kind)
    },
  }
}

const makeInput = (content: JudgedContent) =>
  content.kind === 'text'
    ? { type: 'text', text: content.text }
    : {
        type: 'image_url',
        image_url: { url: `data:${content.mime};base64,${Buffer.from(content.bytes).toString('base64')}` },
      }

function readVerdict(body: unknown, kind: ContentKind): ModerationVerdict {
  if (!Value.Check(Answer, body)) {
    const error = (body as { error?: { message?: unknown } } | null)?.error
    throw makeMalformedError(
      error ? 'answered with an error in place of a judgment' : 'answered with something that is no judgment',
      error ? `it says ${quoteMessage(error.message)}` : 'see whether moderation.openai.url is the address of the API',
    )
  }
  const categories: Record<string, boolean> = {}
  const scores: Record<string, number> = {}
  for (const result of body.results) {
    const lookedAt = listJudgedNames(result, kind)
    if (lookedAt.length === 0)
      throw makeMalformedError(
        `has not looked at the ${kind}`,
        `moderation.openai.model must be a model that judges ${kind === 'image' ? 'images' : 'text'}`,
      )
    for (const name of lookedAt) {
      categories[name] = categories[name] === true || result.categories[name] === true
      const score = result.category_scores[name] ?? undefined
      if (score !== undefined) scores[name] = Math.max(scores[name] ?? 0, score)
    }
  }
  // A found category counts even when `flagged` denies it: doubt is not "safe".
  const isFlagged = body.results.some(
    ({ flagged, categories: found }) => flagged || Object.values(found).includes(true),
  )
  return { model: body.model, isFlagged, categories, scores, source }
}

/** A text model answers for an image as well: with `false` everywhere, without having seen it. */
const listJudgedNames = (result: Static<typeof Result>, kind: ContentKind): readonly string[] =>
  Object.keys(result.categories).filter(
    (name) =>
      result.categories[name] !== null &&
      (result.category_applied_input_types?.[name]?.includes(kind) ??
        (kind === 'text' && result.category_applied_input_types === undefined)),
  )

/** A fault of the content is the caller's. Every other one may be our setting, so the caller is not blamed. */
function makeProviderError(status: number, body: unknown, kind: ContentKind): Error {
  const error = (body as { error?: { message?: unknown; code?: unknown; param?: unknown } } | null)?.error ?? {}
  const isAboutContent =
    status === 415 ||
    /^input\b/.test(String(error.param)) ||
    /^(?:image_|(?:invalid|empty|unsupported)_(?:base64_)?image)/.test(String(error.code))
  return isAboutContent
    ? makeNotTakenError(kind, `it answers ${quoteMessage(error.message)}`)
    : makeMalformedError(
        `refused the request (${status})`,
        `it says ${quoteMessage(error.message)}: see moderation.openai.url and moderation.openai.model`,
      )
}

const makeNotTakenError = (kind: ContentKind, why: string): UnanswerableError =>
  new UnanswerableError('CONTENT_NOT_TAKEN', `the provider openai does not take this ${kind}, ${why}: send another one`)

const makeMalformedError = (happened: string, mend: string): OutsideError =>
  new OutsideError('malformed', source, happened, mend)
