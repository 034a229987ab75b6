/**
 * Signatures of contract wallets: ERC-1271 for deployed ones, ERC-6492 for those that are not deployed yet. Both run as
 * eth_call on the chain of the request, so they change nothing there.
 *
 * It does not try a key: wallet/signature.ts has done that.
 */
import {
  type Address,
  decodeAbiParameters,
  encodeDeployData,
  encodeFunctionData,
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
  parseAbi,
  toHex,
} from 'viem'
import { defer } from '../../defer.ts'
import type { AskContractWallet, ContractAnswer } from '../../wallet/signature.ts'
import type { BlockView, Chains, Hex } from './chain.ts'
import { findDelegate } from './delegation.ts'

const readWalletAbi = defer(() =>
  parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)']),
)

/** ERC-1271: bytes4(keccak256("isValidSignature(bytes32,bytes)")), alone in a word of 32 bytes. */
const accepted = `0x1626ba7e${'0'.repeat(56)}`

/** ERC-6492: the last 32 bytes of a signature that carries the deployment of its wallet. */
const wrapperEnd = '6492'.repeat(16)

export const makeContractWalletAsker =
  (chains: Chains): AskContractWallet =>
  async ({ chainId, address, digests, signature }) => {
    const chain = chains.evm(chainId)
    if (!chain) return { says: 'no-chain' }
    const view = await chain.at()
    const code = await view.readCode(address)
    // A key that the code delegates the address to, for a session or for good, is not its owner.
    const delegate = findDelegate(code)
    if (delegate) return { says: 'delegated', delegate }
    const inner = unwrapSignature(signature)
    if (code !== '0x') return askDeployed(view, address, digests, inner ?? signature)
    return inner === undefined ? { says: 'no-contract' } : askCounterfactual(view, address, digests, signature)
  }

/**
 * Unwraps the signature of a deployed wallet and never makes the wrapper's call. A stranger can choose that call. It
 * could change the wallet's owner, as with accounts owned by a token (ERC-6551).
 */
async function askDeployed(
  view: BlockView,
  address: Hex,
  digests: readonly Uint8Array[],
  signature: Hex,
): Promise<ContractAnswer> {
  for (const [position, digest] of digests.entries()) {
    const outcome = await view.call({
      to: address,
      data: encodeFunctionData({
        abi: readWalletAbi(),
        functionName: 'isValidSignature',
        args: [toHex(digest), signature],
      }),
      isDataOfStranger: true,
    })
    // Exactly one word: a contract that returns its input would begin with the same four bytes.
    if ('returned' in outcome && outcome.returned.toLowerCase() === accepted)
      return { says: 'signed', position, method: 'eip1271' }
  }
  return { says: 'not-signed' }
}

/** The validator of ERC-6492 runs as creation code: it deploys the wallet, asks it, and returns one byte. */
async function askCounterfactual(
  view: BlockView,
  address: Address,
  digests: readonly Uint8Array[],
  signature: Hex,
): Promise<ContractAnswer> {
  for (const [position, digest] of digests.entries()) {
    const outcome = await view.call({
      data: encodeDeployData({
        abi: erc6492SignatureValidatorAbi,
        bytecode: erc6492SignatureValidatorByteCode,
        args: [address, toHex(digest), signature],
      }),
      isCodeOfStranger: true,
    })
    if ('returned' in outcome && outcome.returned === '0x01') return { says: 'signed', position, method: 'eip6492' }
  }
  return { says: 'not-signed' }
}

/** The signature inside an ERC-6492 wrapper; undefined for a missing or unreadable wrapper. */
function unwrapSignature(signature: Hex): Hex | undefined {
  if (!signature.toLowerCase().endsWith(wrapperEnd)) return undefined
  try {
    const [, , inner] = decodeAbiParameters(
      [{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }],
      signature.slice(0, -wrapperEnd.length) as Hex,
    )
    return inner
  } catch {
    return undefined
  }
}
