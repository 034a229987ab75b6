/**
 * Names of the parameters of a gate check. Unknown names are refused: a typo in a filter would weaken a check, and
 * admit people.
 */

import { signedMembers } from '../../auth/signed-body.ts'
import { suggestNearest } from '../../config/suggest.ts'
import { AppError } from '../../errors.ts'
import type { KnownParameters } from './parameters.ts'

/**
 * Names that mean something to other routes and to older clients, which send them along. They change nothing here:
 * signatures travel in headers, lists and pages have parameters of their own.
 */
const withoutMeaning: ReadonlySet<string> = new Set([
  // Parameters of every signed request.
  'walletAddress',
  'signature',
  'signedTimestamp',
  'signatureMethod',
  'chain',
  'did',
  'hubChainId',
  // Parameters of older checks.
  'claimsOnly',
  // Parameters of reading one proof.
  'latestScope',
  'scopeKey',
  'trackView',
  'track_view',
  // Parameters of lists.
  'offset',
  'cursor',
  'visibility',
  'isPublicRead',
  'includeHistory',
  'includeSecrets',
  'includeFacets',
  'status',
  'q',
  'tagPrefix',
  'tagContains',
  'tagPrefixesAll',
  'appId',
  'chainCoverage',
  'privacyLevel',
  'resolveContent',
  'type',
  // Parameters of clients and hosted pages.
  'apiKey',
  'appOrigin',
  'appLinkQHash',
  'billingWallet',
  'sponsorOrgWallet',
  'orgWallet',
  'paymentSignature',
  'sponsorGrant',
  'agentWalletAddress',
  'verifiers',
  'returnUrl',
  'origin',
  'mode',
])

/** Usual mistakes that resemble the right name too little, or another name more. In lower case. */
const usualMistakes: ReadonlyMap<string, string> = new Map([
  ['wallet', 'address'],
  ['walletaddress', 'address'],
  ['wallet_address', 'address'],
  ['contract', 'contractAddress'],
  ['tokenaddress', 'contractAddress'],
  ['token_address', 'contractAddress'],
  ['nft', 'contractAddress'],
  ['token', 'tokenId'],
  ['gate', 'gateId'],
  ['proof', 'qHash'],
  ['proofid', 'qHash'],
  ['agent', 'agentId'],
  ['agentaddress', 'agentWallet'],
  ['controller', 'controllerWallet'],
  ['controlleraddress', 'controllerWallet'],
  ['owner', 'ownerAddress'],
  ['block', 'blockNumber'],
  ['subjectaddress', 'subjectWallet'],
  ['expectedorgdomain', 'domain'],
])

/** A longer name is no typo of ours, and comparing it would take long. */
const longestSuggested = 40

/**
 * Accepts the names of other routes and tools for the wallet and the verifiers. Ignoring them would weaken the check.
 * The check's own names take precedence.
 */
export function takeOtherNames(query: Record<string, unknown>): void {
  query.address ??= query.walletAddress
  if (query.verifierId === undefined) query.verifierIds ??= query.verifiers
  for (const name of ['address', 'verifierIds']) if (query[name] === undefined) delete query[name]
}

/** Errors: VALIDATION_ERROR, for the first unknown name. */
export function requireKnownNames(names: readonly string[], known: KnownParameters, at = ''): void {
  const unknown = names.find((name) => !known.meaningful.has(name) && !withoutMeaning.has(name))
  if (unknown === undefined) return
  const meant =
    unknown.length > longestSuggested
      ? undefined
      : (usualMistakes.get(unknown.toLowerCase()) ?? suggestNearest(unknown, [...known.meaningful]))
  const shown = unknown.length <= 80 ? unknown : `${unknown.slice(0, 80)}…`
  throw new AppError(
    'VALIDATION_ERROR',
    `"${shown}" is not a parameter of a check${meant === undefined ? '.' : `: did you mean ${meant}?`} An ignored filter would admit more wallets, so it is refused. The API reference lists the parameters: /docs, GET /api/v1/proofs/check`,
    { path: `${at}/${shown}`, ...(meant === undefined ? {} : { nearest: meant }) },
  )
}

const isBesideChecks = (name: string): boolean => name === 'checks' || Object.hasOwn(signedMembers, name)

/**
 * Parameters of many checks belong in their entries. Outside them they would be ignored, and would weaken each check.
 * Errors: VALIDATION_ERROR.
 */
export function requireOnlyChecks(body: object, query: URLSearchParams): void {
  const besides = [...Object.keys(body).filter((name) => !isBesideChecks(name)), ...query.keys()]
  const [first] = besides
  if (first === undefined) return
  const shown = first.slice(0, 80)
  throw new AppError(
    'VALIDATION_ERROR',
    `"${shown}" has no meaning beside the list checks: put the parameters of a check into its entry`,
    { path: `/${shown}` },
  )
}

/** Moves the names of this brand to those that the check knows. Errors: VALIDATION_ERROR where both differ. */
export function takeBrandedNames(query: Record<string, unknown>, { branded }: KnownParameters, at = ''): void {
  for (const [own, name] of branded) {
    const { [own]: value } = query
    if (value === undefined) continue
    if (query[name] !== undefined && query[name] !== value)
      throw new AppError(
        'VALIDATION_ERROR',
        `${own} and ${name} are two names of one filter and have different values: give one of them`,
        {
          path: `${at}/${own}`,
        },
      )
    query[name] = value
    delete query[own]
  }
}
