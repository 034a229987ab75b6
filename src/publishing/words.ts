/** Status words of a proof that is recorded on chains. All mean "verified" (src/guides/wire.md, "Status words"). */
export const publishingWords = {
  /** Ordered, and nothing was sent yet. */
  initiated: 'verified_crosschain_initiated',
  /** At least one transaction was made, and not every chain is done. */
  propagating: 'verified_crosschain_propagating',
  /** Every chain holds it. */
  propagated: 'verified_crosschain_propagated',
  /** Every chain is done, and at least one does not hold it. */
  failed: 'verified_propagation_failed',
} as const
