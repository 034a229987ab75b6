/** Describes the failure of a name or a connection without naming it: an address may hold a key. */
import { OutsideError } from '../failure.ts'

const seeIt = 'see whether the service runs and can be reached'

export const makePrivateAddressError = (setting: string): OutsideError =>
  new OutsideError(
    'forbidden-address',
    setting,
    'leads to a private address, which is not called',
    'give a public address, or add the network to outside.private_networks',
  )

export const makeUnresolvedNameError = (setting: string, error: unknown): OutsideError =>
  new OutsideError(
    'unreachable',
    setting,
    `has a host name that does not resolve${readErrorCode(error)}`,
    'see whether the address is right',
  )

/** For every error of node:http and node:https. */
export function makeConnectionFailure(setting: string, error: unknown): OutsideError {
  const code = readErrorCode(error)
  if (code.includes('HPE_HEADER_OVERFLOW'))
    return new OutsideError('malformed', setting, 'sent more headers than are read', 'see what the service sends')
  if (code.includes('HPE_'))
    return new OutsideError('malformed', setting, 'did not answer in HTTP', 'see whether the address is right')
  if (/CERT|SIGNATURE/.test(code))
    return new OutsideError(
      'unreachable',
      setting,
      `showed a certificate that cannot be trusted${code}`,
      'see whether it is made out to this host name and not expired; for an authority of your own, start the server with NODE_EXTRA_CA_CERTS=<file>',
    )
  return new OutsideError('unreachable', setting, `cannot be reached, or broke off its answer${code}`, seeIt)
}

/** The connection ended before it was used. */
export const isStale = (error: unknown): boolean => /ECONNRESET|EPIPE/.test(readErrorCode(error))

/** ` (ECONNREFUSED)`: the message of an error may hold the address. */
function readErrorCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^[A-Z0-9_]+$/.test(code) ? ` (${code})` : ''
}
