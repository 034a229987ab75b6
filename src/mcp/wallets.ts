/** Which wallet a call means: one of the person's, or somebody else's. */
import type { Static } from '@sinclair/typebox'
import { Type } from '@sinclair/typebox'
import { AppError } from '../errors.ts'
import type { Account, Identity } from '../http/identity.ts'
import { adoptAccount } from '../http/standing.ts'
import { addressOfIdentifier, looksLikeAddress, normalizeAddress } from '../wallet/account.ts'

/** An argument that names a wallet. */
export const WalletArgument = (description: string) =>
  Type.Optional(
    Type.String({ minLength: 1, maxLength: 256, description: `${description} Address, or did:pkh of one.` }),
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
