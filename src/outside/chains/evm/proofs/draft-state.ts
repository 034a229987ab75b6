/**
 * The changes that a call makes on its way, such as deploying its wallet. They are kept in memory over the proved state
 * and dropped with the answer. The changes of a failed call are reverted.
 */
import type { StateManagerInterface } from '@ethereumjs/common'
import { type Address, Account as EvmAccount } from '@ethereumjs/util'
import { hexToBytes, keccak256 } from 'viem'

export type StateReader = Pick<StateManagerInterface, 'getAccount' | 'getCode' | 'getCodeSize' | 'getStorage'>

interface Layer {
  /** By address. Null for a removed account. */
  readonly accounts: Map<string, EvmAccount | null>
  readonly codes: Map<string, Uint8Array>
  /** By address and slot. */
  readonly slots: Map<string, Uint8Array>
}

const openLayer = (): Layer => ({ accounts: new Map(), codes: new Map(), slots: new Map() })

export function openDraftState(proved: StateReader): StateManagerInterface {
  const layers: Layer[] = [openLayer()]

  function findNewest<Value>(kind: keyof Layer, key: string): Value | undefined {
    for (let at = layers.length - 1; at >= 0; at -= 1) {
      const found = layers[at]![kind].get(key)
      if (found !== undefined) return found as Value
    }
    return undefined
  }
  const makeId = (address: Address, slot?: Uint8Array): string =>
    slot ? `${address.toString()} ${Buffer.from(slot).toString('hex').padStart(64, '0')}` : address.toString()
  // The machine mutates the accounts that it is given.
  const copyAccount = ({ nonce, balance, storageRoot, codeHash }: EvmAccount): EvmAccount =>
    new EvmAccount(nonce, balance, storageRoot, codeHash)

  const state: StateManagerInterface = {
    async getAccount(address) {
      const drafted = findNewest<EvmAccount | null>('accounts', makeId(address))
      if (drafted === undefined) return proved.getAccount(address)
      return drafted === null ? undefined : copyAccount(drafted)
    },
    async putAccount(address, account) {
      layers.at(-1)!.accounts.set(makeId(address), account === undefined ? null : copyAccount(account))
    },
    deleteAccount: (address) => state.putAccount(address, undefined),
    async modifyAccountFields(address, fields) {
      const { nonce, balance, storageRoot, codeHash } = (await state.getAccount(address)) ?? new EvmAccount()
      await state.putAccount(
        address,
        new EvmAccount(
          fields.nonce ?? nonce,
          fields.balance ?? balance,
          fields.storageRoot ?? storageRoot,
          fields.codeHash ?? codeHash,
        ),
      )
    },
    getCode: async (address) => findNewest<Uint8Array>('codes', makeId(address)) ?? proved.getCode(address),
    getCodeSize: async (address) =>
      findNewest<Uint8Array>('codes', makeId(address))?.length ?? proved.getCodeSize(address),
    async putCode(address, code) {
      layers.at(-1)!.codes.set(makeId(address), code)
      await state.modifyAccountFields(address, { codeHash: hexToBytes(keccak256(code)) })
    },
    getStorage: async (address, slot) =>
      findNewest<Uint8Array>('slots', makeId(address, slot)) ?? proved.getStorage(address, slot),
    async putStorage(address, slot, value) {
      layers.at(-1)!.slots.set(makeId(address, slot), value)
    },
    // Called only when a contract is created, and its address has no storage yet.
    async clearStorage() {},
    async checkpoint() {
      layers.push(openLayer())
    },
    async commit() {
      const done = layers.pop()!
      const below = layers.at(-1)!
      for (const [key, account] of done.accounts) below.accounts.set(key, account)
      for (const [key, code] of done.codes) below.codes.set(key, code)
      for (const [key, value] of done.slots) below.slots.set(key, value)
    },
    async revert() {
      layers.pop()
    },
    setStateRoot: async () => {},
    getStateRoot: async () => new Uint8Array(32),
    hasStateRoot: async () => true,
    // Returns the state before the call.
    originalStorageCache: { get: (address, slot) => proved.getStorage(address, slot), clear() {} },
    clearCaches() {},
    shallowCopy: () => state,
  }
  return state
}
