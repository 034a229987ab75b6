/** The first label of the name whose TXT records are read: `_svc`. Runs in browsers, too. */
export const nameRecordLabel = (brand: string): string => `_${brand}`
