/** Sites whose server may be told who a person is (pages.handover_sites), compared as redirect addresses of OAuth are. */
import { isSameBesidesPort, parseLoopback } from './loopback.ts'

/** An entry that is an origin stands for each page of it; an address for itself alone, query and all. */
const isOriginEntry = (entry: string): boolean => new URL(entry).origin === entry

/** `returnUrl` in normal form: as a browser would open it. */
export const mayReturnWithCode = (returnUrl: string, sites: readonly string[]): boolean =>
  sites.some((entry) => isSameBesidesPort(isOriginEntry(entry) ? new URL(returnUrl).origin : returnUrl, entry))

/** A window tells its opener, of which the browser knows no more than the origin. */
export const mayHearCode = (origin: string, sites: readonly string[]): boolean =>
  sites.some((entry) => isOriginEntry(entry) && isSameBesidesPort(origin, entry))

/** The origin of every site that may be told. Undefined where there may be several: a loopback entry stands for each port. */
export const findOnlySite = ([entry, ...others]: readonly string[]): string | undefined =>
  entry === undefined || others.length > 0 || parseLoopback(entry) ? undefined : new URL(entry).origin
