/** LONG=1 runs what these tests do often enough to find what happens seldom. */
export const isLong = process.env.LONG === '1'

/** How much of something: within seconds, or in the long run. */
export const choose = (short: number, long: number): number => (isLong ? long : short)
