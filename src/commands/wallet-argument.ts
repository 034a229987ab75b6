/** A wallet argument on the command line. */
import type { Account } from '../auth/identity.ts'
import { didOfAccount } from '../auth/sign-in/sign-in.ts'
import { findProfileByDid } from '../profiles/store.ts'
import {
  isBase58Key,
  isEvmAddress,
  normalizeAddress,
  parseAccount,
  readAccountId,
  readAddress,
} from '../wallet/account.ts'
import { UsageError } from './command.ts'
import type { FolderParts } from './data-folder.ts'
import { escapeInvisible } from './escape-invisible.ts'

/** Errors: UsageError. */
export async function requireAccount(parts: Pick<FolderParts, 'db' | 'config'>, text: string): Promise<Account> {
  if (text.startsWith('did:')) return requireDidAccount(parts, text)
  const account = parseAccount(/^eip155:/.test(text) ? text.toLowerCase() : normalizeAddress(text))
  if (isEvmAddress(account.wallet) || isBase58Key(account.wallet)) return account
  throw new UsageError(
    `"${escapeInvisible(text).slice(0, 80)}" is not a wallet: give an EVM or Solana address, a did:pkh, or eip155:<chain>:<address> for a contract wallet`,
  )
}

/** A DID may be that of a contract wallet or of a key: who signed in with it is known. */
async function requireDidAccount(parts: Pick<FolderParts, 'db' | 'config'>, given: string): Promise<Account> {
  const accountId = readAccountId(given)
  const did = accountId === undefined ? given : `did:pkh:${accountId}`
  const known = await findProfileByDid(parts.db, did)
  if (known) return known.primary
  const account: Account = { wallet: normalizeAddress(readAddress(did)), contractOn: undefined }
  if (didOfAccount(parts, account) === did) return account
  throw new UsageError(
    `nobody signed in here as ${escapeInvisible(did).slice(0, 160)}: give the address, or eip155:<chain>:<address> for a contract wallet`,
  )
}
