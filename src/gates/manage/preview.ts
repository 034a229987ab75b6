/**
 * Previews a definition, or the text of a policy file: normalized, in plain words, with its findings and its changes.
 * It stores nothing, and accepts everything with a shape, because drafts are always unfinished.
 */

import { AppError } from '../../errors.ts'
import { filterInOrder, mapInOrder } from '../../in-order.ts'
import type { Parts } from '../../parts.ts'
import type { Language } from '../../web/languages.ts'
import { checkDefinition } from '../definition/define.ts'
import { type Finding, makeError, writePath } from '../definition/finding.ts'
import type { FindingCode } from '../definition/finding-codes.ts'
import { fillKeptValues } from '../definition/kept-values.ts'
import { splitDefinition } from '../definition/normal-form.ts'
import { listPlainLines, type PlainLine } from '../definition/plain-words.ts'
import { type PolicyGate, readPolicy } from '../definition/policy-file.ts'
import {
  buildTold,
  type ParsedText,
  type PolicyFormat,
  parsePolicyText,
  type TextFault,
} from '../definition/policy-text.ts'
import { replaceMethodNames } from '../definition/price-names.ts'
import { showFinding } from '../definition/refuse-findings.ts'
import type { WordTools } from '../definition/requirement-words.ts'
import { checkShape, mostFindings } from '../definition/shape.ts'
import { countJsonBytes } from '../definition/summary.ts'
import type { GateDefinition, GateStatus, KeptDefinition } from '../gate.ts'
import { findGate } from '../store.ts'
import { countDefinitionBytes } from './outline-store.ts'
import { type Plan, planGate } from './plan.ts'

export interface GatePreview {
  readonly gateId: string
  /** In the one spelling, without reward values. Undefined where it is not finished. */
  readonly definition: KeptDefinition | undefined
  readonly status: GateStatus
  readonly lines: readonly PlainLine[]
  /** Undefined where it cannot be published as it is: the id is another owner's. */
  readonly plan: Pick<Plan, 'outcome' | 'version' | 'difference'> | undefined
  /** 0 for a gate that does not exist, or not any more. */
  readonly currentVersion: number
}

export interface Preview {
  readonly findings: readonly ToldFinding[]
  /** Empty where there is no definition of the right shape. */
  readonly gates: readonly GatePreview[]
  /** Gates of a file that were checked and are not told. */
  readonly untold?: number
}

export interface ToldFinding extends Pick<Finding, 'code' | 'values'> {
  readonly path: string
  readonly message: string
  readonly level: Finding['level']
  /** The line in the text, from 1. */
  readonly line?: number
}

/** The number of gates of a file that are shown in full: the others are checked as well. */
const mostTold = 20
/** Bytes of the definitions that are compared for that, those of the file and those that are published. */
const mostCompared = 500_000

/** Who reads the preview, and in which language its sentences are. Default: English. */
export interface Reader {
  readonly owner: string
  readonly language?: Language | undefined
}

export async function previewDefinition(parts: Parts, definition: unknown, reader: Reader): Promise<Preview> {
  const filled = await fillKeptValues(parts, replaceMethodNames(definition), reader.owner)
  const shape = checkShape(filled.definition)
  if (shape.length > 0) {
    const findings = [...filled.findings, ...shape].map((one) => tellFinding(one))
    return {
      findings,
      // A full list may hide what is no gap.
      gates:
        shape.length < mostFindings && shape.every(isGap)
          ? [await previewUnfinished(parts, filled.definition as GateDefinition, reader)]
          : [],
    }
  }
  const known = filled.definition as GateDefinition
  const { findings } = checkDefinition(known, parts)
  const { gate, fault } = await previewGate(parts, known, reader)
  // A value that could not be kept is reported once.
  const isReported = ({ path }: Finding): boolean =>
    path[2] === 'value' && filled.findings.some((one) => one.path[1] === path[1])
  const rest = findings.filter((one) => !isReported(one))
  return {
    findings: [...filled.findings, ...(fault ? [fault] : []), ...rest].map((one) => tellFinding(one)),
    gates: [gate],
  }
}

/** A part that the author has not filled in yet. The rest can be shown all the same. */
const isGap = ({ path, code }: Finding): boolean =>
  /^(name|price\.methods|price\.amountUsd|rewards\[\d+\]\.value|requirements\[\d+\]\.match\[\d+\]\.value)$/.test(
    writePath(path),
  ) && gapCodes.has(code)

const gapCodes: ReadonlySet<FindingCode> = new Set(['EMPTY', 'TOO_FEW', 'NOT_OF_FORM'])

async function previewUnfinished(parts: Parts, definition: GateDefinition, reader: Reader): Promise<GatePreview> {
  const { gateId } = definition
  const { lines, status, currentVersion } = await tell(parts, definition, reader)
  return { gateId, definition: undefined, status, lines, plan: undefined, currentVersion }
}

/** The text of a file, as `proofgate gates apply` reads it, without the files that it refers to. */
export async function previewText(parts: Parts, text: string, format: PolicyFormat, reader: Reader): Promise<Preview> {
  const parsed = refuseTooMuch(text, format) ?? parsePolicyText(text, format)
  if ('fault' in parsed) return { findings: [refuseUnreadable(parsed)], gates: [] }
  const policy = readPolicy(parsed.value, parsed.spelling, { ...parts, isForHere: true, valueFrom: () => notHere })
  const findings = policy.findings.map((one) => tellFinding(one, parsed.lines))
  if (!policy.gates) return { findings, gates: [] }
  const previews = await mapInOrder(await compareFile(parts, policy.gates), ({ definition }) =>
    previewGate(parts, definition, reader),
  )
  return {
    findings: [
      ...findings,
      ...previews.flatMap(({ fault }, at) => (fault ? [tellFinding(placeBelow(fault, at))] : [])),
    ],
    gates: previews.map(({ gate }) => gate),
    untold: policy.gates.length - previews.length,
  }
}

/** The first gates of a file, and at least one. */
function compareFile(parts: Parts, gates: readonly PolicyGate[]): Promise<readonly PolicyGate[]> {
  let room = mostCompared
  return filterInOrder(gates.slice(0, mostTold), async ({ definition }, at) => {
    if (room > 0) room -= countJsonBytes(definition) + (await countDefinitionBytes(parts, definition.gateId))
    return room > 0 || at === 0
  })
}

/** Bytes in UTF-8. A file of a hundred gates fits; the command line reads larger ones. */
const longestToml = 65_536

function refuseTooMuch(text: string, format: PolicyFormat): TextFault | undefined {
  if (format !== 'toml' || Buffer.byteLength(text) <= longestToml) return undefined
  return {
    fault: `this is more TOML than a server reads (${longestToml} bytes): apply it with \`proofgate gates apply\`, or send one gate of it, or JSON`,
  }
}

/** A file from a browser must not name what lies on the server. */
const notHere = {
  fault: 'names what lies beside the file, where only the command line finds it: write the value itself',
}

const refuseUnreadable = ({ fault, line, path = [] }: TextFault): ToldFinding => ({
  ...showFinding(makeError(path, 'UNREADABLE_TEXT', { why: fault })),
  ...(line === undefined ? {} : { line }),
})
const placeBelow = (finding: Finding, at: number): Finding => ({ ...finding, path: ['gates', at, ...finding.path] })

const tellFinding = (finding: Finding, lines?: ParsedText['lines']): ToldFinding => ({
  ...showFinding(finding),
  ...buildTold(finding, lines),
})

async function previewGate(
  parts: Parts,
  definition: GateDefinition,
  reader: Reader,
): Promise<{ readonly gate: GatePreview; readonly fault?: Finding }> {
  const { plan, fault } = await planPreview(parts, definition, reader.owner)
  return {
    gate: { gateId: definition.gateId, ...(await tell(parts, definition, reader)), plan },
    ...(fault ? { fault } : {}),
  }
}

async function tell(parts: Parts, written: GateDefinition, { owner, language }: Reader) {
  const current = await findGate(parts, written.gateId)
  const own = current?.owner === owner && current.status !== 'deleted' ? current : undefined
  const { definition } = splitDefinition(written)
  const status = written.status ?? own?.status ?? 'active'
  return {
    definition,
    status,
    lines: listPlainLines(definition, status, makeWordTools(parts, language)),
    currentVersion: own?.version ?? 0,
  }
}

async function planPreview(
  parts: Parts,
  definition: GateDefinition,
  owner: string,
): Promise<{ readonly plan?: GatePreview['plan']; readonly fault?: Finding }> {
  try {
    const { outcome, version, difference } = await planGate(parts, { definition, owner, author: owner })
    return { plan: { outcome, version, difference } }
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'CONFLICT') throw error
    return {
      fault: makeError(['gateId'], error.details.path === 'gateId' ? 'ID_TAKEN' : 'NOT_PUBLISHABLE', {
        why: error.message,
      }),
    }
  }
}

const makeWordTools = ({ outside, catalog }: Pick<Parts, 'outside' | 'catalog'>, language?: Language): WordTools => ({
  language,
  verifiers: catalog.known,
  chainName: (chainId) =>
    outside.chains.all.find((chain) => (chain.kind === 'evm' ? String(chain.chainId) : chain.chain) === chainId)?.name,
})
