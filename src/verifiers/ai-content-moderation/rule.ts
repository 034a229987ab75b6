import { Type } from '@sinclair/typebox'
import { AppError } from '../../errors.ts'
import {
  type ContentJudge,
  type ContentKind,
  contentKinds,
  type JudgedContent,
  type Moderation,
  type ModerationChoice,
  textMaxBytes,
} from '../../outside/moderation/moderation.ts'
import { isStill, readPictureType } from '../../outside/moderation/picture.ts'
import { canBeRead } from '../../outside/moderation/readable.ts'
import { joinNames } from '../../outside/panel.ts'
import { defineChoice } from '../../shape.ts'
import { hashKeccak256 } from '../../wallet/keccak.ts'
import { sharedParameters } from '../check-parameter.ts'
import { defineVerifier, fails, holds } from '../verifier.ts'
import { judgment } from './judgment.ts'
import { words as german } from './words/de.ts'
import { words } from './words/en.ts'

/**
 * The provider names of the interface. Google closes google-perspective on 2026-12-31, so it is known but not
 * supported.
 */
const providers = ['embedded', 'openai', 'google-vision', 'google-perspective'] as const

/**
 * `ai-content-moderation`: a provider has judged this text or image and flags nothing in it. The proof is bound to the
 * hash of the content and to its judge. The evidence does not hold the content. It does not say that the content is the
 * signer's (ownership-basic does), nor that JSON or XML is well formed. An image comes with the request, in base64, so
 * that no URL is fetched. The content hash equals that of ownership-basic: keccak-256 over the UTF-8 bytes of the
 * NFC-normalized text. For an image it is keccak-256 over its bytes.
 */
export const aiContentModeration = defineVerifier({
  id: 'ai-content-moderation',
  category: 'ai',
  description:
    'A moderation provider flags nothing in a text or an image. Bound to the content by keccak-256: of the NFC-normalized text as UTF-8, or of the bytes of the image.',
  words,
  translations: { de: german },
  flow: 'external_lookup',
  expiry: 'permanent',
  status: 'content_moderated',
  allowsDelegatedSubject: false,
  compatibleWith: ['ownership-basic', 'agent-identity', 'proof-of-human'],
  judgment,
  keepsForever: true,
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
      defineChoice(
        providers,
        'Who judges in place of those that the operator chose for this kind; only one that the operator lets requests choose.',
      ),
    ),
  }),

  absentWithout: ({ moderation }) =>
    contentKinds.some((kind) => moderation[kind].standard || moderation[kind].selectable.length > 0)
      ? undefined
      : `needs somebody who judges content: set ${settingsOf.text}, or ${settingsOf.image}`,

  judges: ({ moderation }) =>
    contentKinds.map((kind) => ({
      kind,
      asked: [...moderation[kind].chosen],
      policy: moderation.policy,
      selectable: [...moderation[kind].selectable],
    })),

  examine({ data }, { outside: { moderation } }) {
    readQuestion(data, moderation)
    return undefined
  },

  async verify({ data }, { now, outside: { moderation } }) {
    const { judge, chosenByCaller, content, contentType } = readQuestion(data, moderation)

    const { provider, isFlagged, categories, scores, model, sources, asked } = await judge.judge(content)
    if (isFlagged) {
      const found = Object.keys(categories).filter((name) => categories[name])
      const flagging = asked.flatMap((one) => (one.safe === false ? one.provider : []))
      return fails(
        'CONTENT_FLAGGED',
        `${joinNames(flagging)} ${flagging.length > 1 ? 'flag' : 'flags'} this content${found.length === 0 ? '' : `: ${found.join(', ')}`}`,
      )
    }
    const evidence = {
      contentHash: hashKeccak256(content.kind === 'text' ? content.text.normalize('NFC') : content.bytes),
      contentType,
      provider,
      chosenByCaller,
      asked,
      model,
      safe: true,
      categories,
      scores,
      checkedAt: now,
      sources,
    }
    return holds(evidence, content.kind === 'text' ? { content: content.text } : {})
  },

  parameters: {
    contentType: sharedParameters.contentType,
    contentHash: sharedParameters.contentHash,
    provider: sharedParameters.provider,
    checked: sharedParameters.checked,
  },
  facts: ['contentHash'],

  writeScope: ({ contentHash }) => String(contentHash),
})

interface Submitted {
  readonly content: string
  readonly contentType: string
  readonly provider?: (typeof providers)[number]
}

/** Reads the content to judge and its providers. Errors: INVALID_VERIFIER_DATA. */
function readQuestion({ content, provider, ...said }: Submitted, moderation: Moderation) {
  const [contentType = ''] = said.contentType.split(';', 1)
  const kind = contentType.startsWith('image/') ? 'image' : 'text'
  return {
    ...chooseJudge(moderation, kind, provider),
    contentType,
    content: kind === 'image' ? readImage(content, contentType) : readText(content),
  }
}

/**
 * Errors: INVALID_VERIFIER_DATA, for a provider that the caller may not choose, and for content that no provider
 * judges.
 */
function chooseJudge(
  moderation: Moderation,
  kind: ContentKind,
  name: (typeof providers)[number] | undefined,
): { readonly judge: ContentJudge; readonly chosenByCaller: boolean } {
  const choice = moderation[kind]
  const { chosen, standard } = choice
  const isOperatorsChoice = name === undefined || (chosen.length === 1 && chosen[0] === name)
  const judge = isOperatorsChoice ? standard : choice.selected(name)
  if (judge) return { judge, chosenByCaller: !isOperatorsChoice }
  if (isOperatorsChoice)
    throw makeInvalidError(
      '/contentType',
      choice.selectable.length > 0
        ? `nobody judges ${plural[kind]} here unless the request names a provider. The operator can set ${settingsOf[kind]} for requests that name none${describeSelectable(choice)}`
        : `nobody judges ${plural[kind]} here: the operator can set ${settingsOf[kind]}`,
    )
  throw makeInvalidError('/provider', `${describeRefusedName(moderation, kind, name)}${describeSelectable(choice)}`)
}

const describeSelectable = ({ selectable }: ModerationChoice): string =>
  selectable.length > 0 ? `. data.provider may be ${joinNames(selectable, 'or')}` : ''

function describeRefusedName(moderation: Moderation, kind: ContentKind, name: string): string {
  const { chosen, standard } = moderation[kind]
  const otherwise = standard ? `. Leave it out, and ${joinNames(chosen)} will judge` : ''
  if (name === 'google-perspective')
    return `the provider google-perspective is not here: Google closes it on 2026-12-31, and Proofgate has no such provider${otherwise}`
  const one = moderation.configured.find(({ moderator }) => moderator.name === name)
  if (one && !one.kinds.includes(kind)) return `the provider ${name} does not judge ${plural[kind]}${otherwise}`
  return `who judges ${plural[kind]} is not the caller's choice here: ${name} is not in moderation.selectable${one ? '' : ', and is not configured'}${otherwise}`
}

const plural = { text: 'text', image: 'images' } as const
const settingsOf = {
  text: 'moderation.text_providers',
  image: 'moderation.image_providers and the keys of those in it',
} as const

function readText(content: string): JudgedContent {
  refuseReference(content)
  const bytes = Buffer.byteLength(content)
  if (bytes > textMaxBytes)
    throw makeInvalidError(
      '/content',
      `the text is ${bytes} bytes of UTF-8, and at most ${textMaxBytes} are judged: send less`,
    )
  if (!canBeRead(content))
    throw makeInvalidError(
      '/content',
      `the text is more than ${textMaxBytes} bytes of UTF-8 once its ligatures are written out (NFKC): send less`,
    )
  return { kind: 'text', text: content }
}

/** The bytes decide the type of an image, so that no provider reads it as something else than claimed. */
function readImage(content: string, mime: string): JudgedContent {
  refuseReference(content)
  const prefix = `data:${mime};base64,`
  const bytes = decodeBase64(content.startsWith(prefix) ? content.slice(prefix.length) : content)
  const type = readPictureType(bytes)
  if (type !== mime)
    throw makeInvalidError(
      '/content',
      `data.contentType is ${mime}, but the content ${type ? `is ${type}` : 'is no such image'}`,
    )
  if (!isStill(bytes, type))
    throw makeInvalidError(
      '/content',
      'the image must be one whole still picture: only the first of an animation is judged',
    )
  return { kind: 'image', bytes, mime }
}

/** Strict RFC 4648 section 4: each image has exactly one encoding. */
function decodeBase64(base64: string): Uint8Array {
  try {
    if (!/\s/.test(base64)) return Uint8Array.fromBase64(base64, { lastChunkHandling: 'strict' })
  } catch {
    // The error is thrown below.
  }
  throw makeInvalidError(
    '/content',
    'an image is sent in base64 with padding and without white space (RFC 4648 section 4), or as a data: URL of data.contentType',
  )
}

function refuseReference(content: string): void {
  if (/^\s*ipfs:\/\/\S*\s*$/i.test(content))
    throw makeInvalidError('/content', 'ipfs:// references are not fetched in this version: send the content itself')
}

const makeInvalidError = (path: string, message: string): AppError =>
  new AppError('INVALID_VERIFIER_DATA', message, { verifierId: 'ai-content-moderation', path })
