/** The addresses of the dashboard: for the server, which sends its page there, and for the browser, which has a view for each. */

/** Of every signed-in person. */
export const ownPlaces = [
  '/',
  '/gates',
  '/gates/new',
  '/gates/:gateId',
  '/payments',
  '/keys',
  '/apps',
  '/secrets',
  '/wallets',
  '/sessions',
] as const

/** Of operators. For everybody else there is nothing at these addresses. */
export const operatorPlaces = [
  '/operator',
  '/operator/limits',
  '/operator/catalog',
  '/operator/audit',
  '/operator/numbers',
] as const

export type Place = (typeof ownPlaces)[number] | (typeof operatorPlaces)[number]

/** Where clients of the interface look for a person's own page, with `tab` for its part. */
export const profilePath = '/profile'

const tabs: ReadonlyMap<string, Place> = new Map<string, Place>([
  ['account', '/keys'],
  ['keys', '/keys'],
  ['api-keys', '/keys'],
  ['credits', '/payments'],
  ['billing', '/payments'],
  ['payments', '/payments'],
  ['gates', '/gates'],
  ['apps', '/apps'],
  ['secrets', '/secrets'],
  ['wallets', '/wallets'],
  ['sessions', '/sessions'],
])

/** The view that stands for a tab; the first one, with the proofs, for those that there are not. */
export const placeOfTab = (tab: string | null): Place => tabs.get((tab ?? '').toLowerCase()) ?? '/'
