/** Refusals of a signature that came in headers name the headers. What reads it knows the members of a body. */
import { AppError } from '../errors.ts'

const headers: ReadonlyMap<string, string> = new Map([
  ['walletAddress', 'x-wallet-address'],
  ['signedTimestamp', 'x-signed-timestamp'],
  ['chain', 'x-chain'],
  ['signatureMethod', 'x-signature-method'],
])

/** The subject of the sentence, behind what happened. */
const subject = /^((?:[a-z ]+: )?)(walletAddress|signedTimestamp|chain|signatureMethod)\b/

/** Anything that is not a refusal stays as it is. */
export function nameHeaders(error: unknown): unknown {
  if (!(error instanceof AppError)) return error
  const message = error.message.replace(
    subject,
    (_, start: string, member: string) => `${start}the header ${headers.get(member)}`,
  )
  return new AppError(error.code, message, error.details, error.headers)
}
