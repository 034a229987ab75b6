/** Ids of verifiers as clients write them. */

/** Clients of some generations append a version to an id: `ownership-basic@1`. */
export const stripVersion = (id: string): string => id.replace(/@[0-9]{1,6}$/, '')
