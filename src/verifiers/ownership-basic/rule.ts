import { Type } from '@sinclair/typebox'
import { AppError } from '../../errors.ts'
import { defineChoice } from '../../shape.ts'
import { areSameAddress } from '../../wallet/account.ts'
import { hashKeccak256 } from '../../wallet/keccak.ts'
import { sharedParameters } from '../check-parameter.ts'
import { describeText, Hash32, keepPresent, WalletAddress } from '../shapes.ts'
import { defineVerifier, fails, holds } from '../verifier.ts'
import { requireReference } from '../web-address.ts'
import { words as german } from './words/de.ts'
import { words } from './words/en.ts'

/** The current names, and `content`, which the oldest clients send. */
const referenceTypes = [
  'ipfs',
  'ipfs-hash',
  'url',
  'license-nft',
  'contract',
  'qhash',
  'ethereum-tx',
  'on-chain-tx',
  'tx',
  'file',
  'doc',
  'media',
  'username-claim',
  'job',
  'job-status',
  'content',
  'other',
] as const

/**
 * `ownership-basic`: the signer says that a piece of content is theirs. Proves who claimed it and when, not that they
 * were the first; it never fetches a reference. The content hash is keccak-256 over the UTF-8 bytes of the
 * NFC-normalized content. A hash over the bytes as given is accepted as well, because clients compute that one.
 */
export const ownershipBasic = defineVerifier({
  id: 'ownership-basic',
  category: 'ownership',
  description: 'A wallet claims a piece of content by the content itself, its hash, or a reference to it.',
  words,
  translations: { de: german },
  flow: 'instant',
  expiry: 'permanent',
  status: 'origin-authenticated',
  allowsDelegatedSubject: false,
  compatibleWith: ['agent-identity', 'proof-of-human', 'ai-content-moderation'],
  signer: { wallet: 'owner', isFilledIn: true },
  guide: { filled: ['owner'], chosen: ['content'] },
  data: Type.Object({
    owner: WalletAddress,
    content: Type.Optional(
      describeText(50_000, 'The content itself: hashed, and stored only when options.storeOriginalContent is true.'),
    ),
    contentHash: Type.Optional(Hash32),
    contentType: Type.Optional(describeText(100, 'MIME type.')),
    reference: Type.Optional(
      Type.Object({
        type: defineChoice(referenceTypes),
        id: Type.Optional(describeText(2048)),
        title: Type.Optional(describeText(200)),
        description: Type.Optional(describeText(500)),
        mime: Type.Optional(describeText(100)),
        name: Type.Optional(describeText(255)),
        size: Type.Optional(Type.Integer({ minimum: 0, description: 'Bytes.' })),
      }),
    ),
    provenance: Type.Optional(
      Type.Object({
        declaredKind: Type.Optional(defineChoice(['human', 'ai', 'mixed', 'unknown'])),
        aiContext: Type.Optional(
          Type.Object({
            generatorType: Type.Optional(defineChoice(['local', 'saas', 'agent'])),
            provider: Type.Optional(describeText(64)),
            model: Type.Optional(describeText(128)),
            runId: Type.Optional(describeText(128)),
          }),
        ),
      }),
    ),
  }),

  examine({ subject, data }) {
    const { owner, content, contentHash, reference } = data
    if (content === undefined && contentHash === undefined && !reference?.id)
      throw new AppError(
        'INVALID_VERIFIER_DATA',
        'ownership-basic needs something durable to point at: give data.content, data.contentHash or data.reference.id',
        { verifierId: 'ownership-basic', path: '/content' },
      )
    requireReference('ownership-basic', reference)
    if (!areSameAddress(owner, subject)) return fails('OWNER_MISMATCH', `data.owner is ${owner}, but ${subject} signed`)
    if (content === undefined || contentHash === undefined) return undefined

    const given = contentHash.toLowerCase()
    const normalHash = hashKeccak256(content.normalize('NFC'))
    return given === normalHash || given === hashKeccak256(content)
      ? undefined
      : fails('CONTENT_HASH_MISMATCH', `data.contentHash is not the keccak-256 of data.content, which is ${normalHash}`)
  },

  verify({ subject, data, context, signedTimestamp }) {
    const { content, contentHash, reference } = data
    return holds(
      keepPresent({
        owner: subject,
        contentHash: content === undefined ? contentHash?.toLowerCase() : hashKeccak256(content.normalize('NFC')),
        contentType: data.contentType,
        reference,
        provenance: data.provenance,
        timestamp: signedTimestamp,
        chainId: context.chainId,
        chain: context.chain,
      }),
      content === undefined ? {} : { content },
    )
  },

  parameters: {
    referenceType: sharedParameters.referenceType,
    contentType: sharedParameters.contentType,
    content: sharedParameters.content,
    contentHash: sharedParameters.contentHash,
    referenceId: sharedParameters.referenceId,
  },
  facts: ['contentHash', 'referenceId'],

  writeScope({ contentHash, reference }) {
    const { type, id } = (reference ?? {}) as { type?: string; id?: string }
    return contentHash ? String(contentHash) : `${type}:${id}`
  },
})
