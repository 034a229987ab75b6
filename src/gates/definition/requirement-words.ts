/** A requirement of a gate, as words that follow "whoever". */
import { isolateText, makeCriteria, type PhraseTools } from '../../verifiers/phrases.ts'
import type { Verifier } from '../../verifiers/verifier.ts'
import type { GateRequirement } from '../gate.ts'
import { isGuestList } from '../guests/guest-list.ts'

export interface WordTools extends PhraseTools {
  readonly verifiers: ReadonlyMap<string, Pick<Verifier, 'words'>>
}

/** `holds at least 5 of the token 0x… on Base, with a proof of the last 30 days`. */
export function describeRequirement(requirement: GateRequirement, tools: WordTools): string {
  if (isGuestList(requirement)) return 'is on the guest list'
  const { verifierId, match = [], minCount = 1, maxAgeMs, final, recheck } = requirement
  const criteria = makeCriteria(match)
  const told =
    tools.verifiers.get(verifierId)?.words.requirement(criteria, tools) ?? `has a proof of ${isolateText(verifierId)}`
  const further = criteria.left.map(
    ({ path, op, value }) => `${isolateText(path)} ${opWords[op]} ${isolateText(value === '' ? '""' : value)}`,
  )
  return [
    told,
    ...(further.length > 0 ? [` (${further.join(', ')})`] : []),
    ...(minCount > 1 ? [`, ${minCount} different ones`] : []),
    ...(maxAgeMs === undefined ? [] : [` by a proof of the last ${describeAge(maxAgeMs)}`]),
    ...(final ? [' in a block that is final'] : []),
    ...(recheck ? [', which is read again before anything is given'] : []),
  ].join('')
}

const opWords = { eq: 'is', gte: 'at least', lte: 'at most' } as const

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const

function describeAge(ms: number): string {
  const [word, length] = units.find(([, one]) => ms >= one && ms % one === 0) ?? ['millisecond', 1]
  const number = ms / length
  return number === 1 ? word : `${number} ${word}s`
}
