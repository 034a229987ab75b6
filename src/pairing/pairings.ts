/**
 * Connects a computer and a phone. Their requests may come to different processes of the server, and one that restarts
 * between them loses nothing.
 *
 * Only hashes of the code and of the two secrets are kept. A change is stored where nothing else happened to the pairing
 * since it was read, and is decided again otherwise.
 */
import { randomBytes, randomInt } from 'node:crypto'
import { AppError } from '../errors.ts'
import {
  type Account,
  type Ended,
  endTalk,
  findEnd,
  type Given,
  isPaired,
  lendsAnother,
  type Pairing,
  type Purpose,
  pairingLimits,
  type Side,
  type Talk,
  type Task,
  viewTalk,
} from './pairing.ts'
import {
  findPairing,
  insertPairing,
  type Known,
  listOwn,
  noteHeard,
  type PairingStore,
  replacePairing,
  sumWaiting,
} from './store.ts'

const limits = pairingLimits
const connectedPerOpen = limits.mostConnectedPerClient / limits.mostPerClient
/** Whether the page still asks is noted this often: well within `silentMs`, for one that asks every minute too. */
const heardEveryMs = 15_000
/** Both sides and their repetitions change one at most this often at once. */
const mostTries = 20

const makeSecret = (): string => randomBytes(32).toString('base64url')
const hash = (secret: string): string => Bun.SHA256.hash(secret, 'hex')

interface PairingTools extends PairingStore {
  /** Unix milliseconds that go on evenly. */
  readonly now: () => number
  /** Infinite where the operator has switched limits off. */
  readonly mostPerClient?: number
}

interface Change {
  readonly talk: Talk
  readonly expiresAt?: number
  /** Of the phone that takes the code. */
  readonly phoneHash?: string
}

export type Pairings = ReturnType<typeof openPairings>

export function openPairings({ now, mostPerClient = limits.mostPerClient, ...store }: PairingTools) {
  const hideClient = (client: string): string => store.sealer.mac(client, 'pairing client')

  /** Errors: RATE_LIMIT_EXCEEDED for a client with too many. */
  async function requirePlace(client: string, at: number): Promise<void> {
    const own = await listOwn(store, client, at)
    const unconfirmed = own.filter(({ stage }) => stage === 'open')
    const tooMany = unconfirmed.length >= mostPerClient ? unconfirmed : own
    if (tooMany !== unconfirmed && own.length - unconfirmed.length < mostPerClient * connectedPerOpen) return
    const seconds = Math.max(1, Math.ceil((Math.min(...tooMany.map(({ expiresAt }) => expiresAt)) - at) / 1_000))
    throw new AppError(
      'RATE_LIMIT_EXCEEDED',
      `too many phones are being connected from this address: finish one, or try again in ${seconds} seconds`,
      { retryAfterSeconds: seconds },
      { 'retry-after': String(seconds) },
    )
  }

  /** Errors: NOT_FOUND, also for a secret of another kind. Its holder learns why one has ended, until it is forgotten. */
  async function requirePairing(known: Known, secret: string, mayBeOver = false): Promise<Pairing> {
    const pairing = await findPairing(store, known, hash(secret))
    const at = now()
    const ended = pairing && findEnd(pairing, at)
    if (!pairing || at >= pairing.expiresAt + limits.keptMs || (ended !== undefined && !mayBeOver))
      throw new AppError('NOT_FOUND', 'this code is used or too old: show a new one')
    return ended === undefined ? pairing : { ...pairing, talk: endTalk(pairing.talk, ended) }
  }

  /**
   * Changes a pairing as `decide` says, which throws or returns undefined where nothing is to be changed. It decides again
   * where another request was faster. Errors: those of `decide`, NOT_FOUND.
   */
  async function change(find: () => Promise<Pairing>, decide: (pairing: Pairing) => Change | undefined): Promise<Talk> {
    for (let tries = 0; tries < mostTries; tries++) {
      const pairing = await find()
      const next = decide(pairing)
      if (!next) return pairing.talk
      const { phoneHash, ...changed } = next
      if (await replacePairing(store, { ...pairing, ...changed }, phoneHash)) return next.talk
    }
    throw new AppError('SERVICE_UNAVAILABLE', 'too much happens to this code at once: try again', {}, retryInASecond)
  }

  const findSide = (secret: string, side: Side) => (): Promise<Pairing> => requirePairing(side, secret, true)

  /** What ends is told for a while. */
  const makeEnd = ({ talk }: Pairing, reason: Ended) => ({ talk: endTalk(talk, reason), expiresAt: now() })

  function requirePaired(pairing: Pairing): void {
    if (pairing.talk.ended !== undefined || !isPaired(pairing.talk))
      throw new AppError('CONFLICT', 'the number was not confirmed on both screens, or the pairing has ended')
  }

  /** Errors: CONFLICT, SERVICE_UNAVAILABLE. */
  async function requireRoom(pairing: Pairing, length: number): Promise<Account> {
    requirePaired(pairing)
    const { account, tasks } = pairing.talk
    if (!account) throw new AppError('CONFLICT', 'the phone has chosen no wallet yet: wait for it')
    if (tasks >= limits.mostTasks)
      throw new AppError('CONFLICT', `a phone signs or pays ${limits.mostTasks} times at most: show a new code`)
    const { inAll, own } = await sumWaiting(store, pairing, now())
    const isTooMuch =
      inAll + length > limits.mostWaiting ||
      (Number.isFinite(mostPerClient) && own + length > limits.mostWaitingPerClient)
    if (isTooMuch)
      throw new AppError('SERVICE_UNAVAILABLE', 'too many texts wait for phones: try again in a minute', {}, retryLater)
    return account
  }

  return {
    /** Errors: RATE_LIMIT_EXCEEDED for a client with too many, SERVICE_UNAVAILABLE with too many in all. */
    async open(from: string, { purpose, site }: { readonly purpose: Purpose; readonly site?: string | undefined }) {
      const client = hideClient(from)
      const at = now()
      await requirePlace(client, at)
      const [code, secret] = [makeSecret(), makeSecret()]
      const isNoted = await insertPairing(
        store,
        {
          pairing: {
            codeHash: hash(code),
            client,
            talk: {
              purpose,
              ...(site === undefined ? {} : { site }),
              isConfirmedBy: { computer: false, phone: false },
              tasks: 0,
            },
            heardAt: at,
            expiresAt: at + limits.openMs,
            version: 0,
          },
          computerHash: hash(secret),
        },
        at,
        {
          mostOpen: Math.min(mostPerClient, endless),
          mostPaired: Math.min(mostPerClient * connectedPerOpen, endless),
          mostInAll: limits.mostInAll,
        },
      )
      if (!isNoted) {
        await requirePlace(client, at)
        throw new AppError(
          'SERVICE_UNAVAILABLE',
          'too many phones are being connected: try again in a minute',
          {},
          retryLater,
        )
      }
      return { code, secret, endsInSeconds: limits.openMs / 1_000 }
    },

    /** For the phone, before it takes the code. Errors: NOT_FOUND, CONFLICT for a code that a phone has taken. */
    async look(code: string): Promise<Pick<Talk, 'purpose' | 'site'>> {
      const { number, purpose, site } = (await requirePairing('code', code)).talk
      if (number !== undefined) throw makeTakenError()
      return { purpose, ...(site === undefined ? {} : { site }) }
    },

    /**
     * The phone takes the code. A second one ends the pairing unless the numbers were confirmed: the first may have been a
     * stranger's. Errors: NOT_FOUND, CONFLICT.
     */
    async take(code: string) {
      const secret = makeSecret()
      const number = String(randomInt(1_000_000)).padStart(6, '0')
      let isTaken = false
      const { purpose, site } = await change(
        () => requirePairing('code', code),
        (pairing) => {
          isTaken = pairing.talk.number !== undefined
          if (!isTaken) return { talk: { ...pairing.talk, number }, phoneHash: hash(secret) }
          return isPaired(pairing.talk) ? undefined : makeEnd(pairing, 'second-phone')
        },
      )
      if (isTaken) throw makeTakenError()
      return { secret, number, purpose, ...(site === undefined ? {} : { site }) }
    },

    /** The number is the same on both screens. Errors: NOT_FOUND, CONFLICT without a phone. */
    async confirm(secret: string, side: Side): Promise<void> {
      await change(findSide(secret, side), ({ talk, expiresAt }) => {
        if (talk.ended !== undefined || talk.isConfirmedBy[side]) return undefined
        if (talk.number === undefined) throw new AppError('CONFLICT', 'no phone has opened the code yet: wait for it')
        const next = { ...talk, isConfirmedBy: { ...talk.isConfirmedBy, [side]: true } }
        return { talk: next, expiresAt: isPaired(next) ? now() + limits.pairedMs : expiresAt }
      })
    },

    /** Errors: NOT_FOUND. */
    async end(secret: string, side: Side, reason: Ended): Promise<void> {
      await change(findSide(secret, side), (pairing) =>
        pairing.talk.ended === undefined ? makeEnd(pairing, reason) : undefined,
      )
    },

    /** The account that the phone lends. Errors: NOT_FOUND, CONFLICT. */
    async lend(secret: string, account: Account): Promise<void> {
      await change(findSide(secret, 'phone'), (pairing) => {
        requirePaired(pairing)
        // The phone's page may have been loaded again.
        if (lendsAnother(pairing.talk, account))
          throw new AppError('CONFLICT', 'this phone lends another wallet already: end it, and start again')
        return Bun.deepEquals(pairing.talk.account, account) ? undefined : { talk: { ...pairing.talk, account } }
      })
    },

    /**
     * The computer asks for a signature or a payment. `read` has checked that it is one of this server, for the account.
     * `length` is that of its text. Errors: NOT_FOUND, CONFLICT, SERVICE_UNAVAILABLE.
     */
    async ask(
      secret: string,
      length: number,
      read: (account: Account, purpose: Purpose) => Task | Promise<Task>,
    ): Promise<number> {
      const find = findSide(secret, 'computer')
      const before = await find()
      const task = await read(await requireRoom(before, length), before.talk.purpose)
      const findWithRoom = async (): Promise<Pairing> => {
        // Much may have been asked for meanwhile.
        const pairing = await find()
        await requireRoom(pairing, length)
        return pairing
      }
      const { tasks } = await change(findWithRoom, ({ talk: { answer: _, ...talk } }) => {
        const number = talk.tasks + 1
        return { talk: { ...talk, tasks: number, asked: { number, task, length } } }
      })
      return tasks
    },

    /** The phone answers the task with that number, once. Errors: NOT_FOUND, CONFLICT. */
    async answer(secret: string, number: number, given: Given): Promise<void> {
      await change(findSide(secret, 'phone'), (pairing) => {
        requirePaired(pairing)
        const { asked, ...talk } = pairing.talk
        // The phone did not hear that its answer had arrived.
        if (talk.answer?.number === number && Bun.deepEquals(talk.answer.given, given)) return undefined
        if (asked?.number !== number || (given !== 'declined' && 'tx' in given !== 'payment' in asked.task))
          throw new AppError('CONFLICT', 'the computer does not wait for this answer any more: answer what it asks now')
        return { talk: { ...talk, answer: { number, given } } }
      })
    },

    /** A name of this side without its secret, by which its requests are counted. Undefined for an unknown secret. */
    async findSide(secret: string, side: Side): Promise<string | undefined> {
      const pairing = await findPairing(store, side, hash(secret))
      return pairing && `${pairing.codeHash} ${side}`
    },

    /** Errors: NOT_FOUND. */
    async readView(secret: string, side: Side) {
      const pairing = await requirePairing(side, secret, true)
      const { talk, heardAt, expiresAt } = pairing
      const at = now()
      if (side === 'computer' && talk.ended === undefined && at >= heardAt + heardEveryMs)
        await noteHeard(store, pairing, at)
      return viewTalk(talk, side, expiresAt - at)
    },
  }
}

const retryLater = { 'retry-after': '60' }
const retryInASecond = { 'retry-after': '1' }

/** For the database, which knows no infinite number. */
const endless = Number.MAX_SAFE_INTEGER

const makeTakenError = (): AppError =>
  new AppError('CONFLICT', 'another phone has opened this code: show a new one on the computer', {
    reason: 'CODE_TAKEN',
  })
