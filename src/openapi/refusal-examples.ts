/** A typical refusal for each status. */
import { AppError, type ErrorCode } from '../errors.ts'
import { makeErrorBody, readStatus } from '../http/answer.ts'
import { story } from '../http/example.ts'

const { qHash, time } = story

const makeRefusal = (code: ErrorCode, message: string, details: object = {}): AppError =>
  new AppError(code, message, details as Readonly<Record<string, unknown>>)

export const refusalExamples: Readonly<Record<number, object>> = Object.fromEntries(
  [
    makeRefusal('VALIDATION_ERROR', 'the body is not JSON: it is empty'),
    makeRefusal('EXPIRED_SIGNATURE', 'the signature is 412 s old and may be at most 300 s: sign again'),
    makeRefusal('PAYMENT_REQUIRED', 'this gate asks for 4.99 US dollars: pay in one of the ways of details.accepts', {
      reason: 'NO_PAYMENT',
    }),
    makeRefusal('FORBIDDEN', 'only the wallet that signed this proof can revoke it'),
    makeRefusal('NOT_FOUND', `there is no proof ${qHash} here`, { qHash }),
    makeRefusal('CONFLICT', 'the proof is revoked and can no longer be shared'),
    makeRefusal('PAYLOAD_TOO_LARGE', 'the body is larger than 524288 bytes', { limitBytes: 524_288 }),
    makeRefusal('UNSUPPORTED_MEDIA_TYPE', 'the body must be JSON: send the header "Content-Type: application/json"'),
    makeRefusal('RATE_LIMIT_EXCEEDED', 'too many requests. Try again in 3 s', { retryAfterSeconds: 3 }),
    makeRefusal('HEADERS_TOO_LARGE', 'the headers of the request are too large: send fewer or shorter ones'),
    makeRefusal(
      'INTERNAL_ERROR',
      'the server failed. Try again; if it fails again, give the requestId to the operator',
    ),
    makeRefusal('SERVICE_UNAVAILABLE', 'the change could not be stored and did not happen: try again'),
  ].map((refusal) => [readStatus(refusal), makeErrorBody(refusal, 'req_4d1f0a2b3c1', time)]),
)
