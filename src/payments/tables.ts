/**
 * The settings of every payment method, in the order of the methods. Apart from them, because commands that only read the
 * configuration need no method.
 */
import { stripeSettings } from './card/settings.ts'
import type { MethodSettings } from './settings.ts'
import { tokenSettings } from './token-transfers/settings.ts'
import { x402Settings } from './x402/settings.ts'

export const methodTables: readonly MethodSettings[] = [tokenSettings, stripeSettings, x402Settings]
