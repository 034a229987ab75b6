/**
 * A definition in plain words, for a person about to publish it: admission, price and rewards. It uses only the
 * definition, which stays complete where a sentence omits something.
 */
import { pickMethodWords } from '../../payments/method-words.ts'
import { findPaymentMethod, isPaidOnChain } from '../../payments/methods.ts'
import { isolateText } from '../../verifiers/phrases.ts'
import { defaultLanguage, formatDecimal, type Language } from '../../web/languages.ts'
import type { GateStatus, KeptDefinition } from '../gate.ts'
import { parseMoment } from '../schedule.ts'
import type { Path } from './finding.ts'
import { chooseWords, describeRequirement, type PlainWords, type WordTools } from './requirement-words.ts'
import { chooseRule, nameRequirement, type RuleNode } from './rule.ts'

export interface PlainLine {
  /** The part of the definition that it describes. */
  readonly path: Path
  readonly text: string
}

export function listPlainLines(definition: KeptDefinition, status: GateStatus, tools: WordTools): PlainLine[] {
  const { requirements, price, policy, schedule, supply, perWallet, listing, successReturnUrl } = definition
  const words = chooseWords(tools)
  const optional = requirements.filter((one) => one.optional)
  const lines: (PlainLine | false | undefined)[] = [
    {
      path: ['requirements'],
      text: words.admits(describePayers(definition, tools, words), describeRewards(definition, words)),
    },
    optional.length > 0 &&
      optional.length < requirements.length && {
        path: ['requirements'],
        text: words.optional(
          shortenPart(
            list(
              optional.map((one) => describeRequirement(one, tools)),
              words.or,
              words,
            ),
            words,
          ),
        ),
      },
    policy?.gateFreshnessHours !== undefined && {
      path: ['policy', 'gateFreshnessHours'],
      text: words.fresh(policy.gateFreshnessHours),
    },
    supply !== undefined && { path: ['supply'], text: words.supply(supply) },
    perWallet !== undefined && { path: ['perWallet'], text: words.perWallet(perWallet) },
    describeSchedule(schedule, words),
    price?.executionOrder === 'chargeThenVerify' && { path: ['price', 'executionOrder'], text: words.paymentFirst },
    price?.refundThresholdPercent !== undefined &&
      price.refundThresholdPercent < 100 && {
        path: ['price', 'refundThresholdPercent'],
        text: words.refund(price.refundThresholdPercent),
      },
    price?.rewardAfter !== undefined &&
      price.methods.some(isPaidOnChain) && { path: ['price', 'rewardAfter'], text: words.moments[price.rewardAfter] },
    successReturnUrl !== undefined && {
      path: ['successReturnUrl'],
      text: words.leads(isolateText(successReturnUrl)),
    },
    listing
      ? { path: ['listing'], text: words.listed(words.quote(isolateText(listing.label))) }
      : { path: ['policy', 'visibility'], text: words.seenBy[policy?.visibility ?? 'public'] },
    (status === 'draft' || status === 'paused') && { path: ['status'], text: words[status] },
  ]
  return lines.filter((line) => line !== false && line !== undefined)
}

function describePayers(definition: KeptDefinition, tools: WordTools, words: PlainWords): string {
  const who = describeBuyer(definition, tools, words)
  const { price } = definition
  if (!price) return who
  const { language = defaultLanguage } = tools
  const methods = price.methods.map((id) => nameForPeople(id, language))
  return words.pays(who, formatAmount(price.amountUsd, language), list(methods, words.or, words))
}

/** A method that this build lacks has its id alone. */
function nameForPeople(id: string, language: Language): string {
  const method = findPaymentMethod(id)
  return method ? pickMethodWords(method, language).label : id
}

/** An amount that is still being written has no number yet. */
const formatAmount = (amount: string, language: Language): string =>
  /^\d+(\.\d+)?$/.test(amount) ? formatDecimal(amount, language) : '…'

function describeBuyer(definition: KeptDefinition, tools: WordTools, words: PlainWords): string {
  const requirements = new Map(
    definition.requirements.map((one, at) => [nameRequirement(one, at), describeRequirement(one, tools)]),
  )
  return shortenPart(describeRule(chooseRule(definition), requirements, true, words), words)
}

/** Characters. Readers need no more, and a rule may name a long requirement a hundred times. */
const longestPart = 3_000

/** The middle of a sentence. A cut in text between U+2068 and U+2069 leaves none of them open (UAX #9, isolates). */
function shortenPart(text: string, { more }: PlainWords): string {
  if (text.length <= longestPart) return text
  const kept = text.slice(0, longestPart).replace(/[\ud800-\udbff]$/, '')
  const isOpen = kept.lastIndexOf('\u2068') > kept.lastIndexOf('\u2069')
  return `${kept}${isOpen ? '\u2069' : ''}${more}`
}

function describeRule(
  node: RuleNode,
  requirements: ReadonlyMap<string, string>,
  isOutermost: boolean,
  words: PlainWords,
): string {
  if (typeof node === 'string') return requirements.get(node) ?? isolateText(node)
  const [members, joint] = 'all' in node ? [node.all, words.and] : [node.any, words.or]
  const parts = members.map((member) => describeRule(member, requirements, members.length === 1 && isOutermost, words))
  return isOutermost || parts.length === 1 ? list(parts, joint, words) : `(${list(parts, joint, words)})`
}

function describeRewards({ rewards = [] }: KeptDefinition, words: PlainWords): string {
  const given = rewards
    .filter(({ kind }) => kind !== 'access_granted')
    .map(
      ({ kind, label }) =>
        `${words.rewards[kind]}${label === undefined ? '' : ` (${words.quote(isolateText(label))})`}`,
    )
  return given.length === 0 ? words.letIn : words.gets(list(given, words.and, words))
}

function describeSchedule(
  { startsAt, endsAt }: NonNullable<KeptDefinition['schedule']> = {},
  words: PlainWords,
): PlainLine | undefined {
  const [start, end] = [startsAt, endsAt].map((moment) => moment && formatMoment(moment))
  if (!start && !end) return undefined
  const text = start && end ? words.between(start, end) : start ? words.from(start) : words.until(end ?? '')
  return { path: ['schedule'], text }
}

/** `2026-01-01 00:00 UTC`. */
function formatMoment(moment: string): string {
  const at = parseMoment(moment)
  return at === undefined ? isolateText(moment) : `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

function list(parts: readonly string[], joint: string, { beforeLast }: PlainWords): string {
  const last = parts.at(-1) ?? ''
  if (parts.length < 2) return last
  return parts.length === 2
    ? `${parts[0]} ${joint} ${last}`
    : `${parts.slice(0, -1).join(', ')}${beforeLast} ${joint} ${last}`
}
