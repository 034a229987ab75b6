/**
 * The wallets of the same holder, by wallet-link proofs. Both wallets have signed such a link, so either may pay for
 * the other. Links are not followed further: I have not signed the links of my other wallet.
 *
 * It does not check whether a linked wallet is a contract (stablecoin.ts does).
 */

import type { Db } from '../db/db.ts'
import { standsProof } from '../db/erasing.ts'
import { label, pick, pickHash, query, type RowOf } from '../db/query.ts'
import { walletLinkId } from '../verifiers/roles.ts'
import { type Account, writeAccount, writeUnknown } from '../wallet/account.ts'
import { isContractMethod } from '../wallet/signature-method.ts'

/** Enough for the wallets that a person pays from. */
const mostWallets = 64

/** The second end in the evidence; the first one signed the proof. */
const readSecond = (member: string): string => `
  (SELECT value ->> '$.data.${member}' FROM json_each(p.record, '$.rows')
   WHERE value ->> 'verifierId' = '${walletLinkId}' AND value -> 'verified' = 'true')`

/** A superseded link does not count: revoking its newest run ends the link. */
const selectLinked = query<[string, number, string | null]>()`
  SELECT ${pick('wallet_links l', 'other', 'chain')},
    ${pick('accounts a', { signer: 'address' })},
    ${readSecond('secondaryWalletAddress')} AS ${label('second', 'text')},
    ${readSecond('signatureMethod')} AS ${label('secondMethod', 'text or null')}
  FROM wallet_links l CROSS JOIN proofs p ON p.id = l.proof_id CROSS JOIN accounts a ON a.id = p.account_id
  WHERE l.wallet = ?1 AND (CAST(?3 AS TEXT) IS NULL OR l.chain = ?3)
    AND p.revoked_at IS NULL AND p.superseded = 0 AND (p.expires_at IS NULL OR p.expires_at > ?2)
    AND ${standsProof('p')}
  LIMIT ${mostWallets * 2}`

type LinkRow = RowOf<typeof selectLinked>

/** As stored, without the wallet itself. */
export async function listLinkedWallets(db: Db, account: Account, now: number): Promise<readonly string[]> {
  const { wallet, contractOn } = account
  const rows = (await db.read(selectLinked).all(wallet, now, contractOn ?? null)).filter((row) =>
    isLinkMaker(row, account),
  )
  return [...new Set(rows.map(({ other }) => other))].slice(0, mostWallets)
}

/** Whether the account made the link, and not another owner at its address. */
function isLinkMaker({ chain, signer, second, secondMethod }: LinkRow, account: Account): boolean {
  if (second !== account.wallet)
    return signer === writeAccount(account) || signer === writeUnknown(account.wallet, chain)
  // Older links, without the method, may belong to either.
  return secondMethod === null || isContractMethod(secondMethod) === (account.contractOn !== undefined)
}

export type LinkFacts = RowOf<typeof selectLinkFacts>

const selectLinkFacts = query<[number]>()`
  SELECT ${pickHash('proofs', 'qHash')},
    ${pick('proofs', { linkedAt: 'createdAt' })},
    (SELECT value ->> '$.data.label' FROM json_each(record, '$.rows')
          WHERE value ->> 'verifierId' = '${walletLinkId}' AND value -> 'verified' = 'true') AS ${label('label', 'text or null')}
  FROM proofs WHERE id = ?1`

export const findLinkFacts = async (db: Db, linkProof: number): Promise<LinkFacts | undefined> =>
  (await db.read(selectLinkFacts).get(linkProof)) ?? undefined
