/** Work that one process does for all that share a database, and what a second one at the same time would do. */
export const leaseNames = {
  publishing: 'two senders would give one nonce of the account to two transactions',
  sweep: 'two sweeps would wait for the rows of each other, and count what one deleted',
  facts: 'two starts would read and write the same old proofs',
  jobs: 'two processes would make the same backup or drill at the same minute',
  journal: 'two writers would put the same rows under two names, and take each other for strangers',
  traces: 'two processes would vacuum the same tables, and wait for each other',
} as const

export type LeaseName = keyof typeof leaseNames
