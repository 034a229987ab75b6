/**
 * The name of a payment that was made with a signed authorization (EIP-3009), under whichever method it is offered.
 *
 * It is not the transaction: everybody may send an authorization, so a stranger can put that of a buyer and a payment
 * of their own into one transaction, and would claim both with its hash. Nor is it both, for each payment counts once.
 */
import { type Hex, keccak256, pad, toBytes } from 'viem'
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

/** EIP-3009: topics are the payer and the nonce. */
export const authorizationUsed: Hex = keccak256(toBytes('AuthorizationUsed(address,bytes32)'))

/** The same topics, where the payer took it back unused. */
export const authorizationCanceled: Hex = keccak256(toBytes('AuthorizationCanceled(address,bytes32)'))

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
