/** [publishing]: the account that records proofs on requested chains. Each chain's table names its contract (eas). */
import { Type } from '@sinclair/typebox'
import { isPrivateKey } from '../private-key.ts'
import { describeTable, describeText, describeWhole, list } from '../setting.ts'

export const publishing = describeTable({
  private_key: Type.Optional(
    describeText({
      description: 'Private key of the account that pays for and signs the transactions: 0x and 64 hexadecimal digits.',
      consequence: 'Use an account that holds little and does nothing else: its nonces belong to this server.',
      whenEmpty: 'nothing is published',
      secret: true,
      example: '<0x and 64 hexadecimal digits>',
      expected: '0x and 64 hexadecimal digits that are a key of secp256k1',
      pattern: '^0x[0-9a-fA-F]{64}$',
      accepts: isPrivateKey,
    }),
  ),
  wallets: list(Type.String({ expected: 'a wallet address', pattern: '^[A-Za-z0-9._:-]{2,128}$' }), {
    description: 'Wallets whose proofs are recorded when they ask for it. Empty: those of everybody.',
    consequence: 'Others are refused when they ask. While it is empty, everybody can make the account above pay.',
    expected: 'wallet addresses',
    default: [],
    example: ['0x2682F1afA9e879dCeA444D8d93895c4bCbf55076'],
    maxItems: 1000,
  }),
  confirmations: describeWhole({
    description: 'How many blocks deep a transaction must be before it counts as final.',
    consequence: 'Fewer is faster, and a reorganization may undo what was called final.',
    unit: 'blocks',
    default: 6,
    example: 12,
    minimum: 1,
    maximum: 1000,
  }),
  max_fee_gwei: describeWhole({
    description: 'Most that is paid for one unit of gas.',
    consequence: 'While the chain asks for more, transactions wait.',
    unit: 'gwei',
    default: 100,
    example: 50,
    minimum: 1,
    maximum: 100_000,
  }),
  bump_after_seconds: describeWhole({
    description: 'How long a transaction may wait to be mined before it is sent again with a higher fee.',
    consequence: 'Shorter is faster when fees rise, and costs more.',
    unit: 'seconds',
    default: 60,
    example: 60,
    minimum: 1,
    maximum: 86_400,
  }),
  give_up_after_minutes: describeWhole({
    description: 'How long a proof is tried to be published. Then its status is verified_propagation_failed.',
    consequence: 'Longer survives longer outages and high fees.',
    unit: 'minutes',
    default: 1440,
    example: 1440,
    minimum: 1,
    maximum: 43_200,
  }),
})
