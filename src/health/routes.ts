/**
 * /api/v1/health, and the same at /health, where monitors look for it. It tells whether the process lives and can do
 * its work. operator/detailed-health.ts tells operators more.
 */
import { Type } from '@sinclair/typebox'
import { AppError, type ErrorDetails } from '../errors.ts'
import { describeAnswer, IsoTimestamp } from '../http/describe.ts'
import { isOwnMachine, type RequestContext } from '../http/limits.ts'
import { type Route, route } from '../http/route.ts'
import type { Parts } from '../parts.ts'
import { version } from '../version.ts'
import { readStorageState, Storage, Told, type ToldStorage, tellStorage } from './answer.ts'
import { healthExamples } from './examples.ts'

const tag = 'health'
const Times = { timestamp: IsoTimestamp, uptime: Type.Integer({ description: 'Seconds since the start.' }) }

const followsWork =
  'Follows real work: the last commit, a write that waits, the files of the data folder, and a write of its own every 10 seconds when nothing else is stored. 503 while anything of level failing lasts: `message` says what, and `error.details` has the same members as the answer. It waits for no disk.'
const storageIssue = 'the disk is nearly full: nothing new is stored (STORAGE_FULL) until the operator frees space'

export function healthRoutes(parts: Parts): readonly Route[] {
  const startedAt = parts.readUptime()
  return [
    ...makeHealthRoutes('/api/v1/health', '', parts, startedAt),
    ...makeHealthRoutes('/health', 'Short', parts, startedAt),
  ]
}

/** `suffix` ends the operation ids, of which each must be unique. */
function makeHealthRoutes(prefix: string, suffix: string, parts: Parts, startedAt: number): readonly Route[] {
  const readTimes = () => ({
    timestamp: new Date(parts.now()).toISOString(),
    uptime: Math.floor((parts.readUptime() - startedAt) / 1000),
  })
  const shared = { method: 'GET', callers: ['anyone'], rate: 'health', surface: 'untimed' } as const

  return [
    route(
      {
        ...shared,
        path: prefix,
        operation: {
          tag,
          operationId: `getHealth${suffix}`,
          summary: 'Whether the service works',
          description: followsWork,
          answer: describeAnswer({
            data: Type.Object({
              status: Type.String(),
              version: Type.String(),
              ...Times,
              services: Type.Object({ database: Type.String(), storage: Storage }),
              issues: Type.Array(Type.String()),
              ...Told,
            }),
          }),
          refusals: [503],
          example: healthExamples.getHealth,
        },
      },
      (context) => {
        const told = requireReady(parts, context)
        const services = { database: 'ok', storage: readStorageState(parts) }
        const isFull = services.storage === 'full'
        // A full disk is already an issue here, so its condition is omitted.
        const others = told.conditions.filter(({ name }) => !(isFull && name === 'disk-low'))
        const issues = [...(isFull ? [storageIssue] : []), ...others.map(({ says }) => says)]
        return { success: true, data: { status: 'ok', version, ...readTimes(), services, issues, ...told } }
      },
    ),
    route(
      {
        ...shared,
        path: `${prefix}/ready`,
        operation: {
          tag,
          operationId: `getReadiness${suffix}`,
          summary: 'Whether requests can be served',
          description: followsWork,
          answer: describeAnswer({
            ready: Type.Boolean(),
            message: Type.String(),
            details: Type.Object({ database: Type.String(), storage: Storage, ...Told }),
            ...Times,
          }),
          refusals: [503],
          example: healthExamples.getReadiness,
        },
      },
      (context) => {
        const told = requireReady(parts, context)
        const details = { database: 'ok', storage: readStorageState(parts), ...told }
        return { success: true, ready: true, message: 'ready', details, ...readTimes() }
      },
    ),
    route(
      {
        ...shared,
        path: `${prefix}/live`,
        operation: {
          tag,
          operationId: `getLiveness${suffix}`,
          summary: 'Whether the process lives',
          answer: describeAnswer({
            alive: Type.Boolean(),
            version: Type.String(),
            ...Times,
          }),
          refusals: [],
          example: healthExamples.getLiveness,
        },
      },
      () => ({ success: true, alive: true, version, ...readTimes() }),
    ),
  ]
}

/**
 * Does not read the database, because the request would wait for the disk. The work of each second reads it (upkeep.ts),
 * and its faults are conditions. Errors: SERVICE_UNAVAILABLE, with the same members in its details.
 */
function requireReady(parts: Parts, context: RequestContext): ToldStorage {
  const tellsMend = isOwnMachine(context)
  const told = tellStorage(parts, tellsMend)
  const failing = told.conditions.filter(({ level }) => level === 'failing')
  if (failing[0])
    throw makeNotReadyError(failing.map(({ says }) => says).join('; '), {
      condition: failing[0].name,
      issues: told.conditions.map(({ says }) => says),
      ...told,
    })
  return told
}

const makeNotReadyError = (says: string, details: ErrorDetails): AppError =>
  new AppError('SERVICE_UNAVAILABLE', says, details, { 'retry-after': '5' })
