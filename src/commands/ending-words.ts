/** What ends with a key or a client, in words for a terminal. */
import type { EndsWith } from '../auth/ending-store.ts'

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`

const wordsOf = ({ delegations, agents, accessGrants }: EndsWith): string =>
  [
    ...(delegations > 0 ? [counted(delegations, 'delegation')] : []),
    ...(agents > 0 ? [counted(agents, 'agent')] : []),
    ...(accessGrants > 0 ? [counted(accessGrants, 'access grant')] : []),
  ].join(', ')

/** For a line of a list: what would end. Empty where nothing would. */
export const endingNote = (what: EndsWith): string => (wordsOf(what) === '' ? '' : `  made ${wordsOf(what)}`)

/** For after the act: what has ended. Empty where nothing has. */
export const endedSentence = (what: EndsWith): string =>
  wordsOf(what) === '' ? '' : ` What it made ended with it: ${wordsOf(what)}.`
