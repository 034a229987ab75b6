/** Work that blocks the thread for a while: one piece at a time, with other requests served in between. */
import { setImmediate } from 'node:timers/promises'
import { NetworkPlaces } from '../../network-places.ts'
import { OutsideError } from '../failure.ts'

interface Waiting {
  isSentAway: boolean
}

/**
 * At most `most` pieces may wait. Above that, pieces of the network with the most are refused. Errors of the piece, and
 * OutsideError `rate-limited`.
 */
export function makeTurns(
  setting: string,
  most: number,
): <Result>(piece: () => Result | Promise<Result>) => Promise<Result> {
  const places = new NetworkPlaces<Waiting>(most)
  let last: Promise<unknown> = Promise.resolve()
  const makeBusyError = (): OutsideError =>
    new OutsideError(
      'rate-limited',
      setting,
      `has ${most} proofs to verify before this one`,
      'see who sends them: each takes about 20 ms of this server',
    )

  return async (piece) => {
    const givingWay = places.findGivingWay()
    if (givingWay === 'none') throw makeBusyError()
    if (givingWay) {
      givingWay.isSentAway = true
      places.leave(givingWay)
    }
    const mine: Waiting = { isSentAway: false }
    places.take(mine)
    const turn = last
      .then(() => (mine.isSentAway ? undefined : setImmediate()))
      .then(() => {
        if (mine.isSentAway) throw makeBusyError()
        return piece()
      })
    last = turn.catch(() => undefined)
    try {
      return await turn
    } finally {
      places.leave(mine)
    }
  }
}
