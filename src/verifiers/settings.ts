/** Tables of the configuration that belong to verifiers. */
import type { Checked } from '../config/setting.ts'
import { moderationTable } from './ai-content-moderation/settings.ts'
import { dnsTable } from './ownership-dns-txt/settings.ts'
import { pseudonymSettings } from './ownership-pseudonym/settings.ts'
import { humanTable } from './proof-of-human/settings.ts'
import { socialTable } from './social-settings.ts'
import type { VerifierSettings } from './verifier-settings.ts'
import { readVerifierTable, type VerifierTable } from './verifier-table.ts'
import { riskTable } from './wallet-risk/settings.ts'

/** To add one: describe it in <id>/settings.ts, and add it here. The rule reads it with readVerifierTable. */
export const verifierTables = [dnsTable, riskTable, moderationTable, humanTable, socialTable] as const

/** Settings below [verifiers] that belong to single verifiers. */
export const verifierMembers = pseudonymSettings

type Listed = (typeof verifierTables)[number]
type Tables = { readonly [Table in Listed as Table['name']]: Checked<Table['schema']> }

/** The tables of this build by their names, as outside/ takes them to reach the providers of verifiers. */
export const readVerifierTables = (config: object): Tables => {
  const tables = config as VerifierSettings['tables']
  const read = (table: VerifierTable) => [table.name, readVerifierTable({ tables }, table)] as const
  return Object.fromEntries(verifierTables.map(read)) as unknown as Tables
}
