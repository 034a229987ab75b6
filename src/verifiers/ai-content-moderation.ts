import { Type } from '@sinclair/typebox'
import { AppError } from '../errors.ts'
import {
  type ContentKind,
  type JudgedContent,
  type Moderation,
  type Moderator,
  textMaxBytes,
} from '../outside/moderation/moderation.ts'
import { isStill, pictureTypeOf } from '../outside/moderation/picture.ts'
import { canBeRead } from '../outside/moderation/readable.ts'
import { oneOf } from '../shape.ts'
import { keccak256 } from '../wallet/keccak.ts'
import { defineVerifier, fails, holds } from './verifier.ts'

/** The words of the interface. Google closes google-perspective on 2026-12-31, so it is known here and never offered. */
const providers = ['embedded', 'openai', 'google-vision', 'google-perspective'] as const

const switchedOnBy: Readonly<Record<(typeof providers)[number], string>> = {
  embedded: 'the operator can set moderation.text to "embedded"',
  openai: 'the operator can set moderation.openai.api_key',
  'google-vision': 'the operator can set moderation.google_vision.api_key',
  'google-perspective': 'Google closes it on 2026-12-31, and Proofgate has no such provider',
}

/**
 * `ai-content-moderation`: a provider has looked at this text or image and flags nothing in it. The proof is bound to
 * the hash of the content and to what judged it; the content itself enters no evidence.
 *
 * Does not say that the content is the signer's (ownership-basic does), and does not check that JSON or XML is well
 * formed. Nothing is fetched: an image comes with the request, in base64.
 *
 * The content hash is the one of ownership-basic: keccak-256 over the UTF-8 bytes of the NFC-normalised text. Of an
 * image it is keccak-256 over its bytes.
 */
export const aiContentModeration = defineVerifier({
  id: 'ai-content-moderation',
  category: 'ai',
  description:
    'A moderation provider flags nothing in a text or an image. Bound to the content by keccak-256: of the NFC-normalised text as UTF-8, or of the bytes of the image.',
  flow: 'external_lookup',
  expiry: 'permanent',
  status: 'content_moderated',
  allowsDelegatedSubject: false,
  compatibleWith: ['ownership-basic', 'agent-identity', 'proof-of-human'],
  data: Type.Object({
    content: Type.String({
      minLength: 1,
      maxLength: 13_653_334,
      description: `Text of at most ${textMaxBytes} bytes of UTF-8, or an image in base64 (RFC 4648 section 4, padded), also as a data: URL.`,
    }),
    contentType: Type.String({
      pattern:
        '^(image/(jpeg|png|webp|gif)|(text/(plain|markdown|x-markdown)|application/(json|xml))(; ?charset=[Uu][Tt][Ff]-8)?)$',
      description:
        'image/jpeg, image/png, image/webp, image/gif, text/plain, text/markdown, text/x-markdown, application/json or application/xml; text may add "; charset=utf-8".',
    }),
    provider: Type.Optional(
      oneOf(providers, 'Who judges. The one that the operator chose for this kind when omitted.'),
    ),
  }),

  absentWithout: ({ moderation }) =>
    moderation.names.length === 0
      ? `needs somebody who judges content: set ${settingsOf.text}, or ${settingsOf.image}`
      : undefined,

  async verify({ data }, { now, outside: { moderation } }) {
    const [contentType = ''] = data.contentType.split(';', 1)
    const kind = contentType.startsWith('image/') ? 'image' : 'text'
    const moderator = requireModerator(moderation, kind, data.provider)
    const content = kind === 'image' ? imageIn(data.content, contentType) : textIn(data.content)

    const { isFlagged, categories, scores, model, source } = await moderator.judge(content)
    if (isFlagged) {
      const found = Object.keys(categories).filter((name) => categories[name])
      return fails(
        'CONTENT_FLAGGED',
        `${moderator.name} flags this content${found.length === 0 ? '' : `: ${found.join(', ')}`}`,
      )
    }
    const evidence = {
      contentHash: keccak256(content.kind === 'text' ? content.text.normalize('NFC') : content.bytes),
      contentType,
      provider: moderator.name,
      model,
      safe: true,
      categories,
      scores,
      checkedAt: now,
      sources: [source],
    }
    return holds(evidence, content.kind === 'text' ? { content: content.text } : {})
  },

  facts: ['contentHash'],

  scopeOf: ({ contentHash }) => String(contentHash),
})

/** Errors: INVALID_VERIFIER_DATA, which names the setting that is missing and who is there. */
function requireModerator(
  moderation: Moderation,
  kind: ContentKind,
  named: (typeof providers)[number] | undefined,
): Moderator {
  const moderator = named === undefined ? moderation.standard(kind) : moderation.provider(named, kind)
  if (moderator) return moderator

  const there = moderation.names.filter((name) => moderation.provider(name, kind))
  const instead = there.length > 0 ? `. data.provider may be ${there.join(' or ')}` : ''
  if (named === undefined)
    throw invalid(
      '/contentType',
      `nobody judges ${plural[kind]} here unless the request names a provider: the operator can set ${settingsOf[kind]}${instead}`,
    )
  const isThere = moderation.names.some((name) => name === named)
  throw invalid(
    '/provider',
    isThere
      ? `the provider ${named} does not judge ${plural[kind]}${instead}`
      : `the provider ${named} is not configured here: ${switchedOnBy[named]}${instead}`,
  )
}

const plural = { text: 'text', image: 'images' } as const
const settingsOf = { text: 'moderation.text', image: 'moderation.image and the key of its provider' } as const

function textIn(content: string): JudgedContent {
  refuseReference(content)
  const bytes = Buffer.byteLength(content)
  if (bytes > textMaxBytes)
    throw invalid('/content', `the text is ${bytes} bytes of UTF-8, and at most ${textMaxBytes} are judged: send less`)
  if (!canBeRead(content))
    throw invalid(
      '/content',
      `the text is more than ${textMaxBytes} bytes of UTF-8 once its ligatures are written out (NFKC): send less`,
    )
  return { kind: 'text', text: content }
}

/** A picture is what its bytes say, so that no provider reads it as something else than was claimed. */
function imageIn(content: string, mime: string): JudgedContent {
  refuseReference(content)
  const prefix = `data:${mime};base64,`
  const bytes = bytesOf(content.startsWith(prefix) ? content.slice(prefix.length) : content)
  const type = pictureTypeOf(bytes)
  if (type !== mime)
    throw invalid(
      '/content',
      `data.contentType is ${mime}, but the content ${type ? `is ${type}` : 'is no such image'}`,
    )
  if (!isStill(bytes, type))
    throw invalid('/content', 'the image must be one whole still picture: only the first of an animation is judged')
  return { kind: 'image', bytes, mime }
}

/** Strictly RFC 4648 section 4: one text for one image. */
function bytesOf(base64: string): Uint8Array {
  try {
    if (!/\s/.test(base64)) return Uint8Array.fromBase64(base64, { lastChunkHandling: 'strict' })
  } catch {
    // Said below.
  }
  throw invalid(
    '/content',
    'an image is sent in base64 with padding and without white space (RFC 4648 section 4), or as a data: URL of data.contentType',
  )
}

function refuseReference(content: string): void {
  if (/^\s*ipfs:\/\/\S*\s*$/i.test(content))
    throw invalid('/content', 'ipfs:// references are not fetched in this version: send the content itself')
}

const invalid = (path: string, message: string): AppError =>
  new AppError('INVALID_VERIFIER_DATA', message, { verifierId: 'ai-content-moderation', path })
