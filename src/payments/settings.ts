/** The settings of payment methods: each has one table below [payments], which it alone describes and reads. */
import type { TSchema } from '@sinclair/typebox'
import type { Config } from '../config/schema.ts'
import { type Checked, writeCamelCase } from '../config/setting.ts'

export interface MethodSettings<Schema extends TSchema = TSchema> {
  /** Name of the table: `stripe` stands for [payments.stripe]. */
  readonly table: string
  readonly schema: Schema
}

/**
 * The validated settings of one method. `Config` does not list them, so that the configuration depends on no method.
 * The cast is safe, because src/settings.ts puts this schema under this name.
 */
export const readMethodSettings = <Schema extends TSchema>(
  { payments }: Pick<Config, 'payments'>,
  { table }: MethodSettings<Schema>,
): Checked<Schema> => (payments as Readonly<Record<string, unknown>>)[writeCamelCase(table)] as Checked<Schema>
