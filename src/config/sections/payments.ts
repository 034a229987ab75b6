/** [payments]: settings of all payment methods. Each method adds a table of its own (payments/<method>/settings.ts). */
import { describeTable, describeWhole } from '../setting.ts'

export const payments = describeTable({
  quote_minutes: describeWhole({
    description: 'How old a payment may be when it is offered for a reward.',
    consequence: 'Shorter refuses buyers who come back late. Longer lets old transfers be offered as payments.',
    unit: 'minutes',
    default: 60,
    example: 60,
    minimum: 1,
    maximum: 43_200,
  }),
  reservation_minutes: describeWhole({
    description:
      'How long a place at a gate with a limit is held for a buyer who signed a payment, or has a quote for a transfer. A page of payment holds it for as long as it can be paid.',
    consequence: 'Shorter frees places of buyers who go away. Longer lets slow buyers finish.',
    unit: 'minutes',
    default: 15,
    example: 15,
    minimum: 1,
    maximum: 1440,
  }),
  watch_hours: describeWhole({
    description: 'How long a payment is looked at again after the reward, until it is final.',
    consequence: 'A payment that is taken back in this time suspends what it paid for.',
    unit: 'hours',
    default: 72,
    example: 72,
    minimum: 1,
    maximum: 8760,
  }),
})
