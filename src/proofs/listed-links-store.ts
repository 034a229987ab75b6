/** The accounts that belong to the holder of an agent, by listed wallet-link proofs: both wallets signed such a link. */

import type { Db } from '../db/db.ts'
import { standsProof } from '../db/erasing.ts'
import { label, pick, query, type RowOf } from '../db/query.ts'
import { walletLinkId } from '../verifiers/roles.ts'
import { type Account, type AccountText, isUnknown, readWallet, writeAccount } from '../wallet/account.ts'
import { isContractMethod } from '../wallet/signature-method.ts'

/** Enough for anybody's links. */
const mostLinked = 64

const readSecond = (member: string): string => `
  (SELECT value ->> '$.data.${member}' FROM json_each(p.record, '$.rows')
   WHERE value ->> 'verifierId' = '${walletLinkId}' AND value -> 'verified' = 'true')`

/** A superseded link does not count: revoking its newest run ends the link. 2: listed. */
const selectLinks = query<[string, number]>()`
  SELECT DISTINCT ${pick('accounts a', { signer: 'address' })},
    ${readSecond('secondaryWalletAddress')} AS ${label('second', 'text')},
    ${readSecond('chain')} AS ${label('secondChain', 'text')},
    ${readSecond('signatureMethod')} AS ${label('secondMethod', 'text or null')}
  FROM wallet_links l CROSS JOIN proofs p ON p.id = l.proof_id CROSS JOIN accounts a ON a.id = p.account_id
  WHERE l.wallet = ?1 AND p.visibility = 2
    AND p.revoked_at IS NULL AND p.superseded = 0 AND (p.expires_at IS NULL OR p.expires_at > ?2)
    AND ${standsProof('p')}
  LIMIT ${mostLinked}`

type LinkRow = RowOf<typeof selectLinks>

/** The other end of each link that the account made, as either of its wallets. */
export async function findLinked(db: Db, account: Account, now: number): Promise<AccountText[]> {
  const rows = await db.read(selectLinks).all(account.wallet, now)
  const linked = rows.flatMap((row) => {
    const seconds = listSeconds(row)
    const own = writeAccount(account)
    return [
      ...(row.signer === own || isSignerOfOld(row, account) ? seconds : []),
      ...(seconds.includes(own) ? [row.signer] : []),
    ]
  })
  return [...new Set(linked)]
}

/** Data that may belong to a key or a contract counts for the key's signer. */
const isSignerOfOld = ({ signer }: LinkRow, { wallet, contractOn }: Account): boolean =>
  contractOn === undefined && isUnknown(signer) && readWallet(signer) === wallet

/** Older links, without the method, may belong to a key or a contract. */
function listSeconds({ second: wallet, secondChain, secondMethod }: LinkRow): AccountText[] {
  const key = writeAccount({ wallet, contractOn: undefined })
  if (!secondChain.startsWith('eip155:')) return [key]
  const contract = writeAccount({ wallet, contractOn: secondChain })
  if (secondMethod === null) return [key, contract]
  return [isContractMethod(secondMethod) ? contract : key]
}
