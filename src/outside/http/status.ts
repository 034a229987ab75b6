/** The meaning of a status for its endpoint. Statuses that belong to a protocol (200, 400, 404) pass. */
import { OutsideError } from '../failure.ts'
import type { OutsideAnswer } from './message.ts'

/** Errors: OutsideError `unreachable` for 5xx, except for one that asks for a pause. */
export function requireUp(setting: string, answer: OutsideAnswer): OutsideAnswer {
  if (answer.status >= 500 && !asksForPause(answer))
    throw new OutsideError(
      'unreachable',
      setting,
      `answered ${answer.status}`,
      'the service has a fault of its own: try later',
    )
  return answer
}

/**
 * `keySetting` holds the key, if the address does not. Errors: OutsideError `rate-limited`, `credentials`, `malformed` for
 * a redirect.
 */
export function requireWelcome(
  setting: string,
  answer: OutsideAnswer,
  keySetting: string | undefined = keySettings[setting],
): OutsideAnswer {
  const { status } = answer
  if (asksForPause(answer))
    throw new OutsideError(
      'rate-limited',
      setting,
      `wants fewer calls (${status})`,
      'raise the limit of the account, or add another source',
      readPause(answer) ?? standardPauseSeconds,
    )
  if (status === 401 || status === 402 || status === 403)
    throw new OutsideError(
      'credentials',
      setting,
      `refused the key (${status})`,
      `${describeKeySetting(setting, keySetting)}, and see whether the account there is in order`,
    )
  if (status >= 300 && status < 400)
    throw new OutsideError(
      'malformed',
      setting,
      `redirects (${status}), which is not followed`,
      'give the address it redirects to',
    )
  return answer
}

/** The setting that holds the key of each source whose address does not hold it. */
const keySettings: Readonly<Record<string, string>> = {
  'human.passport': 'human.passport.api_key',
  'human.worldid': 'human.worldid.app_id or human.worldid.rp_id',
  'ipfs.pinning_url': 'ipfs.pinning_token',
  'moderation.google_vision': 'moderation.google_vision.api_key',
  'moderation.openai': 'moderation.openai.api_key',
  'risk.chainalysis': 'risk.chainalysis.api_key',
  'risk.goplus': 'risk.goplus.api_key',
  'risk.webacy': 'risk.webacy.api_key',
}

function describeKeySetting(setting: string, key: string | undefined): string {
  if (setting.startsWith('social.')) return `set the right ${setting}.client_id and ${setting}.client_secret`
  return key === undefined ? `give ${setting} the address with the right key` : `set the right ${key}`
}

const standardPauseSeconds = 30
/** A service that asks for an hour is tried sooner: it may have meant one account, or one method. */
const longestPauseSeconds = 60

const asksForPause = (answer: OutsideAnswer): boolean => answer.status === 429 || readPause(answer) !== undefined

/**
 * The Retry-After of a 429 or 503 (RFC 9110 section 10.2.3), in whole seconds from 1 to 60. Undefined when it is absent
 * or unreadable.
 */
export function readPause({ status, headers }: OutsideAnswer): number | undefined {
  if (status !== 429 && status !== 503) return undefined
  const text = headers['retry-after'] ?? ''
  // A date is compared with its sender's clock: ours may differ.
  const seconds = /^\d+$/.test(text) ? Number(text) : (parseTime(text) - parseTime(headers.date ?? '')) / 1000
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(Math.ceil(seconds), 1), longestPauseSeconds)
}

/** HTTP-date of RFC 9110 section 5.6.7; its oldest form names no zone and means GMT. */
const parseTime = (date: string): number => Date.parse(/GMT$/.test(date) ? date : `${date} GMT`)
