/** What can be asked of a proof, by verifier, as fields of a form. Everything else is a row of the "further" list. */
import type { MatchRow } from './definition.ts'

export interface MatchField {
  readonly label: string
  readonly path: string
  readonly op: MatchRow['op']
  readonly kind?: 'address' | 'chain' | 'number' | readonly (readonly [value: string, label: string])[]
  readonly hint?: string
}

const contract = (label: string, hint: string): MatchField => ({
  label,
  path: 'input.contractAddress',
  op: 'eq',
  kind: 'address',
  hint,
})
const chain: MatchField = { label: 'Chain', path: 'input.chainId', op: 'eq', kind: 'chain' }

const fields: Readonly<Record<string, readonly MatchField[]>> = {
  'token-holding': [
    contract('Contract of the token', 'Empty: any token will do, which is hardly what you want.'),
    chain,
    {
      label: 'At least so many',
      path: 'input.minBalance',
      op: 'gte',
      kind: 'number',
      hint: 'Whole tokens, such as 1.5.',
    },
  ],
  'nft-ownership': [
    contract('Contract of the collection', 'Empty: any NFT will do.'),
    chain,
    { label: 'Token id', path: 'input.tokenId', op: 'eq', hint: 'Empty: any of the collection.' },
  ],
  'contract-ownership': [
    contract('Contract', 'Empty: any contract will do.'),
    chain,
    {
      label: 'How it is controlled',
      path: 'input.method',
      op: 'eq',
      kind: [
        ['owner', 'Owner'],
        ['admin', 'Admin of a proxy'],
        ['accessControl', 'Default admin role'],
      ],
    },
  ],
  'ownership-basic': [
    { label: 'Wallet', path: 'owner', op: 'eq', kind: 'address', hint: 'Empty: every wallet.' },
    { label: 'Hash of the content', path: 'contentHash', op: 'eq', hint: 'Empty: any content.' },
  ],
  'ownership-social': [
    { label: 'Service', path: 'provider', op: 'eq', hint: 'Such as github. Empty: any service.' },
    { label: 'Name of the account', path: 'handle', op: 'eq', hint: 'Empty: any account.' },
  ],
  'ownership-pseudonym': [{ label: 'Pseudonym', path: 'handle', op: 'eq', hint: 'Empty: any pseudonym.' }],
  'ownership-dns-txt': [{ label: 'Domain', path: 'domain', op: 'eq', hint: 'Empty: any domain.' }],
  'proof-of-human': [
    { label: 'Years of age, at least', path: 'claims.age_min', op: 'gte', kind: 'number', hint: 'Empty: any age.' },
  ],
  'wallet-risk': [
    {
      label: 'Sanctions',
      path: 'sanctioned',
      op: 'eq',
      kind: [['false', 'Looked for, and none found']],
    },
    {
      label: 'What was looked at',
      path: 'checked',
      op: 'eq',
      kind: [
        ['sanctions', 'Sanctions'],
        ['activity', 'What the wallet did'],
        ['poisoning', 'Dust of imitators'],
      ],
    },
    {
      label: 'Asked and answered by',
      path: 'provider',
      op: 'eq',
      hint: 'Such as chainalysis. Empty: whoever the operator of this server asks.',
    },
    {
      label: 'Risk of 100, at most',
      path: 'overallRisk',
      op: 'lte',
      kind: 'number',
      hint: 'Empty: as this server allows. Counts only where somebody looked at what the wallet did.',
    },
  ],
  'ai-content-moderation': [
    {
      label: 'Asked and answered by',
      path: 'provider',
      op: 'eq',
      hint: 'Such as openai. Empty: whoever the operator of this server asks.',
    },
  ],
  'wallet-link': [{ label: 'The second wallet', path: 'secondaryWalletAddress', op: 'eq', kind: 'address' }],
  'agent-identity': [
    { label: 'Id of the agent', path: 'agentId', op: 'eq', hint: 'Empty: any agent.' },
    { label: 'Wallet of the agent', path: 'agentWallet', op: 'eq', kind: 'address' },
  ],
  'agent-delegation': [
    { label: 'Wallet of the agent', path: 'agentWallet', op: 'eq', kind: 'address', hint: 'Empty: any agent.' },
    { label: 'What it may do', path: 'scope', op: 'eq' },
  ],
}

export const fieldsOf = (verifierId: string): readonly MatchField[] =>
  Object.hasOwn(fields, verifierId) ? fields[verifierId]! : []

const isRowOf =
  ({ path, op }: MatchField) =>
  (row: MatchRow): boolean =>
    row.path === path && row.op === op

export const rowAt = (rows: readonly MatchRow[], field: MatchField): number => rows.findIndex(isRowOf(field))

/** The rows that have no field. */
export const furtherRows = (verifierId: string, rows: readonly MatchRow[]): readonly number[] => {
  const taken = new Set(fieldsOf(verifierId).map((field) => rowAt(rows, field)))
  return [...rows.keys()].filter((at) => !taken.has(at))
}

/** A field that is empty asks for nothing. */
export function withField(rows: readonly MatchRow[], field: MatchField, value: string): readonly MatchRow[] {
  const at = rowAt(rows, field)
  const row = { path: field.path, op: field.op, value }
  if (value === '') return rows.filter((_, index) => index !== at)
  return at < 0 ? [...rows, row] : rows.map((one, index) => (index === at ? row : one))
}

const chainNames: Readonly<Record<number, string>> = {
  1: 'Ethereum',
  10: 'Optimism',
  137: 'Polygon',
  8453: 'Base',
  42161: 'Arbitrum',
  84532: 'Base Sepolia',
  11155111: 'Sepolia',
}

export const chainName = (chainId: number): string =>
  chainNames[chainId] === undefined ? `Chain ${chainId}` : `${chainNames[chainId]} (${chainId})`
