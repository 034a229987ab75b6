/** The grants and sessions that end with a key or a client, in words for a terminal. */
import type { EndsWith } from '../auth/ending-store.ts'

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`

const wordsOf = ({ delegations, agents, accessGrants }: EndsWith): string =>
  [
    ...(delegations > 0 ? [counted(delegations, 'delegation')] : []),
    ...(agents > 0 ? [counted(agents, 'agent')] : []),
    ...(accessGrants > 0 ? [counted(accessGrants, 'access grant')] : []),
  ].join(', ')

/** For a line of a list: the things that would end. Empty for none. */
export const endingNote = (what: EndsWith): string => (wordsOf(what) === '' ? '' : `  made ${wordsOf(what)}`)

/** For after the act: the things that ended. Empty for none. */
export const endedSentence = (what: EndsWith): string =>
  wordsOf(what) === '' ? '' : ` What it made ended with it: ${wordsOf(what)}.`
