/** From whatever was thrown to the refusal a caller gets. Unknown throws say nothing about the inside. */
import { StorageError } from '../db/db.ts'
import { AppError } from '../errors.ts'
import { OutsideError } from '../outside/failure.ts'
import { expectation } from '../shape.ts'
import { storageFull } from './admit-writes.ts'
import { unavailable } from './unavailable.ts'

export interface RefusedRequest {
  readonly request: Request
  methodsAt(path: string): readonly string[]
}

export function refusalOf(error: unknown, code: string | number, { request, methodsAt }: RefusedRequest): AppError {
  // What the parse hook throws arrives wrapped.
  if (code === 'PARSE' && error instanceof Error && error.cause instanceof AppError) return error.cause
  if (error instanceof AppError) return error
  if (error instanceof OutsideError) return unavailable('this', error)
  if (error instanceof StorageError && error.isDiskFull) return storageFull()
  if (error instanceof StorageError)
    return new AppError(
      'SERVICE_UNAVAILABLE',
      error.isUncertain
        ? 'it is not known whether the change was stored: send the same request again, which is harmless if it was, and ask the operator to look at the log'
        : 'the change could not be stored and did not happen: try again, and ask the operator to look at the log and the disk',
      {},
      { 'retry-after': '5' },
    )
  if (code === 'NOT_FOUND') return unknownRoute(request, methodsAt)
  if (code === 'VALIDATION') {
    const { type = 'request', valueError } = error as ElysiaValidationError
    return invalidInput(type, valueError)
  }
  if (code === 'PARSE') return new AppError('VALIDATION_ERROR', 'the body could not be read')
  return new AppError(
    'INTERNAL_ERROR',
    'something went wrong here. Try again; if it stays, give the requestId to the operator',
  )
}

function unknownRoute(request: Request, methodsAt: RefusedRequest['methodsAt']): AppError {
  const path = URL.canParse(request.url) ? new URL(request.url).pathname : ''
  const methods = methodsAt(path)
  if (methods.length === 0) return nothingAt(path)
  return new AppError(
    'METHOD_NOT_ALLOWED',
    `${request.method} is not possible at ${path.slice(0, 200)}: use ${methods.join(' or ')}`,
    { allowed: methods },
    { allow: [...methods, 'OPTIONS'].join(', ') },
  )
}

/** Also for what exists, and must not be told of. */
export const nothingAt = (path: string): AppError =>
  new AppError('NOT_FOUND', `there is nothing at ${path.slice(0, 200)}. GET /openapi.json lists what there is`)

interface ElysiaValidationError {
  /** body, query, params or headers. */
  readonly type?: string
  readonly valueError?: InputFault
}

interface InputFault {
  readonly path?: string
  readonly message?: string
  readonly schema?: unknown
  readonly value?: unknown
}

/** Names the member and the rule, never the value: it may be a secret. */
export function invalidInput(type: string, fault: InputFault | undefined): AppError {
  if (type === 'response') return new AppError('INTERNAL_ERROR', 'the answer did not have the shape it should have')
  const path = fault?.path ?? ''
  const member = type === 'body' ? path : path.slice(1)
  // Everything outside of a body is written as text, whatever it is of.
  const told = type === 'body' || fault === undefined ? fault : { ...fault, value: undefined }
  return new AppError(
    'VALIDATION_ERROR',
    `${wordFor[type] ?? type}${member ? ` ${member}` : ''}: ${expectation(told)}`,
    { in: type, path: path || '/' },
  )
}

const wordFor: Readonly<Record<string, string>> = {
  body: 'body',
  query: 'query parameter',
  params: 'path parameter',
  headers: 'header',
}
