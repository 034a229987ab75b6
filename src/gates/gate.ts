/**
 * A gate: the proofs for admission, the price, and the reward. This file is the shape of a definition, both as received
 * and as stored. Reward values are kept apart, sealed (store.ts).
 */
import { type Static, Type } from '@sinclair/typebox'
import { Price } from '../payments/price-shape.ts'
import { defineChoice } from '../shape.ts'

export const gateIdPattern = '^[a-zA-Z0-9:_-]+$'
export const GateId = Type.String({
  minLength: 1,
  maxLength: 80,
  pattern: gateIdPattern,
  description: '1 to 80 characters of a-z A-Z 0-9 : _ -',
})

const defineClosed = <Members extends Parameters<typeof Type.Object>[0]>(members: Members) =>
  Type.Object(members, { additionalProperties: false })

/** Dotted path into a row's data, such as `input.contractAddress` or `traits.followers` (src/guides/wire.md, "Match paths"). */
export const MatchRow = defineClosed({
  path: Type.String({
    minLength: 1,
    maxLength: 128,
    pattern: '^[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*$',
    description: 'a path of names with dots between them, such as input.contractAddress',
  }),
  op: defineChoice(['eq', 'gte', 'lte']),
  value: Type.String({ maxLength: 2048 }),
})

export const Requirement = defineClosed({
  /** Named by `rule`. Default: `r1`, `r2`, … */
  id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 32,
      pattern: '^[a-zA-Z0-9_-]+$',
      description: '1 to 32 characters of a-z A-Z 0-9 _ -',
    }),
  ),
  /** A verifier, or guest-list: then the wallet must be on the list of the gate (guests/). */
  verifierId: Type.String({ minLength: 1, maxLength: 64 }),
  match: Type.Optional(Type.Array(MatchRow, { maxItems: 16 })),
  optional: Type.Optional(Type.Boolean()),
  minCount: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
  maxAgeMs: Type.Optional(Type.Integer({ minimum: 1, maximum: 315_360_000_000 })),
  /** Only proofs whose blocks are final count. For verifiers that read the state of a chain. */
  final: Type.Optional(Type.Boolean()),
  /** The chain is asked about the claim again when the gate is fulfilled. For such verifiers as well. */
  recheck: Type.Optional(Type.Boolean()),
})

/** The requirements that must be met: all required ones, unless a rule says otherwise. At most four levels deep. */
export const Rule = Type.Recursive((Self) =>
  Type.Union([
    Type.String({ maxLength: 32, description: 'The id of a requirement.' }),
    defineClosed({ all: Type.Array(Self, { minItems: 1, maxItems: 32 }) }),
    defineClosed({ any: Type.Array(Self, { minItems: 1, maxItems: 32 }) }),
  ]),
)

export const mostRewards = 16

export const rewardKinds = ['access_granted', 'redirect', 'download', 'reveal'] as const

export const Reward = defineClosed({
  kind: defineChoice(rewardKinds),
  /** The secret: a URL for redirect and download, a text for reveal. access_granted has none. Never shown to anybody but a buyer. */
  value: Type.Optional(Type.String({ minLength: 1, maxLength: 16_384 })),
  label: Type.Optional(Type.String({ maxLength: 200 })),
  message: Type.Optional(Type.String({ maxLength: 2000 })),
})

/** ISO 8601 with an offset. */
export const Moment = Type.String({
  maxLength: 40,
  description: 'a moment with its offset, such as 2026-01-01T00:00:00Z',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,3})?)?(Z|[+-]\\d{2}:\\d{2})$',
})

export const GateDefinition = defineClosed({
  gateId: GateId,
  name: Type.String({ minLength: 1, maxLength: 200 }),
  description: Type.Optional(Type.String({ maxLength: 2000 })),
  status: Type.Optional(defineChoice(['draft', 'active', 'paused'])),
  requirements: Type.Array(Requirement, { minItems: 1, maxItems: 32 }),
  rule: Type.Optional(Rule),
  policy: Type.Optional(
    defineClosed({
      /**
       * public: anybody may read the snapshot, and it may be listed. unlisted: anybody who knows the id. private: the
       * owner only.
       */
      visibility: Type.Optional(defineChoice(['public', 'unlisted', 'private'])),
      gateFreshnessHours: Type.Optional(Type.Integer({ minimum: 1, maximum: 87_600 })),
    }),
  ),
  schedule: Type.Optional(defineClosed({ startsAt: Type.Optional(Moment), endsAt: Type.Optional(Moment) })),
  /** How many may be fulfilled in all, and by one wallet. */
  supply: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000 })),
  perWallet: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  price: Type.Optional(Price),
  /** The first one is the reward, the others come with it as rewardPack. */
  rewards: Type.Optional(Type.Array(Reward, { maxItems: mostRewards })),
  listing: Type.Optional(
    defineClosed({
      label: Type.String({ minLength: 1, maxLength: 200 }),
      tags: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 32 })),
    }),
  ),
  successReturnUrl: Type.Optional(Type.String({ maxLength: 2048 })),
})

export type GateDefinition = Static<typeof GateDefinition>
export type GateRequirement = Static<typeof Requirement>
export type GateReward = Static<typeof Reward>
export type GateStatus = 'draft' | 'active' | 'paused' | 'deleted'

/** A definition as it is kept and shown: its status stands beside it, and reward values are sealed apart. */
export type KeptDefinition = Omit<GateDefinition, 'status' | 'rewards'> & {
  readonly rewards?: readonly Omit<GateReward, 'value'>[]
}

/** A gate as it is kept: the newest version. Reward values are not in it. */
export interface Gate {
  readonly id: number
  readonly gateId: string
  /** Wallet of its owner, as stored. */
  readonly owner: string
  readonly status: GateStatus
  readonly version: number
  readonly definition: KeptDefinition
  readonly fulfilledCount: number
  /** How many wallets are on its guest list. For its owner alone. */
  readonly guestCount: number
  /** When its owner put it out of the default list. For its owner alone. */
  readonly archivedAt: number | null
  readonly createdAt: number
  readonly updatedAt: number
}
