/**
 * Identifies the operators of this server: the wallets of the configuration, and people who used a one-time link. This
 * folder owns their identity and their views, which do not exist for others. A person is an operator by the primary
 * wallet of the profile; a linked wallet does not count.
 */
import type { Session } from '../auth/sessions/store.ts'
import type { Parts } from '../parts.ts'
import { parseAccountSetting, writeAccount } from '../wallet/account.ts'
import { isStored, listStored } from './store.ts'

type OperatorTools = Pick<Parts, 'config' | 'db'>

export const isConfigured = ({ config }: Pick<Parts, 'config'>, account: string): boolean =>
  config.operator.wallets.some((wallet) => writeAccount(parseAccountSetting(wallet)) === account)

export async function isOperator(
  parts: OperatorTools,
  session: Pick<Session, 'profile'> | undefined,
): Promise<boolean> {
  if (!session) return false
  const account = writeAccount(session.profile.primary)
  return isConfigured(parts, account) || (await isStored(parts.db, account))
}

/** Whether the server has any operator. */
export const hasOperator = async ({ config, db }: OperatorTools): Promise<boolean> =>
  config.operator.wallets.length > 0 || (await listStored(db)).length > 0
