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

const Storage = Type.Union([Type.Literal('ok'), Type.Literal('full')], {
  description: 'full: the disk has less free space than storage.min_free_mb, so nothing new is stored. Reads go on.',
})

const storageState = ({ freeSpace }: Parts): 'ok' | 'full' => (freeSpace.isBelowFloor() ? 'full' : 'ok')
const storageIssue = 'the disk is nearly full: nothing new is stored (STORAGE_FULL) until the operator frees space'

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
        const services = { database: 'ok', storage: storageState(parts) }
        const issues = services.storage === 'full' ? [storageIssue] : []
        return { success: true, data: { status: 'ok', version, ...times(), services, issues } }
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
              services: Type.Object({ database: Type.String(), storage: Storage }),
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
        const details = { database: 'ok', storage: storageState(parts) }
        return { success: true, ready: true, message: 'ready', details, ...times() }
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
            details: Type.Object({ database: Type.String(), storage: Storage }),
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
