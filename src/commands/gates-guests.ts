/** `proofgate gates guests`: the guest list of a gate from a file, and its size. */
import { resolve } from 'node:path'
import { readSmallFile } from '../config/read-file.ts'
import { hasGuestList, mostGuests } from '../gates/guests/guest-list.ts'
import { type ReadLines, readLines } from '../gates/guests/read-lines.ts'
import { countGuests, writeGuests } from '../gates/guests/store.ts'
import { exitCodes, type Terminal, UnavailableError, UsageError } from './command.ts'
import type { GateTools } from './gates-apply.ts'
import { decodeText } from './gates-file.ts'
import { requireGate } from './gates-show.ts'

/** As much as a request may bring (gates/guests/routes.ts). */
const largestBytes = 1_000_000
const mostFaultsTold = 10

export interface GuestsRequest {
  readonly gateId: string
  /** Undefined: only tells the size. */
  readonly file: string | undefined
  readonly isConfirmed: boolean
  readonly asJson: boolean
}

/** The file is the whole list, in place of the one before. */
export async function setGuests(
  parts: GateTools,
  { gateId, file, isConfirmed, asJson }: GuestsRequest,
  terminal: Terminal,
): Promise<number> {
  const gate = await requireGate(parts, gateId)
  const before = await countGuests(parts.db, gate.id)
  const note = hasGuestList(gate.definition) ? '' : `Note: ${gateId} does not ask for its guest list yet.\n`
  if (file === undefined) {
    const words = `${gateId} has ${count(before)} on its guest list.\n${note}`
    terminal.out(asJson ? `${JSON.stringify({ gateId, totalCount: before })}\n` : words)
    return exitCodes.done
  }
  const { guests, duplicates } = await readGuestFile(file, parts, terminal)
  if (!isConfirmed) {
    const totalCount = guests.length
    const words = `${gateId} would have ${count(totalCount)} on its guest list, and has ${before} now.\n${note}`
    terminal.out(asJson ? `${JSON.stringify({ gateId, totalCount, duplicates, applied: false })}\n` : words)
    terminal.err('proofgate: nothing was changed: add --yes to set this list\n')
    return exitCodes.negative
  }
  const change = { replaces: true, add: guests, remove: [] }
  const outcome = await writeGuests(parts.db, gate, change, { now: parts.now(), by: 'command line' })
  if (typeof outcome === 'string') throw new UnavailableError('its owner changes this gate at the same time: try again')
  const done = { gateId, ...outcome, duplicates, totalCount: guests.length, applied: true }
  terminal.out(
    asJson
      ? `${JSON.stringify(done)}\n`
      : `${gateId} has ${count(guests.length)} on its guest list: ${outcome.added} added, ${outcome.removed} removed.\n${note}`,
  )
  return exitCodes.done
}

const count = (wallets: number): string => (wallets === 1 ? '1 wallet' : `${wallets} wallets`)

/** Errors: UsageError. */
async function readGuestFile(name: string, { config }: GateTools, terminal: Terminal): Promise<ReadLines> {
  const read = await readSmallFile(resolve(terminal.cwd, name), largestBytes)
  if (!('bytes' in read)) throw new UsageError(`${name}: ${read.problem}`)
  const lines = await readLines(decodeText(name, read.bytes), config.signing.hubChainId)
  if (lines.faultCount > 0)
    throw new UsageError(
      [
        ...lines.faults.slice(0, mostFaultsTold).map(({ line, message }) => `${name}:${line}: this line ${message}`),
        `${lines.faultCount === 1 ? '1 line is' : `${lines.faultCount} lines are`} faulty. Nothing was changed`,
      ].join('\n'),
    )
  if (lines.guests.length <= mostGuests) return lines
  throw new UsageError(
    `${name}: it has ${lines.guests.length} wallets, and a guest list has at most ${mostGuests}. Nothing was changed`,
  )
}
