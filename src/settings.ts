/**
 * Every setting of this build: those of config/schema.ts, the tables of single verifiers, and
 * those of payment methods below [payments]. It stands above the folders because config/ knows no plug-in, and plug-ins know config/.
 */
import { ownSettings } from './config/schema.ts'
import { payments } from './config/sections/payments.ts'
import { describeTable } from './config/setting.ts'
import { paymentMethods } from './payments/index.ts'
import { type VerifierTable, verifierTables } from './verifiers/settings.ts'

const methodTables = Object.fromEntries(
  paymentMethods.flatMap(({ settings }) => (settings ? [[settings.table, settings.schema] as const] : [])),
)

/** `tables`: those of single verifiers; another list in tests. */
export const describeSettings = (tables: readonly VerifierTable[] = verifierTables) =>
  describeTable({
    ...ownSettings.properties,
    ...(Object.fromEntries(tables.map(({ name, schema }) => [name, schema])) as Record<never, never>),
    payments: describeTable({ ...payments.properties, ...methodTables }),
  })

export const settings = describeSettings()
