/** How much of a request may be headers. Checked here, because Bun's parser answers 431 without a word of why. */
import http from 'node:http'
import { AppError } from '../errors.ts'

/** Bytes of address and headers. Room for the longest signature in x-signature beside what browsers and proxies add. */
export const headerMaxBytes = 32_768

/** Above this Bun answers by itself, with an empty body. */
const parserMaxBytes = 2 * headerMaxBytes

export function raiseHeaderLimit(): void {
  // Bun reads its limit from here; the types follow Node, where it is read-only.
  ;(http as { maxHeaderSize: number }).maxHeaderSize = parserMaxBytes
}

/** Errors: HEADERS_TOO_LARGE. */
export function requireSmallHeaders({ url, headers }: Request): void {
  let bytes = url.length
  headers.forEach((value, name) => {
    // Colon, space and line end.
    bytes += name.length + value.length + 4
  })
  if (bytes > headerMaxBytes)
    throw new AppError(
      'HEADERS_TOO_LARGE',
      `address and headers together are larger than ${headerMaxBytes} bytes: send fewer or shorter ones`,
      { limitBytes: headerMaxBytes },
    )
}
