/**
 * Every setting of this build: those of config/schema.ts, and the tables of the payment methods below [payments]. It
 * stands above the folders because config/ knows no plug-in, and plug-ins know config/.
 */
import { ownSettings } from './config/schema.ts'
import { payments } from './config/sections/payments.ts'
import { describeTable } from './config/setting.ts'
import { paymentMethods } from './payments/index.ts'

const methodTables = Object.fromEntries(
  paymentMethods.flatMap(({ settings }) => (settings ? [[settings.table, settings.schema] as const] : [])),
)

export const settings = describeTable({
  ...ownSettings.properties,
  payments: describeTable({ ...payments.properties, ...methodTables }),
})
