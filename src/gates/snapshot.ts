/**
 * The public view of a gate: its requirements, its price, and that there is a reward. It is written member by member,
 * so that a new member of a definition does not become public. Reward values are not even read.
 */

import { type Static, Type } from '@sinclair/typebox'
import { IsoTimestamp } from '../http/describe.ts'
import { findPaymentMethod, listNames, methodNames, nameMethod } from '../payments/methods.ts'
import type { PaymentTools } from '../payments/payment.ts'
import { type Price, rewardMoments, standardRefundThreshold } from '../payments/price.ts'
import { defineChoice } from '../shape.ts'
import type { Catalog } from '../verifiers/index.ts'
import { nameRequirement } from './definition/rule.ts'
import { countHeld } from './fulfill/reservation-store.ts'
import { type Gate, MatchRow, rewardKinds } from './gate.ts'
import { isGuestList } from './guests/guest-list.ts'
import { parseMoment } from './schedule.ts'

/** Raised when a member changes its meaning. */
const schemaVersion = 1

const makeNullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()])

export const GateSnapshot = Type.Object({
  schemaVersion: Type.Integer(),
  version: Type.Integer({ description: 'Rises with every change of the definition.' }),
  gateId: Type.String(),
  name: Type.String(),
  status: defineChoice(['draft', 'active', 'paused']),
  requirements: Type.Array(
    Type.Object({
      id: Type.String({ description: 'As rule names it.' }),
      verifierId: Type.String(),
      match: Type.Array(Type.Object(MatchRow.properties)),
      optional: Type.Boolean(),
      minCount: Type.Integer(),
      maxAgeMs: Type.Optional(Type.Integer()),
      final: Type.Optional(Type.Boolean({ description: 'true: only proofs whose blocks are final count.' })),
      recheck: Type.Optional(
        Type.Boolean({ description: 'true: the chain is asked again before the reward is given.' }),
      ),
    }),
  ),
  rule: Type.Unknown({
    description:
      'Which requirements must be met: an id, {"all": […]} or {"any": […]}, up to four levels. null: all that are not optional.',
  }),
  policy: Type.Object({
    visibility: defineChoice(['public', 'unlisted', 'private']),
    gateFreshnessHours: Type.Optional(Type.Integer()),
  }),
  monetization: Type.Object({
    charge: makeNullable(
      Type.Object({
        enabled: Type.Boolean(),
        scheme: Type.String({ description: 'one_time: paid once for each fulfillment.' }),
        label: makeNullable(Type.String()),
        amountUsd: Type.Number(),
        methods: Type.Array(defineChoice(methodNames)),
        cardPayoutReady: Type.Boolean({ description: 'Whether cards are taken now.' }),
        appliesTo: Type.String(),
        executionOrder: defineChoice(['verifyThenCharge', 'chargeThenVerify']),
        reservationMinutes: Type.Integer({
          description: `How long a place is held for a buyer who pays by ${listNames(({ movesMoneyHere }) => movesMoneyHere, 'or')} or by a transfer with a quote.`,
        }),
        refundThresholdPercent: Type.Optional(
          Type.Integer({ description: 'Percent of the payment from which a refund takes the reward back. 100: all.' }),
        ),
        rewardAfter: Type.Optional(
          defineChoice(
            rewardMoments,
            `When the reward of a payment on a chain comes: with its first block, with the confirmations of the token, or when it is final. Absent in versions of before there was a choice: ${listNames(({ movesMoneyHere }) => movesMoneyHere)} with the first block, transfers with the confirmations.`,
          ),
        ),
        recipient: Type.Optional(
          makeNullable(
            Type.String({ description: `Where ${listNames(({ isPaidOnChain }) => isPaidOnChain)} payments go.` }),
          ),
        ),
      }),
    ),
  }),
  checkout: Type.Object({
    mode: defineChoice(['free', 'paid']),
    flowPlan: Type.Object({
      batches: Type.Integer({ description: 'How often a person is asked for something.' }),
      hasInteractive: Type.Boolean(),
      hasBackground: Type.Boolean({ description: 'Whether a network is asked on the way.' }),
    }),
    description: makeNullable(Type.String()),
    successReturnUrl: makeNullable(Type.String()),
  }),
  marketplaceTemplate: makeNullable(
    Type.Object({ templateId: Type.String(), label: Type.String(), tags: Type.Array(Type.String()) }),
  ),
  schedule: Type.Object({ startsAt: makeNullable(IsoTimestamp), endsAt: makeNullable(IsoTimestamp) }),
  supply: Type.Object({
    total: makeNullable(Type.Integer({ description: 'null: without a limit.' })),
    left: makeNullable(Type.Integer({ description: 'Not given out yet, those that are held for buyers included.' })),
    held: makeNullable(
      Type.Integer({
        description:
          'How many of them are held right now for buyers who are paying. As many as left: nobody else can have one until a place is free again.',
      }),
    ),
  }),
  perWallet: makeNullable(Type.Integer()),
  artifact: makeNullable(
    Type.Object(
      { type: defineChoice(rewardKinds), label: makeNullable(Type.String()) },
      { description: 'That there is a reward, and of which kind. Never its value.' },
    ),
  ),
})
export type GateSnapshot = Static<typeof GateSnapshot>

export interface SnapshotTools extends PaymentTools {
  readonly catalog: Catalog
}

/** For gates that are not deleted. */
export async function makeSnapshot(gate: Gate, tools: SnapshotTools): Promise<GateSnapshot> {
  const { definition } = gate
  const { requirements, rule, policy, price, listing, schedule, supply, perWallet, rewards } = definition
  const [reward] = rewards ?? []
  return {
    schemaVersion,
    version: gate.version,
    gateId: gate.gateId,
    name: definition.name,
    status: gate.status as GateSnapshot['status'],
    requirements: requirements.map(
      ({ verifierId, match = [], optional = false, minCount = 1, maxAgeMs, final, recheck, ...one }, at) => ({
        id: nameRequirement(one, at),
        verifierId,
        match,
        optional,
        minCount,
        ...(maxAgeMs === undefined ? {} : { maxAgeMs }),
        ...(final ? { final } : {}),
        ...(recheck ? { recheck } : {}),
      }),
    ),
    rule: rule ?? null,
    policy: { visibility: 'public', ...policy },
    monetization: { charge: price ? describeCharge(price, tools) : null },
    checkout: {
      mode: price ? 'paid' : 'free',
      flowPlan: planFlow(requirements, tools.catalog),
      description: definition.description ?? null,
      successReturnUrl: definition.successReturnUrl ?? null,
    },
    marketplaceTemplate: listing ? { templateId: gate.gateId, label: listing.label, tags: listing.tags ?? [] } : null,
    schedule: { startsAt: formatMoment(schedule?.startsAt), endsAt: formatMoment(schedule?.endsAt) },
    supply: supply === undefined ? { total: null, left: null, held: null } : await countSupply(gate, supply, tools),
    perWallet: perWallet ?? null,
    artifact: reward ? { type: reward.kind, label: reward.label ?? null } : null,
  }
}

/** A supply may have been lowered to fewer than are given out and held. */
async function countSupply(
  { id, fulfilledCount }: Gate,
  total: number,
  { db, now }: SnapshotTools,
): Promise<GateSnapshot['supply']> {
  const left = Math.max(0, total - fulfilledCount)
  return { total, left, held: left === 0 ? 0 : Math.min(left, await countHeld(db, id, now())) }
}

function describeCharge(price: Price, tools: PaymentTools): NonNullable<GateSnapshot['monetization']['charge']> {
  const checkout = price.methods.map(findPaymentMethod).find((method) => method?.opensCheckout)
  return {
    enabled: true,
    scheme: 'one_time',
    label: price.label ?? null,
    // For display: what is paid is reckoned from the text.
    amountUsd: Number(price.amountUsd),
    methods: price.methods.map(nameMethod),
    cardPayoutReady: checkout !== undefined && checkout.findMissingConfiguration(tools) === undefined,
    appliesTo: 'fulfillment',
    executionOrder: price.executionOrder ?? 'verifyThenCharge',
    reservationMinutes: tools.config.payments.reservationMinutes,
    refundThresholdPercent: price.refundThresholdPercent ?? standardRefundThreshold,
    ...(price.rewardAfter === undefined ? {} : { rewardAfter: price.rewardAfter }),
    recipient: price.recipient ?? null,
  }
}

/** Everything that needs no person runs as one batch; each interactive verifier is one of its own. */
function planFlow(requirements: Gate['definition']['requirements'], catalog: Catalog) {
  const provable = requirements.filter((one) => !isGuestList(one))
  const flows = new Map(provable.map(({ verifierId }) => [verifierId, catalog.known.get(verifierId)?.flow]))
  const interactive = [...flows.values()].filter((flow) => flow === 'interactive').length
  return {
    batches: interactive + (flows.size > interactive ? 1 : 0),
    hasInteractive: interactive > 0,
    hasBackground: [...flows.values()].includes('external_lookup'),
  }
}

function formatMoment(moment: string | undefined): string | null {
  const ms = moment === undefined ? undefined : parseMoment(moment)
  return ms === undefined ? null : new Date(ms).toISOString()
}
