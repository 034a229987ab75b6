/**
 * How much gas a question to a contract may use. Below the 16,777,216 that EIP-7825 allows a transaction, which some nodes
 * demand of calls as well. No question that a verifier asks comes near it.
 */
export const callGas = 15_000_000n
