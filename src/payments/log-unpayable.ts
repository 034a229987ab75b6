/** Tells the operator of a gate whose settings let nobody pay. */
import type { Parts } from '../parts.ts'
import { findScope } from '../request-scope.ts'

export const logUnpayable = ({ log }: Pick<Parts, 'log'>, gateId: string, mend: string): void =>
  log.count({
    level: 'warn',
    event: 'gate-unpayable',
    message: 'a gate cannot be paid as it is set up',
    kind: gateId,
    fields: { gateId, mend },
    requestId: findScope()?.requestId,
  })
