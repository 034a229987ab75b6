/**
 * `proofgate gates plan` and `apply`: the changes of a policy file, line by line, and their application in one write.
 */

import type { Change } from '../gates/change.ts'
import type { DefineTools } from '../gates/definition/define.ts'
import type { GateDefinition } from '../gates/gate.ts'
import { listOwnGates } from '../gates/manage/outline-store.ts'
import { type Plan, type PlanTools, planGate } from '../gates/manage/plan.ts'
import { nameGateOwner, parseOwner } from '../gates/owner.ts'
import { findGate, writeChanges } from '../gates/store.ts'
import { mapInOrder } from '../in-order.ts'
import { exitCodes, type Terminal, UnavailableError, UsageError } from './command.ts'
import type { FolderParts } from './data-folder.ts'
import { escapeInvisible } from './escape-invisible.ts'
import { type FileFinding, readPolicyFile } from './gates-file.ts'
import { writeDifference } from './gates-lines.ts'
import { makePalette } from './palette.ts'
import { requireAccount } from './wallet-argument.ts'

export interface ApplyRequest {
  readonly file: string
  /** The value of --owner. */
  readonly owner: string | undefined
  /** False: only shows the changes. */
  readonly isApply: boolean
  readonly isConfirmed: boolean
  readonly asJson: boolean
}

/** The parts of a server that the commands of this file need. */
export type GateTools = PlanTools & DefineTools & Pick<FolderParts, 'config' | 'db'>

/** The largest value of gates.per_owner. */
export const mostOwned = 100_000

export async function applyFile(parts: GateTools, request: ApplyRequest, terminal: Terminal): Promise<number> {
  const { file, asJson, isApply, isConfirmed } = request
  const { policy, findings } = await readPolicyFile(file, { terminal, define: parts })
  if (!policy) {
    refuse(findings, asJson, terminal)
    return exitCodes.usage
  }
  const owner = await findOwner(parts, policy.owner, request.owner)
  const definitions = policy.gates.map(({ definition }) => definition)
  const isStored = isApply && isConfirmed
  const plans = isStored ? await carryOut(parts, definitions, owner) : await planGates(parts, definitions, owner)
  const others = (await listOwnGates(parts, owner, { limit: mostOwned }))
    .map(({ gateId }) => gateId)
    .filter((gateId) => !plans.some((plan) => plan.gateId === gateId))
  const changed = plans.filter(({ outcome }) => outcome !== 'unchanged').length
  const done = { file, owner, plans, findings, others, changed, isStored }
  terminal.out(asJson ? `${JSON.stringify(toData(done))}\n` : report(done, terminal))
  if (isApply && !isConfirmed && changed > 0) {
    terminal.err('proofgate: nothing was changed: add --yes to apply this plan\n')
    return exitCodes.negative
  }
  return exitCodes.done
}

async function findOwner(parts: GateTools, inFile: string | undefined, given: string | undefined): Promise<string> {
  const [one, other] = await mapInOrder([inFile, given], async (text) =>
    text === undefined ? undefined : await requireOwner(parts, text),
  )
  if (one !== undefined && other !== undefined && one !== other)
    throw new UsageError(`--owner is not the owner that the file names (${one})`)
  const owner = other ?? one
  if (owner === undefined)
    throw new UsageError(
      'the owner of these gates is missing: write owner = "0x…" at the top of the file, or give --owner WALLET',
    )
  return owner
}

/** Errors: UsageError. */
export async function requireOwner(parts: GateTools, text: string): Promise<string> {
  const owner = text.startsWith('did:') ? nameGateOwner(await requireAccount(parts, text)) : parseOwner(text)
  if (owner === undefined)
    throw new UsageError(
      'the owner must be a wallet address, <chain>:<address> for a contract wallet, or the did:pkh of a person who signed in here',
    )
  return owner
}

const planGates = (parts: GateTools, definitions: readonly GateDefinition[], owner: string): Promise<Plan[]> =>
  mapInOrder(definitions, (definition) => planGate(parts, { definition, owner, author: 'operator' }))

const mostTries = 5

const readGateId = (change: Change): string => (change.kind === 'create' ? change.gateId : change.base.gateId)
/** One order for all files, so that two of them never wait for each other. */
const compareGates = (a: Change, b: Change): number => (readGateId(a) < readGateId(b) ? -1 : 1)

/** All gates of the file, or none. If an owner changes one between the plan and the write, the plan is made again. */
async function carryOut(parts: GateTools, definitions: readonly GateDefinition[], owner: string): Promise<Plan[]> {
  for (let tries = 1; tries <= mostTries; tries++) {
    const plans = await planGates(parts, definitions, owner)
    const changes = plans.flatMap(({ change }): Change[] => (change ? [change] : [])).toSorted(compareGates)
    if (changes.length === 0) return plans
    const outcome = await writeChanges(parts, changes, parts.now())
    if (outcome === 'stored') return plans
    const refused = outcome === 'first' ? undefined : changes[outcome.refused]
    if (refused?.kind === 'create' && !(await findGate(parts, refused.gateId)))
      throw new UsageError(
        `a wallet may own ${parts.config.gates.perOwner} gates, deleted ones included: raise gates.per_owner. Nothing was changed`,
      )
  }
  throw new UnavailableError('somebody else is changing these gates: try again')
}

function refuse(findings: readonly FileFinding[], asJson: boolean, terminal: Terminal): void {
  if (asJson) terminal.out(`${JSON.stringify({ ok: false, findings })}\n`)
  else terminal.err(`${findings.map(({ message }) => escapeInvisible(message)).join('\n')}\nNothing was changed.\n`)
}

interface Done {
  readonly file: string
  readonly owner: string
  readonly plans: readonly Plan[]
  readonly findings: readonly FileFinding[]
  /** Gates of the owner that the file does not name. */
  readonly others: readonly string[]
  readonly changed: number
  readonly isStored: boolean
}

const toData = ({ file, owner, plans, findings, others, isStored }: Done) => ({
  ok: true,
  file,
  owner,
  applied: isStored,
  gates: plans.map(({ change: _, ...plan }) => plan),
  others,
  findings,
})

function report({ file, owner, plans, findings, others, changed, isStored }: Done, terminal: Terminal): string {
  const { bold, dim, yellow } = makePalette(terminal.isPerson)
  const signs = { created: '+', changed: '~', unchanged: ' ' } as const
  const writeHeading = ({ gateId, outcome, version }: Plan): string =>
    `${signs[outcome]} ${bold(gateId)}  ${outcome === 'created' ? 'new' : outcome === 'changed' ? `changes, version ${version}` : dim(`unchanged, version ${version}`)}`
  const count = changed === 1 ? '1 gate' : `${changed} gates`
  return [
    `${isStored ? 'Applied' : 'Plan for'} ${escapeInvisible(file)}, gates of ${owner}:`,
    '',
    ...plans.flatMap((plan) => [
      writeHeading(plan),
      ...writeDifference(plan.difference, terminal.isPerson).map((line) => `    ${line}`),
    ]),
    '',
    ...findings.map(({ message }) => yellow(`Note: ${escapeInvisible(message)}`)),
    ...(others.length > 0 ? [`Not in this file, and left as they are: ${others.join(', ')}.`] : []),
    changed === 0 ? 'Nothing to change.' : `${count} ${isStored ? 'changed.' : 'would change.'}`,
    '',
  ].join('\n')
}
