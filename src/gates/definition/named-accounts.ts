/**
 * Values that name a wallet or a contract together with its chain, by did:pkh or CAIP-10: what they ask of the evidence, and
 * of which verifiers they can be asked.
 */
import { accountIdMembers } from '../../proofs/meant-wallet.ts'
import { stripVersion } from '../../verifiers/id.ts'
import { readAccountId, readAddress, readChain } from '../../wallet/account.ts'
import type { GateDefinition } from '../gate.ts'
import { type Finding, makeError } from './finding.ts'

/** Whether a wallet under this name can be named with its chain, whatever verifier the evidence is of. */
export const takesAccountId = (name: string): boolean => Object.hasOwn(accountIdMembers, name)

/** Names of addresses beside which the evidence of assets has the chain as a member of its own. */
const besideChain: ReadonlySet<string> = new Set(['ownerAddress', 'contractAddress', 'walletAddress'])

/** Where the evidence of a verifier has the chain of an address. */
const chained: Readonly<Record<string, readonly string[]>> = {
  'nft-ownership': ['ownerAddress', 'contractAddress'],
  'token-holding': ['ownerAddress', 'contractAddress'],
  'contract-ownership': ['ownerAddress', 'walletAddress', 'contractAddress'],
  'wallet-risk': ['ownerAddress', 'walletAddress'],
  'ownership-licensed': ['license.ownerAddress', 'license.contractAddress'],
  'agent-identity': ['agentWallet'],
  'agent-delegation': ['agentWallet', 'controllerWallet'],
  'wallet-link': ['primaryWalletAddress', 'secondaryWalletAddress'],
}

/** Only these have evidence of chains that are not EVM, under the name that CAIP-2 gives them. */
const beyondEvm: ReadonlySet<string> = new Set([
  'nft-ownership',
  'token-holding',
  'agent-identity',
  'agent-delegation',
  'wallet-link',
])

/** One name and value to compare. */
export interface Asked {
  readonly name: string
  readonly value: string
}

/**
 * What to compare where a value names an account: its address, and the chain where the evidence has it. Undefined for every
 * other value.
 */
export function splitAccount(name: string, value: string): readonly Asked[] | undefined {
  const account = readAccountId(value)
  const chain = readChain(value)
  if (account === undefined || chain === undefined) return undefined
  const address = { name, value: readAddress(value) }
  if (takesAccountId(name)) return [address, { name: accountIdMembers[name]!, value: account }]
  const [prefix, last] = splitPath(name)
  if (!besideChain.has(last)) return undefined
  return [
    address,
    chain.startsWith('eip155:')
      ? { name: `${prefix}chainId`, value: chain.slice('eip155:'.length) }
      : { name: `${prefix}chain`, value: chain },
  ]
}

const splitPath = (path: string): readonly [prefix: string, last: string] => {
  const at = path.lastIndexOf('.') + 1
  return [path.slice(0, at), path.slice(at)]
}

/** Only these can be about another wallet than the signer's. */
const aboutOthers: ReadonlySet<string> = new Set([
  'nft-ownership',
  'token-holding',
  'contract-ownership',
  'wallet-risk',
])

/** Names under which evidence has an address. */
const addresses: ReadonlySet<string> = new Set([
  ...besideChain,
  ...Object.keys(accountIdMembers),
  'actualOwner',
  'owner',
  'subjectWallet',
])

/** Match rows that name a chain which the evidence cannot be compared with: nothing would ever meet them. */
export const checkAccounts = ({ requirements }: GateDefinition): Finding[] =>
  requirements.flatMap(({ verifierId, match = [] }, at) =>
    match.flatMap(({ path, op, value }, row) => {
      const id = stripVersion(verifierId)
      const fault = findNever(id, path) ?? (op === 'eq' ? findFault(id, path, value) : undefined)
      return fault === undefined ? [] : [makeError(['requirements', at, 'match', row, 'value'], fault)]
    }),
  )

/** What no evidence of the verifier says of whom it is about. */
function findNever(verifierId: string, path: string): string | undefined {
  if (splitPath(path)[1] !== 'subjectWallet') return undefined
  if (path === 'subjectWallet' && aboutOthers.has(verifierId)) return undefined
  return aboutOthers.has(verifierId)
    ? 'is compared with nothing under this path: give the path as subjectWallet'
    : `is compared with nothing: a proof of ${verifierId} is about the wallet that signed it, never about a subjectWallet`
}

function findFault(verifierId: string, path: string, value: string): string | undefined {
  const [, last] = splitPath(path)
  if (!addresses.has(last) || !value.includes(':') || value.startsWith('ed25519:')) return undefined
  if (readAccountId(value) === undefined)
    return `must be an address, a did:pkh or a CAIP-10 account such as eip155:8453:0x… for ${path}`
  const able = Object.hasOwn(chained, verifierId) ? chained[verifierId]! : []
  const isEvm = readChain(value)?.startsWith('eip155:')
  const name = path.startsWith('input.') && besideChain.has(last) ? last : path
  if (able.includes(name) && (isEvm || beyondEvm.has(verifierId))) return undefined
  return `names a chain, and ${path} of ${verifierId} is compared as an address alone: give the bare address`
}
