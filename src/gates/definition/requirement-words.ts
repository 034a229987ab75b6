/** What a requirement asks of somebody, as words that follow "whoever". */
import type { GateRequirement } from '../gate.ts'

interface Tools {
  chainName(chainId: string): string | undefined
}

interface Row {
  readonly path: string
  readonly op: 'eq' | 'gte' | 'lte'
  readonly value: string
}

/** The rows of a requirement; what a phrase tells it takes away, so that the others can be told after it. */
interface Rows {
  /** The value that a member must be, or be at least. */
  take(...names: readonly string[]): string | undefined
  readonly left: readonly Row[]
}

function makeRows(rows: readonly Row[]): Rows {
  const left = [...rows]
  return {
    left,
    take(...names) {
      const at = left.findIndex(({ path, op }) => op !== 'lte' && names.includes(readLastMember(path)))
      return at < 0 ? undefined : left.splice(at, 1)[0]?.value
    },
  }
}

const readLastMember = (path: string): string => path.slice(path.lastIndexOf('.') + 1)

type Phrase = (rows: Rows, tools: Tools) => string

const phrases: Readonly<Record<string, Phrase>> = {
  'ownership-basic': (rows) => {
    const owner = rows.take('owner', 'ownerAddress', 'walletAddress')
    const hash = rows.take('contentHash')
    const what =
      hash === undefined ? 'has claimed content' : `has claimed the content with the hash ${isolateText(hash)}`
    return owner === undefined ? what : `is the wallet ${isolateText(owner)} and ${what}`
  },
  'ownership-social': (rows) =>
    `has shown ${nameValue('an account', rows.take('handle'))}${joinValue(' at ', rows.take('provider'), ' at a social service')}`,
  'ownership-pseudonym': (rows) =>
    `holds ${nameValue('a pseudonym', rows.take('handle', 'pseudonymId'), 'the pseudonym')}${joinValue(' in ', rows.take('namespace'))}`,
  'ownership-dns-txt': (rows) => `controls ${nameValue('a domain', rows.take('domain'), 'the domain')}`,
  'ownership-licensed': () => 'has claimed licensed content',
  'ownership-org-oauth': (rows) =>
    `belongs to ${nameValue('an organisation', rows.take('organization', 'org', 'domain'), 'the organisation')}`,
  'contract-ownership': (rows, tools) =>
    `controls ${nameValue('a contract', rows.take('contractAddress'), 'the contract')}${describeChain(rows, tools)}`,
  'proof-of-human': (rows) => {
    const age = rows.take('age_min', 'ageMin')
    return `has shown to be a person${age === undefined ? '' : ` of at least ${isolateText(age)} years`}`
  },
  'nft-ownership': (rows, tools) => {
    const token = rows.take('tokenId')
    const contract = rows.take('contractAddress')
    const what = token === undefined ? 'an NFT' : `the NFT ${isolateText(token)}`
    return `holds ${what}${joinValue(' of ', contract)}${describeChain(rows, tools)}`
  },
  'token-holding': (rows, tools) => {
    const least = rows.take('minBalance', 'requiredMinBalance')
    const contract = rows.take('contractAddress')
    const token = nameValue('a token', contract, 'the token')
    return `holds ${least === undefined ? token : `at least ${isolateText(least)} of ${token}`}${describeChain(rows, tools)}`
  },
  'wallet-risk': (rows) => `has a wallet that passed the risk check${describeJudges(rows)}`,
  'wallet-link': (rows) =>
    `has linked ${nameValue('a second wallet', rows.take('secondaryWalletAddress'), 'the wallet')}`,
  'ai-content-moderation': (rows) => `has content that was judged harmless${describeJudges(rows)}`,
  'agent-identity': (rows) => `has shown ${nameValue('an agent', rows.take('agentId'), 'the agent')}`,
  'agent-delegation': (rows) =>
    `lets ${nameValue('an agent', rows.take('agentWallet', 'agentId'), 'the agent')} act for it${joinValue(' in ', rows.take('scope'))}`,
}

/** Who must have judged, and what must have been looked at. Several of each may be asked for. */
function describeJudges(rows: Rows): string {
  const judges = takeAll(rows, 'provider').map(isolateText)
  const topics = takeAll(rows, 'checked').map(isolateText)
  return [
    ...(judges.length > 0 ? [` by ${judges.join(' and ')}`] : []),
    ...(topics.length > 0 ? [` with a look at ${topics.join(' and ')}`] : []),
  ].join('')
}

function takeAll(rows: Rows, name: string): string[] {
  const taken: string[] = []
  for (let value = rows.take(name); value !== undefined; value = rows.take(name)) taken.push(value)
  return taken
}

/** `holds at least 5 of the token 0x… on Base, with a proof of the last 30 days`. */
export function describeRequirement(requirement: GateRequirement, tools: Tools): string {
  const { verifierId, match = [], minCount = 1, maxAgeMs, final, recheck } = requirement
  const rows = makeRows(match)
  const phrase = Object.hasOwn(phrases, verifierId) ? phrases[verifierId] : undefined
  const told = phrase?.(rows, tools) ?? `has a proof of ${isolateText(verifierId)}`
  const further = rows.left.map(
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

const nameValue = (any: string, value: string | undefined, one = any): string =>
  value === undefined ? any : `${one} ${isolateText(value)}`

const joinValue = (before: string, value: string | undefined, otherwise = ''): string =>
  value === undefined ? otherwise : `${before}${isolateText(value)}`

function describeChain(rows: Rows, { chainName }: Tools): string {
  const chain = rows.take('chainId', 'chain')
  return chain === undefined ? '' : ` on ${chainName(chain) ?? `chain ${isolateText(chain)}`}`
}

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

const longest = 120

/**
 * Somebody's own text within a sentence: its direction ends where it does (Unicode UAX #9, isolates), so that it cannot
 * turn the words around it. Its own isolates are taken out, because one that it closes would be ours.
 */
export function isolateText(text: string): string {
  const plain = text.replace(/[\u2066-\u2069]/g, '').replace(/\s+/g, ' ')
  const shown = plain.length > longest ? `${plain.slice(0, longest).replace(/[\ud800-\udbff]$/, '')}…` : plain
  // Words of plain letters cannot turn anything.
  return /^[\x20-\x7e]*$/.test(shown) ? shown : `\u2068${shown}\u2069`
}
