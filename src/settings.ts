/**
 * Every setting of this build: those of config/schema.ts, those of verifiers, and those of payment methods below
 * [payments]. It stands above the folders because config/ knows no plug-in, and plug-ins know config/.
 */
import { ownSettings } from './config/schema.ts'
import { payments } from './config/sections/payments.ts'
import { verifiers } from './config/sections/verifiers.ts'
import { describeTable } from './config/setting.ts'
import { methodTables } from './payments/tables.ts'
import { verifierMembers, verifierTables } from './verifiers/settings.ts'
import type { VerifierTable } from './verifiers/verifier-table.ts'

const paymentTables = Object.fromEntries(methodTables.map(({ table, schema }) => [table, schema] as const))

/** `tables`: those of verifiers; another list in tests. */
export const describeSettings = (tables: readonly VerifierTable[] = verifierTables) => {
  const { app_links, access, ...choice } = verifiers.properties
  const own = {
    ...ownSettings.properties,
    verifiers: describeTable({ ...choice, ...verifierMembers, app_links, access }),
    payments: describeTable({ ...payments.properties, ...paymentTables }),
  }
  const ordered = Object.entries(own).flatMap(([name, schema]) => [
    [name, schema] as const,
    ...tables.filter(({ follows = 'chains' }) => follows === name).map((table) => [table.name, table.schema] as const),
  ])
  // The cast hides the tables of plug-ins: each of them reads its own.
  return describeTable(Object.fromEntries(ordered) as typeof own)
}

export const settings = describeSettings()
