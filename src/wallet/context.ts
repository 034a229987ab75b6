/** The chain that a wallet signs for. This is the only reading of chain, chainId and neither. */
import { AppError } from '../errors.ts'
import {
  type ChainContext,
  findAddressFault,
  isCaip2,
  isEvmAddress,
  misspelledEvmChain,
  readNamespace,
} from './account.ts'

export interface WalletReference {
  readonly walletAddress: string
  readonly chainId?: number | undefined
  readonly chain?: string | undefined
}

/**
 * With neither chain nor chainId, an EVM wallet signs for the hub chain, and any other for `otherwise`, if given. The
 * address is checked against the chain. Errors: VALIDATION_ERROR, INVALID_WALLET_ADDRESS.
 */
export function requireContext(wallet: WalletReference, hubChainId: number, otherwise?: string): ChainContext {
  const context = readContext(wallet, hubChainId, otherwise)
  const fault = findAddressFault(wallet.walletAddress, readNamespace(context))
  // Without a chain its kind was only assumed, so the fault of that kind alone would mislead.
  const isAssumed = !wallet.chain && wallet.chainId === undefined && !wallet.walletAddress.startsWith('0x')
  if (fault)
    throw new AppError(
      'INVALID_WALLET_ADDRESS',
      isAssumed
        ? `walletAddress is not usable: without a chain it must be an EVM address (0x and 40 hexadecimal digits) or a base58 key of 32 bytes. For another kind of wallet give chain`
        : `walletAddress is not usable: ${fault}`,
      { path: '/walletAddress' },
    )
  return context
}

function readContext(
  { chain, chainId, walletAddress }: WalletReference,
  hubChainId: number,
  otherwise?: string,
): ChainContext {
  if (!chain) {
    if (chainId !== undefined) return { chainId }
    // A text with 0x in front is meant for an EVM chain. The address check then explains its fault.
    if (isEvmAddress(walletAddress) || walletAddress.startsWith('0x')) return { chainId: hubChainId }
    if (otherwise) return { chain: otherwise }
    throw new AppError(
      'INVALID_WALLET_ADDRESS',
      'walletAddress is not an EVM address (0x and 40 hexadecimal digits). For another kind of wallet give chain, for example "solana:mainnet"',
      { path: '/walletAddress' },
    )
  }
  if (!isCaip2(chain))
    throw makeInvalidChainError(
      `chain "${chain.slice(0, 80)}" is not a CAIP-2 id such as "eip155:1" or "solana:mainnet"`,
    )
  // With a chain of another kind, chainId is a hint that older clients always send.
  if (!chain.startsWith('eip155:')) return { chain }
  if (misspelledEvmChain.test(chain))
    throw makeInvalidChainError(
      `chain "${chain}" does not name an EVM chain number: write 1 to 15 digits after "eip155:", the first of them not 0`,
    )
  if (chainId !== undefined && chainId !== Number(chain.slice('eip155:'.length)))
    throw makeInvalidChainError(`chain "${chain}" and chainId ${chainId} are two different chains: send one of them`)
  return { chain }
}

const makeInvalidChainError = (message: string): AppError =>
  new AppError('VALIDATION_ERROR', message, { path: '/chain' })
