/** Reads the holding of a Solana mint. NFTs without a mint (compressed ones, Metaplex Core) are not supported. */
import type { SolanaChain, SolanaHolding } from '../../outside/chains/chain.ts'
import { type Fails, fails } from '../verifier.ts'

/** Errors: OutsideError. */
export async function readSolanaHolding(
  chain: SolanaChain,
  owner: string,
  mint: string,
): Promise<SolanaHolding | Fails> {
  const holding = await chain.readTokenHolding(owner, mint)
  if (holding.mintKind === 'absent')
    return fails('MINT_NOT_FOUND', `there is nothing at ${mint} on ${chain.chain}: check address and cluster`)
  return holding.mintKind === 'other'
    ? fails('NOT_A_MINT', `${mint} is no mint of the token programs: give the mint, not a token account or a program`)
    : holding
}

/** The chain and the slot of an evidence. */
export const readSlot = ({ chain }: SolanaChain, { slot }: SolanaHolding) => ({ chain, slot })
