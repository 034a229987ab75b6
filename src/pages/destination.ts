/** Finds the final destination of a link to the hosted pages, and the site that receives the result. */
import { mayHearCode, mayReturnWithCode } from '../http/handover-sites.ts'
import { findChallengeFault } from '../http/pkce.ts'
import { findOriginFault, returnUrlFault } from '../http/return-url.ts'
import { type Fault, Faulty, type Get, keepPresent, type Refuse } from './link-parameters.ts'

/** The allowed destinations, from the settings. */
export interface Places {
  /** An empty list allows every https origin. */
  readonly returnOrigins: readonly string[]
  readonly handoverSites: readonly string[]
}

/** The body of POST /api/v1/auth/code. */
export interface Handover {
  readonly returnUrl?: string
  readonly origin?: string
  readonly code_challenge?: string
  readonly code_challenge_method?: string
}

/** The validated return address, and the validated origin that receives the result. */
export interface Destination {
  readonly returnUrl: string | undefined
  readonly popup: string | undefined
  readonly state: string | undefined
  readonly handover: Handover | undefined
}

/** The destination of a link that only signs in. */
export function readLoginDestination(
  parameters: URLSearchParams,
  places: Places,
): Destination | { readonly fault: Fault } {
  try {
    return readDestination(
      (name) => parameters.get(name) || undefined,
      places,
      (parameter, why) => new Faulty({ parameter, why }),
    )
  } catch (error) {
    if (error instanceof Faulty) return { fault: error.fault }
    throw error
  }
}

const longestState = 1024

export function readDestination(get: Get, { returnOrigins, handoverSites }: Places, refuse: Refuse): Destination {
  const asked = get('returnUrl')
  const isNamedSite =
    asked !== undefined && URL.canParse(asked) && mayReturnWithCode(new URL(asked).href, handoverSites)
  // A registered site is an allowed return address.
  const fault = asked === undefined ? undefined : returnUrlFault(asked, isNamedSite ? [] : returnOrigins)
  if (fault !== undefined) throw refuse('returnUrl', fault)
  const returnUrl = asked === undefined ? undefined : new URL(asked).href
  const origin = get('origin')
  const isNamedOrigin = origin !== undefined && mayHearCode(origin, handoverSites)
  const popup = readPopup(get, isNamedOrigin ? [] : returnOrigins, refuse)
  const state = get('state')
  if (state !== undefined && !new RegExp(`^[\\x20-\\x7e]{1,${longestState}}$`).test(state))
    throw refuse('state', `must be at most ${longestState} visible characters of ASCII`)
  const [challenge, method] = [get('code_challenge'), get('code_challenge_method')]
  const wrongChallenge = findChallengeFault(challenge, method)
  if (wrongChallenge) throw refuse(wrongChallenge.parameter, wrongChallenge.why)
  const site =
    popup !== undefined ? isNamedOrigin && { origin: popup } : isNamedSite && returnUrl !== undefined && { returnUrl }
  return {
    returnUrl,
    popup,
    state,
    handover: site ? keepPresent({ ...site, code_challenge: challenge, code_challenge_method: method }) : undefined,
  }
}

function readPopup(get: Get, returnOrigins: readonly string[], refuse: Refuse): string | undefined {
  const [mode, origin] = [get('mode'), get('origin')]
  if (mode !== undefined && mode !== 'popup') throw refuse('mode', 'must be popup, or left out')
  // A widget whose popup was blocked sends the same address without the mode.
  if (mode === undefined) return undefined
  if (origin === undefined) throw refuse('origin', 'is missing: mode=popup needs the origin of the page that opened it')
  const fault = findOriginFault(origin, returnOrigins)
  if (fault !== undefined) throw refuse('origin', fault)
  return origin
}
