/** The owner changes and reads the guest list of a gate, and a listed wallet takes its pass. */
import { randomBytes } from 'node:crypto'
import { type Credentials, requireCaller } from '../../auth/caller.ts'
import { makeAction } from '../../auth/owner-action.ts'
import { spendSignature } from '../../db/spent-signature.ts'
import { AppError } from '../../errors.ts'
import { requireRoomToWrite } from '../../http/admit-writes.ts'
import type { Parts } from '../../parts.ts'
import { mayMean, readNamedAccount, showAccount, writeAccount } from '../../wallet/account.ts'
import { findVisibleGate, makeGateNotFound } from '../access.ts'
import { nameRequirement } from '../definition/rule.ts'
import type { Gate } from '../gate.ts'
import { requireGateOwnerTest, requireOwnGate } from '../manage/own-gate.ts'
import { digestMembers, makeUsedSignatureError } from '../manage/signed-change.ts'
import { nameGateOwner } from '../owner.ts'
import { findGate } from '../store.ts'
import { hasGuestList, isGuestList, mostGuests, notListed } from './guest-list.ts'
import { findPass, storePass } from './pass-store.ts'
import { type ReadLines, readLines } from './read-lines.ts'
import { countGuests, countListed, isOnList, writeGuests } from './store.ts'

/** Texts of lines, each with one wallet. */
export interface GuestTexts {
  readonly replace?: string | undefined
  readonly add?: string | undefined
  readonly remove?: string | undefined
}

const members = ['replace', 'add', 'remove'] as const

/** What the owner signs: the texts themselves, by their digest. */
export const makeGuestsAction = (gateId: string, { replace, add, remove }: GuestTexts) =>
  makeAction('set_gate_guests', {
    gateId,
    digest: digestMembers({ replace, add, remove }),
  })

/** Changes the whole list, or nothing. Errors: those of requireCaller and requireOwnGate, VALIDATION_ERROR, CONFLICT. */
export async function changeGuests(parts: Parts, gateId: string, credentials: Credentials, texts: GuestTexts) {
  const caller = await requireCaller(credentials, () => [makeGuestsAction(gateId, texts)], parts, {
    about: await requireGateOwnerTest(parts, gateId),
    needs: 'profile',
  })
  const gate = await requireOwnGate(parts, gateId, caller)
  requireOneWay(texts)
  const read = {
    replace: await readText(texts.replace, parts),
    add: await readText(texts.add, parts),
    remove: await readText(texts.remove, parts, true),
  }
  requireNoFaults(read)
  const replaces = texts.replace !== undefined
  const add = replaces ? read.replace.guests : read.add.guests
  if (add.length > mostGuests) throw makeTooManyError(add.length)
  requireRoomToWrite(parts)
  const change = { replaces, add, remove: read.remove.guests }
  const outcome = await writeGuests(parts.db, gate, change, { now: parts.now(), first: spendSignature(caller.signed) })
  if (outcome === 'first') throw makeUsedSignatureError()
  if (outcome === 'gone') throw makeGateNotFound()
  if (outcome === 'too many') throw makeTooManyError(undefined)
  const duplicates = members.reduce((sum, member) => sum + read[member].duplicates, 0)
  const stillListed = await countListed(parts.db, gate.id, change.remove)
  return { gateId, ...outcome, duplicates, stillListed, totalCount: await countGuests(parts.db, gate.id) }
}

const nothing: ReadLines = { guests: [], duplicates: 0, faults: [], faultCount: 0 }

const readText = (text: string | undefined, { config }: Parts, toRemove = false): Promise<ReadLines> | ReadLines =>
  text === undefined ? nothing : readLines(text, config.signing.hubChainId, toRemove)

/** Errors: VALIDATION_ERROR. */
function requireOneWay({ replace, add, remove }: GuestTexts): void {
  const isChange = add !== undefined || remove !== undefined
  if (replace !== undefined && isChange)
    throw new AppError('VALIDATION_ERROR', 'replace is the whole list: give it without add and remove', {
      path: '/replace',
    })
  if (replace === undefined && !isChange)
    throw new AppError('VALIDATION_ERROR', 'give replace, add or remove: a text with one wallet on each line')
}

/** Errors: VALIDATION_ERROR. */
function requireNoFaults(read: Readonly<Record<(typeof members)[number], ReadLines>>): void {
  const faults = members.flatMap((member) => read[member].faults.map((fault) => ({ member, ...fault })))
  const [first] = faults
  if (!first) return
  const faultCount = members.reduce((sum, member) => sum + read[member].faultCount, 0)
  const more = faultCount > 1 ? ` ${faultCount - 1} more ${faultCount === 2 ? 'line is' : 'lines are'} faulty.` : ''
  const end = first.message.endsWith('?') ? '' : '.'
  throw new AppError(
    'VALIDATION_ERROR',
    `line ${first.line} of ${first.member} ${first.message}${end}${more} Nothing was changed`,
    { path: `/${first.member}`, faults, faultCount },
  )
}

const makeTooManyError = (count: number | undefined): AppError =>
  new AppError(
    'VALIDATION_ERROR',
    `a guest list has at most ${mostGuests} wallets${count === undefined ? ', and this change would make it longer' : `, and this one has ${count}`}. Nothing was changed`,
    { limit: mostGuests },
  )

export const passAction = (gateId: string) => makeAction('take_gate_pass', { gateId })

export interface PassRequest {
  readonly gateId: string
  /** The one of a signed-in person's wallets that is meant. */
  readonly walletAddress?: string | undefined
}

/**
 * The pass of a listed wallet, made once. A wallet that left the list gets it again as withdrawn, where something was
 * given or paid for it. Errors: those of requireCaller, GATE_NOT_FOUND, GATE_REQUIREMENTS_NOT_MET, CONFLICT.
 */
export async function takePass(parts: Parts, credentials: Credentials, { gateId, walletAddress }: PassRequest) {
  const { db, config, now } = parts
  const { hubChainId } = config.signing
  const named = walletAddress === undefined ? undefined : readNamedAccount(walletAddress, hubChainId)
  const caller = await requireCaller(credentials, () => [passAction(gateId)], parts, {
    about: (account) => named !== undefined && mayMean(named, account),
  })
  const stored = await findGate(parts, gateId)
  const wallet = writeAccount(caller)
  const earlier = stored && (await findPass(db, stored.id, wallet))
  const isListed = stored !== undefined && (await isOnList(db, stored.id, wallet, hubChainId))
  const show = (qHash: string) =>
    ({ gateId, qHash, status: isListed ? 'valid' : 'withdrawn', ...showAccount(caller) }) as const
  if (earlier && (isListed || earlier.isNamed)) return show(earlier.pass)
  const gate = findVisibleGate(stored, nameGateOwner(caller))
  if (!gate) throw makeGateNotFound()
  if (!hasGuestList(gate.definition))
    throw new AppError('GATE_REQUIREMENTS_NOT_MET', 'this gate has no guest list: name a proof that it asks for', {
      missing: [],
    })
  if (!isListed) throw makeNotListedError(gate, earlier?.pass)
  requireRoomToWrite(parts)
  const pass = `0x${randomBytes(32).toString('hex')}`
  await storePass(db, { pass, gate: gate.id, wallet, now: now() }, spendSignature(caller.signed))
  const made = await findPass(db, gate.id, wallet)
  if (!made) throw new AppError('CONFLICT', 'this signature was used before: sign again with a new signedTimestamp')
  return show(made.pass)
}

/** Nothing to prove: only the owner of the gate can help. `pass`: the one that the wallet had. */
export function makeNotListedError(
  { definition: { requirements } }: Pick<Gate, 'definition'>,
  pass: string | undefined,
): AppError {
  const why = pass === undefined ? notListed : `${notListed} any more, and its pass is withdrawn`
  return new AppError('GATE_REQUIREMENTS_NOT_MET', `${why}. There is nothing to prove: ask the owner of the gate`, {
    missing: requirements.flatMap((one, at) =>
      isGuestList(one) ? [{ id: nameRequirement(one, at), verifierId: one.verifierId, needed: 1, found: 0 }] : [],
    ),
    ...(pass === undefined ? {} : { withdrawnPass: pass }),
  })
}
