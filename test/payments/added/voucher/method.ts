/** A payment method that exists in tests only: a voucher pays when it begins with the code of the settings. */
import type { PaymentMethod } from '../../../../src/payments/payment.ts'
import { readMethodSettings } from '../../../../src/payments/settings.ts'
import { makeUnpaid } from '../../../../src/payments/unpaid.ts'
import { voucherSettings } from './settings.ts'

const setting = 'payments.voucher.code'

export const voucher: PaymentMethod = {
  id: 'voucher',
  name: 'voucher',
  words: { label: 'Voucher' },
  means: 'a voucher',
  identity: 'voucher:<number>',
  evidence: {
    in: 'body',
    member: 'paymentVoucher',
    maxLength: 64,
    description: 'The voucher, where the gate takes it.',
  },
  isPaidOnChain: false,
  givesBack: false,
  movesMoneyHere: false,
  opensCheckout: false,
  settings: voucherSettings,

  makeProbes: (tools) => [
    { setting, isLocal: true, run: () => Promise.resolve({ level: 'ok', says: `is ${readCode(tools)}` }) },
  ],

  findMissingConfiguration: (tools) => (readCode(tools) === undefined ? `needs ${setting}` : undefined),

  findPriceFault: ({ amountUsd }) => (amountUsd === '5' ? undefined : 'needs the amount 5, as vouchers have'),

  describe: (tools) => ({ id: 'voucher', type: 'voucher', enabled: readCode(tools) !== undefined }),

  async confirm({ evidence }, tools) {
    const code = readCode(tools)
    const number = /^(.*)-(\d+)$/.exec(evidence)
    if (number?.[1] !== code) return makeUnpaid('NO_VOUCHER', 'this is no voucher of this server')
    return {
      paid: true,
      identity: `voucher:${number![2]}`,
      payer: null,
      amount: '500',
      paidAt: tools.now(),
      details: {},
      isFinal: true,
    }
  },

  review: () => Promise.resolve({ state: 'final' }),
}

const readCode = ({ config }: Parameters<NonNullable<PaymentMethod['makeProbes']>>[0]): string | undefined =>
  readMethodSettings(config, voucherSettings).code
