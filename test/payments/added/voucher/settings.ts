/** [payments.voucher]: the code that pays. */
import { Type } from '@sinclair/typebox'
import { describeTable, describeText } from '../../../../src/config/setting.ts'

export const voucherSettings = {
  table: 'voucher',
  schema: describeTable({
    code: Type.Optional(
      describeText({
        description: 'The code of the vouchers of this server.',
        consequence: 'Each voucher is this code, a dash and a number.',
        whenEmpty: 'vouchers are not taken',
        example: 'spring',
        maxLength: 16,
      }),
    ),
  }),
}
