/** The shape of every answer that is not a success, and the one place where a thrown value becomes one. */
import { type AppError, type ErrorCode, type ErrorDetails, errorKinds } from '../errors.ts'

export interface ErrorBody {
  readonly success: false
  readonly error: {
    readonly code: ErrorCode
    readonly message: string
    readonly type: string
    readonly details: ErrorDetails
  }
  /** ISO 8601. */
  readonly timestamp: string
  readonly requestId: string
}

/** Never holds a stack, a path of this machine or a value of the database. */
export function makeErrorBody(error: AppError, requestId: string, now: number): ErrorBody {
  const { type, alias } = error.kind as { type: string; alias?: string }
  return {
    success: false,
    error: {
      code: error.code,
      message: error.message,
      type,
      details: alias ? { ...error.details, alias } : error.details,
    },
    timestamp: new Date(now).toISOString(),
    requestId,
  }
}

/** For an answer that is JSON text already, where writing it member by member is cheaper than as one object. */
export function answerJson(set: { readonly headers: Record<string, string | number> }, text: string): string {
  set.headers['content-type'] = jsonType
  return text
}

/** As Bun names it for answers that are objects. */
export const jsonType = 'application/json;charset=utf-8'

export const readStatus = (error: AppError): number => errorKinds[error.code].status

/** Ids in order of arrival, unique across restarts: a random part per process and a counter. */
export function requestIds(): () => string {
  const process = crypto.getRandomValues(new Uint8Array(5)).toHex()
  let count = 0
  return () => `req_${process}${(++count).toString(36)}`
}
