/** The grants and sessions that end with a key or a client, in words for a terminal. */
import type { EndsWith } from '../auth/ending-store.ts'

const formatCount = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`

const writeWords = ({ delegations, agents, accessGrants }: EndsWith): string =>
  [
    ...(delegations > 0 ? [formatCount(delegations, 'delegation')] : []),
    ...(agents > 0 ? [formatCount(agents, 'agent')] : []),
    ...(accessGrants > 0 ? [formatCount(accessGrants, 'access grant')] : []),
  ].join(', ')

/** For a line of a list: the things that would end. Empty for none. */
export const writeEndingNote = (what: EndsWith): string => (writeWords(what) === '' ? '' : `  made ${writeWords(what)}`)

/** For after the act: the things that ended. Empty for none. */
export const writeEndedSentence = (what: EndsWith): string =>
  writeWords(what) === '' ? '' : ` What it made ended with it: ${writeWords(what)}.`
