/** [payments.x402]: the facilitator that settles signed payments, and the token that is asked for. */
import { Type } from '@sinclair/typebox'
import { isEndpoint } from '../../config/address.ts'
import type { Config } from '../../config/schema.ts'
import { describeTable, describeText } from '../../config/setting.ts'
import { readMethodSettings } from '../settings.ts'

const address = { expected: 'an http(s) address', accepts: isEndpoint }

export const x402Settings = {
  table: 'x402',
  schema: describeTable({
    facilitator_url: Type.Optional(
      describeText({
        description: 'Address of the x402 facilitator that verifies and settles payments.',
        consequence: 'It sees every payment and sends the transactions.',
        whenEmpty: 'x402 payments are not offered',
        example: 'https://facilitator.example.com',
        ...address,
      }),
    ),
    token: Type.Optional(
      describeText({
        description: 'Name under [payments.stablecoin] of the token that is asked for.',
        consequence: 'Prices are quoted in this token.',
        whenEmpty: 'the only one there is',
        example: 'usdc-base',
        expected: 'a name under [payments.stablecoin]',
        pattern: '^[a-z][a-z0-9-]{0,31}$',
      }),
    ),
    token_name: describeText({
      description: 'EIP-712 name of the token, which payers sign.',
      consequence: 'Signatures over another name are refused by the token.',
      default: 'USD Coin',
      example: 'USD Coin',
      maxLength: 64,
    }),
    token_version: describeText({
      description: 'EIP-712 version of the token, which payers sign.',
      consequence: 'Signatures over another version are refused by the token.',
      default: '2',
      example: '2',
      maxLength: 16,
    }),
  }),
}

export const readX402Settings = (config: Pick<Config, 'payments'>) => readMethodSettings(config, x402Settings)
