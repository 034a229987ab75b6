/**
 * A definition in plain words, for a person about to publish it: admission, price and rewards. It uses only the
 * definition, which stays complete where a sentence omits something.
 */
import { isPaidOnChain, nameMethod } from '../../payments/methods.ts'
import { isolateText } from '../../verifiers/phrases.ts'
import type { GateReward, GateStatus, KeptDefinition } from '../gate.ts'
import { parseMoment } from '../schedule.ts'
import type { Path } from './finding.ts'
import { describeRequirement, type WordTools } from './requirement-words.ts'
import { chooseRule, nameRequirement, type RuleNode } from './rule.ts'

export interface PlainLine {
  /** The part of the definition that it describes. */
  readonly path: Path
  readonly text: string
}

export function listPlainLines(definition: KeptDefinition, status: GateStatus, tools: WordTools): PlainLine[] {
  const { requirements, price, policy, schedule, supply, perWallet, listing, successReturnUrl } = definition
  const optional = requirements.filter((one) => one.optional)
  return [
    { path: ['requirements'], text: `${describePayers(definition, tools)}, ${describeRewards(definition)}.` },
    ...(optional.length > 0 && optional.length < requirements.length
      ? [
          {
            path: ['requirements'],
            text: `Not needed, but asked for: whoever ${shortenPart(
              list(
                optional.map((one) => describeRequirement(one, tools)),
                'or',
              ),
            )}.`,
          },
        ]
      : []),
    ...(policy?.gateFreshnessHours === undefined
      ? []
      : [
          {
            path: ['policy', 'gateFreshnessHours'],
            text: `Proofs count for ${count(policy.gateFreshnessHours, 'hour')} after they were made.`,
          },
        ]),
    ...limitLines(supply, perWallet),
    ...scheduleLines(schedule),
    ...(price?.executionOrder === 'chargeThenVerify'
      ? [{ path: ['price', 'executionOrder'], text: 'The payment is asked for before the proofs are looked at.' }]
      : []),
    ...(price?.refundThresholdPercent !== undefined && price.refundThresholdPercent < 100
      ? [
          {
            path: ['price', 'refundThresholdPercent'],
            text: `A refund of ${price.refundThresholdPercent} % of the payment or more takes the reward back.`,
          },
        ]
      : []),
    ...(price?.rewardAfter === undefined || !price.methods.some(isPaidOnChain)
      ? []
      : [{ path: ['price', 'rewardAfter'], text: rewardMomentWords[price.rewardAfter] }]),
    ...(successReturnUrl === undefined
      ? []
      : [{ path: ['successReturnUrl'], text: `Afterwards a button leads to ${isolateText(successReturnUrl)}.` }]),
    ...(listing
      ? [{ path: ['listing'], text: `It is on public display as ${quoteText(listing.label)}.` }]
      : [{ path: ['policy', 'visibility'], text: seenBy[policy?.visibility ?? 'public'] }]),
    ...(statusWords[status] === undefined ? [] : [{ path: ['status'], text: statusWords[status] }]),
  ]
}

const rewardMomentWords = {
  first_block: 'Paid on a chain, it is handed out with the first block: the chain may still take such a payment back.',
  confirmations: 'Paid on a chain, it is handed out when the payment has the confirmations that this server asks for.',
  final: 'Paid on a chain, it is handed out when the chain calls the payment final, mostly within half an hour.',
} as const

const seenBy = {
  public: 'Everybody may see it, and it is not on display.',
  unlisted: 'Whoever knows its id may see it.',
  private: 'Nobody but its owner sees it or can pass it.',
}

const statusWords: Readonly<Partial<Record<GateStatus, string>>> = {
  draft: 'It is a draft: nobody but its owner sees it yet.',
  paused: 'It is paused: nobody can pass it now.',
}

function describePayers(definition: KeptDefinition, tools: WordTools): string {
  const who = `Whoever ${describeBuyer(definition, tools)}`
  const { price } = definition
  if (!price) return who
  const methods = price.methods.map(nameMethod)
  return `${who}, and pays ${price.amountUsd || '…'} USD${methods.length > 0 ? ` by ${list(methods, 'or')}` : ''}`
}

function describeBuyer(definition: KeptDefinition, tools: WordTools): string {
  const words = new Map(
    definition.requirements.map((one, at) => [nameRequirement(one, at), describeRequirement(one, tools)]),
  )
  return shortenPart(describeRule(chooseRule(definition), words, true))
}

/** Characters. Readers need no more, and a rule may name a long requirement a hundred times. */
const longestPart = 3_000

/** The middle of a sentence. A cut in text between U+2068 and U+2069 leaves none of them open (UAX #9, isolates). */
function shortenPart(text: string): string {
  if (text.length <= longestPart) return text
  const kept = text.slice(0, longestPart).replace(/[\ud800-\udbff]$/, '')
  const isOpen = kept.lastIndexOf('\u2068') > kept.lastIndexOf('\u2069')
  return `${kept}${isOpen ? '\u2069' : ''}… (and more, which the definition says)`
}

function describeRule(node: RuleNode, words: ReadonlyMap<string, string>, isOutermost: boolean): string {
  if (typeof node === 'string') return words.get(node) ?? isolateText(node)
  const [members, joint] = 'all' in node ? [node.all, 'and'] : [node.any, 'or']
  const parts = members.map((member) => describeRule(member, words, members.length === 1 && isOutermost))
  return isOutermost || parts.length === 1 ? list(parts, joint) : `(${list(parts, joint)})`
}

function describeRewards({ rewards = [] }: KeptDefinition): string {
  const given = rewards.filter(({ kind }) => kind !== 'access_granted').map(rewardWords)
  return given.length === 0 ? 'is let in' : `gets ${list(given, 'and')}`
}

const kindWords = {
  access_granted: 'access',
  reveal: 'a secret text',
  redirect: 'an address to go to',
  download: 'a download',
} as const satisfies Record<GateReward['kind'], string>

const rewardWords = ({ kind, label }: Omit<GateReward, 'value'>): string =>
  `${kindWords[kind]}${label === undefined ? '' : ` (${quoteText(label)})`}`

function limitLines(supply: number | undefined, perWallet: number | undefined): PlainLine[] {
  return [
    ...(supply === undefined ? [] : [{ path: ['supply'], text: `At most ${count(supply, 'time')} in all.` }]),
    ...(perWallet === undefined
      ? []
      : [{ path: ['perWallet'], text: `At most ${count(perWallet, 'time')} for each wallet.` }]),
  ]
}

function scheduleLines({ startsAt, endsAt }: NonNullable<KeptDefinition['schedule']> = {}): PlainLine[] {
  if (startsAt === undefined && endsAt === undefined) return []
  const [start, end] = [startsAt, endsAt].map((moment) => moment && formatMoment(moment))
  const text = start && end ? `From ${start} to ${end}.` : start ? `From ${start} on.` : `Until ${end}.`
  return [{ path: ['schedule'], text }]
}

/** `2026-01-01 00:00 UTC`. */
function formatMoment(moment: string): string {
  const at = parseMoment(moment)
  return at === undefined ? isolateText(moment) : `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

const quoteText = (text: string): string => `“${isolateText(text)}”`

const count = (number: number, word: string): string => `${number} ${word}${number === 1 ? '' : 's'}`

function list(parts: readonly string[], joint: string): string {
  const last = parts.at(-1) ?? ''
  if (parts.length < 2) return last
  return parts.length === 2 ? `${parts[0]} ${joint} ${last}` : `${parts.slice(0, -1).join(', ')}, ${joint} ${last}`
}
