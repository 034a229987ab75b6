/** Work that takes the thread for a while: one piece at a time, with other requests served in between. */
import { setImmediate } from 'node:timers/promises'
import { OutsideError } from '../failure.ts'

/** `most` may wait; more are sent away. Errors of the piece, and OutsideError `rate-limited`. */
export function inTurn(
  setting: string,
  most: number,
): <Result>(piece: () => Result | Promise<Result>) => Promise<Result> {
  let waiting = 0
  let last: Promise<unknown> = Promise.resolve()
  return async (piece) => {
    if (waiting >= most)
      throw new OutsideError(
        'rate-limited',
        setting,
        `has ${waiting} proofs to verify before this one`,
        'see who sends them: each takes about 20 ms of this server',
      )
    waiting++
    const mine = last.then(() => setImmediate()).then(piece)
    last = mine.catch(() => undefined)
    try {
      return await mine
    } finally {
      waiting--
    }
  }
}
