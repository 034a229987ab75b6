/**
 * Names a payment with a signed authorization (EIP-3009), for any method. The transaction is not its name: anybody may
 * send an authorization. A stranger can put a buyer's authorization and a payment of their own into one transaction.
 * Its hash would then give them both. The name does not combine both either, because each payment counts once.
 */
import { type Hex, pad } from 'viem'
import type { EvmReceipt } from '../../outside/chains/chain.ts'

export interface Authorization {
  /** CAIP-2 id of the chain. */
  readonly network: string
  /** Contract of the token. */
  readonly asset: string
  readonly from: string
  /** 32 bytes, chosen by the payer. Used or cancelled once for each payer. */
  readonly nonce: string
}

export const makeAuthorizationIdentity = ({ network, asset, from, nonce }: Authorization): string =>
  `x402:${network}:${asset}:${from}:${nonce}`.toLowerCase()

/** EIP-3009, keccak-256 of "AuthorizationUsed(address,bytes32)": topics are the payer and the nonce. */
export const authorizationUsed: Hex = '0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5'

/** The same topics after that of "AuthorizationCanceled(address,bytes32)", which its payer canceled unused. */
export const authorizationCanceled: Hex = '0x1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d81'

/** An address as a topic. */
export const makeTopic = (address: string): Hex => pad(address.toLowerCase() as Hex)

/** The nonces of all authorizations of a payer that a transaction used. */
export const listUsedNonces = (payer: string, asset: string, logs: EvmReceipt['logs']): Hex[] =>
  logs
    .filter(
      ({ address, topics }) =>
        address.toLowerCase() === asset.toLowerCase() &&
        topics[0] === authorizationUsed &&
        topics[1] === makeTopic(payer),
    )
    .flatMap(({ topics }) => topics[2] ?? [])
