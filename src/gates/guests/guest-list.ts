/** The requirement "one of these wallets". It is no verifier: the owner names the wallets, and nobody proves anything. */
import type { GateRequirement } from '../gate.ts'

/** Stands in `verifierId` of the requirement. */
export const guestListId = 'guest-list'

/** The limit of wallets for one gate. */
export const mostGuests = 10_000

export const isGuestList = ({ verifierId }: Pick<GateRequirement, 'verifierId'>): boolean => verifierId === guestListId

/** The requirement of a gate that is its guest list. A definition has at most one. */
export const hasGuestList = ({
  requirements,
}: {
  readonly requirements: readonly Pick<GateRequirement, 'verifierId'>[]
}): boolean => requirements.some(isGuestList)

/** For a wallet that is not listed: no proof is a remedy. */
export const notListed = 'This wallet is not on the list'

/** Members that say something of a proof, which a list does not have. */
export const proofMembers = ['match', 'minCount', 'maxAgeMs', 'final', 'recheck'] as const
