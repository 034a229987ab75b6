/** Refusals of data that has the right shape and still cannot be asked about. Not for claims that are untrue. */
import { AppError } from '../../errors.ts'

/** `path` is a JSON pointer into the data of the verifier. */
export type Refuse = (path: string, message: string) => AppError

export const refusing =
  (verifierId: string): Refuse =>
  (path, message) =>
    new AppError('INVALID_VERIFIER_DATA', `${verifierId}: ${message}`, { verifierId, path })
