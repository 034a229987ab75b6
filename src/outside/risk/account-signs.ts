/** The signs that a chain shows of an account: whether it was used, is a contract, or delegates its code. */
import type { BlockView, Hex } from '../chains/chain.ts'
import { findDelegate } from '../chains/delegation.ts'
import { type RiskIssue, readLevel } from './risk.ts'

/** 0 to 100, on the scale of readLevel. */
export const signScores = {
  /** The account sent no transaction and is empty: anybody can have any number of such wallets. Medium. */
  fresh_wallet: 40,
  /** EIP-7702: a contract acts for the account, and may empty it. Medium. */
  delegated_account: 30,
  /** Code, and not the holder of a key, decides its actions. Low. */
  contract: 10,
} as const

export interface Sign {
  readonly score: number
  readonly issue: RiskIssue
}

/** Errors: OutsideError. */
export async function readAccountSigns(view: BlockView, wallet: Hex): Promise<readonly Sign[]> {
  const [code, nonce, balance] = await Promise.all([
    view.readCode(wallet),
    view.readNonce(wallet),
    view.readNativeBalance(wallet),
  ])
  const delegate = findDelegate(code)
  if (delegate) return [sign('delegated_account', `Runs the code of ${delegate} (EIP-7702)`)]
  if (code !== '0x') return [sign('contract', 'Is a contract: who controls it was not looked at')]
  if (nonce === 0 && balance === 0n) return [sign('fresh_wallet', 'Has sent nothing and holds nothing on this chain')]
  return []
}

const sign = (tag: keyof typeof signScores, description: string): Sign => ({
  score: signScores[tag],
  issue: { tag, severity: readLevel(signScores[tag]), description },
})
