/**
 * The names that a person gives to wallets, to know them again. They are shown to that person alone, and no rule or
 * proof reads them.
 */
import type { Session } from '../auth/sessions/store.ts'
import { AppError } from '../errors.ts'
import type { Parts } from '../parts.ts'
import { requirePlainLabel } from '../plain-label.ts'
import { deleteLabel, type LabelRow, listLabels, mostLabels, writeLabel } from '../profiles/label-store.ts'
import { requireProfile } from '../profiles/store.ts'
import { type AccountText, explainNoAccount, readNamedAccount, writeAccount, writeName } from '../wallet/account.ts'

export const labelMaxLength = 60

export const readLabels = ({ db }: Pick<Parts, 'db'>, profile: number): Promise<LabelRow[]> => listLabels(db, profile)

/** Names a wallet, or gives it another name. Errors: INVALID_WALLET_ADDRESS, VALIDATION_ERROR, CONFLICT. */
export async function setLabel(
  parts: Parts,
  { profile }: Session,
  given: { readonly account: string; readonly label: string },
): Promise<LabelRow> {
  const account = requireAccount(parts, given.account)
  const label = requirePlainLabel(given.label)
  const createdAt = parts.now()
  const outcome = await writeLabel(
    parts.db,
    { profile: profile.id, account, wallet: writeAccount(profile.primary), label, createdAt },
    requireProfile(profile),
  )
  if (outcome === 'full')
    throw new AppError('CONFLICT', `you have named ${mostLabels} wallets, which is the most: remove a name first`, {
      limit: mostLabels,
    })
  if (outcome === 'gone') throw new AppError('CONFLICT', 'the profile was deleted meanwhile, and nothing was stored')
  return { account, label, createdAt }
}

/** Removing again is no error. */
export async function removeLabel(
  parts: Parts,
  { profile }: Session,
  given: string,
): Promise<{ readonly account: string; readonly wasLabeled: boolean }> {
  // The list may hold short names, which are no accounts without their chain.
  const account = readAccount(parts, given) ?? given
  return { account, wasLabeled: await deleteLabel(parts.db, profile.id, account, parts.now()) }
}

/** The text of an account that a request names: an address, or CAIP-10 of a contract wallet. */
function readAccount({ config }: Pick<Parts, 'config'>, given: string): AccountText | undefined {
  const named = readNamedAccount(given, config.signing.hubChainId)
  return named && (writeName(named) as AccountText)
}

/** Errors: INVALID_WALLET_ADDRESS. */
function requireAccount(parts: Pick<Parts, 'config'>, given: string): AccountText {
  const account = readAccount(parts, given)
  if (account) return account
  throw new AppError('INVALID_WALLET_ADDRESS', `account is ${explainNoAccount(given)}`, { path: '/account' })
}
