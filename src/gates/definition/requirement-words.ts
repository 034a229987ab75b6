/** A requirement of a gate, as words that follow "anyone who". */
import { isolateText, makeCriteria, type PhraseTools } from '../../verifiers/phrases.ts'
import type { Verifier } from '../../verifiers/verifier.ts'
import { defaultLanguage, type Language } from '../../web/languages.ts'
import type { GateRequirement } from '../gate.ts'
import { isGuestList } from '../guests/guest-list.ts'
import { plainWords as german } from './words/de.ts'
import { plainWords as english } from './words/en.ts'

export type PlainWords = typeof english

export interface WordTools extends PhraseTools {
  readonly verifiers: ReadonlyMap<string, Pick<Verifier, 'words' | 'translations'>>
  /** Default: English, as programs read it. */
  readonly language?: Language | undefined
}

const wordsByLanguage: Readonly<Record<Language, PlainWords>> = { en: english, de: german }

export const chooseWords = ({ language = defaultLanguage }: WordTools): PlainWords => wordsByLanguage[language]

/** `holds at least 5 of the token 0x… on Base, with a proof of the last 30 days`. */
export function describeRequirement(requirement: GateRequirement, tools: WordTools): string {
  const words = chooseWords(tools)
  if (isGuestList(requirement)) return words.guest
  const { minCount = 1, maxAgeMs, final, recheck } = requirement
  return [
    describeProof(requirement, tools, words),
    ...(minCount > 1 ? [words.different(minCount)] : []),
    ...(maxAgeMs === undefined ? [] : [describeAge(maxAgeMs, words)]),
    ...(final ? [words.final] : []),
    ...(recheck ? [words.recheck] : []),
  ].join('')
}

/** English has a phrase for each verifier. Other languages use the names of the verifier and of its fields. */
function describeProof({ verifierId, match = [] }: GateRequirement, tools: WordTools, words: PlainWords): string {
  const verifier = tools.verifiers.get(verifierId)
  const translated = tools.language && verifier?.translations?.[tools.language]
  if (translated) {
    const further = match.map(({ path, op, value }) => {
      const field = translated.fields?.find((one) => one.path === path && one.op === op)
      const shown = field && chooseLabel(field.kind, value, tools)
      return field ? `${field.label}: ${isolateText(shown ?? value)}` : writeCriterion({ path, op, value }, words)
    })
    return `${words.proof(translated.title)}${writeFurther(further)}`
  }
  const criteria = makeCriteria(match)
  const told = verifier?.words.requirement(criteria, tools) ?? words.proof(isolateText(verifierId))
  return `${told}${writeFurther(criteria.left.map((one) => writeCriterion(one, words)))}`
}

const writeFurther = (further: readonly string[]): string => (further.length > 0 ? ` (${further.join(', ')})` : '')

const writeCriterion = ({ path, op, value }: NonNullable<GateRequirement['match']>[number], { ops }: PlainWords) =>
  `${isolateText(path)} ${ops[op]} ${isolateText(value === '' ? '""' : value)}`

/** The label of a choice, or the name of a chain. Undefined for values that stand for themselves. */
function chooseLabel(kind: unknown, value: string, { chainName }: PhraseTools): string | undefined {
  if (kind === 'chain') return chainName(value)
  return Array.isArray(kind) ? kind.find(([one]) => one === value)?.[1] : undefined
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const

function describeAge(ms: number, words: PlainWords): string {
  const [unit, length] = units.find(([, one]) => ms >= one && ms % one === 0) ?? (['millisecond', 1] as const)
  return words.age(ms / length, unit)
}
