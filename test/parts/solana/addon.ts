/**
 * LiteSVM: the virtual machine of Solana with the real token programs, as a native addon. Only the calls that the
 * tests make are typed. The addon is loaded by itself: its JavaScript wrapper is not installed.
 */
import { createRequire } from 'node:module'

export interface LiteSvm {
  airdrop(address: Uint8Array, lamports: bigint): unknown
  getAccount(address: Uint8Array): SvmAccount | null
  getProgramAccounts(program: Uint8Array): readonly { readonly address: Uint8Array; account(): SvmAccount }[]
  getClock(): SvmClock
  setClock(clock: SvmClock): void
  latestBlockhash(): string
  expireBlockhash(): void
  minimumBalanceForRentExemption(bytes: bigint): bigint
  /** Anything but a TransactionMetadata is a refusal. */
  sendLegacyTransaction(transaction: Uint8Array): object
  toBytes(): Uint8Array
}

export interface SvmAccount {
  data(): Uint8Array
  executable(): boolean
  lamports(): bigint
  /** The program. */
  owner(): Uint8Array
  rentEpoch(): bigint
}

export interface SvmClock {
  slot: bigint
  /** Seconds. */
  unixTimestamp: bigint
}

export interface Addon {
  readonly LiteSvm: { new (): LiteSvm; fromBytes(bytes: Uint8Array): LiteSvm }
  readonly TransactionMetadata: new () => object
}

const packages: Readonly<Record<string, string>> = {
  'linux x64': 'litesvm-linux-x64-gnu',
  'linux arm64': 'litesvm-linux-arm64-gnu',
  'darwin x64': 'litesvm-darwin-x64',
  'darwin arm64': 'litesvm-darwin-arm64',
}

export function loadLiteSvm(): Addon {
  const platform = `${process.platform} ${process.arch}`
  const name = packages[platform]
  if (!name) throw new Error(`${missing} There is no build of it for ${platform}: run them on Linux or macOS.`)
  try {
    return createRequire(import.meta.url)(name)
  } catch (cause) {
    const install = `\`npm install\` brings it on Linux x64; elsewhere run \`npm install --no-save ${name}@1.5.0\`.`
    throw new Error(`${missing} ${install}`, { cause })
  }
}

const missing = 'LiteSVM cannot be loaded, and these tests mean nothing without a Solana ledger.'
