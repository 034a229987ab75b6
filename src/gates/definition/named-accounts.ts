/**
 * Values that name a wallet or a contract with its chain, by did:pkh or CAIP-10. They become conditions on the
 * evidence, and only some verifiers support them.
 */
import { accountIdMembers } from '../../proofs/meant-wallet.ts'
import { stripVersion } from '../../verifiers/id.ts'
import type { Verifier } from '../../verifiers/verifier.ts'
import { readAccountId, readAddress, readChain } from '../../wallet/account.ts'
import type { GateDefinition } from '../gate.ts'
import { type CodeAndValues, type Finding, makeError } from './finding.ts'

/** Whether a wallet under this name can be named with its chain, whatever verifier the evidence is of. */
export const takesAccountId = (name: string): boolean => Object.hasOwn(accountIdMembers, name)

/** Names of addresses beside which the evidence of assets has the chain as a member of its own. */
const besideChain: ReadonlySet<string> = new Set(['ownerAddress', 'contractAddress', 'walletAddress'])

/** One name and value to compare. */
export interface Asked {
  readonly name: string
  readonly value: string
}

/**
 * The comparisons for a value that names an account: its address, and the chain if the evidence has it. Undefined for
 * every other value.
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

/** Names under which evidence has an address. */
const addresses: ReadonlySet<string> = new Set([
  ...besideChain,
  ...Object.keys(accountIdMembers),
  'actualOwner',
  'owner',
  'subjectWallet',
])

type Known = ReadonlyMap<string, Pick<Verifier, 'accounts' | 'allowsDelegatedSubject'>>

/** Match rows that name a chain which the evidence cannot be compared with: nothing would ever meet them. */
export const checkAccounts = ({ requirements }: GateDefinition, known: Known): Finding[] =>
  requirements.flatMap(({ verifierId, match = [] }, at) =>
    match.flatMap(({ path, op, value }, row) => {
      const id = stripVersion(verifierId)
      const fault = findNever(id, path, known) ?? (op === 'eq' ? findFault(id, path, value, known) : undefined)
      return fault === undefined ? [] : [makeError(['requirements', at, 'match', row, 'value'], ...fault)]
    }),
  )

/** The subject condition that no evidence of the verifier can meet. */
function findNever(verifierId: string, path: string, known: Known): CodeAndValues | undefined {
  if (splitPath(path)[1] !== 'subjectWallet') return undefined
  const isAboutOthers = known.get(verifierId)?.allowsDelegatedSubject
  if (path === 'subjectWallet' && isAboutOthers) return undefined
  return isAboutOthers ? ['SUBJECT_PATH'] : ['NO_SUBJECT', { verifierId }]
}

function findFault(verifierId: string, path: string, value: string, known: Known): CodeAndValues | undefined {
  const [, last] = splitPath(path)
  if (!addresses.has(last) || !value.includes(':') || value.startsWith('ed25519:')) return undefined
  if (readAccountId(value) === undefined) return ['NOT_ACCOUNT', { path }]
  const { paths = [], isBeyondEvm } = known.get(verifierId)?.accounts ?? {}
  const isEvm = readChain(value)?.startsWith('eip155:')
  const name = path.startsWith('input.') && besideChain.has(last) ? last : path
  if (paths.includes(name) && (isEvm || isBeyondEvm)) return undefined
  return ['CHAIN_NOT_COMPARED', { path, verifierId }]
}
