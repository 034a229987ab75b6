/** The addresses of the dashboard: the server sends its page there, and the browser has a view for each. */

/** The places of every signed-in person. */
export const ownPlaces = [
  '/',
  '/shared-with-me',
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

/** The places of operators. For others, these addresses do not exist. */
export const operatorPlaces = [
  '/operator',
  '/operator/limits',
  '/operator/catalog',
  '/operator/audit',
  '/operator/numbers',
] as const

export type Place = (typeof ownPlaces)[number] | (typeof operatorPlaces)[number]

/** The address at which API clients expect a person's own page; `tab` selects its part. */
export const profilePath = '/profile'

const tabs: ReadonlyMap<string, Place> = new Map<string, Place>([
  ['shared-with-me', '/shared-with-me'],
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

/** The view for a tab; an unknown tab gets the first view, with the proofs. */
export const placeOfTab = (tab: string | null): Place => tabs.get((tab ?? '').toLowerCase()) ?? '/'
