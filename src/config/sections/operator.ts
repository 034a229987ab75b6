/** [operator]: the viewers of the operator's dashboard. */
import { Type } from '@sinclair/typebox'
import { isWallet } from '../address.ts'
import { describeTable, list } from '../setting.ts'

export const operator = describeTable({
  wallets: list(Type.String({ expected: 'a wallet', accepts: isWallet }), {
    description:
      'Wallets whose owners, once signed in, are operators: EVM or Solana addresses; of a contract wallet its CAIP-10 id (eip155:8453:0x…). [] leaves it to the one-time link that the start prints.',
    consequence: 'Operators see health, limits, the audit log and the numbers of the whole server, and no secrets.',
    expected: 'wallets such as 0x2682F1afA9e879dCeA444D8d93895c4bCbf55076',
    default: [],
    example: ['0x2682F1afA9e879dCeA444D8d93895c4bCbf55076'],
    maxItems: 100,
  }),
})
