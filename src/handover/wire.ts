/** The shapes of /api/v1/auth/code. */
import { type Static, Type } from '@sinclair/typebox'
import { describeAnswer } from '../http/describe.ts'
import { open } from '../shape.ts'

const qHash = Type.String({ pattern: '^0x[0-9a-fA-F]{64}$', description: 'Id of a proof.' })

export const AgreeBody = open({
  returnUrl: Type.Optional(Type.String({ maxLength: 2048, description: 'Where the person goes on to with the code.' })),
  origin: Type.Optional(
    Type.String({ maxLength: 2048, description: 'In its place: the origin of the page that opened this window.' }),
  ),
  code_challenge: Type.Optional(Type.String({ maxLength: 128, description: 'RFC 7636, of the link.' })),
  code_challenge_method: Type.Optional(Type.String({ maxLength: 16, description: 'S256, with code_challenge.' })),
  gateId: Type.Optional(
    Type.String({ pattern: '^[a-zA-Z0-9:_-]{1,80}$', description: 'The gate that was passed, with its one proof.' }),
  ),
  qHashes: Type.Optional(
    Type.Array(qHash, {
      maxItems: 16,
      description: 'Proofs that were made or used on the way, all of one wallet of the person.',
    }),
  ),
})
export type AgreeBody = Static<typeof AgreeBody>

const Milliseconds = (description: string) => Type.Integer({ description: `${description} Unix milliseconds.` })

export const agreedAnswer = describeAnswer({
  data: Type.Object({
    code: Type.String({ description: 'For the server of the site, once.' }),
    origin: Type.String({ description: 'The site that it is for.' }),
    expiresAt: Milliseconds('A minute later.'),
  }),
})

export const ExchangeBody = open({
  code: Type.String({ minLength: 1, maxLength: 256, description: 'As the person brought it.' }),
  code_verifier: Type.Optional(
    Type.String({ maxLength: 256, description: 'RFC 7636. Needed where the link had code_challenge, and only there.' }),
  ),
  origin: Type.Optional(
    Type.String({
      maxLength: 2048,
      description:
        'Of your site: a code that was made for another one is refused. Needed, also with code_verifier, where pages.handover_sites has more than one entry, or a loopback address, which stands for every port.',
    }),
  ),
})
export type ExchangeBody = Static<typeof ExchangeBody>

const Told = Type.Object({
  walletAddress: Type.String({ description: 'The wallet that the person came with.' }),
  chain: Type.String({ description: 'CAIP-2: of a contract wallet where it is, of a key the one it is named with.' }),
  did: Type.String({ description: 'did:pkh of that wallet.' }),
  subjectId: Type.String({ description: 'Names the person here: the same for all wallets that are linked.' }),
  origin: Type.String({ description: 'The site that the person agreed to.' }),
  agreedAt: Milliseconds('When the person agreed.'),
  gate: Type.Union(
    [
      Type.Object({
        gateId: Type.String(),
        qHash: Type.String({ description: 'The proof that passed it.' }),
        passed: Type.Boolean({
          description:
            'False where its payment was taken back, the gate was deleted, or the proof is revoked or expired.',
        }),
        passedAt: Type.Union([Type.Integer(), Type.Null()], { description: 'Unix milliseconds.' }),
      }),
      Type.Null(),
    ],
    { description: 'Of a checkout: the gate that this wallet has passed. null for signing in and other proofs.' },
  ),
  proofs: Type.Array(
    Type.Object({
      qHash: Type.String(),
      verifierIds: Type.Array(Type.String()),
      status: Type.String({ description: 'At the time of the exchange.' }),
    }),
    { description: 'Those that were made or used on this way, private ones too, and no others.' },
  ),
})
export type Told = Static<typeof Told>

export const exchangedAnswer = describeAnswer({ data: Told })
