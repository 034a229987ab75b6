/**
 * Finds statements of a well-formed definition that are impossible, or cannot be intended. It reads only the
 * definition.
 */

import { isLoopbackHost } from '../../http/loopback.ts'
import { parseWebUrl } from '../../web-url.ts'
import type { GateDefinition, GateRequirement, GateReward } from '../gate.ts'
import { guestListId, isGuestList, proofMembers } from '../guests/guest-list.ts'
import { readSchedule } from '../schedule.ts'
import { type Finding, makeError, makeWarning, type Path } from './finding.ts'
import { listRuleIds, nameRequirement } from './rule.ts'
import { findUnknownIds } from './rule-findings.ts'

/** Paths below /api/v1/profile/gates, and below /gates in the dashboard, that are no gate. */
const reservedIds = new Set(['discoverable', 'new'])

export const listContradictions = (definition: GateDefinition, now: number): Finding[] => [
  ...(reservedIds.has(definition.gateId) ? [makeError(['gateId'], 'is a reserved word: choose another')] : []),
  ...checkTexts(definition),
  ...checkRequirements(definition),
  ...checkGuestList(definition),
  ...scheduleFindings(definition, now),
  ...limitFindings(definition),
  ...(definition.rewards ?? []).flatMap((reward, at) => rewardFindings(reward, ['rewards', at])),
  ...checkListing(definition),
]

/** Control characters move a terminal's cursor and split log lines. Half a surrogate pair is no text. */
const control = /\p{Cc}/u

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
    ...lines.flatMap(([path, text]) =>
      text !== undefined && control.test(text) ? [makeError(path, 'holds a control character or a line break')] : [],
    ),
    ...lines.flatMap(([path, text]) =>
      text?.trim() === '' ? [makeError(path, 'holds only spaces: write a text')] : [],
    ),
    ...[...lines, ...texts].flatMap(([path, text]) =>
      text?.isWellFormed() === false
        ? [makeError(path, 'holds half of a surrogate pair, which is not valid text')]
        : [],
    ),
  ]
}

const decimal = /^-?\d{1,78}(\.\d{1,78})?$/

function checkRequirements({ requirements, rule }: GateDefinition): Finding[] {
  const ids = requirements.map(nameRequirement)
  const twice = ids.flatMap((id, at) =>
    ids.indexOf(id) < at
      ? [
          makeError(
            ['requirements', at, 'id'],
            `is "${id}", the id of requirements[${ids.indexOf(id)}]: choose another`,
          ),
        ]
      : [],
  )
  const rows = requirements.flatMap(({ match = [] }, at) =>
    match.flatMap(({ op, value }, row) => {
      const path = ['requirements', at, 'match', row, 'value']
      // No evidence is empty: such a gate would admit no one.
      if (value.trim() === '') return [makeError(path, 'is empty: give a value, or leave the condition out')]
      return op !== 'eq' && !decimal.test(value)
        ? [makeError(path, `must be a number such as "80" or "0.5" for ${op}`)]
        : []
    }),
  )
  if (twice.length > 0) return [...twice, ...rows]
  if (rule === undefined)
    return requirements.every(({ optional }) => optional)
      ? [...rows, makeWarning(['requirements'], 'are all optional: any one of them is enough')]
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
      ...beside.map((member) =>
        makeError([...path, member], `is about proofs, and ${guestListId} asks for none: leave it out`),
      ),
      ...(at > first ? [makeError([...path, 'verifierId'], 'is a second guest list: a gate has one')] : []),
    ]
  })
}

/** A requirement that the rule leaves out would be forgotten without a word. */
const listUnnamed = (named: ReadonlySet<string>, requirements: readonly GateRequirement[]): Finding[] =>
  requirements.flatMap((requirement, at) => {
    const id = nameRequirement(requirement, at)
    return named.has(id) || requirement.optional
      ? []
      : [makeError(['requirements', at], `("${id}") is not named in rule: name it there, or make it optional`)]
  })

function scheduleFindings({ schedule = {} }: GateDefinition, now: number): Finding[] {
  const { startsAt, endsAt } = schedule
  const { startsAt: start, endsAt: end } = readSchedule(schedule)
  const refuseUnreal = (name: string) => makeError(['schedule', name], 'is not an existing day and time')
  return [
    ...(startsAt !== undefined && start === undefined ? [refuseUnreal('startsAt')] : []),
    ...(endsAt !== undefined && end === undefined ? [refuseUnreal('endsAt')] : []),
    ...(start !== undefined && end !== undefined && end <= start
      ? [makeError(['schedule', 'endsAt'], 'must come after schedule.startsAt')]
      : []),
    ...(end !== undefined && end <= now
      ? [makeWarning(['schedule', 'endsAt'], 'is over: nobody can pass any more')]
      : []),
  ]
}

function limitFindings({ supply, perWallet, price }: GateDefinition): Finding[] {
  return [
    ...(supply !== undefined && perWallet !== undefined && perWallet > supply
      ? [makeWarning(['perWallet'], 'is more than supply')]
      : []),
    ...(price && /^[0.]+$/.test(price.amountUsd)
      ? [makeError(['price', 'amountUsd'], 'is zero: leave price out if the gate is free')]
      : []),
  ]
}

function rewardFindings({ kind, value }: GateReward, path: Path): Finding[] {
  const at = [...path, 'value']
  if (kind === 'access_granted')
    return value === undefined ? [] : [makeError(at, 'must be left out: access_granted hands out only the receipt')]
  if (value === undefined)
    return [makeError(at, `is missing: ${kind} hands out ${kind === 'reveal' ? 'a text' : 'an address'}`)]
  if (kind === 'reveal') return value.trim() === '' ? [makeError(at, 'holds only spaces: write a text')] : []
  const fault = findAddressFault(value)
  return fault ? [makeError(at, fault)] : []
}

function checkListing({ listing, policy, successReturnUrl }: GateDefinition): Finding[] {
  const visibility = policy?.visibility ?? 'public'
  const fault = successReturnUrl === undefined ? undefined : findAddressFault(successReturnUrl)
  return [
    ...(listing && visibility !== 'public'
      ? [
          makeError(
            ['listing'],
            `is not possible: policy.visibility is ${visibility}, and only a public gate is listed`,
          ),
        ]
      : []),
    ...(fault ? [makeError(['successReturnUrl'], fault)] : []),
  ]
}

/** Why not, as the end of a sentence; undefined when it is right. */
export function findAddressFault(text: string): string | undefined {
  if (!URL.canParse(text)) return 'must be a whole address such as https://example.com/welcome'
  const { protocol, hostname, username, password } = new URL(text)
  if (username || password) return 'must hold no user name and no password'
  // A javascript: or data: address would run in the page that shows the reward.
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopbackHost(hostname)))
    return 'must begin with https:// (http:// only on localhost)'
  return parseWebUrl(text)
    ? undefined
    : 'must be written in full, https:// and the host: no space, no backslash, nothing left out'
}
