/** Refusals of data that has the right shape and still cannot be asked about. Not for claims that are untrue. */
import { AppError } from '../../errors.ts'

/** `path` is a JSON pointer into the data of the verifier. */
export type Refuse = (path: string, message: string, reason?: typeof chainNotConfigured) => AppError

/** Only the operator can help, where it has to be this chain. */
export const chainNotConfigured = 'CHAIN_NOT_CONFIGURED'

export const makeRefuse =
  (verifierId: string): Refuse =>
  (path, message, reason) =>
    new AppError('INVALID_VERIFIER_DATA', `${verifierId}: ${message}`, {
      verifierId,
      path,
      ...(reason === undefined ? {} : { reason }),
    })
