/** Who controls a contract, by each of the methods that a claim may name. */
import {
  encodeFunctionData,
  isAddressEqual,
  keccak256,
  numberToHex,
  parseAbi,
  toBytes,
  zeroAddress,
  zeroHash,
} from 'viem'
import type { BlockView, Hex } from '../../outside/chains/chain.ts'
import { type Fails, fails } from '../verifier.ts'
import { type Answered, ask, isDelegation, proofFacts } from './contract.ts'

const abi = parseAbi([
  'function owner() view returns (address)',
  'function admin() view returns (address)',
  'function getAdmin() view returns (address)',
  'function hasRole(bytes32 role, address account) view returns (bool)',
])

/** What the evidence says about a wallet that is in control. */
export interface Control {
  readonly facts: Readonly<Record<string, unknown>>
}

/** Errors: OutsideError. */
type FindControl = (view: BlockView, contract: Hex, wallet: Hex) => Promise<Control | Fails>

/** ERC-173. The `pendingOwner` of a two-step transfer is not asked: until it accepts, the old owner decides. */
const byOwner: FindControl = async (view, contract, wallet) => {
  const owner = await askAddress(view, contract, 'owner')
  if ('holds' in owner) return owner
  return controls(owner.value, wallet)
    ? { facts: { actualOwner: wallet, ...proofFacts(owner.proof) } }
    : otherOwner(contract, owner.value)
}

/** EIP-1967: keccak-256 of "eip1967.proxy.admin", less one. */
const adminSlot = numberToHex(BigInt(keccak256(toBytes('eip1967.proxy.admin'))) - 1n, { size: 32 })

/**
 * The admin of an EIP-1967 proxy: a wallet, or a contract (ProxyAdmin) whose owner decides. A contract that has nothing
 * in that slot is asked for admin() and getAdmin().
 */
const byAdmin: FindControl = async (view, contract, wallet) => {
  const { value, proof } = await view.readSlot(contract, adminSlot)
  const word = BigInt(value)
  if (word === 0n) return byAdminFunction(view, contract, wallet)
  if (word >> 160n !== 0n)
    return fails('NO_ADMIN', `the slot for the admin of the proxy ${contract} holds something that is no address`)
  const admin = numberToHex(word, { size: 20 })
  if (controls(admin, wallet)) return { facts: { actualAdmin: wallet, adminSource: 'eip1967', ...proofFacts(proof) } }
  if (!isContract(await view.codeOf(admin))) return otherAdmin(contract, admin)
  const owner = await askAddress(view, admin, 'owner')
  if ('holds' in owner) return otherAdmin(contract, admin)
  return controls(owner.value, wallet)
    ? { facts: { actualAdmin: wallet, adminSource: 'proxyAdmin', proxyAdmin: admin, ...proofFacts(owner.proof) } }
    : otherOwner(admin, owner.value)
}

const byAdminFunction: FindControl = async (view, contract, wallet) => {
  const [admin, getAdmin] = await Promise.all([
    askAddress(view, contract, 'admin'),
    askAddress(view, contract, 'getAdmin'),
  ])
  const hasAdmin = !('holds' in admin && admin.reason === 'NO_ADMIN')
  const found = hasAdmin ? admin : getAdmin
  if ('holds' in found) return found
  return controls(found.value, wallet)
    ? { facts: { actualAdmin: wallet, adminSource: hasAdmin ? 'admin()' : 'getAdmin()', ...proofFacts(found.proof) } }
    : otherAdmin(contract, found.value)
}

/** DEFAULT_ADMIN_ROLE of OpenZeppelin's AccessControl is 32 bytes of zeros. */
const byRole: FindControl = async (view, contract, wallet) => {
  const answered = await ask(view, contract, {
    data: encodeFunctionData({ abi, functionName: 'hasRole', args: [zeroHash, wallet] }),
    answer: 'bool',
    keys: [zeroHash, wallet],
    otherwise: [
      'NO_ACCESS_CONTROL',
      `the contract ${contract} has no hasRole(bytes32,address) that answers: try another method`,
    ],
  })
  if ('holds' in answered) return answered
  return answered.value
    ? { facts: { role: zeroHash, hasRole: true, ...proofFacts(answered.proof) } }
    : fails('ROLE_NOT_HELD', `${wallet} does not hold the default admin role of ${contract}`)
}

export const findControl = { owner: byOwner, admin: byAdmin, accessControl: byRole } as const

const askAddress = (
  view: BlockView,
  contract: Hex,
  functionName: 'owner' | 'admin' | 'getAdmin',
): Promise<Answered<Hex>> =>
  ask(view, contract, {
    data: encodeFunctionData({ abi, functionName }),
    answer: 'address',
    otherwise:
      functionName === 'owner'
        ? ['NO_OWNER', `the contract ${contract} has no owner() that answers: try another method`]
        : ['NO_ADMIN', `the contract ${contract} is no EIP-1967 proxy, and neither admin() nor getAdmin() answers`],
  })

/** Nobody can sign for address zero, but a delegated subject could be it. */
const controls = (actual: Hex, wallet: Hex): boolean =>
  isAddressEqual(actual, wallet) && !isAddressEqual(actual, zeroAddress)

const isContract = (code: Hex): boolean => code !== '0x' && !isDelegation(code)

const otherOwner = (contract: Hex, owner: Hex): Fails => other('NOT_CONTRACT_OWNER', 'owner', contract, owner)
const otherAdmin = (contract: Hex, admin: Hex): Fails => other('NOT_CONTRACT_ADMIN', 'admin', contract, admin)

const other = (reason: string, role: string, contract: Hex, actual: Hex): Fails =>
  isAddressEqual(actual, zeroAddress)
    ? fails('OWNERSHIP_RENOUNCED', `the contract ${contract} has no ${role} any more: nobody controls it that way`)
    : fails(reason, `the ${role} of ${contract} is ${actual.toLowerCase()}`)
