/** The span of time that narrows a list, as a query names it. */
import { Type } from '@sinclair/typebox'
import type { TimeSpan } from '../db/id-range-store.ts'
import { AppError } from '../errors.ts'

const Instant = (description: string) => Type.Optional(Type.String({ pattern: '^[0-9]{1,15}$', description }))

export const spanMembers = {
  from: Instant('Only what was made at this time or later. Unix milliseconds.'),
  before: Instant('Only what was made before this time. Unix milliseconds.'),
}

/** Errors: VALIDATION_ERROR. */
export function readSpan(query: {
  readonly from?: string | undefined
  readonly before?: string | undefined
}): TimeSpan {
  const from = query.from === undefined ? undefined : Number(query.from)
  const before = query.before === undefined ? undefined : Number(query.before)
  if (from !== undefined && before !== undefined && before <= from)
    throw new AppError('VALIDATION_ERROR', `before is ${before} and must be later than from, which is ${from}`, {
      path: '/before',
    })
  return { from, before }
}
