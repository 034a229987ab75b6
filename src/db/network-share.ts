/**
 * Whose place is given up when all places are taken: one of the network with the most. So no network can take the places
 * of all others, and one network alone has all of them. network-places.ts is the same rule for places in memory.
 */

/** A subquery: the network with the most rows of the table, an empty text where it is unknown. `age` breaks a tie. */
export const writeBusiestNetworkSql = (table: string, condition: string, age: string): string =>
  `SELECT coalesce(network, '') FROM ${table} WHERE ${condition}
   GROUP BY coalesce(network, '') ORDER BY count(*) DESC, min(${age}) LIMIT 1`
