/** Hears of each answer as it leaves: for the dashboard, the page of metrics and the log. */
import type { Parts } from '../parts.ts'
import type { RequestScope } from '../request-scope.ts'
import type { HearAnswer } from './connection.ts'
import type { RouteTable } from './route-table.ts'
import { nameUnrouted } from './traffic.ts'

type HearingParts = Pick<Parts, 'metrics' | 'traffic' | 'log' | 'config' | 'readUptime'>

interface Answer {
  readonly method: string
  readonly scope: RequestScope
  readonly status: number
  readonly ms: number
}

export function hearAnswers(parts: HearingParts, { surfaces }: RouteTable): HearAnswer {
  const { metrics, traffic, config } = parts
  const tellAccess = config.log.access ? openAccessLog(parts) : undefined
  const tellRefusal = config.log.refusals ? openRefusalLog(parts) : undefined
  return ({ method }, scope, status, ms) => {
    const { route } = scope
    const surface = route === undefined ? undefined : surfaces.get(route)
    if (surface !== undefined) metrics.took(surface, ms)
    traffic?.note({ route, method, status, ms })
    tellAccess?.({ method, scope, status, ms })
    tellRefusal?.({ method, scope, status, ms })
  }
}

/** The pattern of the route and no path: that may hold a wallet, an id or a secret. */
const describeAnswer = ({ method, scope: { route, requestId, caller }, status, ms }: Answer) => ({
  requestId,
  method: method.slice(0, 16),
  route: route ?? nameUnrouted(method, status),
  status,
  ms: Math.round(ms * 10) / 10,
  caller: caller ?? 'anonymous',
})

const openAccessLog =
  ({ log }: HearingParts) =>
  (answer: Answer): void =>
    log.info('a request was answered', { event: 'answer-given', ...describeAnswer(answer) })

/** A flood must not fill the disk with lines: these are enough to find each address that comes often. */
const mostLinesASecond = 50

/** The address stands right behind the event, so that a filter can rely on its place. */
function openRefusalLog({ log, readUptime }: HearingParts): (answer: Answer) => void {
  let second = 0
  let lines = 0
  function mayTell(): boolean {
    const now = Math.floor(readUptime() / 1000)
    if (now !== second) [second, lines] = [now, 0]
    return ++lines <= mostLinesASecond
  }
  return (answer) => {
    const { address = 'unknown', refusedCredential: credential, limitedBy: policy } = answer.scope
    if (credential === undefined && policy === undefined) return
    if (!mayTell()) {
      log.count({
        level: 'warn',
        event: 'refusals-untold',
        message: 'more refusals came than get a line of their own',
        fields: {
          mostLinesASecond,
          mend: 'see the rates of limits.rates in the metrics; a proxy can refuse them earlier',
        },
      })
      return
    }
    if (policy === undefined)
      log.warn('a credential was refused', {
        event: 'credential-refused',
        address,
        credential,
        ...describeAnswer(answer),
      })
    else
      log.warn('a rate limit refused a request', { event: 'rate-limited', address, policy, ...describeAnswer(answer) })
  }
}
