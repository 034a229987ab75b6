/** The values that every network is opened with. */
import type { CallPolicy } from './http/endpoint.ts'
import type { TellRefusedKey } from './panel.ts'

export interface OutsideTools {
  readonly policy: CallPolicy
  /** Unix milliseconds. */
  readonly now: () => number
  readonly tellRefusedKey?: TellRefusedKey
}
