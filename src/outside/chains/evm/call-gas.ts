/**
 * The gas limit of a contract read. It is below the 16,777,216 that EIP-7825 allows a transaction, which some nodes
 * require of calls as well. No read of a verifier comes near it.
 */
export const callGas = 15_000_000n
