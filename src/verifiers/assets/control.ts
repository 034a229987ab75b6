/** Finds who controls a contract, by each method that a claim may name. */
import { encodeFunctionData, isAddressEqual, numberToHex, parseAbi, zeroAddress, zeroHash } from 'viem'
import { defer } from '../../defer.ts'
import type { BlockView, Hex } from '../../outside/chains/chain.ts'
import { type Fails, fails } from '../verifier.ts'
import { type Answered, addProof, ask, isDelegation } from './contract.ts'

const readAbi = defer(() =>
  parseAbi([
    'function owner() view returns (address)',
    'function admin() view returns (address)',
    'function getAdmin() view returns (address)',
    'function hasRole(bytes32 role, address account) view returns (bool)',
  ]),
)

/** Evidence about a wallet in control. */
export interface Control {
  readonly facts: Readonly<Record<string, unknown>>
}

/** Errors: OutsideError. */
type FindControl = (view: BlockView, contract: Hex, wallet: Hex) => Promise<Control | Fails>

/** ERC-173. The `pendingOwner` of a two-step transfer does not count: the old owner decides until it accepts. */
const findByOwner: FindControl = async (view, contract, wallet) => {
  const owner = await askAddress(view, contract, 'owner')
  if ('holds' in owner) return owner
  return controls(owner.value, wallet)
    ? { facts: { actualOwner: wallet, ...addProof(owner.proof) } }
    : failOtherOwner(contract, owner.value)
}

/** EIP-1967: keccak-256 of "eip1967.proxy.admin", less one. */
const adminSlot = '0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103'

/**
 * The admin of an EIP-1967 proxy: a wallet, or a contract (ProxyAdmin) whose owner decides. If the slot is empty,
 * admin() and getAdmin() are called.
 */
const findByAdmin: FindControl = async (view, contract, wallet) => {
  const { value, proof } = await view.readSlot(contract, adminSlot)
  const word = BigInt(value)
  if (word === 0n) return findByAdminFunction(view, contract, wallet)
  if (word >> 160n !== 0n)
    return fails('NO_ADMIN', `the slot for the admin of the proxy ${contract} holds something that is no address`)
  const admin = numberToHex(word, { size: 20 })
  if (controls(admin, wallet)) return { facts: { actualAdmin: wallet, adminSource: 'eip1967', ...addProof(proof) } }
  if (!isContract(await view.readCode(admin))) return failOtherAdmin(contract, admin)
  const owner = await askAddress(view, admin, 'owner')
  if ('holds' in owner) return failOtherAdmin(contract, admin)
  return controls(owner.value, wallet)
    ? { facts: { actualAdmin: wallet, adminSource: 'proxyAdmin', proxyAdmin: admin, ...addProof(owner.proof) } }
    : failOtherOwner(admin, owner.value)
}

const findByAdminFunction: FindControl = async (view, contract, wallet) => {
  const [admin, getAdmin] = await Promise.all([
    askAddress(view, contract, 'admin'),
    askAddress(view, contract, 'getAdmin'),
  ])
  const hasAdmin = !('holds' in admin && admin.reason === 'NO_ADMIN')
  const found = hasAdmin ? admin : getAdmin
  if ('holds' in found) return found
  return controls(found.value, wallet)
    ? { facts: { actualAdmin: wallet, adminSource: hasAdmin ? 'admin()' : 'getAdmin()', ...addProof(found.proof) } }
    : failOtherAdmin(contract, found.value)
}

/** DEFAULT_ADMIN_ROLE of OpenZeppelin's AccessControl is 32 bytes of zeros. */
const findByRole: FindControl = async (view, contract, wallet) => {
  const answered = await ask(view, contract, {
    data: encodeFunctionData({ abi: readAbi(), functionName: 'hasRole', args: [zeroHash, wallet] }),
    answer: 'bool',
    keys: [zeroHash, wallet],
    otherwise: [
      'NO_ACCESS_CONTROL',
      `the contract ${contract} has no hasRole(bytes32,address) that answers: try another method`,
    ],
  })
  if ('holds' in answered) return answered
  return answered.value
    ? { facts: { role: zeroHash, hasRole: true, ...addProof(answered.proof) } }
    : fails('ROLE_NOT_HELD', `${wallet} does not hold the default admin role of ${contract}`)
}

export const findControl = { owner: findByOwner, admin: findByAdmin, accessControl: findByRole } as const

const askAddress = (
  view: BlockView,
  contract: Hex,
  functionName: 'owner' | 'admin' | 'getAdmin',
): Promise<Answered<Hex>> =>
  ask(view, contract, {
    data: encodeFunctionData({ abi: readAbi(), functionName }),
    answer: 'address',
    otherwise:
      functionName === 'owner'
        ? ['NO_OWNER', `the contract ${contract} has no owner() that answers: try another method`]
        : ['NO_ADMIN', `the contract ${contract} is no EIP-1967 proxy, and neither admin() nor getAdmin() answers`],
  })

/** Address zero has no key, but a delegated subject could name it. */
const controls = (actual: Hex, wallet: Hex): boolean =>
  isAddressEqual(actual, wallet) && !isAddressEqual(actual, zeroAddress)

const isContract = (code: Hex): boolean => code !== '0x' && !isDelegation(code)

const failOtherOwner = (contract: Hex, owner: Hex): Fails => failOther('NOT_CONTRACT_OWNER', 'owner', contract, owner)
const failOtherAdmin = (contract: Hex, admin: Hex): Fails => failOther('NOT_CONTRACT_ADMIN', 'admin', contract, admin)

const failOther = (reason: string, role: string, contract: Hex, actual: Hex): Fails =>
  isAddressEqual(actual, zeroAddress)
    ? fails('OWNERSHIP_RENOUNCED', `the contract ${contract} has no ${role} any more: nobody controls it that way`)
    : fails(reason, `the ${role} of ${contract} is ${actual.toLowerCase()}`)
