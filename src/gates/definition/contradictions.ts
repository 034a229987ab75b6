/**
 * Finds statements of a well-formed definition that are impossible, or cannot be intended. It reads only the
 * definition.
 */

import { isLoopbackHost } from '../../http/loopback.ts'
import { findUnseen, hasSeen } from '../../plain-label.ts'
import { parseWebUrl } from '../../web-url.ts'
import type { GateDefinition, GateRequirement, GateReward } from '../gate.ts'
import { isGuestList, proofMembers } from '../guests/guest-list.ts'
import { readSchedule } from '../schedule.ts'
import { type Finding, makeError, makeWarning, type Path } from './finding.ts'
import { listRuleIds, nameRequirement } from './rule.ts'
import { findUnknownIds } from './rule-findings.ts'

/** Paths below /api/v1/profile/gates, and below /gates in the dashboard, that are no gate. */
const reservedIds = new Set(['discoverable', 'new'])

export const listContradictions = (definition: GateDefinition, now: number): Finding[] => [
  ...(reservedIds.has(definition.gateId) ? [makeError(['gateId'], 'RESERVED_ID')] : []),
  ...checkTexts(definition),
  ...checkRequirements(definition),
  ...checkGuestList(definition),
  ...scheduleFindings(definition, now),
  ...limitFindings(definition),
  ...(definition.rewards ?? []).flatMap((reward, at) => rewardFindings(reward, ['rewards', at])),
  ...checkListing(definition),
]

/** Of a name, every character is seen (plain-label.ts). Half a surrogate pair is no text. */
function checkTexts({ name, description, price, rewards = [], listing }: GateDefinition): Finding[] {
  const lines: (readonly [Path, string | undefined])[] = [
    [['name'], name],
    [['price', 'label'], price?.label],
    [['listing', 'label'], listing?.label],
    ...(listing?.tags ?? []).map((tag, at) => [['listing', 'tags', at], tag] as const),
    ...rewards.map(({ label }, at) => [['rewards', at, 'label'], label] as const),
  ]
  const texts: (readonly [Path, string | undefined])[] = [
    [['description'], description],
    ...rewards.flatMap(({ message, value }, at): (readonly [Path, string | undefined])[] => [
      [['rewards', at, 'message'], message],
      [['rewards', at, 'value'], value],
    ]),
  ]
  return [
    ...lines.flatMap(([path, text]) => {
      if (!text?.isWellFormed()) return []
      const found = findUnseen(text)
      if (found) return [makeError(path, 'CONTROL_CHARACTER', found)]
      return hasSeen(text) ? [] : [makeError(path, 'ONLY_SPACES')]
    }),
    ...[...lines, ...texts].flatMap(([path, text]) =>
      text?.isWellFormed() === false ? [makeError(path, 'HALF_CHARACTER')] : [],
    ),
  ]
}

const decimal = /^-?\d{1,78}(\.\d{1,78})?$/

function checkRequirements({ requirements, rule }: GateDefinition): Finding[] {
  const ids = requirements.map(nameRequirement)
  const twice = ids.flatMap((id, at) =>
    ids.indexOf(id) < at ? [makeError(['requirements', at, 'id'], 'REPEATED_ID', { id, first: ids.indexOf(id) })] : [],
  )
  const rows = requirements.flatMap(({ match = [] }, at) =>
    match.flatMap(({ op, value }, row) => {
      const path = ['requirements', at, 'match', row, 'value']
      // No evidence is empty: such a gate would admit no one.
      if (value.trim() === '') return [makeError(path, 'CONDITION_EMPTY')]
      return op !== 'eq' && !decimal.test(value) ? [makeError(path, 'CONDITION_NOT_NUMBER', { op })] : []
    }),
  )
  if (twice.length > 0) return [...twice, ...rows]
  if (rule === undefined)
    return requirements.every(({ optional }) => optional)
      ? [...rows, makeWarning(['requirements'], 'ALL_OPTIONAL')]
      : rows
  const tree = findUnknownIds(rule, ids)
  return [...rows, ...(tree.length > 0 ? tree : listUnnamed(listRuleIds(rule), requirements))]
}

/** A list says nothing of proofs, and a gate has one list. */
function checkGuestList({ requirements }: GateDefinition): Finding[] {
  const first = requirements.findIndex(isGuestList)
  return requirements.flatMap((requirement, at) => {
    if (!isGuestList(requirement)) return []
    const path = ['requirements', at]
    const beside = proofMembers.filter((member) => requirement[member] !== undefined)
    return [
      ...beside.map((member) => makeError([...path, member], 'GUEST_LIST_MEMBER')),
      ...(at > first ? [makeError([...path, 'verifierId'], 'SECOND_GUEST_LIST')] : []),
    ]
  })
}

/** A requirement that the rule leaves out would be forgotten without a word. */
const listUnnamed = (named: ReadonlySet<string>, requirements: readonly GateRequirement[]): Finding[] =>
  requirements.flatMap((requirement, at) => {
    const id = nameRequirement(requirement, at)
    return named.has(id) || requirement.optional ? [] : [makeError(['requirements', at], 'NOT_IN_RULE', { id })]
  })

function scheduleFindings({ schedule = {} }: GateDefinition, now: number): Finding[] {
  const { startsAt, endsAt } = schedule
  const { startsAt: start, endsAt: end } = readSchedule(schedule)
  const refuseUnreal = (name: string) => makeError(['schedule', name], 'NO_SUCH_MOMENT')
  return [
    ...(startsAt !== undefined && start === undefined ? [refuseUnreal('startsAt')] : []),
    ...(endsAt !== undefined && end === undefined ? [refuseUnreal('endsAt')] : []),
    ...(start !== undefined && end !== undefined && end <= start
      ? [makeError(['schedule', 'endsAt'], 'ENDS_BEFORE_START')]
      : []),
    ...(end !== undefined && end <= now ? [makeWarning(['schedule', 'endsAt'], 'ENDED')] : []),
  ]
}

function limitFindings({ supply, perWallet, price }: GateDefinition): Finding[] {
  return [
    ...(supply !== undefined && perWallet !== undefined && perWallet > supply
      ? [makeWarning(['perWallet'], 'LIMIT_ABOVE_SUPPLY')]
      : []),
    ...(price && /^[0.]+$/.test(price.amountUsd) ? [makeError(['price', 'amountUsd'], 'PRICE_ZERO')] : []),
  ]
}

function rewardFindings({ kind, value }: GateReward, path: Path): Finding[] {
  const at = [...path, 'value']
  if (kind === 'access_granted') return value === undefined ? [] : [makeError(at, 'VALUE_NOT_WANTED')]
  if (value === undefined) return [makeError(at, 'VALUE_MISSING', { kind })]
  if (kind === 'reveal') return value.trim() === '' ? [makeError(at, 'ONLY_SPACES')] : []
  const fault = findAddressFault(value)
  return fault ? [makeError(at, fault)] : []
}

function checkListing({ listing, policy, successReturnUrl }: GateDefinition): Finding[] {
  const visibility = policy?.visibility ?? 'public'
  const fault = successReturnUrl === undefined ? undefined : findAddressFault(successReturnUrl)
  return [
    ...(listing && visibility !== 'public' ? [makeError(['listing'], 'LISTING_NOT_PUBLIC', { visibility })] : []),
    ...(fault ? [makeError(['successReturnUrl'], fault)] : []),
  ]
}

/** The code of its fault. Undefined when it is right. */
export function findAddressFault(text: string) {
  if (!URL.canParse(text)) return 'ADDRESS_NOT_WHOLE' as const
  const { protocol, hostname, username, password } = new URL(text)
  if (username || password) return 'ADDRESS_WITH_USER' as const
  // A javascript: or data: address would run in the page that shows the reward.
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopbackHost(hostname))) return 'ADDRESS_NOT_HTTPS' as const
  return parseWebUrl(text) ? undefined : ('ADDRESS_MISSPELLED' as const)
}
