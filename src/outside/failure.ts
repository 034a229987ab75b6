/** The truth could not be looked up. It never means "untrue": the caller gets 503, and nothing is stored. */

export type OutsideFault =
  /** No answer within the time limit. */
  | 'timeout'
  /** No connection, a broken one, or a 5xx. */
  | 'unreachable'
  /** The other side wants fewer calls. */
  | 'rate-limited'
  /** The configured key is missing, wrong or used up. */
  | 'credentials'
  /** An answer that is not what the protocol promises: HTML, half a document, too long, another id. */
  | 'malformed'
  /** A chain endpoint of another chain, or a block that is too old to be the newest. */
  | 'wrong-source'
  /** Sources that must agree did not. */
  | 'disagree'
  /** This server may not call the address. No packet was sent. */
  | 'forbidden-address'

export class OutsideError extends Error {
  override readonly name = 'OutsideError'

  constructor(
    readonly fault: OutsideFault,
    /** Path of the setting that names the source, such as `chains.base.rpc[0]`: never its address, which may hold a key. */
    readonly source: string,
    /** The failure, as a sentence without the source. It is shown to callers, so it holds nothing secret. */
    readonly happened: string,
    /** The remedy for the operator. Shown by doctor and in the log. */
    readonly mend: string,
    readonly retryAfterSeconds = 5,
  ) {
    super(`${source}: ${happened}`)
  }
}

/** The caller asked for something that no source can ever answer: a block in the future, or an invalid address. */
export class UnanswerableError extends Error {
  override readonly name = 'UnanswerableError'

  constructor(
    readonly reason: string,
    message: string,
  ) {
    super(message)
  }
}
