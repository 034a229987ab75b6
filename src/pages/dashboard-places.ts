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
