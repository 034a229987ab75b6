/** The wallet that a call refers to: one of the person's, or a foreign one. */
import type { Static } from '@sinclair/typebox'
import { Type } from '@sinclair/typebox'
import type { Account, Identity, OwnAccount } from '../auth/identity.ts'
import { AppError } from '../errors.ts'
import { adoptAccount } from '../http/grounds.ts'
import type { Parts } from '../parts.ts'
import {
  chooseMeant,
  explainNoAccount,
  misspelledEvmChain,
  type NamedAccount,
  readNamedAccount,
  writeAccount,
  writeName,
} from '../wallet/account.ts'

/** An argument that names a wallet. */
export const WalletArgument = (description: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 256,
      description: `${description} Address, did:pkh of one, or CAIP-10, which name the chain of a contract wallet.`,
    }),
  )

/** Accompanies walletAddress in answers. */
export const ContractOn = Type.Optional(
  Type.String({ description: 'CAIP-2 chain on which that is a contract wallet; absent for keys.' }),
)

export type WalletArgument = Static<ReturnType<typeof WalletArgument>>

/** A wallet, with the chain that is given in the argument. Errors: INVALID_WALLET_ADDRESS. */
export function requireNamed(identifier: string, argument: string, { config }: Pick<Parts, 'config'>): NamedAccount {
  const named = readNamedAccount(identifier, config.signing.hubChainId)
  if (named) return named
  throw new AppError('INVALID_WALLET_ADDRESS', `argument ${argument} is ${explainNoAccount(identifier)}`, { argument })
}

/**
 * The same wallet on the chain that an argument of its own names. A key is itself on every chain, and a name without a
 * chain may be that of a contract there. Errors: VALIDATION_ERROR for another chain than the wallet is named with.
 */
export function narrowToChain(named: NamedAccount, chain: string | undefined, argument: string): NamedAccount {
  if (named.chain === undefined || !chain?.startsWith('eip155:') || misspelledEvmChain.test(chain)) return named
  if (!named.isChainGiven) return { ...named, chain, isChainGiven: true }
  if (named.chain === chain) return named
  throw new AppError(
    'VALIDATION_ERROR',
    `argument ${argument} is a wallet on ${named.chain}, and argument chain is ${chain}: give one chain`,
    { argument: 'chain' },
  )
}

/** The one of the person's accounts that is named. */
export const findOwn = async ({ listAccounts }: Identity, named: NamedAccount): Promise<OwnAccount | undefined> =>
  chooseMeant(await listAccounts(), named)

/** One of the person's, the primary one where none is named. Errors: INVALID_WALLET_ADDRESS, FORBIDDEN. */
export async function requireOwn(
  identity: Identity,
  identifier: string | undefined,
  argument: string,
  parts: Pick<Parts, 'config'>,
): Promise<Account> {
  if (identifier === undefined) return identity.profile.primary
  const named = requireNamed(identifier, argument, parts)
  const account = await findOwn(identity, named)
  if (account) return adoptAccount(account)
  throw new AppError(
    'FORBIDDEN',
    `argument ${argument}: ${writeName(named)} is not a wallet of the signed-in person. Use one of ${(await identity.listAccounts()).map(writeAccount).join(', ')}`,
    { argument },
  )
}
