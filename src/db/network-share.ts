/**
 * Chooses the place that is given up when all places are taken: one of the network with the most. So no network can
 * displace all others, while one network alone can use all. network-places.ts is the same rule for places in memory.
 */

/** A subquery: the network with the most rows of the table, an empty text where it is unknown. `age` breaks a tie. */
export const writeBusiestNetworkSql = (table: string, condition: string, age: string): string =>
  `SELECT coalesce(network, '') FROM ${table} WHERE ${condition}
   GROUP BY coalesce(network, '') ORDER BY count(*) DESC, min(${age}) LIMIT 1`
