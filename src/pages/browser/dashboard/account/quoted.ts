/** A name somebody gave, in a sentence: quoted, and held together where it is written from right to left. */
export const quote = (name: string): string => `“\u2068${name}\u2069”`
