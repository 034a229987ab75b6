/** Tables of the configuration that belong to one verifier each. */
import type { TObject } from '@sinclair/typebox'
import { type Checked, writeCamelCase } from '../config/setting.ts'
import type { VerifierSettings } from './verifier-settings.ts'

export interface VerifierTable<Schema extends TObject = TObject> {
  /** `[<name>]` in proofgate.toml, in snake_case. */
  readonly name: string
  readonly schema: Schema
}

/** To add one: describe it in <id>/settings.ts, and add it here. The rule reads it with readVerifierTable. */
export const verifierTables: readonly VerifierTable[] = []

/** The settings of a table, in camelCase and with their defaults. */
export const readVerifierTable = <Schema extends TObject>(
  { tables }: Pick<VerifierSettings, 'tables'>,
  { name }: VerifierTable<Schema>,
): Checked<Schema> => tables[writeCamelCase(name)] as Checked<Schema>
