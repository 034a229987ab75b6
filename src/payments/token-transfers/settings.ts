/** [payments.stablecoin.<name>]: the tokens in which transfers count as payments. */
import type { Config } from '../../config/schema.ts'
import { type Checked, describeTable, describeTables, describeText, describeWhole } from '../../config/setting.ts'
import { readMethodSettings } from '../settings.ts'

const evmAddress = { expected: 'an EVM address', pattern: '^0x[a-fA-F0-9]{40}$' }

const token = describeTable({
  chain: describeText({
    description: 'CAIP-2 id of the chain. It must stand among [chains.<name>].',
    consequence: 'Transfers on other chains are no payment.',
    example: 'eip155:8453',
    expected: 'eip155:<chain id>',
    pattern: '^eip155:[1-9][0-9]{0,14}$',
  }),
  token: describeText({
    description: 'Contract of the token. A symbol is only a word: this address decides.',
    consequence: 'Transfers of other tokens are no payment.',
    example: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    ...evmAddress,
  }),
  decimals: describeWhole({
    description: 'Decimal places of the token. Compared with the contract by doctor.',
    consequence: 'A wrong number makes prices wrong by powers of ten.',
    default: 6,
    example: 6,
    minimum: 0,
    maximum: 36,
  }),
  symbol: describeText({
    description: 'What people call the token.',
    consequence: 'It is only shown.',
    default: 'USDC',
    example: 'USDC',
    maxLength: 16,
  }),
  confirmations: describeWhole({
    description: 'How many blocks deep a payment must be before the reward is given. 0 waits until its block is final.',
    consequence: 'Fewer is faster, and a reorganization may take the payment back after the reward was given.',
    unit: 'blocks',
    default: 3,
    example: 12,
    minimum: 0,
    maximum: 10_000,
  }),
})

export const tokenSettings = {
  table: 'stablecoin',
  schema: describeTables('^[a-z][a-z0-9-]{0,31}$', token, {
    description: 'Tokens that count as US dollars, each under a name of your choice.',
    consequence: 'Without any, stablecoin payments are not offered.',
    expected: 'a name of a-z 0-9 and -, beginning with a letter',
    example: {
      'usdc-base': {
        chain: 'eip155:8453',
        token: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
        decimals: 6,
        symbol: 'USDC',
        confirmations: 3,
      },
    },
  }),
}

export type TokenSettings = Checked<typeof token>

/** By the names that the operator chose. */
export const readTokenSettings = (config: Pick<Config, 'payments'>) => readMethodSettings(config, tokenSettings)
