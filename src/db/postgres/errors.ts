/** The meaning of an error of PostgreSQL or of its driver for the connection and for the transaction. */

/** The connection is gone, or its server takes no writes any more: what it was asked is not answered. */
export class LostError extends Error {
  override readonly name = 'LostError'
}

/** SQLSTATE (PostgreSQL, appendix A). Undefined for what the server did not say. */
export const readState = (error: unknown): string | undefined =>
  error instanceof Error && 'errno' in error && typeof error.errno === 'string' ? error.errno : undefined

/**
 * 08: connection exceptions. 57P01 to 57P05: the server shuts down, crashed, starts, or ended an idle session. 25006:
 * a standby. 25P03, 25P04: a session that waited for us too long. 53300: no connection is left.
 */
const lostStates = /^(08...|57P0[1-5]|25006|25P03|25P04|53300)$/

/** A transaction that ran into another one and may succeed now: a serialization failure, or a deadlock. */
const isInTheWay = /^(40001|40P01)$/

/** Disk full, out of memory, too many locks: the server has no room. */
const noRoomStates = /^53[12]00$/

export const isLost = (error: unknown): boolean => {
  if (error instanceof LostError) return true
  const state = readState(error)
  // An error of the driver, such as a connection that was closed or refused.
  return state === undefined
    ? error instanceof Error && /^ERR_POSTGRES_|^ECONN|^FailedToOpen/.test(readCode(error))
    : lostStates.test(state)
}

export const isWorthRepeating = (error: unknown): boolean => isInTheWay.test(readState(error) ?? '')
export const hasNoRoom = (error: unknown): boolean => noRoomStates.test(readState(error) ?? '')

/** 53: no resources. 58: faults of the system. XX001, XX002: damaged data. Any write may meet them next. */
export const isFaultOfServer = (error: unknown): boolean => /^(53|58|XX00[12])/.test(readState(error) ?? '')

/**
 * A read that the server could not do, through no fault of the statement. 42501, 42P01, 3F000: rights or tables were
 * taken away. 55P03, 57014: a lock or the statement took too long.
 */
export const isUnreadable = (error: unknown): boolean =>
  isLost(error) || isFaultOfServer(error) || /^(42501|42P01|3F000|55P03|57014)$/.test(readState(error) ?? '')

/** The transaction had failed before this statement. */
export const isConsequence = (error: unknown): boolean => readState(error) === '25P02'

export const isConnectRefused = (error: unknown): boolean =>
  error instanceof Error && readCode(error) === 'ERR_POSTGRES_CONNECTION_REFUSED'

const readCode = (error: Error): string => ('code' in error && typeof error.code === 'string' ? error.code : '')

/** The words of the server, with its code. Its detail, which quotes rows, is left out. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = readState(error) ?? readCode(error)
  const said = code === '' ? error.message : `${error.message} (${code})`
  return aboutCertificate.test(code) ? `${said}: ${mendOfCertificate}` : said
}

/** Codes of TLS, which say nothing about our settings. */
const aboutCertificate = /CERT|SSL|UNABLE_TO_/
const mendOfCertificate =
  'name the authority of its certificate in sslrootcert of the URL, a host that the certificate names, or another sslmode'
