/** The answer to a request that was refused or that failed, in the format of its address. */
import { StorageError } from '../db/db.ts'
import type { AppError } from '../errors.ts'
import type { Parts } from '../parts.ts'
import { noteRefusedCredential } from '../request-scope.ts'
import { jsonType, makeErrorBody, readStatus } from './answer.ts'
import { readPath } from './arrival.ts'
import { isDoubtfulAbsence, makeDoubtfulAbsenceError, makeRefusal } from './refusal.ts'
import type { RouteTable } from './route-table.ts'

export interface Failed {
  readonly error: unknown
  readonly code: string | number
  readonly request: Request
  readonly set: { headers: Record<string, string | number>; status?: number | string }
}

interface Refused extends Failed {
  readonly refusal: AppError
  readonly requestId: string
}

/** The parts of a refusal that other features know how to write. */
export interface RefusalWriters {
  /** Adds to a missing-sign-in refusal why a credential of the request was not used. */
  readonly explainCredential: (refusal: AppError, request: Request) => AppError
  readonly isForPeople: (request: Request) => boolean
  readonly writePage: (refused: Refused, request: Request) => Promise<string>
  readonly writeOAuthBody: (refusal: AppError, requestId: string, now: number) => object
}

export function answerRefusal(
  failed: Failed,
  { parts, routes, nextRequestId }: { readonly parts: Parts; readonly routes: RouteTable; nextRequestId(): string },
  { explainCredential, isForPeople, writePage, writeOAuthBody }: RefusalWriters,
): Promise<string> | object {
  const { error, code, request, set } = failed
  const refusal =
    isDoubtfulAbsence(error, request) && parts.db.writerState().isUncertain
      ? makeDoubtfulAbsenceError()
      : makeRefusal(error, code, { request, listMethods: routes.listMethods })
  const requestId = String(set.headers['x-request-id'] ?? nextRequestId())
  if (refusal.code === 'INTERNAL_ERROR' || error instanceof StorageError) logFault(parts, failed, requestId)
  if (refusal.code === 'SIGNATURE_INVALID') noteRefusedCredential('signature')
  set.status = readStatus(refusal)
  Object.assign(set.headers, refusal.headers)
  const path = readPath(request)
  const format = routes.findRefusalFormat(path)
  if (format === 'page' && isForPeople(request)) return writePage({ ...failed, refusal, requestId }, request)
  set.headers['content-type'] = jsonType
  return format === 'oauth'
    ? writeOAuthBody(refusal, requestId, parts.now())
    : makeErrorBody(explainCredential(refusal, request), requestId, parts.now())
}

function logFault({ log }: Parts, { error, request }: Failed, requestId: string): void {
  const isStorage = error instanceof StorageError
  log.count({
    level: 'error',
    event: isStorage ? 'change-unstored' : 'request-failed',
    message: isStorage ? 'a change could not be stored' : 'a request failed',
    error,
    requestId,
    fields: {
      method: request.method,
      path: readPath(request),
      mend: isStorage
        ? 'look at the disk of the data folder and at the lines before this one'
        : 'a fault of the program or of its database: compare with the lines before, and report it with the stack',
    },
  })
}
