/**
 * Tries a gate against a wallet, before or after it is published. The caller learns only the public answer of GET
 * /api/v1/proofs/check: public proofs and their public evidence. For their own wallet it includes private ones.
 */

import type { Account } from '../../auth/identity.ts'
import { AppError } from '../../errors.ts'
import type { Parts } from '../../parts.ts'
import { chooseHolder, findNamed, makeHolder } from '../../proofs/account-store.ts'
import { CheckWork } from '../../proofs/check-work.ts'
import { describeKind } from '../../shape.ts'
import { mayMean } from '../../wallet/account.ts'
import { evaluateGate, type GateEvaluation } from '../check/evaluate.ts'
import { type Explanation, explainGate } from '../check/explain.ts'
import type { Viewer } from '../check/find-matches.ts'
import { requireNamed } from '../check/request.ts'
import { checkDefinition } from '../definition/define.ts'
import { splitDefinition } from '../definition/normal-form.ts'
import { makeFindingsError } from '../definition/refuse-findings.ts'
import { countGranted } from '../fulfill/store.ts'
import type { Gate, KeptDefinition } from '../gate.ts'
import { nameGateOwner } from '../owner.ts'
import { findGate } from '../store.ts'

export interface Trial {
  readonly walletAddress: string
  /** Its proofs are enough, and the gate is open. */
  readonly passes: boolean
  readonly state: GateEvaluation['state']
  /** False when there were more proofs than were read. */
  readonly isComplete: boolean
  readonly countsPrivate: boolean
  readonly requirements: readonly Explanation[]
  /** Ids of those that stand in the way. */
  readonly missing: readonly string[]
  /** How often the wallet has had the reward; null for a gate that is not published. */
  readonly granted: number | null
}

export interface TrialRequest {
  readonly tried: { readonly gate: Gate } | { readonly definition: unknown }
  readonly walletAddress: string
  readonly wantsPrivate: boolean
  /** The caller's accounts. */
  readonly own: readonly Account[]
}

/** Errors: INVALID_WALLET_ADDRESS, VALIDATION_ERROR; those of the definition. */
export async function tryGate(parts: Parts, { tried, walletAddress, wantsPrivate, own }: TrialRequest): Promise<Trial> {
  const named = requireNamed(walletAddress, parts, '/wallet')
  const account = own.find((one) => mayMean(named, one))
  const viewer: Viewer = {
    holder: account ? makeHolder(account, account.contractOn ?? named.chain) : chooseHolder(named),
    withPrivate: wantsPrivate && account !== undefined,
    isOwner: account !== undefined,
    work: new CheckWork(),
  }
  const definition = 'gate' in tried ? tried.gate.definition : requireDefinition(parts, tried.definition)
  const gate = await findListOwner(parts, tried, definition, own)
  const evaluation = await evaluateGate(parts, { definition, ...(gate ? { id: gate.id } : {}) }, viewer)
  return {
    walletAddress: named.wallet,
    passes: evaluation.isSatisfied && evaluation.state === 'open',
    state: evaluation.state,
    isComplete: evaluation.requirements.every(({ isComplete }) => isComplete),
    countsPrivate: viewer.withPrivate,
    requirements: await explainGate(parts, viewer, evaluation),
    missing: evaluation.missing.map(({ id }) => id),
    granted:
      'gate' in tried
        ? await countGranted(parts.db, account ?? (await findNamed(parts.db, named)), tried.gate.id)
        : null,
  }
}

/** The published gate whose list is asked. Lists of other owners do not exist for the caller. */
async function findListOwner(
  parts: Parts,
  tried: TrialRequest['tried'],
  { gateId }: KeptDefinition,
  own: readonly Account[],
): Promise<Gate | undefined> {
  if ('gate' in tried) return tried.gate
  const gate = await findGate(parts, gateId)
  return gate && own.some((account) => nameGateOwner(account) === gate.owner) ? gate : undefined
}

/** Rewards and the price decide nothing here, and their values need not be known. */
function requireDefinition(parts: Parts, written: unknown): KeptDefinition {
  if (typeof written !== 'object' || written === null)
    throw new AppError(
      'VALIDATION_ERROR',
      `definition must be an object with members, and is ${describeKind(written)}`,
      {
        path: '/definition',
      },
    )
  const { rewards: _, price: __, ...decides } = written as Record<string, unknown>
  const { definition, findings } = checkDefinition(decides, parts, false)
  if (!definition) throw makeFindingsError(findings)
  return splitDefinition(definition).definition
}
