/** Whether the caller's proofs, the named one among them, meet what a gate asks for. */

import type { Caller } from '../../auth/caller.ts'
import { AppError } from '../../errors.ts'
import type { Parts } from '../../parts.ts'
import { makeHolder } from '../../proofs/account-store.ts'
import { CheckWork } from '../../proofs/check-work.ts'
import type { ProofRow } from '../../proofs/proof.ts'
import { isUnknown, nameAccount, writeChain } from '../../wallet/account.ts'
import { evaluateGate, type GateEvaluation } from '../check/evaluate.ts'
import type { Viewer } from '../check/find-matches.ts'
import type { Gate } from '../gate.ts'
import { makeNotListedError } from '../guests/change-guests.ts'
import { hasGuestList, isGuestList, notListed } from '../guests/guest-list.ts'
import { isPass } from '../guests/pass-store.ts'

/**
 * The wallet's proofs together must meet the gate, private ones included. The named proof must contribute: it is the
 * one that is spent. Errors: GATE_REQUIREMENTS_NOT_MET, GATE_CHECK_INCOMPLETE.
 */
export async function requireRequirements(parts: Parts, gate: Gate, proof: ProofRow, caller: Caller): Promise<MetGate> {
  return requireMet(await evaluateRequirements(parts, gate, proof, caller), gate, proof)
}

/** A met gate: by the wallet's proofs together, and the part that the named one meets alone. */
export interface MetGate {
  readonly whole: GateEvaluation
  readonly named: GateEvaluation
}

interface Evaluations extends Pick<MetGate, 'whole'> {
  readonly readNamed: () => Promise<GateEvaluation>
  readonly work: CheckWork
}

/** `without`: proofs that do not count, by the id of the requirement. */
export async function evaluateRequirements(
  parts: Parts,
  gate: Gate,
  proof: ProofRow,
  caller: Caller,
  without?: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<Evaluations> {
  const work = new CheckWork()
  const pass = isPass(proof) ? proof.qHash : undefined
  const question = { ...chooseViewer(parts, proof, caller), work, without, pass }
  return {
    whole: await evaluateGate(parts, gate, question),
    readNamed: () => evaluateGate(parts, gate, { ...question, only: proof.qHash }),
    work,
  }
}

/** The caller's own proofs, and those that may be the caller's on the chain of the named one. */
function chooseViewer(parts: Parts, proof: ProofRow, caller: Caller): Omit<Viewer, 'work'> {
  const chain = isUnknown(proof.account)
    ? writeChain(proof.context)
    : nameAccount(caller, parts.config.signing.hubChainId).chain
  return { holder: makeHolder(caller, chain), withPrivate: true, isOwner: true }
}

/** Errors: those of requireRequirements. */
export async function requireMet(
  { whole, readNamed, work }: Evaluations,
  gate: Gate,
  proof: ProofRow,
): Promise<MetGate> {
  const { qHash } = proof
  const { isSatisfied, missing } = whole
  if (!isSatisfied && work.wasStopped) throw makeIncompleteError(gate)
  const provable = missing.filter((one) => !isGuestList(one))
  if (!isSatisfied && provable.length === 0) throw makeNotListedError(gate, isPass(proof) ? qHash : undefined)
  if (!isSatisfied)
    throw new AppError(
      'GATE_REQUIREMENTS_NOT_MET',
      `${provable.length < missing.length ? `${notListed}, and it` : 'this wallet'} lacks proofs that the gate requires: ${provable.map(({ id, verifierId }) => `${id} (${verifierId})`).join(', ')}. GET /api/v1/proofs/check with gateId and explain=true says what would make it pass`,
      {
        missing: missing.map(({ id, verifierId, needed, matched }) => ({
          id,
          verifierId,
          needed,
          found: matched.length,
        })),
      },
    )
  const named = await readNamed()
  const { requirements } = named
  if (requirements.some(({ matched }) => matched.includes(qHash))) return { whole, named }
  if (work.wasStopped) throw makeIncompleteError(gate)
  if (requirements.some((one) => isGuestList(one) && one.pass === 'withdrawn'))
    throw new AppError(
      'GATE_REQUIREMENTS_NOT_MET',
      `this pass is withdrawn, because its wallet is not on the list any more. The wallet meets the gate by other proofs: name one of ${requirements
        .filter((one) => !isGuestList(one))
        .map(({ verifierId }) => verifierId)
        .join(', ')}`,
      { missing: [], withdrawnPass: qHash },
    )
  throw new AppError(
    'GATE_REQUIREMENTS_NOT_MET',
    `this wallet meets the gate, but not by this proof: name one that it asks for (${requirements.map(({ verifierId }) => verifierId).join(', ')})${hasGuestList(gate.definition) ? `, or the pass of this wallet from POST /api/v1/profile/gates/${gate.gateId}/pass` : ''}`,
    { missing: [], verifierIds: [...new Set(requirements.map(({ verifierId }) => verifierId))] },
  )
}

const makeIncompleteError = ({ gateId }: Gate): AppError =>
  new AppError(
    'GATE_CHECK_INCOMPLETE',
    `this server stopped checking the gate ${gateId} at its limit of work, so it is not known whether the wallet passes. Nothing was charged: ask the owner of the gate for fewer or shorter conditions`,
    { gateId, complete: false },
  )
