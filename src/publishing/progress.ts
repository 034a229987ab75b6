/** Shows readers how far the recording of a proof has come (src/guides/wire.md, "Recording on chains"). */
import { type Static, Type } from '@sinclair/typebox'
import { listChains, type Publication, type PublishingPlan } from './publication.ts'

const Milliseconds = (description: string) =>
  Type.Union([Type.Integer({ description: `${description} Unix milliseconds.` }), Type.Null()])
const TxHash = Type.Union([Type.String(), Type.Null()], {
  description: 'Null before there is a transaction, and where somebody else had recorded the qHash before.',
})
const state = 'waiting, sent, mined, confirmed or failed.'

export const HubTransaction = Type.Object(
  {
    txHash: TxHash,
    timestamp: Milliseconds('The time the contract recorded.'),
    chainId: Type.Integer(),
    status: Type.String({ description: state }),
  },
  { description: 'The record on the hub chain, when it was asked for.' },
)

const Relay = Type.Object({
  success: Type.Boolean({ description: 'True once it is confirmed.' }),
  transactionHash: TxHash,
  timestamp: Milliseconds('The time the contract recorded.'),
  completedAt: Milliseconds('When this server saw that it is final, or gave up.'),
  chainId: Type.Integer(),
  status: Type.String({ description: state }),
  gasUsed: Type.Union([Type.String(), Type.Null()]),
  blockNumber: Type.Union([Type.Integer(), Type.Null()]),
  reason: Type.Optional(Type.String({ description: 'Why it failed.' })),
})

export const Crosschain = Type.Object(
  {
    status: Type.String({ description: 'initiated, propagating, propagated or failed.' }),
    hubTxHash: TxHash,
    initiated: Type.Integer({ description: 'When it was ordered. Unix milliseconds.' }),
    completed: Milliseconds('When the last chain was done; null until then.'),
    totalChains: Type.Integer({ description: 'The hub chain included.' }),
    finalized: Type.Integer({ description: 'How many of them hold it for good.' }),
    relayResults: Type.Record(Type.String(), Relay, { description: 'By chain id, without the hub chain.' }),
    createdVouchers: Type.Array(Type.String(), { description: 'Always empty.' }),
    revocations: Type.Optional(
      Type.Record(Type.String(), Relay, { description: 'By chain id, once the proof was revoked.' }),
    ),
  },
  { description: 'The recording on chains, when it was asked for.' },
)

export interface Progress {
  readonly hubTransaction?: Static<typeof HubTransaction>
  readonly targetChains: number[]
  readonly crosschain: Static<typeof Crosschain>
}

/** `orderedAt` in Unix milliseconds: that of the proof. */
export function readProgress(
  { hubChainId, targetChains }: PublishingPlan,
  publications: readonly Publication[],
  orderedAt: number,
): Progress {
  const timestamps = publications.filter(({ action }) => action === 'timestamp')
  const revocations = publications.filter(({ action }) => action === 'revoke')
  const hub = timestamps.find(({ chainId }) => chainId === hubChainId)
  const confirmed = timestamps.filter(({ state: reached }) => reached === 'confirmed')
  const isDone = timestamps.length > 0 && timestamps.every(({ finishedAt }) => finishedAt !== null)
  const total = listChains({ hubChainId, targetChains }).length
  return {
    ...(hub ? { hubTransaction: buildHubTransaction(hub) } : {}),
    targetChains: [...targetChains],
    crosschain: {
      status: readProgressWord(timestamps, isDone),
      hubTxHash: hub?.hashes.at(-1) ?? null,
      initiated: orderedAt,
      completed: isDone ? Math.max(orderedAt, ...timestamps.map((one) => computeCompletionTime(one) ?? 0)) : null,
      totalChains: total,
      finalized: confirmed.length,
      relayResults: groupRelays(timestamps.filter(({ chainId }) => chainId !== hubChainId)),
      createdVouchers: [],
      ...(revocations.length > 0 ? { revocations: groupRelays(revocations) } : {}),
    },
  }
}

function readProgressWord(timestamps: readonly Publication[], isDone: boolean): string {
  if (isDone) return timestamps.some(({ state: reached }) => reached === 'failed') ? 'failed' : 'propagated'
  return timestamps.some(({ state: reached }) => reached !== 'waiting') ? 'propagating' : 'initiated'
}

const buildHubTransaction = ({ hashes, recordedAt, chainId, state: reached }: Publication) => ({
  txHash: hashes.at(-1) ?? null,
  timestamp: recordedAt,
  chainId,
  status: reached,
})

const groupRelays = (publications: readonly Publication[]): Record<string, Static<typeof Relay>> =>
  Object.fromEntries(publications.map((publication) => [String(publication.chainId), buildRelay(publication)]))

/**
 * The clocks of a chain and of this server differ, and ours may be set back. The end is never before the order or the
 * record.
 */
const computeCompletionTime = ({
  askedAt,
  recordedAt,
  finishedAt,
}: Pick<Publication, 'askedAt' | 'recordedAt' | 'finishedAt'>) =>
  finishedAt === null ? null : Math.max(finishedAt, recordedAt ?? 0, askedAt)

const buildRelay = ({ state: reached, hashes, reason, ...rest }: Publication): Static<typeof Relay> => ({
  success: reached === 'confirmed',
  transactionHash: hashes.at(-1) ?? null,
  timestamp: rest.recordedAt,
  completedAt: computeCompletionTime(rest),
  chainId: rest.chainId,
  status: reached,
  gasUsed: rest.gasUsed,
  blockNumber: rest.blockNumber,
  ...(reason === null ? {} : { reason }),
})
