/**
 * Who runs this server, as far as pages and the API know: the wallets of the configuration, and whoever used a one-time
 * link. This folder owns who that is and what only they are told; for everybody else none of it exists.
 *
 * A person is an operator by the primary wallet of its profile: a wallet that is merely linked to it makes nobody one.
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

/** Whether there is anybody who could look after the server. */
export const hasOperator = async ({ config, db }: OperatorTools): Promise<boolean> =>
  config.operator.wallets.length > 0 || (await listStored(db)).length > 0
