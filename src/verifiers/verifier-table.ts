/** A table of the configuration that belongs to one verifier, or to several that share it. */
import type { TSchema } from '@sinclair/typebox'
import { type Checked, writeCamelCase } from '../config/setting.ts'
import type { VerifierSettings } from './verifier-settings.ts'

export interface VerifierTable<Name extends string = string, Schema extends TSchema = TSchema> {
  /** `[<name>]` in proofgate.toml, in snake_case. */
  readonly name: Name
  readonly schema: Schema
  /** The table that it follows in proofgate.toml: `chains`, unless another is named. */
  readonly follows?: string
  /** Settings that are allowed and most likely a mistake. */
  advise?(table: Checked<Schema>): readonly SettingAdvice[]
}

export interface SettingAdvice {
  /** Path of the setting. */
  readonly setting: string
  /** A sentence that begins with the setting. */
  readonly says: string
}

/** Only infers the types of the name and of the settings. */
export const defineVerifierTable = <const Name extends string, Schema extends TSchema>(
  table: VerifierTable<Name, Schema>,
): VerifierTable<Name, Schema> => table

/** The settings of a table, in camelCase and with their defaults. The cast is safe: src/settings.ts checks them by this schema. */
export const readVerifierTable = <Schema extends TSchema>(
  { tables }: Pick<VerifierSettings, 'tables'>,
  { name }: VerifierTable<string, Schema>,
): Checked<Schema> => tables[writeCamelCase(name)] as Checked<Schema>
