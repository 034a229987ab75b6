/**
 * The verifiers that features are built on, by their role. A feature that needs one imports its id from here. All other
 * code reads a verifier's properties (verifier.ts). Runs in browsers, too.
 */

/** Owners sign their actions in texts of this verifier: auth/owner-action.ts. */
export const ownerActionVerifierId = 'ownership-basic'

/** Gives a person a public name. */
export const pseudonymVerifierId = 'ownership-pseudonym'

/** Shows that a wallet controls a domain. */
export const domainVerifierId = 'ownership-dns-txt'

/** Links a second wallet to the person of the first one. Both sign. */
export const walletLinkId = 'wallet-link'

/** An agent states its identity. */
export const agentIdentityId = 'agent-identity'

/** Its proofs are bound to the host name of this server. */
export const serverBoundVerifierId = 'proof-of-human'

/** A wallet gives an agent, or an app, authority. */
export const agentDelegationId = 'agent-delegation'

/** These set up an agent: the delegation comes first, because it gives the authority. */
export const agentVerifierIds: readonly string[] = [agentDelegationId, agentIdentityId]

/** Their claims are about one content, so two of them are seldom the same. */
export const contentVerifierIds: readonly string[] = ['ownership-basic', 'ownership-licensed', 'ai-content-moderation']
