/** /api/v1/health: whether the process lives, and whether it can do its work. */
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { AppError } from '../errors.ts'
import { answerOf, described, IsoTimestamp } from '../http/describe.ts'
import { counted } from '../http/limits.ts'
import type { Parts } from '../parts.ts'
import { version } from '../version.ts'

const tag = 'health'
const Times = { timestamp: IsoTimestamp, uptime: Type.Integer({ description: 'Seconds since the start.' }) }

export function healthRoutes(parts: Parts) {
  const startedAt = parts.now()
  const beforeHandle = counted(parts, 'health')
  const times = () => ({
    timestamp: new Date(parts.now()).toISOString(),
    uptime: Math.floor((parts.now() - startedAt) / 1000),
  })

  return new Elysia({ name: 'health', prefix: '/api/v1/health' })
    .get(
      '/',
      () => {
        requireReady(parts)
        return { success: true, data: { status: 'ok', version, ...times(), services: { database: 'ok' }, issues: [] } }
      },
      {
        beforeHandle,
        ...described({
          tag,
          operationId: 'health',
          summary: 'Whether the service works',
          answer: answerOf({
            data: Type.Object({
              status: Type.String(),
              version: Type.String(),
              ...Times,
              services: Type.Object({ database: Type.String() }),
              issues: Type.Array(Type.String()),
            }),
          }),
          refusals: [503],
        }),
      },
    )
    .get(
      '/ready',
      () => {
        requireReady(parts)
        return { success: true, ready: true, message: 'ready', details: { database: 'ok' }, ...times() }
      },
      {
        beforeHandle,
        ...described({
          tag,
          operationId: 'ready',
          summary: 'Whether requests can be served',
          answer: answerOf({
            ready: Type.Boolean(),
            message: Type.String(),
            details: Type.Object({ database: Type.String() }),
            ...Times,
          }),
          refusals: [503],
        }),
      },
    )
    .get('/live', () => ({ success: true, alive: true, version, ...times() }), {
      beforeHandle,
      ...described({
        tag,
        operationId: 'live',
        summary: 'Whether the process lives',
        answer: answerOf({
          alive: Type.Boolean(),
          version: Type.String(),
          ...Times,
        }),
        refusals: [],
      }),
    })
}

/** Errors: SERVICE_UNAVAILABLE. */
function requireReady({ db, log }: Parts): void {
  try {
    db.prepare<{ one: number }, []>('SELECT 1 AS one FROM migrations LIMIT 1').get()
    const failure = db.writeFailure()
    if (failure) throw failure
  } catch (error) {
    log.error('the database does not answer', { error: error instanceof Error ? error.message : String(error) })
    throw new AppError(
      'SERVICE_UNAVAILABLE',
      'the database does not answer: the log of the server says why',
      {},
      { 'retry-after': '5' },
    )
  }
}
