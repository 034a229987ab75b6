/**
 * A service with the IPFS Pinning Service API 1.0. It fetches content from the network. This server sends it no bytes,
 * and learns of a successful fetch only from `pinned`.
 */
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { CID } from 'multiformats/cid'
import { OutsideError } from '../failure.ts'
import { type Endpoint, parseJson } from '../http/endpoint.ts'
import type { OutsideAnswer, OutsideRequest } from '../http/message.ts'
import type { Probe } from '../probe.ts'

/** Loads with the first snapshot. */
const loadContentIds = () => require('./content-id.ts') as typeof import('./content-id.ts')

/** The PinStatus members that are read. A request id of dots alone would be another path. */
const PinStatus = Type.Object({
  requestid: Type.String({ pattern: '[^.]', maxLength: 500 }),
  status: Type.Union(['queued', 'pinning', 'pinned', 'failed'].map((word) => Type.Literal(word))),
  pin: Type.Object({ cid: Type.String() }),
})
const PinResults = Type.Object({ count: Type.Integer({ minimum: 0 }), results: Type.Array(PinStatus) })
const Failure = Type.Object({ error: Type.Object({ reason: Type.String({ pattern: '^[A-Z_]{1,40}$' }) }) })

export interface PinningService {
  /**
   * Resolves when the service says that it keeps the CID. Errors: OutsideError, `timeout` when it takes longer than the
   * time limit. The service continues, and the next call finds its work.
   */
  keep(cid: CID, name: string): Promise<void>
  readonly probe: Probe
}

const firstPauseMs = 100
const longestPauseMs = 2000

export interface PinningServiceOptions {
  readonly token: string | undefined
  /** The time limit of the service. */
  readonly timeoutMs: number
  /** Whether one of our nodes holds the content that the service fetches. */
  readonly hasSource: boolean
}

export function openPinningService(
  endpoint: Endpoint,
  { token, timeoutMs, hasSource }: PinningServiceOptions,
): PinningService {
  const { setting } = endpoint
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }

  async function ask(request: OutsideRequest, expectedStatus: number): Promise<unknown> {
    const answer = await endpoint.send({ ...request, headers: { ...authorization, ...request.headers } })
    if (answer.status !== expectedStatus) throw makePinningError(setting, answer)
    return parseJson(setting, answer)
  }

  /** A pin that was requested before, also by a call whose answer got lost. */
  async function findPin(cid: CID): Promise<Static<typeof PinStatus> | undefined> {
    const path = `/pins?cid=${cid}&status=queued,pinning,pinned&limit=10`
    const found = await ask({ method: 'GET', path }, 200)
    if (!Value.Check(PinResults, found)) throw makeWrongApiError(setting)
    return found.results.find(({ pin }) => loadContentIds().isSameContentId(cid, pin.cid))
  }

  async function createPin(cid: CID, name: string): Promise<Static<typeof PinStatus>> {
    const body = JSON.stringify({ cid: cid.toString(), name })
    const headers = { 'content-type': 'application/json' }
    return requireOurs(setting, cid, await ask({ method: 'POST', path: '/pins', headers, body, once: true }, 202))
  }

  return {
    async keep(cid, name) {
      const endsAt = performance.now() + timeoutMs
      let pin = (await findPin(cid)) ?? (await createPin(cid, name))
      for (let pauseMs = firstPauseMs; pin.status !== 'pinned'; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
        if (pin.status === 'failed') throw makeGivenUpError(setting)
        if (performance.now() + pauseMs > endsAt) throw makeNotDoneError(setting, timeoutMs)
        await Bun.sleep(pauseMs)
        const path = `/pins/${encodeURIComponent(pin.requestid)}`
        pin = requireOurs(setting, cid, await ask({ method: 'GET', path }, 200))
      }
    },
    probe: {
      setting,
      async run() {
        const found = await ask({ method: 'GET', path: '/pins?limit=1' }, 200)
        if (!Value.Check(PinResults, found)) throw makeWrongApiError(setting)
        const says = `answers, and keeps ${found.count} pins`
        if (hasSource) return { level: 'ok', says }
        return {
          level: 'warn',
          says: `${says}, but no node is configured that it could fetch snapshots from`,
          mend: 'set ipfs.kubo_url as well',
        }
      },
    },
  }
}

function requireOurs(setting: string, cid: CID, answer: unknown): Static<typeof PinStatus> {
  if (!Value.Check(PinStatus, answer)) throw makeWrongApiError(setting)
  if (!loadContentIds().isSameContentId(cid, answer.pin.cid))
    throw new OutsideError(
      'disagree',
      setting,
      'answered about another CID than it was asked to keep',
      'tell the operator of the service',
    )
  return answer
}

/** Shows only the standard reason codes of an error body: the rest is free text of the other side. */
function makePinningError(setting: string, answer: OutsideAnswer): OutsideError {
  const body = parseJson(setting, answer)
  if (!Value.Check(Failure, body)) return makeWrongApiError(setting)
  const happened = `refused the pin (${answer.status} ${body.error.reason})`
  if (answer.status === 409)
    return new OutsideError('credentials', setting, happened, 'see whether the account of the service is in order')
  return new OutsideError('malformed', setting, happened, 'see whether the address is that of the service')
}

const makeWrongApiError = (setting: string): OutsideError =>
  new OutsideError(
    'malformed',
    setting,
    'did not answer as the Pinning Service API does',
    'give the address that its paths begin with, so that <address>/pins exists',
  )

const seeThatItIsHeld = 'see whether the service can fetch from the node that holds the snapshot (ipfs.kubo_url)'

const makeGivenUpError = (setting: string): OutsideError =>
  new OutsideError('unreachable', setting, 'could not fetch the snapshot, and gave up', seeThatItIsHeld)

const makeNotDoneError = (setting: string, timeoutMs: number): OutsideError =>
  new OutsideError('timeout', setting, `was not done pinning within ${timeoutMs / 1000} s`, seeThatItIsHeld)
