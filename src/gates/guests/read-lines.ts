/** Reads a pasted text or the lines of a CSV file as wallets. Each fault names its line. */
import { addChecksum } from '../../auth/sign-in/message.ts'
import {
  explainNoAccount,
  isBase58Key,
  isEvmAddress,
  type NamedAccount,
  readAddress,
  readNamedAccount,
  writeName,
} from '../../wallet/account.ts'
import { explainNearName, isNearName, isShortName } from '../../wallet/foreign-name.ts'

/**
 * A wallet as it is stored: EVM in lower case. `chain` is the EVM chain that was named with it, or the chain of a name.
 * It is empty for keys, and for names of the chain that bare names mean.
 */
export interface Guest {
  readonly wallet: string
  readonly chain: string
  /** Of an address alone, that removes it: it leaves the list on every chain. */
  readonly onEveryChain?: true
}

export interface LineFault {
  /** From 1. */
  readonly line: number
  /** For pages, which say it in the language of their reader. */
  readonly code: LineFaultCode
  readonly message: string
}

export type LineFaultCode = 'NO_WALLET' | 'TOO_LONG' | 'SHORT_NAME' | 'NEAR_NAME' | 'NOT_A_WALLET' | 'WRONG_CHECKSUM'

/** The message completes a sentence, where it names no wallet. */
type CellFault = Omit<LineFault, 'line'>

export interface ReadLines {
  /** Each wallet once, in the order of the text. */
  readonly guests: readonly Guest[]
  /** Lines that repeat an earlier wallet. */
  readonly duplicates: number
  /** The first of them. */
  readonly faults: readonly LineFault[]
  readonly faultCount: number
}

/** More are counted, not told. */
const mostFaults = 50
const longestCell = 200
/** A checksum costs a hash, so other requests are served after so many lines. */
const linesAtOnce = 500

const headerWords: ReadonlySet<string> = new Set(['wallet', 'address', 'wallet address', 'walletaddress', 'account'])

/**
 * `hubChainId`: the chain of a bare EVM address. `toRemove`: what an earlier version took into a list can leave it, so
 * the form of a name does not matter.
 */
export async function readLines(text: string, hubChainId: number, toRemove = false): Promise<ReadLines> {
  const guests = new Map<string, Guest>()
  const faults: LineFault[] = []
  let [column, seen, duplicates, faultCount] = [0, 0, 0, 0]
  for (const [at, line] of text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\n|\r/)
    .entries()) {
    if (at % linesAtOnce === linesAtOnce - 1) await Bun.sleep(0)
    if (line.trim() === '' || line.trim().startsWith('#')) continue
    const cells = splitCells(line)
    const headed = seen++ === 0 ? cells.findIndex((cell) => headerWords.has(cell.toLowerCase().replace('_', ' '))) : -1
    if (headed >= 0) {
      column = headed
      continue
    }
    const found = readGuest(cells[column] ?? '', hubChainId, toRemove)
    if ('code' in found) {
      if (faultCount++ < mostFaults) faults.push({ line: at + 1, ...found })
      continue
    }
    const key = writeGuest(found)
    if (guests.has(key)) duplicates++
    else guests.set(key, found)
  }
  return { guests: [...guests.values()], duplicates, faults, faultCount }
}

/** Cells between commas, semicolons or tabs. A wallet holds none of them, so quotes need no further care. */
const splitCells = (line: string): string[] =>
  line.split(/[,;\t]/).map((cell) =>
    cell
      .trim()
      .replace(/^(["'])(.*)\1$/, '$2')
      .trim(),
  )

function readGuest(cell: string, hubChainId: number, toRemove: boolean): Guest | CellFault {
  if (cell === '') return { code: 'NO_WALLET', message: 'has no wallet' }
  if (cell.length > longestCell) return { code: 'TOO_LONG', message: `is longer than ${longestCell} characters` }
  const named = readNamedAccount(cell, hubChainId)
  if (named ? !toRemove && isMisnamed(named, cell) : meansNear.test(cell))
    return { code: 'NEAR_NAME', message: `is ${explainNearName}` }
  if (!named)
    return { code: isShortName(cell) ? 'SHORT_NAME' : 'NOT_A_WALLET', message: `is ${explainNoAccount(cell)}` }
  const address = readAddress(cell)
  if (isEvmAddress(address) && isMixed(address) && address !== addChecksum(address))
    return {
      code: 'WRONG_CHECKSUM',
      message: 'has a wrong EIP-55 checksum: compare it with its source, or write it in lower case',
    }
  if (!toRemove && isBrokenKey(cell)) return { code: 'NOT_A_WALLET', message: `is ${explainBrokenKey}` }
  const guest = { wallet: named.wallet, chain: named.isChainGiven ? (named.chain ?? '') : '' }
  return toRemove && !named.isChainGiven && isEvmAddress(named.wallet) ? { ...guest, onEveryChain: true } : guest
}

/** A key that lost a part or its capital letters. It has the form of a name without a dot. */
const isBrokenKey = (cell: string): boolean => /^[1-9A-Za-z][0-9A-Za-z]{31,43}$/.test(cell) && !isBase58Key(cell)
const explainBrokenKey =
  'no whole Solana address, which is a base58 text of 32 bytes: copy it again, with its capital letters. A name of NEAR without a dot counts with its chain, such as near:mainnet:bob'

/** A name of NEAR with another mistake than its form gives. */
const meansNear = /^(?:did:pkh:)?near:|\.(?:near|testnet)$/i

/** A name that nobody can have. On other chains than NEAR, addresses may be of a form of their own. */
const isMisnamed = ({ wallet }: NamedAccount, cell: string): boolean =>
  !isEvmAddress(wallet) &&
  !isBase58Key(wallet.replace(/^ed25519:/, '')) &&
  !isNearName(wallet) &&
  (meansNear.test(cell) || !/[A-Z]/.test(wallet))

const isMixed = (address: string): boolean => /[a-f]/.test(address) && /[A-F]/.test(address)

/** As readLines() reads it: an address, or CAIP-10. */
export const writeGuest = ({ wallet, chain }: Guest): string =>
  writeName({ wallet, chain: chain === '' ? undefined : chain, isChainGiven: chain !== '' })
