/**
 * What writes of several processes take turns about (commit-group.ts `turns`), by one name for all that decide about the
 * same thing. Turns come before rows, so that a write that has one waits for no write that waits for it.
 */

/**
 * `account`: accounts.address, for its proofs, names and what it buys. `name`: a reserved name. `source`: what a key, a grant
 * or a link made. `payment`: its identity, which buys one thing or is owed. `owner`: gates.owner, for his number of gates.
 * `erasure`: its receipt or handle. `sweep`: what it deletes.
 */
type Decided = 'account' | 'erasure' | 'name' | 'owner' | 'payment' | 'source' | 'sweep'

/** Each writer of the journal shares it (taken_away_numbered in migrations/postgres), and the reader waits for them all. */
export const journalTurn = 'journal'

/** A jump of the clock of the database, which all processes find. */
export const clockTurn = 'clock'

export const nameTurn = (decided: Decided, name: string): string => `${decided} ${name}`
