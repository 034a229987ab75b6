/**
 * The owner's operations on gates: apply, roll back, pause, archive, delete, and read. Each change is one guarded batch with its
 * signature. So a signature acts once, and two simultaneous changes cannot mix.
 */

import { type Caller, type Credentials, requireCaller } from '../../auth/caller.ts'
import { makeAction, type NeededAction } from '../../auth/owner-action.ts'
import { requireScope } from '../../auth/scope.ts'
import type { WritePurpose } from '../../db/db.ts'
import { spendSignature, trySpendSignature } from '../../db/spent-signature.ts'
import { CanonicalJsonError, writeCanonicalJson } from '../../envelope/canonical-json.ts'
import { AppError } from '../../errors.ts'
import { nameMember } from '../../member-name.ts'
import type { Parts } from '../../parts.ts'
import type { Change } from '../change.ts'
import { checkDefinition } from '../definition/define.ts'
import { type Finding, makeError } from '../definition/finding.ts'
import { fillKeptValues } from '../definition/kept-values.ts'
import { makeFindingsError } from '../definition/refuse-findings.ts'
import { checkShape } from '../definition/shape.ts'
import { listUnsupported } from '../definition/support.ts'
import { type Gate, type GateDefinition, GateId, type GateStatus, gateIdPattern } from '../gate.ts'
import {
  applyGateAction,
  archiveGateAction,
  deleteGateAction,
  makeRollbackAction,
  makeStatusAction,
  nameGateOwner,
} from '../owner.ts'
import { findGate, writeChanges } from '../store.ts'
import { requireGateOwnerTest, requireOwnGate } from './own-gate.ts'
import { type Plan, planGate } from './plan.ts'
import { makeUsedSignatureError } from './signed-change.ts'
import { explainUnknownVersion, readVersionDefinition, requireApplicable } from './version.ts'

export interface Applied extends Omit<Plan, 'change'> {
  /** Warnings: what the gate does in part only. */
  readonly findings: readonly Finding[]
  /** False for a plan. */
  readonly isStored: boolean
}

export interface ApplyRequest {
  readonly definition: unknown
  readonly expectedVersion?: number | undefined
  readonly isPlan: boolean
}

/** Errors: those of requireCaller, VALIDATION_ERROR, GATE_MISCONFIGURED, CONFLICT. */
export async function applyGate(parts: Parts, credentials: Credentials, request: ApplyRequest): Promise<Applied> {
  const gateId = readGateId(request.definition)
  const caller = await requireCaller(credentials, applyGateAction(gateId, computeDigest(request.definition)), parts, {
    about: await requireGateOwnerTest(parts, gateId),
    needs: 'profile',
  })
  const filled = await fillKeptValues(parts, request.definition, nameGateOwner(caller))
  // The right to set a value's conditions amounts to the right to read it.
  if (filled.definition !== request.definition && 'identity' in credentials)
    requireScope(credentials.identity, 'secrets')
  if (filled.findings.length > 0) throw makeFindingsError(filled.findings)
  const { definition, findings } = checkDefinition(filled.definition, parts)
  if (!definition) throw makeFindingsError(findings)
  const { expectedVersion, isPlan } = request
  return carryOut(parts, caller, { definition, expectedVersion, isPlan, findings })
}

export interface RollbackRequest {
  readonly version: number
  readonly expectedVersion?: number | undefined
  readonly isPlan: boolean
}

/** Makes a new version with the text and the rewards of an old one. The status stays. Errors: as applyGate, NOT_FOUND. */
export async function rollbackGate(
  parts: Parts,
  gateId: string,
  credentials: Credentials,
  { version, expectedVersion, isPlan }: RollbackRequest,
): Promise<Applied> {
  const caller = await requireCaller(credentials, makeRollbackAction(gateId, version), parts, {
    about: await requireGateOwnerTest(parts, gateId),
    needs: 'profile',
  })
  const gate = await requireOwnGate(parts, gateId, caller)
  const definition = await readVersionDefinition(parts, gate, version)
  if (!definition) throw makeUnknownVersionError(version, gate)
  if ('identity' in credentials && definition.rewards?.some(({ value }) => value !== undefined))
    requireScope(credentials.identity, 'secrets')
  const findings = requireApplicable(definition, gate, parts)
  return carryOut(parts, caller, { definition, expectedVersion, isPlan, findings, restores: version })
}

export const makeUnknownVersionError = (version: number, gate: Gate) =>
  new AppError('NOT_FOUND', explainUnknownVersion(version, gate), {
    currentVersion: gate.version,
  })

interface CarriedOut {
  readonly definition: GateDefinition
  readonly expectedVersion: number | undefined
  readonly isPlan: boolean
  readonly findings: readonly Finding[]
  readonly restores?: number
}

/**
 * Another change may come between the read and the write. Then the plan is made again, unless the caller named a
 * version.
 */
const mostTries = 5

async function carryOut(
  parts: Parts,
  caller: Caller,
  { definition, expectedVersion, isPlan, findings, restores }: CarriedOut,
): Promise<Applied> {
  const owner = nameGateOwner(caller)
  for (let tries = 1; ; tries++) {
    const { change, ...plan } = await planGate(parts, {
      definition,
      owner,
      author: caller.wallet,
      expectedVersion,
      restores,
    })
    if (isPlan) return { ...plan, findings, isStored: false }
    if (!change) {
      await spendWithoutChange(parts, caller)
      return { ...plan, findings, isStored: true }
    }
    if (await writeChange(parts, change, caller)) return { ...plan, findings, isStored: true }
    if (change.kind === 'create' && !(await findGate(parts, definition.gateId))) throw makeTooManyGatesError(parts)
    if (tries === mostTries) throw makeBusyGateError()
  }
}

const makeBusyGateError = () =>
  new AppError('CONFLICT', 'other requests changed this gate while this one was under way: send it again')

const makeTooManyGatesError = ({ config }: Pick<Parts, 'config'>) =>
  new AppError(
    'CONFLICT',
    `a wallet may own ${config.gates.perOwner} gates here, deleted ones included: change one of yours, or ask the operator for more (gates.per_owner)`,
    { limit: config.gates.perOwner },
  )

/** False when another change came first. Errors: CONFLICT, when the signature was used for a change before. */
async function writeChange(parts: Parts, change: Change, caller: Caller): Promise<boolean> {
  // A signature that was read on its way must not bring back what its owner changed since.
  const outcome = await writeChanges(parts, [change], parts.now(), spendSignature(caller.signed))
  if (outcome === 'first') throw makeUsedSignatureError()
  return outcome === 'stored'
}

/** Errors: those of requireCaller, GATE_NOT_FOUND, FORBIDDEN, GATE_MISCONFIGURED, CONFLICT. */
export async function setGateStatus(
  parts: Parts,
  gateId: string,
  credentials: Credentials,
  status: Exclude<GateStatus, 'deleted'>,
): Promise<Gate> {
  const caller = await requireCaller(credentials, makeStatusAction(gateId, status), parts, {
    about: await requireGateOwnerTest(parts, gateId),
    needs: 'profile',
  })
  return changeState(parts, gateId, caller, makeStatusChange(status))
}

/** Puts a gate out of the default list of its owner, or in it again. People pass it as before. Errors: as setGateStatus. */
export async function archiveGate(
  parts: Parts,
  gateId: string,
  credentials: Credentials,
  isArchived: boolean,
): Promise<Gate> {
  const caller = await requireCaller(credentials, archiveGateAction(gateId, isArchived), parts, {
    about: await requireGateOwnerTest(parts, gateId),
    needs: 'profile',
  })
  return changeState(parts, gateId, caller, {
    isFulfilled: ({ archivedAt }) => (archivedAt !== null) === isArchived,
    make: (base, author) => ({ kind: 'archive', base, isArchived, author }),
    apply: (gate, now) => ({ ...gate, archivedAt: isArchived ? now : null }),
    purpose: 'mark',
  })
}

/** A deleted gate keeps its id, its versions and its payments, and is visible to no one. Errors: as setGateStatus. */
export async function deleteGate(parts: Parts, gateId: string, credentials: Credentials): Promise<void> {
  const caller = await requireCaller(credentials, deleteGateAction(gateId), parts, {
    about: await requireGateOwnerTest(parts, gateId),
    needs: 'profile',
  })
  await changeState(parts, gateId, caller, makeStatusChange('deleted'))
}

/**
 * A text that finds its wish fulfilled is spent as well: it must not undo what its owner changes later. Sent again while
 * the wish is fulfilled, it is answered as before.
 */
async function spendWithoutChange({ db }: Parts, { signed }: Caller, purpose: WritePurpose = 'store'): Promise<void> {
  await trySpendSignature(db, signed, { purpose })
}

/** A change beside the definition, which makes no version. */
interface StateChange {
  isFulfilled(gate: Gate): boolean
  requirePossible?(parts: Parts, gate: Gate): void
  make(base: Gate, author: string): Change
  apply(gate: Gate, now: number): Gate
  readonly purpose: WritePurpose
}

const makeStatusChange = (status: GateStatus): StateChange => ({
  isFulfilled: (gate) => gate.status === status,
  ...(status === 'active' ? { requirePossible: requireSupported } : {}),
  make: (base, author) => ({ kind: 'status', base, status, author }),
  apply: (gate, now) => ({ ...gate, status, updatedAt: now }),
  purpose: status === 'active' ? 'store' : 'mark',
})

/** The caller named no version, so a change that comes between the read and the write is followed by another try. */
async function changeState(parts: Parts, gateId: string, caller: Caller, wanted: StateChange): Promise<Gate> {
  for (let tries = 1; ; tries++) {
    const gate = await requireOwnGate(parts, gateId, caller)
    wanted.requirePossible?.(parts, gate)
    if (wanted.isFulfilled(gate)) {
      await spendWithoutChange(parts, caller, wanted.purpose)
      return gate
    }
    if (await writeChange(parts, wanted.make(gate, caller.wallet), caller)) return wanted.apply(gate, parts.now())
    if (tries === mostTries) throw makeBusyGateError()
  }
}

/** Errors: GATE_MISCONFIGURED. */
function requireSupported(parts: Parts, { definition }: Gate): void {
  const findings = listUnsupported(definition, parts)
  if (findings.some(({ level }) => level === 'error')) throw makeFindingsError(findings)
}

/** For a definition that came without a signature: the action as far as the definition tells it. */
export function makeApplyAction(definition: unknown): NeededAction {
  try {
    return makeAction('apply_gate', { gateId: readGateId(definition), digest: computeDigest(definition) })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { action: 'apply_gate' }
  }
}

/** Errors: VALIDATION_ERROR. */
function readGateId(definition: unknown): string {
  const gateId = (definition as { readonly gateId?: unknown } | null)?.gateId
  if (typeof gateId === 'string' && gateId.length <= 80 && new RegExp(gateIdPattern).test(gateId)) return gateId
  // Its other missing members are told as well.
  if (gateId === undefined) throw makeFindingsError(checkShape(definition))
  throw makeFindingsError([makeError(['gateId'], 'NOT_OF_FORM', { form: GateId.description ?? '', member: 'gateId' })])
}

/** Errors: VALIDATION_ERROR. */
function computeDigest(definition: unknown): string {
  try {
    return `0x${Bun.SHA256.hash(writeCanonicalJson(definition), 'hex')}`
  } catch (error) {
    if (!(error instanceof CanonicalJsonError)) throw error
    throw new AppError(
      'VALIDATION_ERROR',
      `definition has no canonical form to sign: ${nameMember(error.path, 'definition')} ${error.fault}`,
    )
  }
}
