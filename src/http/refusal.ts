/** From whatever was thrown to the refusal a caller gets. Unknown throws say nothing about the inside. */
import { StorageError, UnreachableError, UntriedError } from '../db/db.ts'
import { AppError, type ErrorCode } from '../errors.ts'
import { nameMember } from '../member-name.ts'
import { OutsideError } from '../outside/failure.ts'
import { findScope } from '../request-scope.ts'
import { explainExpectation, explainMissing, type ShapeFault, takeFirstFaults } from '../shape.ts'
import { makeStorageFullError } from './admit-writes.ts'
import { makeUnavailableError } from './unavailable.ts'

export interface RefusedRequest {
  readonly request: Request
  listMethods(path: string): readonly string[]
}

export function makeRefusal(error: unknown, code: string | number, { request, listMethods }: RefusedRequest): AppError {
  if (error instanceof AppError) return error
  if (error instanceof OutsideError) return makeUnavailableError('this', error)
  if (error instanceof StorageError) return makeWriteError(error)
  if (code === 'NOT_FOUND') return makeUnknownRouteError(request, listMethods)
  return new AppError(
    'INTERNAL_ERROR',
    'the server failed. Try again; if it fails again, give the requestId to the operator',
  )
}

/** Four answers: nothing was stored for lack of space, nothing was stored, a part was, or it is unknown. */
export function makeWriteError(error: StorageError): AppError {
  if (error.isUncertain) return makeUncertainWriteError()
  if (error.isDiskFull) return makeStorageFullError()
  if (findScope()?.hasStored) return makeHalfStoredError()
  if (error instanceof UnreachableError) return makeUnreachableError()
  return new AppError(
    'SERVICE_UNAVAILABLE',
    `the change could not be stored and did not happen: try again, and ask the operator to look at the log and the disk${error instanceof UntriedError ? stillUncertain : ''}`,
    {},
    { 'retry-after': storageRetrySeconds },
  )
}

const makeUnreachableError = (): AppError =>
  new AppError(
    'SERVICE_UNAVAILABLE',
    'the database cannot be reached, and nothing was changed: send the same request again. If it lasts, ask the operator to look at the database server',
    {},
    { 'retry-after': unreachableRetrySeconds },
  )

const stillUncertain =
  '. An earlier answer to the same request that said "uncertain": true is still open: what it asked for may be stored. Send the request again until the answer is another one'

/**
 * While a commit is uncertain, a missing record may appear once the disk has settled. A caller that changes it, above
 * all to revoke it, must not take its absence as final. Readers continue with the certain state.
 */
export const isDoubtfulAbsence = (error: unknown, { method }: Request): boolean =>
  error instanceof AppError && absences.includes(error.code) && method !== 'GET' && method !== 'HEAD'

const absences: readonly ErrorCode[] = ['NOT_FOUND', 'PROOF_NOT_FOUND', 'GATE_NOT_FOUND']

export const makeDoubtfulAbsenceError = (): AppError =>
  new AppError(
    'SERVICE_UNAVAILABLE',
    'it is not known whether this is here: the disk failed while changes were stored, and it is being found out which of them were. Nothing was changed: send the same request again',
    {},
    { 'retry-after': storageRetrySeconds },
  )

const storageRetrySeconds = '5'
/** Another server of the database takes over within seconds. */
const unreachableRetrySeconds = '1'

/** The words hold for every kind of write, so that no route needs its own. */
const makeUncertainWriteError = (): AppError =>
  new AppError(
    'SERVICE_UNAVAILABLE',
    'it is not known whether the change was stored: the disk or the database failed while it was. Send the same request again, nothing happens twice: it either happens now, or the answer says that it exists, was used or is over, and then it had been stored. Only a proof that was asked for without a signature is made anew: list your proofs first. What is shown only once, such as an access key, a token or a session, is not shown again: list what you have, revoke what you do not hold, and make a new one or sign in anew. Ask the operator to look at the log',
    { uncertain: true },
    { 'retry-after': storageRetrySeconds },
  )

/** For a request with several writes: it is neither done nor undone. */
const makeHalfStoredError = (): AppError =>
  new AppError(
    'SERVICE_UNAVAILABLE',
    'a first part of this request was stored, and the rest could not be: send the same request again, it goes on from there or says what is to be done instead. Nothing happens twice. Ask the operator to look at the log and the disk',
    { uncertain: true },
    { 'retry-after': storageRetrySeconds },
  )

export const isUncertainRefusal = ({ details }: AppError): boolean => details.uncertain === true

function makeUnknownRouteError(request: Request, listMethods: RefusedRequest['listMethods']): AppError {
  const path = URL.parse(request.url)?.pathname ?? ''
  const methods = listMethods(path)
  if (methods.length === 0) return makeUnknownPathError(path)
  return new AppError(
    'METHOD_NOT_ALLOWED',
    `${request.method} is not possible at ${path.slice(0, 200)}: use ${methods.join(' or ')}`,
    { allowed: methods },
    { allow: [...methods, 'OPTIONS'].join(', ') },
  )
}

/** Also for what exists, and must not be told of. */
export const makeUnknownPathError = (path: string): AppError =>
  new AppError('NOT_FOUND', `there is nothing at ${path.slice(0, 200)}. GET /openapi.json lists every operation`)

/**
 * Names the member and the rule, never the value: it may be a secret. Members that are missing beside each other are
 * named together, so that nobody finds them one by one.
 */
export function makeInvalidInputError(type: CheckedInput, faults: Iterable<ShapeFault>): AppError {
  const [fault, ...alsoMissing] = takeFirstFaults(faults)
  const path = fault?.path ?? ''
  const member = nameMember(path)
  const word = wordFor[type]
  const details = { in: type, path: path || '/' }
  if (fault && alsoMissing.length > 0)
    return new AppError('VALIDATION_ERROR', `${word}: ${explainMissing([fault, ...alsoMissing])}`, details)
  // Everything outside of a body is written as text, whatever it is of.
  const isText = typeof fault?.value === 'string' && (fault.schema as { type?: unknown } | undefined)?.type === 'string'
  const told = type === 'body' || fault === undefined || isText ? fault : { ...fault, value: undefined }
  return new AppError('VALIDATION_ERROR', `${word}${member ? ` ${member}` : ''}: ${explainExpectation(told)}`, details)
}

const wordFor = {
  body: 'body',
  query: 'query parameter',
  params: 'path parameter',
} as const

type CheckedInput = keyof typeof wordFor
