/** `proofgate gates list`, `show`, `rollback` and `remove`: gates of any owner, for the operator. */

import { compareDefinitions } from '../gates/definition/difference.ts'
import { writePath, writeSentence } from '../gates/definition/finding.ts'
import { showDefinition } from '../gates/definition/price-names.ts'
import { listUnsupported } from '../gates/definition/support.ts'
import type { Gate } from '../gates/gate.ts'
import { type GateOutline, listAllGates, listOwnGates } from '../gates/manage/outline-store.ts'
import { planGate } from '../gates/manage/plan.ts'
import { explainUnknownVersion, readVersionDefinition, requireApplicable } from '../gates/manage/version.ts'
import { findDefinition, findGate, listVersions, writeChanges } from '../gates/store.ts'
import { exitCodes, type Terminal, UnavailableError, UsageError } from './command.ts'
import { escapeInvisible, shorten } from './escape-invisible.ts'
import { type GateTools, mostOwned, requireOwner } from './gates-apply.ts'
import { writeDifference } from './gates-lines.ts'
import { makePalette } from './palette.ts'

const summarize = ({
  gateId,
  owner,
  status,
  version,
  fulfilledCount,
  name,
  updatedAt,
}: Omit<GateOutline, 'definitionBytes'>) => ({
  gateId,
  name,
  owner,
  status,
  version,
  fulfilledCount,
  updatedAt,
})

export async function listGates(
  parts: GateTools,
  owner: string | undefined,
  asJson: boolean,
  terminal: Terminal,
): Promise<number> {
  const gates =
    owner === undefined
      ? await listAllGates(parts)
      : await listOwnGates(parts, await requireOwner(parts, owner), { limit: mostOwned })
  if (asJson) {
    terminal.out(`${JSON.stringify({ gates: gates.map(summarize) })}\n`)
    return exitCodes.done
  }
  const width = Math.max(0, ...gates.map(({ gateId }) => gateId.length))
  const rows = gates.map(
    ({ gateId, status, version, fulfilledCount, name }) =>
      `${gateId.padEnd(width)}  ${status.padEnd(6)}  v${String(version).padEnd(4)} ${String(fulfilledCount).padStart(6)} fulfilled  ${shorten(escapeInvisible(name), 60)}`,
  )
  terminal.out(gates.length === 0 ? 'There are no gates.\n' : `${rows.join('\n')}\n`)
  return exitCodes.done
}

export async function showGate(
  parts: GateTools,
  gateId: string,
  wanted: number | undefined,
  asJson: boolean,
  terminal: Terminal,
): Promise<number> {
  const gate = await requireGate(parts, gateId)
  const version = wanted ?? gate.version
  const definition = await findDefinition(parts, gate.id, version)
  if (!definition) throw new UsageError(explainUnknownVersion(version, gate))
  const versions = await listVersions(parts, gate.id)
  const findings = version === gate.version ? listUnsupported(definition, parts) : []
  if (asJson) {
    const shownFindings = findings.map((one) => ({ path: writePath(one.path), message: one.message, level: one.level }))
    terminal.out(
      `${JSON.stringify({ ...summarize({ ...gate, name: gate.definition.name }), version, definition: showDefinition(definition), versions, findings: shownFindings })}\n`,
    )
    return exitCodes.done
  }
  const { bold, dim, yellow } = makePalette(terminal.isPerson)
  const lines = writeDifference(
    compareDefinitions(undefined, { definition, rewardValues: [], status: gate.status }),
    false,
  )
  terminal.out(
    [
      `${bold(gateId)}  ${gate.status}, version ${version}${version === gate.version ? '' : ` of ${gate.version}`}, owner ${gate.owner}`,
      '',
      ...lines.map((line) => `  ${line.slice(2)}`),
      '',
      ...findings.map((one) => yellow(`Note: ${escapeInvisible(writeSentence(one))}`)),
      `Fulfilled ${gate.fulfilledCount} times.`,
      'Versions:',
      ...versions.map(({ version, author, createdAt }) =>
        dim(`  ${version}  ${new Date(createdAt).toISOString()}  by ${author}`),
      ),
      '',
    ].join('\n'),
  )
  return exitCodes.done
}

export async function rollBack(
  parts: GateTools,
  gateId: string,
  version: number,
  asJson: boolean,
  terminal: Terminal,
): Promise<number> {
  const gate = await requireGate(parts, gateId)
  const definition = await readVersionDefinition(parts, gate, version)
  if (!definition) throw new UsageError(explainUnknownVersion(version, gate))
  requireApplicable(definition, gate, parts)
  const { change, ...plan } = await planGate(parts, {
    definition,
    owner: gate.owner,
    author: 'operator',
    restores: version,
  })
  if (change && (await writeChanges(parts, [change], parts.now())) !== 'stored')
    throw new UnavailableError('its owner changes this gate at the same time: try again')
  if (asJson) terminal.out(`${JSON.stringify({ applied: true, ...plan })}\n`)
  else
    terminal.out(
      [
        plan.outcome === 'unchanged'
          ? `${gateId} is as version ${version} already.`
          : `${gateId} is as in version ${version} again: this is version ${plan.version}.`,
        ...writeDifference(plan.difference, terminal.isPerson).map((line) => `    ${line}`),
        '',
      ].join('\n'),
    )
  return exitCodes.done
}

export async function removeGate(
  parts: GateTools,
  gateId: string,
  asJson: boolean,
  terminal: Terminal,
): Promise<number> {
  const gate = await requireGate(parts, gateId)
  const change = { kind: 'status', base: gate, status: 'deleted', author: 'operator' } as const
  if ((await writeChanges(parts, [change], parts.now())) !== 'stored')
    throw new UnavailableError('its owner changes this gate at the same time: try again')
  terminal.out(
    asJson
      ? `${JSON.stringify({ gateId, status: 'deleted' })}\n`
      : `${gateId} is deleted: nobody sees it any more. Its versions are kept, and applying a file brings it back.\n`,
  )
  return exitCodes.done
}

/** Errors: UsageError. */
export async function requireGate(parts: GateTools, gateId: string): Promise<Gate> {
  const gate = await findGate(parts, gateId)
  if (gate && gate.status !== 'deleted') return gate
  throw new UsageError(
    `the gate "${escapeInvisible(gateId).slice(0, 80)}" does not exist: "gates list" shows every gate`,
  )
}
