/**
 * The verifiers that a feature is built on, by the part that they play in it. Such a feature imports an id from here. All
 * other code asks a verifier for its qualities (verifier.ts). Runs in browsers, too.
 */

/** Owners sign their actions in texts of this verifier: auth/owner-action.ts. */
export const ownerActionVerifierId = 'ownership-basic'

/** Gives a person the name that others see. */
export const pseudonymVerifierId = 'ownership-pseudonym'

/** Joins a second wallet to the person of the first one. Both sign. */
export const walletLinkId = 'wallet-link'

/** An agent says who it is. */
export const agentIdentityId = 'agent-identity'

/** A wallet lets an agent, or an app, act for it. */
export const agentDelegationId = 'agent-delegation'

/** Set up an agent, and so record who made them: the delegation first, which gives the authority. */
export const agentVerifierIds: readonly string[] = [agentDelegationId, agentIdentityId]
