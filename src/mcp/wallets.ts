/** Which wallet a call means: one of the person's, or somebody else's. */
import type { Static } from '@sinclair/typebox'
import { Type } from '@sinclair/typebox'
import { AppError } from '../errors.ts'
import type { Account, Identity } from '../http/identity.ts'
import { adoptAccount } from '../http/standing.ts'
import type { Parts } from '../parts.ts'
import {
  addressOfIdentifier,
  looksLikeAddress,
  mayMean,
  type NamedAccount,
  normalizeAddress,
  readNamedAccount,
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

export type WalletArgument = Static<ReturnType<typeof WalletArgument>>

/** As stored and compared. Errors: INVALID_WALLET_ADDRESS. */
export function walletIn(identifier: string, argument: string): string {
  const address = addressOfIdentifier(identifier)
  if (address === undefined || !looksLikeAddress(address))
    throw new AppError('INVALID_WALLET_ADDRESS', `argument ${argument} is not a wallet address or did:pkh of one`, {
      argument,
    })
  return normalizeAddress(address)
}

/** A wallet, with the chain that is given in the argument. Errors: INVALID_WALLET_ADDRESS. */
export function requireNamed(identifier: string, argument: string, { config }: Pick<Parts, 'config'>): NamedAccount {
  const named = readNamedAccount(identifier, config.signing.hubChainId)
  if (named) return named
  throw new AppError(
    'INVALID_WALLET_ADDRESS',
    `argument ${argument} is not a wallet address, a did:pkh or a CAIP-10 account such as eip155:8453:0x…`,
    { argument },
  )
}

/** The one of the person's accounts that is named. */
export const findOwn = ({ accounts }: Identity, named: NamedAccount): Account | undefined =>
  accounts.find((account) => mayMean(named, account))

export const accountOf = ({ accounts }: Identity, wallet: string): Account | undefined =>
  accounts.find((account) => account.wallet === wallet)

/** One of the person's, the primary one where none is named. Errors: INVALID_WALLET_ADDRESS, FORBIDDEN. */
export function requireOwn(identity: Identity, identifier: string | undefined, argument: string): Account {
  if (identifier === undefined) return identity.profile.primary
  const wallet = walletIn(identifier, argument)
  const account = accountOf(identity, wallet)
  if (account) return adoptAccount(account)
  throw new AppError(
    'FORBIDDEN',
    `argument ${argument}: ${wallet} is not a wallet of the person who is signed in. Theirs are ${identity.accounts.map((one) => one.wallet).join(', ')}`,
    { argument },
  )
}
